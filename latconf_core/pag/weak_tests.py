"""The pairs that a learner separated by a test of little power: their edge may be missing for want of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.pag.events import EdgeRemoved, PagEvent, Pair

ROWS_PER_CELL = 5  # the old rule for counts expected in a table; below it a test rarely rejects
DOUBTFUL = (0.05, 0.2)  # p-values above one usual level and below what a careful reader calls independent


@dataclass(frozen=True)
class WeakTests:
    """What tests took away that might be there.

    few_rows : pairs whose test had fewer than ROWS_PER_CELL rows for each cell of its table
    doubtful : pairs whose test had a p-value between those of DOUBTFUL
    n_removed : how many pairs tests separated in all
    """

    few_rows: tuple[Pair, ...]
    doubtful: tuple[Pair, ...]
    n_removed: int

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every pair that is one or the other."""
        return tuple(dict.fromkeys((*self.few_rows, *self.doubtful)))


def find_weak_tests(removed: Sequence[EdgeRemoved], data: Dataset, *, control: RunControl | None = None) -> WeakTests:
    """Which of these tests on these data were weak."""
    control = control or RunControl()
    counter = _RowsPerCell(data)
    few: list[Pair] = []
    for event in removed:
        control.checkpoint()
        if counter.per_cell(event) < ROWS_PER_CELL:
            few.append((event.x, event.y))
    low, high = DOUBTFUL
    doubtful = tuple((event.x, event.y) for event in removed if low < event.p_value < high)
    return WeakTests(tuple(few), doubtful, len(removed))


def last_removals(events: Iterable[PagEvent]) -> list[EdgeRemoved]:
    """Of every pair that was separated the test that did it, the last one where there are several."""
    removals: dict[frozenset[str], EdgeRemoved] = {}
    for event in events:
        if isinstance(event, EdgeRemoved):
            removals[frozenset((event.x, event.y))] = event
    return list(removals.values())


class _RowsPerCell:
    """The rows that a test counts for each cell of its table: the whole product of the states."""

    def __init__(self, data: Dataset) -> None:
        self._data = data
        self._gaps: dict[frozenset[int], int] = {}

    def per_cell(self, event: EdgeRemoved) -> float:
        """Rows complete in the variables of the test, per cell."""
        columns = [self._data.index[name] for name in (event.x, event.y, *event.given)]
        return self._count_rows(columns) / prod(self._data.n_states[column] for column in columns)

    def _count_rows(self, columns: Sequence[int]) -> int:
        gaps = frozenset(column for column in columns if self._data.is_missing[column])
        if not gaps:
            return self._data.n_rows
        if gaps not in self._gaps:
            distinct = self._data.distinct
            is_seen = (distinct.codes[:, sorted(gaps)] >= 0).all(axis=1)
            self._gaps[gaps] = int(np.asarray(distinct.counts)[is_seen].sum())
        return self._gaps[gaps]
