"""Scores candidates in two efforts: all of them lightly, and fully those that may matter.

What is fitted fully is decided at fixed points of the list of candidates, so that no result depends on the number of
workers: which fits happen to be ready is never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from math import isnan, nan
from typing import NamedTuple

from latconf_core.model.bit_dag import BitDag
from latconf_core.model.component import Component, split_latents
from latconf_core.options.scoring import Effort
from latconf_core.score.fit import Fit
from latconf_core.score.known_parts import KnownParts, Parts
from latconf_core.score.scorer import Scorer
from latconf_core.score.split_state import find_raised
from latconf_core.search.candidate_scores import CandidateScores, Scores

MOST_CANDIDATES = 1000  # between two fixed points …
MOST_NEW_PARTS = 24  # … and components that were not met before
AT_A_TIME = 4  # components fitted fully before it is decided again
LEAST_REACH = 10.0  # nats below the best that are fitted fully
AGREEMENT = 0.05  # nats between two bounds of the same optimum
AGREEMENT_SHARE = 0.2  # of what is missing to the bar: bounds that differ by less agree too
LEAST_REACH_OF_AGREED = 0.5  # nats below the best that are fitted fully although two looks agree
RISES = 3.0  # times the largest rise from light to full so far that are in reach too

ScoreEach = Callable[[Iterable[BitDag], Scores], Generator[tuple[BitDag, float]]]


class Assessed(NamedTuple):
    """A candidate with its score and the effort that it got."""

    candidate: BitDag
    p_elbo: float
    effort: Effort


class _Look:
    """A candidate, its components and its present score; that is nan before it was scored."""

    __slots__ = ("candidate", "p_elbo", "parts")

    def __init__(self, candidate: BitDag, parts: Parts, p_elbo: float | None) -> None:
        self.candidate = candidate
        self.parts = parts
        self.p_elbo = nan if p_elbo is None else p_elbo

    def renew(self, known: KnownParts[Fit]) -> None:
        """Look at what is known of it now."""
        self.parts, p_elbo = known.look(*self.candidate)
        self.p_elbo = nan if p_elbo is None else p_elbo


class StagedScoring:
    """Light scores of everything, and the full fits that were decided on in place of the light ones.

    light, others, full : scores of the same data; the others, for a second look and a third, begin elsewhere
    score_each : gives the candidates that can be scored with their scores, in their order
    """

    def __init__(self, light: CandidateScores, others: Sequence[CandidateScores], full: CandidateScores) -> None:
        self.light = light
        self.others = others
        self.full = full
        self._light_scorer, self._second_scorer, self._full_scorer = light.scorer, others[0].scorer, full.scorer
        self._known = light.scorer.known
        self._settled = self._known.final
        self._bounds: dict[Component, list[float]] = {}  # of the looks at those that had several, the best first
        self._largest_rise = 0.0
        self._largest_rise_of_states = 0.0

    @property
    def reach(self) -> float:
        """How many nats below the best a light score may be and still matter."""
        return max(LEAST_REACH, RISES * self._largest_rise)

    def fit(self, component: Component) -> Fit:
        """The fit behind the score of a component: the full one where that was decided on, else the light one."""
        return self._light_scorer.fit(component)

    def assess(self, candidates: Iterable[BitDag], bar: float, score_each: ScoreEach) -> Iterator[Assessed]:
        """The candidates in their order; those with latents within reach of the best of them, and of the bar, fully."""
        for batch in self._batches(candidates):
            batch = self._look(batch, score_each)
            bar = self._settle(batch, bar, score_each)
            for look in batch:
                yield Assessed(look.candidate, look.p_elbo, "full" if look.parts.is_final else "light")

    def assess_states(
        self, smaller: BitDag, trials: Iterable[BitDag], bar: float, score_each: ScoreEach
    ) -> Iterator[Assessed]:
        """Candidates with one state more than a smaller one, which begin from it besides fresh starts, in their order.

        Fitted fully are those above the bar, and those within reach of it whose looks do not agree: where two that
        began elsewhere came to the same optimum, below the bar, it would be no other with more effort.

        bar : the score of the smaller one
        """
        scores = dict(score_each(trials, self.light))
        known = {component for component, _ in split_latents(*smaller)}
        agreed = {trial for trial in scores if self._look_from(known, trial, bar)}
        scores = {trial: self.light.p_elbo(trial) for trial in scores}
        reach = max(LEAST_REACH, RISES * self._largest_rise_of_states)
        chosen = [
            trial
            for trial, p_elbo in scores.items()
            if p_elbo > bar - (LEAST_REACH_OF_AGREED if trial in agreed else reach)
        ]
        with closing(score_each(chosen, self.full)) as fully:  # whoever has seen enough ends what was begun ahead
            for trial, p_elbo in scores.items():
                if trial not in chosen:
                    yield Assessed(trial, p_elbo, "light")
                    continue
                next(fully)
                rise = self._adopt(_parts(trial), keeps_better=True)
                self._largest_rise_of_states = max(self._largest_rise_of_states, rise)
                yield Assessed(trial, self.light.p_elbo(trial), "full")

    def _batches(self, candidates: Iterable[BitDag]) -> Iterator[list[_Look]]:
        """The candidates up to each fixed point, with their components."""
        known, look = self._known, self._known.look
        batch: list[_Look] = []
        n_met = known.n_met
        for candidate in candidates:
            parts, p_elbo = look(*candidate)
            batch.append(_Look(candidate, parts, p_elbo))
            if len(batch) >= MOST_CANDIDATES or known.n_met - n_met >= MOST_NEW_PARTS:
                yield batch
                batch, n_met = [], known.n_met
        if batch:
            yield batch

    def _look(self, batch: list[_Look], score_each: ScoreEach) -> list[_Look]:
        """Those that can be scored with their light scores, in their order; most are of known parts."""
        unknown = [entry for entry in batch if isnan(entry.p_elbo)]
        if not unknown:
            return batch
        for _ in score_each([entry.candidate for entry in unknown], self.light):
            pass
        self._settle_easy(unknown)
        for look in batch:
            look.renew(self._known)
        return [entry for entry in batch if not isnan(entry.p_elbo)]

    def _settle_easy(self, looks: Iterable[_Look]) -> None:
        """Keep what was fitted fully at the first look, since that took no longer, as the full fit."""
        for part in [part for look in looks for part in look.parts.components]:
            fit = self._known.components.get(part)
            if fit is not None and fit.is_full and part not in self._settled:
                self._full_scorer.known.components[part] = fit
                self._known.keep_final(part, fit)

    def _settle(self, batch: list[_Look], bar: float, score_each: ScoreEach) -> float:
        """Fit fully what is within reach, the best first, and renew the scores; gives the bar after that."""
        waiting = []
        for entry in batch:
            if not entry.parts.is_final:
                waiting.append(entry)
            elif entry.parts.components:
                bar = max(bar, entry.p_elbo)
        while within := self._within_reach(waiting, bar):
            n_looks = 0 if within[0].p_elbo > bar else min(map(self._n_looks, within))
            if 0 < n_looks <= len(self.others):
                unsure = [look for look in within if self._n_looks(look) == n_looks]
                self._look_again(unsure, n_looks, score_each)
            else:
                parts_of = {look.candidate: look.parts.components for look in self._choose(within, bar)}
                for candidate, _ in score_each(list(parts_of), self.full):
                    rise = self._adopt(parts_of[candidate], keeps_better=False)
                    self._largest_rise = max(self._largest_rise, rise)
            for entry in waiting:
                entry.renew(self._known)
            bar = max([bar, *[look.p_elbo for look in waiting if look.parts.is_final]])
            waiting = [look for look in waiting if not look.parts.is_final]
        return bar

    def _within_reach(self, waiting: Iterable[_Look], bar: float) -> list[_Look]:
        """Those that a full fit might lift above the bar, the best first."""
        least = bar - self.reach  # most are below it
        within = [look for look in waiting if look.p_elbo > least and look.p_elbo > bar - self._reach_of(look, bar)]
        within.sort(key=lambda look: -look.p_elbo)
        return within

    def _reach_of(self, look: _Look, bar: float) -> float:
        """How many nats below the bar a candidate may be and still matter: few where two looks agree."""
        if self._n_looks(look) > 1:
            bounds = [self._bounds[part] for part in look.parts.components if part not in self._settled]
            apart = sum(best - next_best for best, next_best, *_ in bounds)
            if apart < max(AGREEMENT, AGREEMENT_SHARE * (bar - look.p_elbo)):
                return LEAST_REACH_OF_AGREED
        return self.reach

    def _n_looks(self, look: _Look) -> int:
        """How often what is not settled of a candidate was looked at, at least."""
        return min(self._n_looks_at(part) for part in look.parts.components if part not in self._settled)

    def _n_looks_at(self, part: Component) -> int:
        return len(self._bounds.get(part, "1"))

    def _look_again(self, unsure: Sequence[_Look], n_looks: int, score_each: ScoreEach) -> None:
        """Look once more at what is not settled and had so many looks; what is better is kept."""
        scores = self.others[n_looks - 1]
        light, other = self._light_scorer, scores.scorer
        parts = list(dict.fromkeys(part for look in unsure for part in look.parts.components))
        todo = [part for part in parts if part not in self._settled and self._n_looks_at(part) == n_looks]
        for part in set(parts).difference(todo):
            other.known.components[part] = light.fit(part)
        for _ in score_each([look.candidate for look in unsure], scores):
            pass
        for part in todo:
            before, after = light.fit(part).elbo, other.fit(part).elbo
            self._bounds[part] = sorted([*self._bounds.get(part, [before]), after], reverse=True)
            self._largest_rise = max(self._largest_rise, after - before)
            light.keep_better(part, other.fit(part))

    def _choose(self, within: Sequence[_Look], bar: float) -> list[_Look]:
        """The best of them, until a few components are to be fitted; the best alone where it will be the bar."""
        chosen: list[_Look] = []
        fitted: set[Component] = set()
        for look in within[:1] if within[0].p_elbo > bar else within:
            fitted.update(part for part in look.parts.components if part not in self._settled)
            chosen.append(look)
            if len(fitted) >= AT_A_TIME:
                break
        return chosen

    def _adopt(self, parts: Iterable[Component], *, keeps_better: bool) -> float:
        """Put the full fits of components in place of the light ones; the largest rise of one of them.

        keeps_better : the light fit stays where it is the better one, for both scorers
        """
        largest = 0.0
        for part in parts:
            if part not in self._settled:
                light, full = self._light_scorer.fit(part), self._full_scorer.fit(part)
                if keeps_better:
                    full = self._full_scorer.keep_better(part, light)
                largest = max(largest, full.p_elbo - light.p_elbo)
                self._known.keep_final(part, full)
        return largest

    def _look_from(self, known: Iterable[Component], trial: BitDag, bar: float) -> bool:
        """Improve the light fit of the component with one state more, from the one in the smaller candidate.

        Gives whether two looks came to the best that was found. A second pair of looks is had where the first two do
        not agree and it matters: below the bar, and within reach of it.
        """
        raised = [(old, new) for new in _parts(trial) for old in known if find_raised(old, new) is not None]
        for smaller, larger in raised:
            if larger in self._settled:
                continue
            looks = [self._light_scorer.fit(larger).elbo, self._split(self._light_scorer, smaller, larger)]
            missing = bar - self.light.p_elbo(trial)
            if 0 <= missing < LEAST_REACH and not _do_agree(looks, missing):
                other = self._second_scorer
                looks += [other.fit(larger).elbo, self._split(other, smaller, larger)]
                self._light_scorer.keep_better(larger, other.fit(larger))
                missing = bar - self.light.p_elbo(trial)
            return _do_agree(looks, missing)
        return False

    def _split(self, scorer: Scorer, smaller: Component, larger: Component) -> float:
        """The bound that comes of splitting a state of the smaller component; what is better is kept."""
        splitting = scorer.fit_by_splitting(smaller, self._light_scorer.fit(smaller), larger)
        scorer.keep_better(larger, splitting)
        return splitting.elbo


def _do_agree(bounds: Sequence[float], missing: float) -> bool:
    """Whether two of them are the best, or nearly: how far apart they may be goes by what is missing to the bar."""
    return sum(bound > max(bounds) - max(AGREEMENT, AGREEMENT_SHARE * missing) for bound in bounds) > 1


def _parts(candidate: BitDag) -> list[Component]:
    return [part for part, _ in split_latents(*candidate)]
