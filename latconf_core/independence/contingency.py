"""G-square and chi-square tests of conditional independence on discrete data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import CodeArray, FloatArray, IntArray, WeightArray
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
Words = npt.NDArray[np.uint64]
Packed = tuple[Words, IntArray]  # the rows of each state as bits, and where the states of each column begin
Best = tuple[FloatArray, IntArray]  # the p-value of the best subset so far, and its places
Scratch = tuple[npt.NDArray[np.unsignedinteger], Words, npt.NDArray[np.int32]]  # keys, bits, counts
NO_BEST: Best = np.empty(0), np.empty(0, dtype=np.int64)
MOST_PACKED = 1 << 28  # bytes of bits
FEWEST_PACKED = 256  # rows: below it keys are as fast


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
        self._packed = _pack(codes, weights, self._data[2])
        self._scratch: dict[tuple[int, bool], Scratch] = {}

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
        keys, room, table = self._scratch_for((x, widest), NOBODY, 0)
        settings = (*self._kind, self._n_rows)
        p_values: list[float] = kernels.test_pairs(
            self._data, self._packed, x, np.array(others, dtype=np.int64), settings, keys, room, table
        ).tolist()
        return p_values

    def _best(self, asked: SubsetSearch) -> Separation | None:
        """The best of all subsets, which the compiled loop keeps."""
        if asked.is_empty:
            return None
        members = np.array(asked.pool, dtype=np.int64)
        best = np.zeros(1), np.zeros(asked.size, dtype=np.int64)
        for _ in self._run(asked, members, np.arange(asked.size), best):
            pass
        p_value, given = float(best[0][0]), tuple(members[best[1]].tolist())
        return self._kept(asked.pair, given, p_value) if p_value > self.alpha else None

    def _search(self, asked: SubsetSearch) -> Iterator[Separation]:
        """Many tests in one compiled call."""
        if asked.is_empty:
            return
        members, places = np.array(asked.pool, dtype=np.int64), np.arange(asked.size)
        for p_value in self._run(asked, members, places, NO_BEST):
            yield self._kept(asked.pair, tuple(members[places].tolist()), p_value)

    def _kept(self, pair: tuple[int, int], given: tuple[int, ...], p_value: float) -> Separation:
        """The separation, its answer remembered."""
        self._answers[min(pair), max(pair), tuple(sorted(given))] = p_value
        return Separation(given, p_value)

    def _run(self, asked: SubsetSearch, members: IntArray, places: IntArray, best: Best) -> Iterator[float]:
        """The p-value of every subset that separates, at which `places` stands; none where the best is kept."""
        from latconf_core.independence import kernels

        budget = asked.budget
        flags = _flags(asked.pool, asked.known)
        status, is_after = kernels.PAUSED, False
        while status != kernels.EXHAUSTED:
            asked.control.checkpoint()
            most = self._chunk if budget.left is None else min(self._chunk, budget.left)
            status, done, p_value = self._test_subsets(
                asked.pair, members, flags, places, max_tests=most, is_after=is_after, best=best
            )
            self.n_tests += done
            budget.pay(done)
            is_after = status == kernels.FOUND
            if is_after:
                yield p_value
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
        best: Best | None = None,
    ) -> tuple[int, int, float]:
        """(status, tests done, last p-value) of one compiled call; `places` is moved on."""
        from latconf_core.independence import kernels

        keys, room, table = self._scratch_for(pair, pool, len(places))
        settings = (*self._kind, self._n_rows, max_tests, is_after)
        status, done, p_value = kernels.search_subsets(
            self._data,
            self._packed,
            pair,
            pool,
            flags,
            places,
            settings,
            self.alpha,
            NO_BEST if best is None else best,
            keys,
            room,
            table,
        )
        return status, done, p_value

    def _scratch_for(self, pair: tuple[int, int], pool: IntArray, size: int) -> Scratch:
        """Room for keys, bits and counts: narrow keys where every table is small, which counts twice as fast."""
        from latconf_core.independence import kernels

        n = len(self._data[0])
        pair_cells = self._cards[pair[0]] * self._cards[pair[1]]
        others = sorted((self._cards[v] for v in pool.tolist()), reverse=True)[:size]
        is_narrow = pair_cells * prod(others) <= NARROW_CELLS
        is_narrow = is_narrow or (8 * n <= NARROW_CELLS and pair_cells <= NARROW_CELLS)
        if (size, is_narrow) not in self._scratch:
            cells = NARROW_CELLS if is_narrow else max(NARROW_CELLS, 8 * n)
            keys = np.empty((size + 1, n), dtype=np.uint16 if is_narrow else np.uint32)
            room = np.empty((size, kernels.PACKED_CELLS, self._packed[0].shape[1]), dtype=np.uint64)
            self._scratch[size, is_narrow] = keys, room, np.empty(cells, dtype=np.int32)
        return self._scratch[size, is_narrow]


def no_bits(cards: IntArray) -> Packed:
    """What the kernels take where nothing is packed."""
    return np.empty((0, 0), dtype=np.uint64), np.zeros(len(cards) + 1, dtype=np.int64)


def _pack(codes: CodeArray, weights: WeightArray, cards: IntArray) -> Packed:
    """The rows of each state as bits, where rows have no weights and there is room."""
    from latconf_core.independence import kernels

    if weights.size or len(codes) < FEWEST_PACKED or int(cards.sum()) * len(codes) > 8 * MOST_PACKED:
        return no_bits(cards)
    starts = np.concatenate([[0], np.cumsum(cards)]).astype(np.int64)
    return kernels.pack_states(codes, cards, starts), starts


def kind_numbers(statistic: Statistic, degrees_of_freedom: DegreesOfFreedom) -> tuple[int, int]:
    """The kernels' numbers of a statistic and of its degrees of freedom."""
    return get_args(Statistic).index(statistic), get_args(DegreesOfFreedom).index(degrees_of_freedom)


def _flags(pool: Sequence[int] | IntArray, known: Sequence[int]) -> npt.NDArray[np.uint8]:
    """For each member of the pool, one bit for each known set that it lies in."""
    if not known:
        return np.zeros(len(pool), dtype=np.uint8)
    return np.array([sum((covered >> v & 1) << i for i, covered in enumerate(known)) for v in pool], dtype=np.uint8)
