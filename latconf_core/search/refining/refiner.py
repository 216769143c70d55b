"""Puts hidden causes into a DAG one after the other, as long as each gains what a claim needs."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, log

from latconf_core.families.objectives import LEAST_CLAIM
from latconf_core.graph.bits import bits
from latconf_core.search.refining.candidates import (
    MAX_COMPLETE,
    list_candidates,
    list_every_group,
    list_far_pairs,
    list_triples,
)
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.insertion import WITHIN, Insertion
from latconf_core.search.refining.polishing import polish, polish_latent
from latconf_core.search.refining.promise import MANY_VARIABLES, sort_by_promise
from latconf_core.search.refining.renewal import renew
from latconf_core.search.refining.same_children import merge_same_children
from latconf_core.search.refining.soft_model import Scored, SoftModel, is_acyclic, union
from latconf_core.search.refining.split_latent import split_latent
from latconf_core.search.refining.weak_links import WeakLinks

LEAST_CHANGE = 1.0  # nats that another shape of a latent must gain
N_THOROUGH = 8  # candidates that get a second look
N_THOROUGH_LARGE = 6  # of four children and more, besides
N_FIRST_LARGE = 40  # the same as long as there is no latent, those included that a first look gave up
CLEAR_GAIN = 50.0  # nats in a first look, where what it gave up need not be looked at again
N_RENEWED = 6  # candidates that are begun anew in other surroundings …
N_RENEWED_RIVALS, RIVAL_SHARE = 3, 0.5  # … where one is worth it, those that gain this share of it
LEAST_OF_PAIR = -8.0  # nats; a pair that gains less has nothing in common
N_RENEWALS = 16  # times each
N_CHAINS, N_PER_CHAIN = 4, 4  # beginnings anew of a latent that was put in: side by side, and one after the other …
AT_A_TIME = 24  # candidates of many variables that are looked at before the best of them are put in …
N_THOROUGH_AT_A_TIME, LEAST_PROMISE = 6, -15.0  # … after a second look at so many that gain this in the first, nats
MOST_SERIES = 4  # … so often while it gains
N_WEAK_BEST, N_WEAK_FIRST = 6, 4  # candidates of weak links that get a second look: the best, and the most linked
RENEWED = "renewed"  # changes edges anywhere, so that what was found holds for one model only

RunAll = Callable[[Sequence[Callable[[], Scored | None]]], Iterator[Scored | None]]
Key = tuple[object, ...]


def run_in_turn(tasks: Sequence[Callable[[], Scored | None]]) -> Iterator[Scored | None]:
    """The results of some tasks, in their order, one after the other."""
    return (task() for task in tasks)


@dataclass(frozen=True, eq=False)
class Trial:
    """What an insertion made of a model; `after` is None where it was given up."""

    children: int
    before: Scored
    after: Scored | None

    @property
    def gain(self) -> float:
        return -inf if self.after is None else self.after.score - self.before.score

    @property
    def n_reached(self) -> int:
        """How many children the insertion ended with."""
        return 0 if self.after is None else self.after.model.latents[-1].children.bit_count()


Trials = Generator[Scored, None, list[Trial]]  # the models as they are scored, and at the end the trials in order


class Refiner:
    """The search for hidden causes on one dataset.

    others : other good DAGs without latents, whose skeletons give candidates too
    more_candidates : sets of children to be tried besides
    only : whether no others are tried
    run_all : runs independent tasks, perhaps side by side; their results in order
    present : the model reached so far
    has_tried_all : whether every group of two and more variables was tried
    n_listed, n_tried : the candidates of the last list, and how many of these had a first look
    """

    def __init__(
        self,
        fitting: Fitting,
        start: Scored,
        *,
        others: Sequence[SoftModel] = (),
        more_candidates: Sequence[int] = (),
        only: bool = False,
        run_all: RunAll = run_in_turn,
    ) -> None:
        self.present = start
        self.has_tried_all = False
        self.n_listed, self.n_tried = 0, 0
        self._fitting = fitting
        self._insertion = Insertion(fitting)
        self._others = list(others)
        self._more_candidates = list(more_candidates)
        self._only = only
        self._may_share = fitting.soft.may_share
        self._run_all = run_all
        self._weak_links = WeakLinks(fitting.soft.dataset)
        self._known: dict[Key, Trial] = {}
        self._furthest = Trial(0, start, None)

    def settle(self) -> None:
        """Go to the best insertion so far, for a search that is ended before it has tried all of them."""
        if self._furthest.before is self.present and _is_worth_it(self._furthest):
            assert self._furthest.after is not None
            self.present = self._furthest.after
        self.present = merge_same_children(self._fitting, self.present)

    def refine(self) -> Iterator[Scored]:
        """Every model that is scored; `present` is the best of them when it ends."""
        if self._fitting.n_variables > MANY_VARIABLES and not self._only:
            yield from self._put_in_by_promise()
        while (best := (yield from self._best_change())) is not None:
            before = self.present
            for reached in self.improve(best):
                improved = merge_same_children(self._fitting, reached)
                if improved.score > self.present.score:
                    self.present = improved
                    yield improved
            if self.present is before:
                break

    def _put_in_by_promise(self) -> Iterator[Scored]:
        """Look at some candidates at a time, the most promising first, and put in all that are worth it at once.

        A round that tries all candidates before the best one is put in takes minutes among hundreds of variables.
        """
        listed = list_candidates([self.present.model, *self._others])
        listed += [more_candidate for more_candidate in self._more_candidates if more_candidate not in set(listed)]
        left = sort_by_promise(listed, self.present.model, self._fitting.soft)
        self.n_listed, self.n_tried = len(left), 0
        while left:
            some, left = left[:AT_A_TIME], left[AT_A_TIME:]
            n_done = self.n_listed - len(left)
            new = [one for one in some if not any(not one & ~latent.children for latent in self.present.model.latents)]
            quick = yield from self._try("quick", self._possible(new))
            self.n_tried = n_done
            best = [trial for trial in _most_promising(quick) if trial.gain > LEAST_PROMISE][:N_THOROUGH_AT_A_TIME]
            trials = yield from self._try("thorough", best)
            for trial in sorted(filter(_is_worth_it, trials), key=lambda trial: -trial.gain):
                yield from self._put_in(trial)

    def _put_in(self, trial: Trial) -> Iterator[Scored]:
        """Put a hidden cause into the model where nothing has changed around it, and make the best of it alone."""
        if not _is_unchanged(trial, self.present.model):
            return
        moved = _carry_over(trial, self.present)
        if moved is None or moved.after is None:
            return
        after = self._fitting.refit(moved.after.model)
        if not _is_worth_it(Trial(trial.children, self.present, after)):
            return
        self.present = merge_same_children(self._fitting, after)
        yield self.present
        if self.present is after:
            improved = polish_latent(self._fitting, after, len(after.model.latents) - 1)
            improved = merge_same_children(self._fitting, improved)
            if improved.score > self.present.score:
                self.present = improved
                yield improved

    def improve(self, present: Scored) -> Iterator[Scored]:
        """What becomes of a model by other shapes of its latents, step by step."""
        present = polish(self._fitting, present)
        yield present
        index = 0
        while index < len(present.model.latents):  # another shape may have fewer
            present = self._renew_on(present, index)
            yield present
            index += 1
        yield polish(self._fitting, self._split_latent(present))

    def _split_latent(self, present: Scored) -> Scored:
        """The model with two latents instead of one where that gains what a claim needs."""
        tasks = [partial(split_latent, self._fitting, present, index) for index in range(len(present.model.latents))]
        reached = [shape for shape in self._run_all(tasks) if shape is not None]
        best = max(reached, key=lambda shape: shape.score, default=present)
        return best if best.score >= present.score + LEAST_CLAIM else present

    def _renew_on(self, present: Scored, index: int) -> Scored:
        """Begin a latent anew, and again while that gains."""
        for series in range(1, MOST_SERIES + 1):
            tasks = [
                partial(renew, self._fitting, present, index, n_trials=N_PER_CHAIN, series=series * N_CHAINS + chain)
                for chain in range(N_CHAINS)
            ]
            before = present.score
            reached = [shape for shape in self._run_all(tasks) if shape is not None]
            present = max(reached, key=lambda shape: shape.score, default=present)
            if present.score < before + LEAST_CHANGE:
                break
        return present

    def _best_change(self) -> Generator[Scored, None, Scored | None]:
        """The model after the best insertion that is worth it, else after a removal that gains; else None."""
        self._furthest = Trial(0, self.present, None)
        candidates = [] if self._only else list_candidates([self.present.model, *self._others])
        candidates += [more_candidate for more_candidate in self._more_candidates if more_candidate not in candidates]
        self.n_listed, self.n_tried = len(candidates), 0
        trials = yield from self._try("quick", self._possible(candidates))
        self.n_tried = self.n_listed
        trials += yield from self._try("thorough", _most_promising(trials))
        trials += yield from self._try(RENEWED, _best_different(trials))
        if not self._only and not any(map(_is_worth_it, trials)):
            trials = yield from self._try_others(candidates)
        for trial in sorted(filter(_is_worth_it, trials), key=lambda trial: -trial.gain):
            checked = self._check(trial)
            if _is_worth_it(checked):
                return checked.after
        removals = [removal for removal in self._removals() if removal.gain > 0]
        return max(removals, key=lambda removal: removal.gain).after if removals else None

    def _try_others(self, known: Sequence[int]) -> Trials:
        """Insertions over variables that are not joined among themselves: every group of few variables."""
        n_variables = self._fitting.n_variables
        if n_variables <= MAX_COMPLETE:
            rest = [children for children in list_every_group(n_variables) if children not in set(known)]
            possible = self._possible(rest)
            trials = yield from self._try("far", possible)
            trials += yield from self._try("thorough", _most_promising(trials))
            self.has_tried_all = len(possible) == len(rest) and all(map(self._may_share, known))
            return trials
        far = [*list_far_pairs(self.present.model), *list_triples(self.present.model)]
        trials = yield from self._try("far", self._possible(far))
        if not any(map(_is_worth_it, trials)):
            trials = yield from self._try_weak_links([*known, *far])
        return trials

    def _check(self, trial: Trial) -> Trial:
        """A trial with its own score: one that was carried over may have gained what the model has gained since."""
        assert trial.after is not None
        return Trial(trial.children, trial.before, self._fitting.refit(trial.after.model))

    def _try_weak_links(self, known: Sequence[int]) -> Trials:
        """Insertions over variables that depend too weakly for edges, where they were not tried before.

        These sets were chosen for what the data show by chance, too: one must also gain the log of their number.
        """
        listed = self._weak_links.list_sets(self.present.model, self._fitting.checkpoint)
        sets = [children for children in listed if children not in set(known)]
        quick = yield from self._try("quick", self._possible(sets))
        trials = yield from self._try("thorough", _best_and_first(quick))
        return [children for children in trials if children.gain >= LEAST_CLAIM + log(len(sets))]

    def _possible(self, candidates: Sequence[int]) -> list[Trial]:
        return [Trial(candidate, self.present, None) for candidate in candidates if self._may_share(candidate)]

    def _try(self, effort: str, firsts: Sequence[Trial]) -> Trials:
        """Insertions into the present model; what was found for the same surroundings is carried over."""
        keys = [(effort, *self._surroundings(first.children)) for first in firsts]
        trials: dict[Key, Trial] = {}
        for key in keys:
            moved = _carry_over(self._known[key], self.present) if key in self._known and effort != RENEWED else None
            if moved is not None:
                trials[key] = moved
        unknown = [(key, first) for key, first in zip(keys, firsts) if key not in trials]
        results = self._run_all([self._task(effort, first) for _, first in unknown])
        for (key, first), after in zip(unknown, results):
            trials[key] = self._known[key] = Trial(first.children, self.present, after)
            if effort == "quick":
                self.n_tried += 1
            if after is not None:
                self._furthest = max(self._furthest, trials[key], key=lambda trial: trial.gain)
                yield after
        return [trials[key] for key in keys]

    def _task(self, effort: str, first: Trial) -> Callable[[], Scored | None]:
        if effort == RENEWED and first.after is not None:
            last = len(first.after.model.latents) - 1
            return partial(renew, self._fitting, first.after, last, n_trials=N_RENEWALS)
        if effort == "thorough":
            return partial(self._insertion.thorough, self.present, first.children, first.after)
        return partial(self._insertion.quick, self.present, first.children, is_far=effort == "far")

    def _surroundings(self, children: int) -> Key:
        model = self.present.model
        zone = model.zone(children)
        return (
            children,
            tuple(model.parents[v] for v in bits(zone)),
            tuple((latent.children, latent.n_states) for latent in model.latents if latent.children & zone),
        )

    def _removals(self) -> list[Trial]:
        latents = self.present.model.latents
        return [
            Trial(latent.children, self.present, self._fitting.remove(self.present, k))
            for k, latent in enumerate(latents)
        ]


def _most_promising(trials: Sequence[Trial]) -> list[Trial]:
    """The best of all, of those that came to the same one; and the best of the large ones."""
    different: dict[tuple[float, int], Trial] = {}
    for trial in sorted(trials, key=lambda trial: -trial.gain):
        if trial.after is not None and trial.gain > -WITHIN:
            different.setdefault((round(trial.gain, 1), trial.after.model.latents[-1].children), trial)
    chosen = list(different.values())
    large = [trial for trial in chosen[N_THOROUGH:] if trial.children.bit_count() >= 4][:N_THOROUGH_LARGE]
    if trials and not trials[0].before.model.latents and not any(trial.gain >= CLEAR_GAIN for trial in trials):
        given_up = [trial for trial in trials if trial.after is None and trial.children.bit_count() >= 4]
        large = [*large, *given_up][:N_FIRST_LARGE]
    return [*chosen[:N_THOROUGH], *large]


def _best_different(trials: Sequence[Trial]) -> list[Trial]:
    """The best of those that came to different children, none that came back to a latent that is there."""
    different: dict[int, Trial] = {}
    for trial in sorted(trials, key=lambda trial: -trial.gain):
        if trial.after is not None and not _is_back(trial):
            different.setdefault(trial.after.model.latents[-1].children, trial)
    best = max((trial.gain for trial in different.values()), default=0.0)
    if best >= LEAST_CLAIM:
        return [trial for trial in different.values() if trial.gain >= RIVAL_SHARE * best][:N_RENEWED_RIVALS]
    return [trial for trial in different.values() if trial.gain > LEAST_OF_PAIR or trial.n_reached > 2][:N_RENEWED]


def _best_and_first(trials: Sequence[Trial]) -> list[Trial]:
    """Those that a first look found best, and the first of the list."""
    best = sorted((trial for trial in trials if trial.after is not None), key=lambda trial: -trial.gain)[:N_WEAK_BEST]
    return [*best, *(trial for trial in trials[:N_WEAK_FIRST] if trial not in best)]


def _is_back(trial: Trial) -> bool:
    """Whether an insertion ended where it began: the latent was begun anew when it was put in."""
    assert trial.after is not None
    children = sorted(latent.children for latent in trial.after.model.latents)
    return trial.gain < LEAST_CHANGE and children == sorted(latent.children for latent in trial.before.model.latents)


def _is_worth_it(trial: Trial) -> bool:
    """A latent more must gain what a claim needs; another shape of one that is there, a little."""
    if trial.after is None:
        return False
    is_more = len(trial.after.model.latents) > len(trial.before.model.latents)
    return trial.gain >= (LEAST_CLAIM if is_more else LEAST_CHANGE)


def _is_unchanged(trial: Trial, present: SoftModel) -> bool:
    """Whether all that an insertion changed or absorbed is as it was before it in a model that differs elsewhere."""
    assert trial.after is not None
    old, new = trial.before.model, trial.after.model
    latents = {(latent.children, latent.n_states) for latent in present.latents}
    stayed = {latent.number for latent in new.latents}
    were = {latent.number for latent in old.latents}
    come = union(latent.children for latent in new.latents if latent.number not in were)
    gone = [latent for latent in old.latents if latent.number not in stayed]
    if not all((latent.children, latent.n_states) in latents for latent in gone):
        return False
    changed = come | union(1 << v for v, mask in enumerate(new.parents) if mask != old.parents[v])
    is_touched = any(latent.number not in were and latent.children & changed for latent in present.latents)
    return not is_touched and all(present.parents[v] == old.parents[v] for v in bits(changed))


def _carry_over(trial: Trial, present: Scored) -> Trial | None:
    """The same insertion into a model that differs elsewhere; None where it would close a cycle."""
    if trial.before is present or trial.after is None:
        return Trial(trial.children, present, trial.after)
    old, new = trial.before.model, trial.after.model
    parents = list(present.model.parents)
    changed = [v for v, mask in enumerate(new.parents) if mask != old.parents[v]]
    for v in changed:
        parents[v] = new.parents[v]
    if not is_acyclic(parents, changed):
        return None
    were, stayed = {latent.number for latent in old.latents}, {latent.number for latent in new.latents}
    gone = {(latent.children, latent.n_states) for latent in old.latents if latent.number not in stayed}
    kept = [latent for latent in present.model.latents if (latent.children, latent.n_states) not in gone]
    come = [latent for latent in new.latents if latent.number not in were]
    after = Scored(SoftModel(tuple(parents), (*kept, *come)), present.score + trial.gain)
    return Trial(trial.children, present, after)
