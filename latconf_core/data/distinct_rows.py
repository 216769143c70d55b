"""Finds the different rows of a table and counts them, in steps short enough to be stopped between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import CodeArray, IndexArray, IntArray, WeightArray
from latconf_core.control import RunControl

BLOCK = 1 << 17  # keys that are sorted at once: some ten milliseconds
_SAMPLED = 64  # one key in so many is looked at to find where blocks should end
_KEY_LIMIT = 2**62


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Each different row once.

    codes : (n_distinct, n_variables), column-major
    counts : (n_distinct,) how often each occurs
    of_row : (n_rows,) which distinct row each row of the data is; of rows with fractions, each given row
    """

    codes: CodeArray
    counts: WeightArray
    of_row: IndexArray


def distinct_rows(
    codes: CodeArray, n_states: Sequence[int], *, lowest: int = 0, control: RunControl | None = None
) -> DistinctRows:
    """The different rows with their counts, in lexicographic order of codes.

    codes : (n_rows, n_variables), column-major
    lowest : the smallest code: 0, or that of missing cells
    """
    control = control or RunControl()
    n_rows, n_variables = codes.shape
    key = np.zeros(n_rows, dtype=np.int64)
    size = 1
    for column, n_codes in enumerate(n_states):
        span = n_codes - lowest
        control.checkpoint()
        if size > _KEY_LIMIT // max(span, 1):
            _, fresh, key = _ranked(key, control)
            size = int(np.count_nonzero(fresh))
        key *= span
        key += codes[:, column]
        if lowest:
            key -= lowest
        size *= span
    order, fresh, of_row = _ranked(key, control)
    starts = np.flatnonzero(fresh)
    first = order[starts]
    rows = np.empty((len(first), n_variables), dtype=codes.dtype, order="F")
    for column in range(n_variables):
        control.checkpoint()
        np.take(codes[:, column], first, out=rows[:, column])
    counts = np.diff(starts, append=n_rows).astype(np.int64)
    for array in (rows, counts, of_row):
        array.setflags(write=False)
    return DistinctRows(rows, counts, of_row)


def _ranked(key: IntArray, control: RunControl) -> tuple[IndexArray, npt.NDArray[np.bool_], IntArray]:
    """The order that sorts the keys, where a new key begins in it, and the rank of each among those that differ."""
    order = _sorting_order(key, control)
    ascending = key[order]
    control.checkpoint()
    fresh = np.ones(len(key), dtype=np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=fresh[1:])
    rank = np.empty(len(key), dtype=np.int64)
    rank[order] = np.cumsum(fresh) - 1
    control.checkpoint()
    return order, fresh, rank


def _sorting_order(key: IntArray, control: RunControl) -> IndexArray:
    """The order that sorts the keys: dealt into blocks between limits taken from a sample, then block by block."""
    n_blocks = len(key) // BLOCK + 1
    if n_blocks == 1:
        return np.argsort(key)
    sample = np.sort(key[::_SAMPLED])
    limits = sample[np.arange(1, n_blocks) * len(sample) // n_blocks]
    block = np.empty(len(key), dtype=np.uint16)
    for start in range(0, len(key), BLOCK):
        control.checkpoint()
        block[start : start + BLOCK] = np.searchsorted(limits, key[start : start + BLOCK], side="right")
    order = np.argsort(block, kind="stable")  # of 16 bits: by counting
    ends = np.cumsum(np.bincount(block, minlength=n_blocks))
    for start, end in zip((0, *ends), ends):
        control.checkpoint()
        index = order[start:end]
        order[start:end] = index[np.argsort(key[index])]
    return order
