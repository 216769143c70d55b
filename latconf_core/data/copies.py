"""Variables that say the same as others, state by state: copies, and recodings under other names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset


def find_copies(dataset: Dataset, control: RunControl | None = None) -> dict[str, str]:
    """copy → the first variable that determines it and that it determines, in every row.

    Only variables whose states occur equally often can be copies, so that few pairs are looked at.
    """
    control = control or RunControl()
    alike: dict[tuple[int, ...], list[int]] = {}
    copies: dict[str, str] = {}
    for column in range(dataset.n_variables):
        control.checkpoint()
        counts = np.bincount(dataset.codes[:, column])
        originals = alike.setdefault(tuple(sorted(counts[counts > 0].tolist())), [])
        original = next((one for one in originals if _are_one_to_one(dataset, one, column)), None)
        if original is None:
            originals.append(column)
        else:
            copies[dataset.names[column]] = dataset.names[original]
    return copies


def _are_one_to_one(dataset: Dataset, one: int, other: int) -> bool:
    first, second = dataset.codes[:, one].astype(np.int64), dataset.codes[:, other]
    n_pairs = np.count_nonzero(np.bincount(first * dataset.n_states[other] + second))
    return bool(n_pairs == np.count_nonzero(np.bincount(first)))  # the other has as many states: their counts agree


def describe_copies(copies: Mapping[str, str]) -> Sequence[str]:
    """A sentence for each copy, with what to do about it."""
    return [
        f"{copy!r} says the same as {original!r}, state by state, and hides its edges from a learner; exclude one"
        for copy, original in copies.items()
    ]
