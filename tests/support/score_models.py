"""Data with a hidden cause, and DAGs with latents over them."""

from __future__ import annotations

import numpy as np

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset

NAMES = ("A", "B", "C", "D", "E")


def hidden_cause_data(n_rows: int, seed: int = 0) -> Dataset:
    """Five variables, three of them driven by a hidden one; no two states of a variable are equally frequent."""
    rng = np.random.default_rng(seed)
    hidden = rng.random(n_rows) < 0.4
    a = (rng.random(n_rows) < np.where(hidden, 0.9, 0.2)).astype(int)
    b = (rng.random(n_rows) < np.where(hidden, 0.2, 0.7)).astype(int)
    c = np.where(hidden, rng.choice(3, n_rows, p=[0.7, 0.2, 0.1]), rng.choice(3, n_rows, p=[0.1, 0.2, 0.7]))
    d = (a + rng.choice(3, n_rows, p=[0.6, 0.3, 0.1])) % 3
    e = (rng.random(n_rows) < 0.3 + 0.4 * (d == 1)).astype(int)
    return Dataset(NAMES, [["0", "1"], ["0", "1"], list("012"), list("012"), ["0", "1"]], np.stack([a, b, c, d, e], 1))


CONFOUNDED = LatentDag(NAMES, [("A", "D"), ("D", "E")], [Latent("L1", 3, ("A", "B", "C"))])
CHAINED = LatentDag(NAMES, [("A", "D")], [Latent("L1", 2, ("A", "B")), Latent("L2", 2, ("B", "C"))])
