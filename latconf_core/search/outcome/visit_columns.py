"""The visits of a run as columns of numbers that grow: what the chart and the table both show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.search.candidate import Candidate
from latconf_core.search.outcome.events import CandidateScored, StatesTried
from latconf_core.search.outcome.history import BIDIRECTED, Visit, level_text
from latconf_core.search.outcome.result import SearchResult

Visited = Visit | CandidateScored | StatesTried
FIRST_ROOM = 1024


class VisitColumns:
    """Visits in order, each by its place in the history.

    p_elbo, level, n_latents, is_light : one value per visit; views, to be asked for again after more were added
    best : the best visit, None before the first; `best_without` the same among DAGs without latents
    improvements : the visits that were the best when they came
    level_name : what the levels count
    chosen : the visit that is the result where the search says so, once it has ended
    reference : the score of the best DAG without latents, visited or not, once it is known
    """

    def __init__(
        self, nodes: Sequence[str] = (), visits: Sequence[Visited] = (), *, level_name: str = BIDIRECTED
    ) -> None:
        self.nodes = tuple(nodes)
        self.level_name = level_name
        self.chosen: int | None = None
        self.reference: float | None = None
        self.candidates: list[Candidate] = []
        self._scores = np.empty(FIRST_ROOM)
        self._levels = np.empty(FIRST_ROOM, dtype=np.int64)
        self._latents = np.empty(FIRST_ROOM, dtype=np.int64)
        self._light = np.empty(FIRST_ROOM, dtype=np.bool_)
        self.best: int | None = None
        self.best_without: int | None = None
        self.improvements: list[int] = []
        self.extend(visits)

    @classmethod
    def of_result(cls, result: SearchResult) -> VisitColumns:
        """All visits of a search that has ended."""
        found = cls(result.history.nodes, result.history, level_name=result.history.level_name)
        found.take_result(result)
        return found

    def take_result(self, result: SearchResult) -> None:
        """Take note of what the search made of its visits in the end."""
        self.chosen = result.visit
        self.reference = None if result.reference is None else result.reference.p_elbo

    @property
    def result(self) -> int | None:
        """The visit that is the result, or would be if the search ended now."""
        return self.best if self.chosen is None else self.chosen

    @property
    def score_without(self) -> float | None:
        """The best score without latents that is known."""
        visited = None if self.best_without is None else self.score(self.best_without)
        known = [score for score in (visited, self.reference) if score is not None]
        return max(known, default=None)

    def level_text(self, level: int) -> str:
        """A level in words."""
        return level_text(level, self.level_name)

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def p_elbo(self) -> npt.NDArray[np.float64]:
        return self._scores[: len(self.candidates)]

    @property
    def level(self) -> npt.NDArray[np.int64]:
        return self._levels[: len(self.candidates)]

    @property
    def n_latents(self) -> npt.NDArray[np.int64]:
        return self._latents[: len(self.candidates)]

    @property
    def is_light(self) -> npt.NDArray[np.bool_]:
        return self._light[: len(self.candidates)]

    def extend(self, visits: Sequence[Visited]) -> None:
        """Add what a run has visited since."""
        begin, end = len(self.candidates), len(self.candidates) + len(visits)
        if begin == end:
            return
        self._make_room(end)
        self.candidates.extend([visit.candidate for visit in visits])
        self._scores[begin:end] = [visit.p_elbo for visit in visits]
        self._levels[begin:end] = [visit.level for visit in visits]
        self._latents[begin:end] = [len(candidate.latents) for candidate in self.candidates[begin:end]]
        self._light[begin:end] = [visit.effort == "light" for visit in visits]
        self._find_best(begin, end)

    def _find_best(self, begin: int, end: int) -> None:
        scores = self._scores[begin:end]
        best_before = -np.inf if self.best is None else self.score(self.best)
        running = np.maximum.accumulate(np.concatenate(([best_before], scores)))
        better = begin + np.flatnonzero(scores > running[:-1])
        if better.size:
            self.improvements += better.tolist()
            self.best = int(better[-1])
        plain = np.where(self._latents[begin:end] == 0, scores, -np.inf)
        top = int(np.argmax(plain))
        if plain[top] > (-np.inf if self.best_without is None else self.score(self.best_without)):
            self.best_without = begin + top

    def score(self, number: int) -> float:
        """The p-ELBO of one visit."""
        return float(self._scores[number])

    def dag(self, number: int) -> LatentDag:
        """The DAG of one visit."""
        return self.candidates[number].to_dag(self.nodes)

    def levels(self) -> tuple[int, ...]:
        """The levels that occur, lowest first."""
        return tuple(int(level) for level in np.unique(self.level))

    def _make_room(self, count: int) -> None:
        if count > len(self._scores):
            room = max(2 * len(self._scores), count)
            self._scores = np.resize(self._scores, room)
            self._levels = np.resize(self._levels, room)
            self._latents = np.resize(self._latents, room)
            self._light = np.resize(self._light, room)
