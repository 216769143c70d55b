"""Counts of a variable in every seen configuration of its parents, and the score that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from latconf_core.arrays import CodeArray, FloatArray, IntArray, WeightArray
from latconf_core.control import RunControl

if TYPE_CHECKING:
    from latconf_core.data.dataset import Dataset

NO_WEIGHTS: IntArray = np.zeros(0, dtype=np.int64)
NO_WEIGHTS.setflags(write=False)
DENSE_CELLS = 1 << 16  # tables up to this size, or the number of rows, are counted directly
ROWS_BETWEEN_CHECKPOINTS = 1 << 17  # that are compared with each other: some ten milliseconds
NARROW_CELLS = 1 << 16  # what 16-bit keys, which are counted fastest, can number


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """The different rows over some columns, in rising order of codes (first column slowest).

    codes : (n_distinct, n_columns)
    counts : (n_distinct,)
    """

    codes: IntArray
    counts: WeightArray


def counting_table(dataset: Dataset, *, control: RunControl | None = None) -> tuple[CodeArray, WeightArray]:
    """The rows to count on, with weights: the distinct rows where these are at most half of all, else the raw ones.

    A table with few repeats is read until half of its rows were seen to differ, and never sorted. Data given by counts
    have the table of their rows written out, so that every digit is the same; fractions of rows are taken as given.
    """
    table: tuple[CodeArray, WeightArray] | None = dataset.__dict__.get("_counting_table")
    if table is None:
        table = dataset.__dict__["_counting_table"] = _choose_table(dataset, control or RunControl())
    return table


def _choose_table(dataset: Dataset, control: RunControl) -> tuple[CodeArray, WeightArray]:
    dataset.check_complete()
    if dataset.weights is not None and not dataset.has_whole_rows:
        return dataset.rows, dataset.weights
    may_be_raw = dataset.weights is None and not dataset.knows_distinct
    if may_be_raw and _has_many_different_rows(dataset, control):
        return dataset.codes, NO_WEIGHTS
    dataset.find_distinct(control)
    distinct = dataset.distinct
    is_half = 2 * len(distinct.counts) <= dataset.n_rows
    return (distinct.codes, distinct.counts) if is_half else (dataset.codes, NO_WEIGHTS)


def _has_many_different_rows(dataset: Dataset, control: RunControl) -> bool:
    """Whether more than half of the rows are different, told as soon as that many were met."""
    from latconf_core.counts import kernels

    most, n_seen = dataset.n_rows // 2, 0
    seen = np.full(1 << (2 * most + 2).bit_length(), kernels.EMPTY)
    for first in range(0, dataset.n_rows, ROWS_BETWEEN_CHECKPOINTS):
        control.checkpoint()
        end = min(first + ROWS_BETWEEN_CHECKPOINTS, dataset.n_rows)
        n_seen = kernels.meet_rows(dataset.codes, first, end, seen, n_seen)
        if n_seen > most:
            return True
    return False


def _row_keys(codes: CodeArray, columns: Sequence[int], cards: Sequence[int]) -> tuple[IntArray, int]:
    """A number for each row over these columns, ordered as their codes, and a bound above all numbers."""
    from latconf_core.counts import kernels

    return kernels.row_keys(codes, np.array(columns, dtype=np.int64), np.array(cards, dtype=np.int64))


def _count_keys(keys: IntArray, weights: WeightArray, size: int) -> WeightArray:
    """How often each key below `size` occurs."""
    from latconf_core.counts import kernels

    table: WeightArray = np.empty(size, dtype=weights.dtype)
    kernels.count_cells(keys, weights, table)
    return table


def count_columns(dataset: Dataset) -> list[WeightArray]:
    """How often each state of every column occurs."""
    from latconf_core.counts import kernels

    ends = np.cumsum([0, *dataset.n_states])
    counts: WeightArray = kernels.count_columns(*counting_table(dataset), ends)
    return [counts[first:end] for first, end in pairwise(ends)]


def count_family(dataset: Dataset, child: int, parents: Sequence[int]) -> WeightArray:
    """How often each state of column `child` occurs in each seen configuration of the columns `parents`.

    Gives (n_seen, n_states), configurations in rising order of their codes, first parent slowest.
    Memory is bounded by the rows, not by the number of possible configurations. Safe from several threads.
    """
    return count_family_in(counting_table(dataset), dataset.n_states, child, parents)


def count_family_in(
    table: tuple[CodeArray, WeightArray], states: Sequence[int], child: int, parents: Sequence[int]
) -> WeightArray:
    """The same in a table of rows with weights, which may have more columns than the data.

    states : the number of states of every column
    """
    from latconf_core.counts import kernels

    codes, weights = table
    n_states = states[child]
    keys, size = _row_keys(codes, parents, [states[parent] for parent in parents])
    if size * n_states > max(DENSE_CELLS, len(codes)):
        distinct = kernels.distinct_keys(keys)
        keys, size = kernels.positions(keys, distinct), len(distinct)
    kernels.extend_keys(keys, codes[:, child], n_states, keys)
    counts = _count_keys(keys, weights, size * n_states).reshape(size, n_states)
    return counts[counts.any(axis=1)]


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
    counts = _count_keys(places, weights, len(distinct))
    rows = codes[example][:, list(columns)].astype(np.int64)
    if ranks is None:
        return GroupedRows(rows, counts)
    for index, rank in enumerate(ranks):
        rows[:, index] = rank[rows[:, index]]
    order = np.lexsort(rows.T[::-1])
    return GroupedRows(np.ascontiguousarray(rows[order]), counts[order])


def row_places(dataset: Dataset, columns: Sequence[int], distinct: IntArray) -> IntArray:
    """Which of the distinct rows (n_distinct, n_columns) each row of the data is, over these columns."""
    return row_places_in(dataset.codes, dataset.n_states, columns, distinct)


def row_places_in(codes: CodeArray, states: Sequence[int], columns: Sequence[int], distinct: IntArray) -> IntArray:
    """The same for the rows of a table; `states` are those of its columns."""
    from latconf_core.counts import kernels

    joined = np.asfortranarray(np.concatenate([distinct, codes[:, list(columns)]]))
    keys, _ = _row_keys(joined, range(len(columns)), [states[column] for column in columns])
    places: IntArray = kernels.positions(keys[len(distinct) :], keys[: len(distinct)])
    return places


def family_log_score(counts: WeightArray, prior: float | FloatArray) -> float:
    """The exact log marginal likelihood of counts (n_configurations, n_states) under Dirichlet priors.

    prior : the Dirichlet parameters of each configuration, (n_states,), or one number for every cell
    Configurations without rows change nothing, so only the seen ones need to be given.
    """
    from latconf_core.counts import kernels

    cells = np.broadcast_to(np.asarray(prior, dtype=np.float64), counts.shape[1:])
    counts = counts.astype(np.int64 if np.issubdtype(counts.dtype, np.integer) else np.float64, copy=False)
    return float(kernels.dirichlet_multinomial(counts, np.ascontiguousarray(cells)))
