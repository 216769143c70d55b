"""A small table with a hidden cause that FCI and its like can see."""

from __future__ import annotations

import numpy as np

from latconf_core.data.dataset import Dataset


def two_effects(n_rows: int = 3000, seed: int = 0) -> Dataset:
    """X --> A, Y --> B, a hidden cause of A and B, and A --> C."""
    rng = np.random.default_rng(seed)
    hidden, x, y = (rng.integers(2, size=n_rows) for _ in range(3))
    a = np.where(rng.random(n_rows) < 0.1, 1 - (hidden | x), hidden | x)
    b = np.where(rng.random(n_rows) < 0.1, 1 - (hidden | y), hidden | y)
    c = np.where(rng.random(n_rows) < 0.2, 1 - a, a)
    return Dataset("XABYC", [("no", "yes")] * 5, np.stack([x, a, b, y, c], axis=1))
