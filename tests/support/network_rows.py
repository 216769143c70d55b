"""Rows of networks that are written as lists of parents."""

from __future__ import annotations

import numpy as np

from latconf_core.data.dataset import Dataset


def network_sample(seed: int, parents: list[list[int]], n_rows: int = 4000) -> Dataset:
    """Rows from a network with random tables of two and three states."""
    rng = np.random.default_rng(seed)
    cards = [2 + v % 2 for v in range(len(parents))]
    codes = np.zeros((n_rows, len(parents)), dtype=int)
    for v, above in enumerate(parents):
        table = rng.dirichlet(np.full(cards[v], 0.7), size=[cards[p] for p in above])
        chances = table[tuple(codes[:, p] for p in above)] if above else np.broadcast_to(table, (n_rows, cards[v]))
        codes[:, v] = (rng.random(n_rows)[:, None] > chances.cumsum(axis=1)[:, :-1]).sum(axis=1)
    names = [chr(ord("A") + v) for v in range(len(parents))]
    return Dataset(names, [[str(k) for k in range(card)] for card in cards], codes)
