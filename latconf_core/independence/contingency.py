"""G-square and chi-square tests of conditional independence on discrete data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import IntArray
from latconf_core.control import RunControl
from latconf_core.counts.families import NARROW_CELLS, counting_table
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.independence.base import Budget, IndependenceTest, Separation, SubsetSearch
from latconf_core.options.learning import DegreesOfFreedom

Statistic = Literal["g-square", "chi-square"]  # in the order of the kernels' numbers

WORK_BETWEEN_CHECKPOINTS = 4_000_000  # rows counted, a few milliseconds
MAX_CELLS = 1 << 27  # of one pair's table
LOG_TABLE = 1 << 20
NOBODY: IntArray = np.empty(0, dtype=np.int64)
NOBODY.setflags(write=False)


class ContingencyTest(IndependenceTest):
    """Tests on the counts of a data set; independent where p > alpha.

    statistic : "g-square" or "chi-square"
    degrees_of_freedom :
        "adaptive"    sums (rows seen - 1)(columns seen - 1) over strata; p is 1 where that is 0
        "full"        (states of x - 1)(states of y - 1) · product of the states of the others
        "full-guard"  as full, and independent without a test where rows < 10 · df (what pcalg does)
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
        codes, weights = counting_table(dataset)
        counts = np.arange(min(dataset.n_rows + 1, LOG_TABLE), dtype=np.float64)
        n_log_n = counts * np.log(np.maximum(counts, 1))
        self._cards = dataset.n_states
        self._data = (codes, weights, np.array(dataset.n_states, dtype=np.int64), n_log_n)
        self._kind = kind_numbers(statistic, degrees_of_freedom)
        self._n_rows = dataset.n_rows
        self._chunk = max(1, WORK_BETWEEN_CHECKPOINTS // max(len(codes), 1))
        self._scratch: dict[tuple[int, bool], tuple[npt.NDArray[np.unsignedinteger], npt.NDArray[np.int32]]] = {}

    def compute_p_value(self, x: int, y: int, given: tuple[int, ...]) -> float:
        pool = np.array(given, dtype=np.int64)
        return self._test_subsets((x, y), pool, _flags(pool, ()), np.arange(len(pool)), max_tests=1)[2]

    def forget(self) -> None:
        """Drop the answers remembered so far."""
        self._answers.clear()

    def independent_partners(
        self, x: int, others: Sequence[int], *, budget: Budget, control: RunControl
    ) -> Iterator[tuple[int, Separation]]:
        """Those of the others that are independent of x given nothing, many pairs in one compiled call."""
        for first in range(0, len(others), self._chunk):
            control.checkpoint()
            asked = others[first : first + self._chunk]
            paid = asked if budget.left is None else asked[: budget.left]
            p_values = self._test_pairs(x, paid)
            self.n_tests += len(paid)
            budget.pay(len(paid))
            for y, p_value in zip(paid, p_values):
                if p_value > self.alpha:
                    self._answers[min(x, y), max(x, y), ()] = p_value
                    yield y, Separation((), p_value)
            if len(paid) < len(asked):
                budget.is_spent = True
                return

    def _test_pairs(self, x: int, others: Sequence[int]) -> list[float]:
        """The p-values of x with each of the others, given nothing."""
        from latconf_core.independence import kernels

        if not others:
            return []
        widest = max(others, key=self._cards.__getitem__)
        scratch = self._scratch_for((x, widest), NOBODY, 0)
        settings = (*self._kind, self._n_rows)
        p_values: list[float] = kernels.test_pairs(
            self._data, x, np.array(others, dtype=np.int64), settings, *scratch
        ).tolist()
        return p_values

    def _search(self, asked: SubsetSearch) -> Iterator[Separation]:
        """Many tests in one compiled call."""
        from latconf_core.independence import kernels

        if asked.size > len(asked.pool) or (asked.size == 0 and asked.known):
            return
        pair, budget = asked.pair, asked.budget
        places, members = np.arange(asked.size), np.array(asked.pool, dtype=np.int64)
        flags = _flags(asked.pool, asked.known)
        status, is_after = kernels.PAUSED, False
        while status != kernels.EXHAUSTED:
            asked.control.checkpoint()
            most = self._chunk if budget.left is None else min(self._chunk, budget.left)
            status, done, p_value = self._test_subsets(pair, members, flags, places, max_tests=most, is_after=is_after)
            self.n_tests += done
            budget.pay(done)
            is_after = status == kernels.FOUND
            if is_after:
                given = tuple(members[places].tolist())
                self._answers[min(pair), max(pair), tuple(sorted(given))] = p_value
                yield Separation(given, p_value)
            elif status == kernels.PAUSED and budget.left == 0:
                budget.is_spent = True
                return

    def _test_subsets(
        self,
        pair: tuple[int, int],
        pool: IntArray,
        flags: npt.NDArray[np.uint8],
        places: IntArray,
        *,
        max_tests: int,
        is_after: bool = False,
    ) -> tuple[int, int, float]:
        """(status, tests done, last p-value) of one compiled call; `places` is moved on."""
        from latconf_core.independence import kernels

        keys, table = self._scratch_for(pair, pool, len(places))
        settings = (*self._kind, self._n_rows, max_tests, is_after)
        status, done, p_value = kernels.search_subsets(
            self._data, pair, pool, flags, places, settings, self.alpha, keys, table
        )
        return status, done, p_value

    def _scratch_for(
        self, pair: tuple[int, int], pool: IntArray, size: int
    ) -> tuple[npt.NDArray[np.unsignedinteger], npt.NDArray[np.int32]]:
        """Room for keys and counts: narrow keys where every table is small, which counts twice as fast."""
        n = len(self._data[0])
        pair_cells = self._cards[pair[0]] * self._cards[pair[1]]
        others = sorted((self._cards[v] for v in pool.tolist()), reverse=True)[:size]
        is_narrow = pair_cells * prod(others) <= NARROW_CELLS
        is_narrow = is_narrow or (8 * n <= NARROW_CELLS and pair_cells <= NARROW_CELLS)
        if (size, is_narrow) not in self._scratch:
            cells = NARROW_CELLS if is_narrow else max(NARROW_CELLS, 8 * n)
            keys = np.empty((size + 1, n), dtype=np.uint16 if is_narrow else np.uint32)
            self._scratch[size, is_narrow] = keys, np.empty(cells, dtype=np.int32)
        return self._scratch[size, is_narrow]


def kind_numbers(statistic: Statistic, degrees_of_freedom: DegreesOfFreedom) -> tuple[int, int]:
    """The kernels' numbers of a statistic and of its degrees of freedom."""
    return get_args(Statistic).index(statistic), get_args(DegreesOfFreedom).index(degrees_of_freedom)


def _flags(pool: Sequence[int] | IntArray, known: Sequence[int]) -> npt.NDArray[np.uint8]:
    """For each member of the pool, one bit for each known set that it lies in."""
    if not known:
        return np.zeros(len(pool), dtype=np.uint8)
    return np.array([sum((covered >> v & 1) << i for i, covered in enumerate(known)) for v in pool], dtype=np.uint8)
