"""Data with a hidden common cause of known children."""

from __future__ import annotations

import numpy as np

from latconf_core.data.dataset import Dataset


def confounded_data(seed: int, *, n_rows: int = 1500, n_children: int = 4, is_confounded: bool = True) -> Dataset:
    """Variables A, B, … of a binary hidden cause, then two that follow A and B; three states each.

    Without confounding the first variables form a chain.
    """
    rng = np.random.default_rng(seed)
    hidden = rng.integers(2, size=n_rows)
    columns: list[np.ndarray] = []
    for k in range(n_children):
        source = hidden if is_confounded or not columns else columns[-1]
        columns.append(_follow(rng, source * (1 + k % 2) % 3))
    columns += [_follow(rng, columns[k]) for k in range(2)]
    names = [chr(ord("A") + k) for k in range(len(columns))]
    return Dataset(names, [["0", "1", "2"]] * len(columns), np.stack(columns, axis=1))


def _follow(rng: np.random.Generator, source: np.ndarray) -> np.ndarray:
    """A variable that has the state of another in two rows of three, and any state in the others."""
    return np.where(rng.random(len(source)) < 2 / 3, source, rng.integers(3, size=len(source)))
