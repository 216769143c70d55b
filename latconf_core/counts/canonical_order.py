"""An order of columns and of their states by what they hold, not by where they stand or what they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from latconf_core.arrays import IntArray, WeightArray
from latconf_core.control import RunControl
from latconf_core.counts.families import count_columns, counting_table
from latconf_core.data.dataset import Dataset

Signature = tuple[object, ...]


class CanonicalOrder(NamedTuple):
    """The order of columns and of the states of each.

    contents : how often the states of each column occur, by falling count
    places : the place of each column in the order
    states : the states of each column, by falling count
    """

    contents: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    states: tuple[IntArray, ...]


def canonical_order(dataset: Dataset, counts: Sequence[WeightArray]) -> CanonicalOrder:
    """States by falling count, columns by the counts of their states.

    Where these are equal, by the counts together with every other column; only then by position (states) or name
    (columns), where it hardly matters: what has the same counts with everything else is as good as the same.
    counts : how often each state of every column occurs
    """
    contents = tuple([tuple(sorted(map(int, count), reverse=True)) for count in counts])
    often = Counter(contents)
    states, keys = [], []
    for column, state_counts in enumerate(counts):
        order = np.argsort(-state_counts, kind="stable")
        has_equal_states = bool(np.any((np.diff(state_counts[order]) == 0) & (state_counts[order][1:] > 0)))
        signatures: list[Signature] = []
        whole: Signature = ()
        if dataset.is_complete and (has_equal_states or often[contents[column]] > 1):
            tables = _with_others(dataset, column, contents)
            signatures = [
                tuple(sorted((of, tuple(sorted(table[state].tolist()))) for of, table in tables))
                for state in range(len(state_counts))
            ]
            whole = tuple(sorted((of, tuple(sorted(table.ravel().tolist()))) for of, table in tables))
        if has_equal_states and signatures:
            order = np.array(sorted(order.tolist(), key=lambda state: (-state_counts[state], signatures[state])))
        states.append(order)
        keys.append((contents[column], whole, dataset.names[column]))
    places = np.argsort(sorted(range(len(keys)), key=keys.__getitem__))
    return CanonicalOrder(contents, tuple(places.tolist()), tuple(states))


def arrange_by_content(dataset: Dataset, control: RunControl) -> Dataset:
    """The same data, their columns in canonical order."""
    if not dataset.n_rows:
        return dataset
    if not dataset.is_complete:
        contents = [tuple(sorted(dataset.counts(name).tolist(), reverse=True)) for name in dataset.names]
        return dataset.select([name for _, name in sorted(zip(contents, dataset.names))])
    codes, weights = counting_table(dataset, control=control)
    columns = np.argsort(canonical_order(dataset, count_columns(dataset)).places)
    arranged = dataset.select([dataset.names[k] for k in columns])
    if arranged.counted_rows is not None:
        return arranged
    own = np.asfortranarray(codes[:, columns]) if weights.size else arranged.codes
    own.setflags(write=False)  # as all codes: kernels are compiled anew for an array that may be written to
    arranged.__dict__["_counting_table"] = own, weights  # the different rows need not be found again
    return arranged


def _with_others(
    dataset: Dataset, column: int, contents: Sequence[tuple[int, ...]]
) -> list[tuple[tuple[int, ...], IntArray]]:
    """What each other column holds, and how often its states occur with those of this column."""
    codes, weights = counting_table(dataset)
    codes_of_column = codes[:, column].astype(np.int64)
    others = []
    for other, n_other in enumerate(dataset.n_states):
        if other != column:
            shape = (dataset.n_states[column], n_other)
            keys = codes_of_column * n_other + codes[:, other]
            table = np.bincount(keys, weights=weights if weights.size else None, minlength=shape[0] * shape[1])
            others.append((contents[other], table.astype(np.int64).reshape(shape)))
    return others
