"""Scores candidates in two efforts: all of them lightly, and fully those that may matter.

What is fitted fully is decided at fixed points of the list of candidates, so that no result depends on the number of
workers: which fits happen to be ready is never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from math import inf
from typing import NamedTuple

from latconf_core.options.scoring import Effort
from latconf_core.score.component import Component, split_latents
from latconf_core.score.fit import Fit
from latconf_core.score.scorer import Scorer
from latconf_core.score.split_state import find_raised
from latconf_core.search.candidate import Candidate
from latconf_core.search.candidate_scores import CandidateScores, Scores

MOST_CANDIDATES = 1000  # between two fixed points …
MOST_NEW_PARTS = 24  # … and components that were not met before
AT_A_TIME = 4  # components fitted fully before it is decided again
LEAST_REACH = 10.0  # nats below the best that are fitted fully
RISES = 3.0  # times the largest rise from light to full so far that are in reach too

ScoreEach = Callable[[Iterable[Candidate], Scores], Generator[tuple[Candidate, float]]]
Parts = tuple[Component, ...]


class Assessed(NamedTuple):
    """A candidate with its score and the effort that it got."""

    candidate: Candidate
    p_elbo: float
    effort: Effort


class TwoEfforts:
    """Light scores of everything, and the full fits that were decided on in place of the light ones.

    light, full : scores of the same data; `light_scorer` and `full_scorer` are behind them
    score_each : gives the candidates that can be scored with their scores, in their order
    """

    def __init__(
        self, light_scorer: Scorer, light: CandidateScores, full_scorer: Scorer, full: CandidateScores
    ) -> None:
        self.light = light
        self.full = full
        self._light_scorer = light_scorer
        self._full_scorer = full_scorer
        self._met: set[Component] = set()
        self._settled: set[Component] = set()
        self._largest_rise = 0.0
        self._largest_rise_of_states = 0.0

    @property
    def reach(self) -> float:
        """How many nats below the best a light score may be and still matter."""
        return max(LEAST_REACH, RISES * self._largest_rise)

    def fit(self, component: Component) -> Fit:
        """The fit behind the score of a component: the full one where that was decided on, else the light one."""
        return self._light_scorer.fit(component)

    def assess(self, candidates: Iterable[Candidate], bar: float, score_each: ScoreEach) -> Iterator[Assessed]:
        """The candidates in their order; those with latents within reach of the best of them, and of the bar, fully."""
        for batch in self._batches(candidates):
            scores = self._look(batch, score_each)
            bar = self._settle(scores, batch, bar, score_each)
            for candidate, p_elbo in scores.items():
                yield Assessed(candidate, p_elbo, "full" if self._settled.issuperset(batch[candidate]) else "light")

    def assess_states(
        self, smaller: Candidate, trials: Iterable[Candidate], bar: float, score_each: ScoreEach
    ) -> Iterator[Assessed]:
        """Candidates with one state more than a smaller one, which begin from it besides fresh starts, in their order.

        bar : the score of the smaller one
        """
        scores = dict(score_each(trials, self.light))
        known = {component for component, _ in split_latents(*smaller)}
        for trial in scores:
            self._begin_from(known, trial)
            scores[trial] = self.light.p_elbo(trial)
        reach = max(LEAST_REACH, RISES * self._largest_rise_of_states)
        chosen = [trial for trial, p_elbo in scores.items() if p_elbo > bar - reach]
        with closing(score_each(chosen, self.full)) as fully:  # whoever has seen enough ends what was begun ahead
            for trial, p_elbo in scores.items():
                if trial not in chosen:
                    yield Assessed(trial, p_elbo, "light")
                    continue
                next(fully)
                rise = self._adopt(_parts(trial), keeps_better=True)
                self._largest_rise_of_states = max(self._largest_rise_of_states, rise)
                yield Assessed(trial, self.light.p_elbo(trial), "full")

    def _batches(self, candidates: Iterable[Candidate]) -> Iterator[dict[Candidate, Parts]]:
        """The candidates up to each fixed point, with their components; the very first one is alone."""
        batch: dict[Candidate, Parts] = {}
        n_new = 0
        for candidate in candidates:
            is_first = not self._met
            batch[candidate] = parts = _parts(candidate)
            n_new += len(set(parts) - self._met)
            self._met.update(parts)
            if (is_first and parts) or len(batch) >= MOST_CANDIDATES or n_new >= MOST_NEW_PARTS:
                yield batch
                batch, n_new = {}, 0
        if batch:
            yield batch

    def _look(self, batch: dict[Candidate, Parts], score_each: ScoreEach) -> dict[Candidate, float]:
        """The light scores of the candidates that can be scored, in their order; most are of known parts."""
        known = {candidate: self._known(candidate, parts) for candidate, parts in batch.items()}
        unknown = [candidate for candidate, p_elbo in known.items() if p_elbo is None]
        found = dict(score_each(unknown, self.light))
        scores = {candidate: found.get(candidate) if p_elbo is None else p_elbo for candidate, p_elbo in known.items()}
        return {candidate: p_elbo for candidate, p_elbo in scores.items() if p_elbo is not None}

    def _known(self, candidate: Candidate, parts: Parts) -> float | None:
        return self._light_scorer.known.p_elbo_of_parts(*candidate, parts)

    def _settle(
        self, scores: dict[Candidate, float], parts: dict[Candidate, Parts], bar: float, score_each: ScoreEach
    ) -> float:
        """Fit fully what is within reach, the best first, and renew the scores; gives the bar after that."""
        settled = self._settled
        waiting = [one for one in scores if not settled.issuperset(parts[one])]
        bar = max([bar, *(p_elbo for one, p_elbo in scores.items() if parts[one] and settled.issuperset(parts[one]))])
        while True:
            chosen = self._choose(waiting, scores, parts, bar)
            if not chosen:
                return bar
            for candidate, _ in score_each(chosen, self.full):
                rise = self._adopt(parts[candidate], keeps_better=False)
                self._largest_rise = max(self._largest_rise, rise)
            for candidate in waiting:
                scores[candidate] = self.light.p_elbo(candidate)
                if settled.issuperset(parts[candidate]):
                    bar = max(bar, scores[candidate])
            waiting = [one for one in waiting if not settled.issuperset(parts[one])]

    def _choose(
        self, waiting: Sequence[Candidate], scores: dict[Candidate, float], parts: dict[Candidate, Parts], bar: float
    ) -> list[Candidate]:
        """The best within reach, until a few components are to be fitted; the best alone where there is no bar."""
        within = [one for one in waiting if scores[one] > bar - self.reach]
        within.sort(key=lambda one: -scores[one])
        chosen: list[Candidate] = []
        fitted: set[Component] = set()
        for one in within[:1] if bar == -inf else within:
            fitted.update(part for part in parts[one] if part not in self._settled)
            chosen.append(one)
            if len(fitted) >= AT_A_TIME:
                break
        return chosen

    def _adopt(self, parts: Parts, *, keeps_better: bool) -> float:
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
                self._light_scorer.known.components[part] = full
                self._settled.add(part)
        return largest

    def _begin_from(self, known: Iterable[Component], trial: Candidate) -> None:
        """Improve the light fit of the component that has one state more, from the one in the smaller candidate."""
        for larger in _parts(trial):
            for smaller in known:
                if larger not in self._settled and find_raised(smaller, larger) is not None:
                    start = self._light_scorer.fit(smaller)
                    self._light_scorer.improve_by_splitting(smaller, start, larger)


def _parts(candidate: Candidate) -> Parts:
    return tuple([part for part, _ in split_latents(*candidate)]) if candidate.latents else ()
