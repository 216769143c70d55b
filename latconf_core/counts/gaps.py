"""Completed rows as they are counted: rows with missing cells once, and completions only where a family has a gap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import BoolArray, CodeArray, FloatArray, IntArray, WeightArray
from latconf_core.counts.families import NO_WEIGHTS
from latconf_core.data.completed_dataset import CompletedDataset


@dataclass(frozen=True, eq=False)
class Gaps:
    """Rows with missing cells, and their completions.

    codes, weights : the rows to count on, a missing cell as state 0; no weights are one each
    missing : where the rows with a gap in each column begin, these distinct rows one column behind the other,
        (n_distinct, n_columns) whether a cell is missing, codes of the distinct rows, how often each occurs
    completions : where those of each distinct row begin, their codes and weights; none of rows without gaps
    """

    codes: CodeArray
    weights: WeightArray
    missing: tuple[IntArray, IntArray, BoolArray, CodeArray, IntArray]
    completions: tuple[IntArray, CodeArray, FloatArray]


def find_gaps(data: CompletedDataset) -> Gaps:
    """What the completed rows are made of."""
    source, distinct = data.source, data.source.distinct
    counts = np.asarray(distinct.counts, dtype=np.int64)
    kind = data.rows.dtype
    is_missing = np.asfortranarray(distinct.codes < 0)
    row_codes = np.asfortranarray(np.where(is_missing, 0, distinct.codes).astype(kind))
    row_of_gap = [np.flatnonzero(column) for column in is_missing.T]
    has_gap = np.asarray(is_missing.any(axis=1))
    order = np.argsort(data.source_of, kind="stable")
    order = order[has_gap[data.source_of[order]]]
    source_of = data.source_of[order]
    codes, weights = row_codes, counts
    if 2 * len(counts) > source.n_rows and source.weights is None:
        codes = np.asfortranarray(row_codes[distinct.of_row])
        weights = NO_WEIGHTS
    first = np.searchsorted(source_of, np.arange(len(counts) + 1)).astype(np.int64)
    filled = np.asfortranarray(data.rows[data.row_of[order]])
    missing = (_starts([len(rows) for rows in row_of_gap]), np.concatenate(row_of_gap), is_missing, row_codes, counts)
    gaps = Gaps(codes, weights, missing, (first, filled, data.share[order] * counts[source_of]))
    for array in (codes, weights, *missing, *gaps.completions):
        array.setflags(write=False)  # as all codes: kernels are compiled anew for an array that may be written to
    return gaps


def _starts(lengths: list[int]) -> IntArray:
    return np.cumsum([0, *lengths]).astype(np.int64)
