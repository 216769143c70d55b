"""Visits with their scores at hand, however often a search comes back to the same DAG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from latconf_core.model.bit_dag import BitDag
from latconf_core.search.outcome.events import CandidateScored, SearchEvent, StatesTried
from latconf_core.search.run import SearchRun

ROUNDING = 1e-6  # nats: scores that differ by less are equal, so that the names of states and the order of rows, which
# sums depend on in their last digits, decide nothing


class VisitedScores:
    """The place in the history and the score of every DAG that was visited through it."""

    def __init__(self, run: SearchRun) -> None:
        self.run = run
        self._visits: dict[BitDag, int] = {}

    def score(self, candidate: BitDag) -> float:
        """The score of a visited DAG; −∞ for one that could not be scored."""
        index = self._visits.get(candidate)
        return -inf if index is None else self.run.history[index].p_elbo

    def index(self, candidate: BitDag) -> int:
        """The place in the history of a DAG that was visited."""
        return self._visits[candidate]

    def is_better(self, candidate: BitDag, other: BitDag) -> bool:
        """Is the score of a visited DAG higher than that of another one, by more than rounding makes?"""
        return self.score(candidate) > self.score(other) + ROUNDING

    def first_of_best(self, candidates: Sequence[BitDag]) -> int:
        """The place of the best of some visited DAGs, the first one of equals."""
        scores = [self.score(candidate) for candidate in candidates]
        top = max(scores)
        return next(index for index, score in enumerate(scores) if score >= top - ROUNDING)

    def visit(self, candidates: Iterable[BitDag], *, bar: float) -> Iterator[SearchEvent]:
        """Visit DAGs, those that were not visited before; what is out of reach of the bar is not scored fully."""
        for event in self.run.visit(candidates, level=0, bar=bar):
            yield self.keep(event)

    def try_states(self, candidate: BitDag, trials: Iterable[tuple[BitDag, int]]) -> Iterator[SearchEvent]:
        """Visit DAGs that are a visited one with another number of states of one latent, by its place in them."""
        tried = self.run.try_trials(candidate, dict(trials), level=len(candidate.latents), p_elbo=self.score(candidate))
        for _, event in tried:
            yield self.keep(event)

    def keep(self, event: CandidateScored | StatesTried) -> CandidateScored | StatesTried:
        """Remember a visit."""
        self._visits[event.candidate] = event.index
        return event
