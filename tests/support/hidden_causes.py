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
    for _ in range(n_children):
        source = hidden if is_confounded or not columns else columns[-1]
        table = rng.dirichlet([0.7] * 3, size=3)
        columns.append(_draw(rng, table[source]))
    for k in range(2):
        columns.append(_draw(rng, rng.dirichlet([0.5] * 3, size=3)[columns[k]]))
    names = [chr(ord("A") + k) for k in range(len(columns))]
    return Dataset(names, [["0", "1", "2"]] * len(columns), np.stack(columns, axis=1))


def _draw(rng: np.random.Generator, probabilities: np.ndarray) -> np.ndarray:
    """One state per row of probabilities."""
    below = probabilities.cumsum(axis=1) < rng.random(len(probabilities))[:, None]
    return np.minimum(below.sum(axis=1), probabilities.shape[1] - 1)
