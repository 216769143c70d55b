"""Tests on data with missing cells, each on the rows that are complete in its variables (test-wise deletion).

Right when cells are missing completely at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from latconf_core.arrays import IntArray
from latconf_core.counts.families import NARROW_CELLS, NO_WEIGHTS
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.independence.base import IndependenceTest
from latconf_core.independence.contingency import LOG_TABLE, MAX_CELLS, NO_BEST, Statistic, kind_numbers, no_bits
from latconf_core.options.learning import DegreesOfFreedom
from latconf_core.phrases import counted

NOT_DONE = 0.0  # the p-value of a test that could not be made: its edge stays
LEAST_SHARE = 0.5  # of the rows, below which a test may have too few …
ROWS_PER_DEGREE = 10  # … which are fewer than so many per degree of freedom


class IncompleteTest(IndependenceTest):
    """G-square or chi-square on the rows complete in each test's variables; independent where p > alpha.

    A test that more than half of the rows are lost to, and that has fewer than ten per degree of freedom left, counts
    as not done: the edge stays.

    least_rows, most_rows : that a test was made on; None before the first
    n_not_done : tests that had too few rows
    """

    def __init__(
        self,
        dataset: Dataset,
        alpha: float = 0.05,
        *,
        statistic: Statistic = "g-square",
        degrees_of_freedom: DegreesOfFreedom = "adaptive",
    ) -> None:
        largest = sorted(dataset.n_states)[-2:]
        if prod(largest) > MAX_CELLS:
            raise DataError(f"two variables have {largest[0]} and {largest[1]} states; discretise them first")
        super().__init__(dataset.names, alpha)
        distinct = dataset.distinct
        is_half = 2 * len(distinct.counts) <= dataset.n_rows
        self._codes = distinct.codes if is_half else dataset.codes
        self._weights = np.asarray(distinct.counts, dtype=np.int64) if is_half else NO_WEIGHTS
        self._is_missing = dataset.is_missing
        self._cards, self._n_rows = dataset.n_states, dataset.n_rows
        self._type = np.uint8 if max(dataset.n_states, default=1) <= 1 << 8 else np.uint16
        counts = np.arange(min(dataset.n_rows + 1, LOG_TABLE), dtype=np.float64)
        self._n_log_n = counts * np.log(np.maximum(counts, 1))
        self._kind = kind_numbers(statistic, degrees_of_freedom)
        self.least_rows: int | None = None
        self.most_rows: int | None = None
        self.n_not_done = 0

    def compute_p_value(self, x: int, y: int, given: tuple[int, ...]) -> float:
        from latconf_core.independence import kernels

        columns = [x, y, *given]
        codes, weights, n_used = self._complete(columns)
        cards = np.array([self._cards[column] for column in columns])
        degrees = (cards[0] - 1) * (cards[1] - 1) * prod(cards[2:].tolist())
        if n_used < LEAST_SHARE * self._n_rows and n_used < ROWS_PER_DEGREE * degrees:
            self.n_not_done += 1
            return NOT_DONE
        self.least_rows = min(n_used, self.least_rows or n_used)
        self.most_rows = max(n_used, self.most_rows or n_used)
        pool = np.arange(2, len(columns))
        is_narrow = prod(cards.tolist()) <= NARROW_CELLS
        keys = np.empty((len(pool) + 1, len(codes)), dtype=np.uint16 if is_narrow else np.uint32)
        table = np.empty(NARROW_CELLS if is_narrow else max(NARROW_CELLS, 8 * len(codes)), dtype=np.int32)
        settings = (*self._kind, n_used, 1, False)
        data = codes, weights, cards, self._n_log_n
        flags = np.zeros(len(pool), dtype=np.uint8)
        _, _, p_value = kernels.search_subsets(
            data,
            no_bits(cards),
            (0, 1),
            pool,
            flags,
            np.arange(len(pool)),
            settings,
            self.alpha,
            NO_BEST,
            keys,
            np.empty((0, 0, 0), dtype=np.uint64),
            table,
        )
        return float(p_value)

    def _complete(self, columns: Sequence[int]) -> tuple[np.ndarray, IntArray, int]:
        """The rows complete in some columns, these columns only, their weights and how many rows they are."""
        codes = self._codes[:, columns]
        gaps = [k for k, column in enumerate(columns) if self._is_missing[column]]
        weights = self._weights
        if gaps:
            is_seen = (codes[:, gaps] >= 0).all(axis=1)
            codes = codes[is_seen]
            weights = weights[is_seen] if weights.size else weights
        small = np.asfortranarray(codes, dtype=self._type)
        for array in (small, weights):
            array.setflags(write=False)
        return small, weights, int(weights.sum()) if weights.size or not len(codes) else len(codes)


def describe_test_rows(n_rows: int, least: int | None, most: int | None, n_not_done: int) -> list[str]:
    """What a person must know of tests on the rows that are complete in their variables."""
    if least is None or most is None:
        return []
    used = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    test_rows = [
        (
            f"Cells are missing: each test used the rows complete in its variables, {used} of {n_rows:,}. This is "
            "valid if cells are missing completely at random."
        )
    ]
    if n_not_done:
        tests = counted(n_not_done, "test")
        test_rows.append(f"{tests} had too few complete rows and were skipped; their edges stay.")
    return test_rows
