"""Variables that say the same as others, state by state: copies, and recodings under other names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset


def find_copies(dataset: Dataset, control: RunControl | None = None) -> dict[str, str]:
    """copy → the first variable that determines it and that it determines, in every row.

    Only variables whose states occur equally often can be copies; of those, each is told by one fingerprint, so that
    many columns take no more time each than few.
    """
    control = control or RunControl()
    alike: dict[tuple[int, ...], list[int]] = {}
    for column in np.flatnonzero(~dataset.is_missing).tolist():  # what is missing says nothing of copies
        control.checkpoint()
        counts = dataset.counts(dataset.names[column])
        alike.setdefault(tuple(sorted(counts[counts > 0].tolist())), []).append(column)
    copies: dict[int, int] = {}
    for columns in alike.values():
        originals: dict[bytes, int] = {}
        for column in columns if len(columns) > 1 else ():
            control.checkpoint()
            original = originals.setdefault(_fingerprint(dataset, column), column)
            if original != column:
                copies[column] = original
    return {dataset.names[copy]: dataset.names[copies[copy]] for copy in sorted(copies)}


def _fingerprint(dataset: Dataset, column: int) -> bytes:
    """The same for variables that differ only in what their states are called."""
    codes = dataset.rows[:, column]
    n_rows = len(codes)
    first = np.full(dataset.n_states[column], n_rows, dtype=np.int64)  # the row where each state first occurs
    first[codes[::-1]] = np.arange(n_rows - 1, -1, -1)  # of several rows the last that is written stays
    rank = np.empty(len(first), dtype=np.uint16)
    rank[np.argsort(first)] = np.arange(len(first))
    return blake2b(rank[codes].tobytes()).digest()


def describe_copies(copies: Mapping[str, str]) -> Sequence[str]:
    """A sentence for each copy, with what to do about it."""
    return [
        (f"{copy!r} is equivalent to {original!r}, state by state, which hides their edges from a learner; exclude one")
        for copy, original in copies.items()
    ]
