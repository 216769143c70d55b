"""Posteriors of counted rows brought to the distinct rows of a layout, and back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.score.component_layout import Layout
from latconf_core.score.read_back import data_codes

MAX_LOOKUP = 1 << 20  # cells of a table of places
KEY_LIMIT = 2**62
LEAST_MASS = 1e-6  # of a state in a posterior that a fit starts from


def find_layout_rows(layout: Layout, columns: IntArray, n_states: Sequence[int]) -> IntArray:
    """The distinct row of a layout that each counted row is, (n_counted,).

    columns : (n_variables, n_counted) states of every variable of the data in the counted rows
    """
    distinct = data_codes(layout.rows)
    counted_keys, layout_keys = np.zeros(columns.shape[1], dtype=np.int64), np.zeros(len(distinct), dtype=np.int64)
    size = 1
    for k, column in enumerate(layout.rows.columns):
        if size > KEY_LIMIT // n_states[column]:
            seen, counted_keys = np.unique(counted_keys, return_inverse=True)
            layout_keys, size = np.searchsorted(seen, layout_keys), len(seen)
        counted_keys = counted_keys * n_states[column] + columns[column]
        layout_keys = layout_keys * n_states[column] + distinct[:, k]
        size *= n_states[column]
    if size <= MAX_LOOKUP:
        lookup = np.zeros(size, dtype=np.int64)
        lookup[layout_keys] = np.arange(len(layout_keys))
        return lookup[counted_keys]
    order = np.argsort(layout_keys)
    return order[np.searchsorted(layout_keys, counted_keys, sorter=order)]


def start_at(layout: Layout, posteriors: Sequence[FloatArray], rows: IntArray, *, weights: FloatArray) -> FloatArray:
    """What a fit of a layout starts from: posteriors of counted rows, averaged over the rows that are one in it.

    posteriors : of each latent of the component, (n_counted, n_states)
    rows : the distinct row of the layout that each counted row is
    """
    arranged = layout.arrangement.arrange(posteriors)
    return np.concatenate([_average(q, rows, len(layout.rows.weights), weights) for q in arranged], axis=1)


def _average(q: FloatArray, rows: IntArray, n_rows: int, weights: FloatArray) -> FloatArray:
    mass = np.stack([np.bincount(rows, weights=weights * column, minlength=n_rows) for column in q.T], axis=1)
    shares = np.maximum(mass / mass.sum(axis=1, keepdims=True), LEAST_MASS)
    return np.ascontiguousarray(shares / shares.sum(axis=1, keepdims=True))
