"""Scores of a child with some parents and each other variable, counted together and kept while there is room."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Protocol, runtime_checkable

import numpy as np

from latconf_core.arrays import FloatArray, IntArray

MOST_BYTES = 512 << 20  # of scores that are kept: chosen, 160,000 rows of 400 variables
NUMBERS_AT_ONCE = 4_000_000  # codes that are read between two checkpoints: some ten milliseconds

FamilyRow = Callable[[int, int], FloatArray]  # of a child and its parents as bits


@runtime_checkable
class CountsTogether(Protocol):
    """A family model that scores a child with some parents and one more, for several at a time."""

    @property
    def counts_together(self) -> bool:
        """Whether that takes less time than one by one on the data at hand."""

    def log_scores(self, child: int, parents: int, candidates: IntArray) -> FloatArray:
        """The scores with each of some candidates, rising, neither parents nor the child."""


class FamilyRows:
    """The rows that were asked for, the oldest forgotten where there is no room. Safe from several threads.

    n_bytes : what the rows that are kept take
    n_forgotten : how many were forgotten
    """

    def __init__(
        self, families: CountsTogether, n_variables: int, n_rows: int, *, most_bytes: int = MOST_BYTES
    ) -> None:
        self.n_forgotten = 0
        self._families = families
        self._n_variables = n_variables
        self._at_once = max(1, NUMBERS_AT_ONCE // max(n_rows, 1))
        self._most_rows = max(1, most_bytes // (8 * max(n_variables, 1)))
        self._rows: dict[tuple[int, int], FloatArray] = {}
        self._guard = Lock()

    @property
    def n_bytes(self) -> int:
        return 8 * self._n_variables * len(self._rows)

    def row(self, child: int, parents: int, checkpoint: Callable[[], None]) -> FloatArray:
        """The score with each variable as one parent more; no number for the child and its parents."""
        result = self._rows.get((child, parents))
        if result is None:
            result = self._compute(child, parents, checkpoint)
            result.setflags(write=False)
            with self._guard:
                if len(self._rows) >= self._most_rows:
                    self._rows.pop(next(iter(self._rows)))
                    self.n_forgotten += 1
                self._rows[child, parents] = result
        return result

    def _compute(self, child: int, parents: int, checkpoint: Callable[[], None]) -> FloatArray:
        taken = parents | 1 << child
        candidates = np.array([v for v in range(self._n_variables) if not taken >> v & 1], dtype=np.int64)
        scores: FloatArray = np.full(self._n_variables, np.nan)
        for first in range(0, len(candidates), self._at_once):
            checkpoint()
            some = candidates[first : first + self._at_once]
            scores[some] = self._families.log_scores(child, parents, some)
        return scores
