"""Counts of a variable in every seen configuration of its parents, and the score that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import CodeArray, FloatArray, IntArray

if TYPE_CHECKING:
    from latconf_core.data.dataset import Dataset

CellPrior = Callable[[int, tuple[int, ...]], float | FloatArray]

NO_WEIGHTS: IntArray = np.zeros(0, dtype=np.int64)
NO_WEIGHTS.setflags(write=False)
DENSE_CELLS = 1 << 16  # tables up to this size, or the number of rows, are counted directly
KEY_LIMIT = 2**62
SAMPLE_ROWS = 4096


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """The different rows over some columns, in rising order of codes (first column slowest).

    codes : (n_distinct, n_columns)
    counts : (n_distinct,)
    """

    codes: IntArray
    counts: IntArray


def counting_table(dataset: Dataset) -> tuple[CodeArray, IntArray]:
    """The rows to count on, with weights: the distinct rows where these are clearly fewer, else the raw ones.

    Whether they are fewer is judged from a sample, so that a large table with few repeats is never sorted whole.
    """
    found: tuple[CodeArray, IntArray] | None = dataset.__dict__.get("_counting_table")
    if found is None:
        found = dataset.__dict__["_counting_table"] = _choose_table(dataset)
    return found


def _choose_table(dataset: Dataset) -> tuple[CodeArray, IntArray]:
    sample = np.ascontiguousarray(dataset.codes[:: max(1, dataset.n_rows // SAMPLE_ROWS)])
    as_one = (
        sample.view(np.dtype((np.void, sample.dtype.itemsize * max(1, sample.shape[1])))) if sample.size else sample
    )
    if not sample.size or 2 * len(np.unique(as_one)) > len(sample):
        return dataset.codes, NO_WEIGHTS
    distinct = dataset.distinct
    if 2 * len(distinct.counts) > dataset.n_rows:
        return dataset.codes, NO_WEIGHTS
    return distinct.codes, distinct.counts


def _row_keys(codes: CodeArray, columns: Sequence[int], cards: Sequence[int]) -> tuple[IntArray, int]:
    """A number for each row over these columns, ordered as their codes, and a bound above all numbers.

    Where the product of states leaves 62 bits, the numbers so far are replaced by their places among the distinct ones.
    """
    from latconf_core.counts import kernels

    keys = np.zeros(len(codes), dtype=np.int64)
    size = 1
    for column, card in zip(columns, cards):
        if size > KEY_LIMIT // max(card, 1):
            distinct = kernels.distinct_keys(keys)
            keys = kernels.positions(keys, distinct)
            size = len(distinct)
        kernels.extend_keys(keys, codes, column, card)
        size *= card
    return keys, size


def count_columns(dataset: Dataset) -> list[IntArray]:
    """How often each state of every column occurs."""
    from latconf_core.counts import kernels

    ends = np.cumsum([0, *dataset.n_states])
    counts: IntArray = kernels.count_columns(*counting_table(dataset), ends)
    return [counts[first:end] for first, end in pairwise(ends)]


def count_family(dataset: Dataset, child: int, parents: Sequence[int]) -> IntArray:
    """How often each state of column `child` occurs in each seen configuration of the columns `parents`.

    Gives (n_seen, n_states), configurations in rising order of their codes, first parent slowest.
    Memory is bounded by the rows, not by the number of possible configurations. Safe from several threads.
    """
    from latconf_core.counts import kernels

    codes, weights = counting_table(dataset)
    n_states = dataset.n_states[child]
    keys, size = _row_keys(codes, parents, [dataset.n_states[parent] for parent in parents])
    if size * n_states > max(DENSE_CELLS, len(codes)):
        distinct = kernels.distinct_keys(keys)
        keys, size = kernels.positions(keys, distinct), len(distinct)
    kernels.extend_keys(keys, codes, child, n_states)
    table: IntArray = kernels.count_dense(keys, weights, size * n_states).reshape(size, n_states)
    return table[table.any(axis=1)]


def group_rows(dataset: Dataset, columns: Sequence[int], *, ranks: Sequence[IntArray] | None = None) -> GroupedRows:
    """The different rows over these columns with their counts. Safe from several threads.

    ranks : for each column, other numbers for its states; codes and order are then those of these
    """
    from latconf_core.counts import kernels

    codes, weights = counting_table(dataset)
    cards = [dataset.n_states[column] for column in columns]
    if prod(cards) <= max(DENSE_CELLS, len(codes)):
        numbers = [np.arange(card) for card in cards] if ranks is None else ranks
        return GroupedRows(
            *kernels.group_dense(
                codes,
                weights,
                np.array(columns, dtype=np.int64),
                np.array(cards, dtype=np.int64),
                np.concatenate([NO_WEIGHTS, *numbers]),
            )
        )
    keys, _ = _row_keys(codes, columns, cards)
    distinct = kernels.distinct_keys(keys)
    places = kernels.positions(keys, distinct)
    example = np.zeros(len(distinct), dtype=np.int64)
    example[places] = np.arange(len(places))
    counts = kernels.count_dense(places, weights, len(distinct))
    found = codes[example][:, list(columns)].astype(np.int64)
    if ranks is None:
        return GroupedRows(found, counts)
    for place, rank in enumerate(ranks):
        found[:, place] = rank[found[:, place]]
    order = np.lexsort(found.T[::-1])
    return GroupedRows(np.ascontiguousarray(found[order]), counts[order])


def row_places(dataset: Dataset, columns: Sequence[int], distinct: IntArray) -> IntArray:
    """Which of the distinct rows (n_distinct, n_columns) each row of the data is, over these columns."""
    from latconf_core.counts import kernels

    codes = np.concatenate([distinct, dataset.codes[:, list(columns)]])
    keys, _ = _row_keys(codes, range(len(columns)), [dataset.n_states[column] for column in columns])
    places: IntArray = kernels.positions(keys[len(distinct) :], keys[: len(distinct)])
    return places


def family_log_score(counts: npt.NDArray[np.integer], prior: float | FloatArray) -> float:
    """The exact log marginal likelihood of counts (n_configurations, n_states) under Dirichlet priors.

    prior : the Dirichlet parameters of each configuration, (n_states,), or one number for every cell
    Configurations without rows change nothing, so only the seen ones need to be given.
    """
    from latconf_core.counts import kernels

    cells = np.broadcast_to(np.asarray(prior, dtype=np.float64), counts.shape[1:])
    return float(kernels.dirichlet_multinomial(counts.astype(np.int64, copy=False), np.ascontiguousarray(cells)))


class FamilyScores:
    """Log marginal likelihoods of families, each computed once. Safe from several threads.

    cell_prior(child, parents) gives the Dirichlet parameters of every configuration, (n_states,) or one number.
    """

    def __init__(self, dataset: Dataset, cell_prior: CellPrior) -> None:
        self._dataset = dataset
        self._cell_prior = cell_prior
        self._found: dict[tuple[int, tuple[int, ...]], float] = {}

    def total(self, families: Iterable[tuple[int, tuple[int, ...]]]) -> float:
        """The sum over families (child, parents), their parents in rising order."""
        known = self._found.get
        return sum(found if (found := known(family)) is not None else self.log_score(*family) for family in families)

    def log_score(self, child: int, parents: Sequence[int]) -> float:
        """The log marginal likelihood of column `child` given the columns `parents`, in any order."""
        family = child, tuple(sorted(parents)) if len(parents) > 1 else tuple(parents)
        found = self._found.get(family)
        if found is None:
            counts = count_family(self._dataset, *family)
            found = self._found[family] = family_log_score(counts, self._cell_prior(*family))
        return found
