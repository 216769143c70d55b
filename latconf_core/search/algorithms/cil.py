"""CIL, the constrained incremental learner: a forest is grown from the leaves up, one pair of roots at a time.

After the published program (F. Rodriguez-Sanchez, P. Larrañaga, C. Bielza), on the score of all searches here. A latent
may be a low-rank stand-in for an edge between variables with many states.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from math import inf

from latconf_core.control import StopReason
from latconf_core.counts.families import counting_table
from latconf_core.errors import GraphError
from latconf_core.graph.bits import bits
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.model.allowed_dag import allows
from latconf_core.model.bit_dag import BitDag
from latconf_core.search.baselines.completed_rows import hard_states
from latconf_core.search.baselines.forest import Forest
from latconf_core.search.baselines.glsl_moves import FEWEST_STATES
from latconf_core.search.baselines.pairs import PairsByInformation
from latconf_core.search.baselines.visited_scores import VisitedScores
from latconf_core.search.outcome.events import LevelStarted, Search, SearchEvent
from latconf_core.search.run import SearchRun


def cil(run: SearchRun) -> Search:
    """Join two roots of a forest at a time, by an arc or a latent above both, while the score rises."""
    reason, _ = yield from grow_forest(run, VisitedScores(run))
    return reason


def grow_forest(run: SearchRun, visited: VisitedScores) -> Generator[SearchEvent, None, tuple[StopReason, BitDag]]:
    """Why the forest grew no further, and the forest."""
    growth = _Growth(run, visited)
    reason = yield from growth.grow()
    return reason, growth.forest.candidate


@dataclass(frozen=True)
class _Trial:
    """A forest with two roots joined: `kind` 0 by a latent, 1 by an arc from the first of `ends` to the second."""

    forest: Forest
    kind: int
    ends: tuple[int, int]

    @property
    def involved(self) -> list[int]:
        """The latents whose numbers of states are tried again."""
        new = [len(self.forest.parents) - 1] if self.kind == 0 else []
        return [*(node for node in sorted(self.ends) if self.forest.is_latent(node)), *new]

    @property
    def latent_on_top(self) -> int | None:
        """The latent that is new, or has become a parent."""
        top = len(self.forest.parents) - 1 if self.kind == 0 else self.ends[0]
        return top if self.forest.is_latent(top) else None


def plant(known: BoundKnowledge) -> Forest:
    """The forest of the required edges; GraphError where they are none."""
    names = known.names
    for child, causes in enumerate(known.required):
        if causes.bit_count() > 1:
            first, second, *_ = (names[v] for v in bits(causes))
            raise GraphError(
                f"{first} --> {names[child]} and {second} --> {names[child]} are required, but in a forest a "
                "variable has one parent; remove one, or choose a search other than cil"
            )
    parents = tuple(causes.bit_length() - 1 for causes in known.required)  # −1, no parent, where none is required
    return replace(Forest.without_edges(len(known)), parents=parents)


class _Growth:
    """One run of CIL."""

    def __init__(self, run: SearchRun, visited: VisitedScores) -> None:
        self._run = run
        self._options = run.options.cil
        self._visited = visited
        self.forest = plant(run.known)
        self._most_states = max(FEWEST_STATES, run.options.max_states or max(run.dataset.n_states))
        codes, weights = counting_table(run.dataset, control=run.control)
        self._pairs = PairsByInformation(weights, run.control.checkpoint)
        for node, column in enumerate(codes.T):
            self._pairs.put(node, column)

    def grow(self) -> Search:
        """Join pairs of roots until that gains nothing, or one root is left."""
        yield LevelStarted(0, 1)
        yield from self._visited.visit([self.forest.candidate], bar=-inf)
        while len(self.forest.roots) > 1:
            trials = list(self._list_trials())
            yield LevelStarted(len(self.forest.states), len(trials))
            present = self._score(self.forest)
            yield from self._visited.visit([trial.forest.candidate for trial in trials], bar=present)
            if not trials:  # the knowledge rules all of them out
                return StopReason.FINISHED
            ordered = sorted(trials, key=lambda trial: (trial.kind, trial.ends))
            best = ordered[self._visited.first_of_best([trial.forest.candidate for trial in ordered])]
            grown = yield from self._climb_states(best)
            if not self._visited.is_better(grown.candidate, self.forest.candidate):
                return StopReason.NO_IMPROVEMENT
            self._accept(best, grown)
        return StopReason.FINISHED

    def _list_trials(self) -> Iterator[_Trial]:
        """The pairs that tell most of each other, each joined by a latent and by an arc either way, where allowed."""
        forest = self.forest
        n_left = self._options.n_pairs
        for first, second in self._pairs.best(forest.roots, None if self._run.known.binds else n_left):
            ways = [_Trial(forest.with_latent(first, second), 0, (first, second))]
            for parent, child in ((first, second), (second, first)):
                if self._is_allowed(parent, child):
                    ways.append(_Trial(forest.with_arc(parent, child), 1, (parent, child)))
            ways = [trial for trial in ways if allows(self._run.known, trial.forest.candidate)]
            yield from ways
            n_left -= bool(ways)
            if not n_left:
                return

    def _is_allowed(self, parent: int, child: int) -> bool:
        if self.forest.is_latent(parent):
            return True
        options = self._options
        return options.observed_to_latent if self.forest.is_latent(child) else options.observed_to_observed

    def _climb_states(self, trial: _Trial) -> Generator[SearchEvent, None, Forest]:
        """The forest with one state more or fewer of an involved latent, the best each time, while the score rises."""
        present = trial.forest
        while self._score(present) > -inf:
            more = [(node, 1) for node in trial.involved if present.n_states(node) < self._most_states]
            fewer = [(node, -1) for node in trial.involved if present.n_states(node) > FEWEST_STATES]
            forests = {
                change: present.with_states(change[0], present.n_states(change[0]) + change[1])
                for change in (*more, *fewer)
            }
            trials = [(forest.candidate, forest.place(node)) for (node, _), forest in forests.items()]
            yield from self._visited.try_states(present.candidate, trials)
            tried = list(forests.values())
            if not tried:
                break
            best = tried[self._visited.first_of_best([forest.candidate for forest in tried])]
            if not self._visited.is_better(best.candidate, present.candidate):
                break
            present = best
        return present

    def _accept(self, trial: _Trial, grown: Forest) -> None:
        """Go on with a forest; what its topmost latent tells of the others is found anew."""
        self.forest = grown
        top = trial.latent_on_top
        if top is not None:
            columns = hard_states(self._run.own_scorer, grown.candidate, self._run.fit)
            self._pairs.put(top, columns[grown.place(top)])

    def _score(self, forest: Forest) -> float:
        return self._visited.score(forest.candidate)
