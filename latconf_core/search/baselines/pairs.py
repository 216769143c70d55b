"""Pairs of columns by what they tell of each other: plug-in mutual information in nats, not corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import FloatArray, WeightArray

DIGITS = 10  # what is closer is equal: sums depend on the order of states in the last ones

Pair = tuple[int, int]


def mutual_information(first: npt.NDArray[np.integer], second: npt.NDArray[np.integer], weights: WeightArray) -> float:
    """H(X) + H(Y) − H(X, Y) of two columns of codes; no weights means one for each row."""
    n_second = int(second.max(initial=0)) + 1
    keys = first.astype(np.int64) * n_second + second
    counts = np.bincount(keys, weights=weights if weights.size else None)
    size = -(-len(counts) // n_second) * n_second
    table = np.zeros(size)
    table[: len(counts)] = counts
    joint = table.reshape(-1, n_second) / table.sum()
    return _entropy(joint.sum(axis=1)) + _entropy(joint.sum(axis=0)) - _entropy(joint.ravel())


def _entropy(shares: FloatArray) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())


class PairsByInformation:
    """The mutual information of columns, which may come and change."""

    def __init__(self, weights: WeightArray, checkpoint: Callable[[], None]) -> None:
        self._weights = weights
        self._checkpoint = checkpoint
        self._columns: dict[int, npt.NDArray[np.integer]] = {}
        self._found: dict[Pair, float] = {}

    def put(self, node: int, column: npt.NDArray[np.integer]) -> None:
        """Take a column for a node, a new one or another than before."""
        self._columns[node] = column
        self._found = {pair: value for pair, value in self._found.items() if node not in pair}

    def best(self, nodes: Sequence[int], most: int | None) -> list[Pair]:
        """So many pairs of some nodes that tell most of each other, or all; of equal ones those that stand first."""
        pairs = list(combinations(nodes, 2))
        values = [-round(self.value(*pair), DIGITS) for pair in pairs]
        order = sorted(range(len(pairs)), key=values.__getitem__)  # keeps the order of equal ones
        return [pairs[index] for index in order[:most]]

    def value(self, first: int, second: int) -> float:
        """What two nodes tell of each other, in nats."""
        pair = min(first, second), max(first, second)
        information = self._found.get(pair)
        if information is None:
            self._checkpoint()
            information = mutual_information(self._columns[pair[0]], self._columns[pair[1]], self._weights)
            self._found[pair] = information
        return information
