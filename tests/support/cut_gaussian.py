"""Tables cut from linear Gaussian DAGs: what is hidden in them, if anything, is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latconf_core.data.column_order import ColumnOrder
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.discretise import Discretisation, DiscretiseMethod, bins_of

METHODS: tuple[DiscretiseMethod, ...] = ("equal width", "equal frequency", "k-means")
DENSE, SPARSE = (1.0, 1.5), (0.4, 0.8)  # edges per variable


@dataclass(frozen=True, eq=False)
class CutTable:
    """A table, and the observed children of each hidden cause with at least two.

    numbers : before they were cut
    parents : of every variable, its observed ones
    """

    dataset: Dataset
    hidden: tuple[frozenset[str], ...]
    numbers: np.ndarray
    parents: tuple[tuple[int, ...], ...]


def draw_cut_table(
    seed: int, *, n_hidden: int = 0, is_ordered: bool = True, edges: tuple[float, float] = DENSE
) -> CutTable:
    """6 to 12 variables of a random linear Gaussian DAG, 1,000 to 5,000 rows, each cut into 3 to 5 intervals.

    n_hidden : Gaussian hidden causes with three to five children each, besides
    edges : per variable, at least and at most
    """
    rng = np.random.default_rng(seed)
    n, n_rows = int(rng.integers(6, 13)), int(rng.choice([1000, 2000, 3000, 5000]))
    weights = _draw_weights(n, rng, edges)
    loads = np.zeros((n_hidden, n))
    for load in loads:
        children = rng.choice(n, size=int(rng.integers(3, 6)), replace=False)
        load[children] = rng.uniform(0.8, 1.5, len(children)) * rng.choice([-1, 1], len(children))
    numbers = np.zeros((n_rows, n))
    hidden = rng.standard_normal((n_rows, n_hidden))
    for v in range(n):
        numbers[:, v] = numbers @ weights[:, v] + hidden @ loads[:, v] + rng.standard_normal(n_rows)
        numbers[:, v] /= numbers[:, v].std()
    names = [f"X{v + 1}" for v in range(n)]
    columns, states, ordered = [], [], {}
    for v, name in enumerate(names):
        rule = Discretisation(METHODS[int(rng.integers(len(METHODS)))], int(rng.integers(3, 6)))
        values = np.sort(numbers[:, v])
        points = rule.fit(values, np.ones(n_rows, dtype=np.int64))
        used, codes = np.unique(bins_of(numbers[:, v], points), return_inverse=True)
        columns.append(codes)
        states.append([f"s{k}" for k in range(len(used))])
        ordered[name] = ColumnOrder(tuple(points[i - 1] for i in used[1:]))
    dataset = Dataset(names, states, np.column_stack(columns), ordered=ordered if is_ordered else None)
    groups = tuple(frozenset(names[v] for v in np.flatnonzero(own)) for own in loads)
    parents = tuple(tuple(int(v) for v in np.flatnonzero(own)) for own in weights.T)
    return CutTable(dataset, groups, numbers, parents)


def _draw_weights(n: int, rng: np.random.Generator, edges: tuple[float, float]) -> np.ndarray:
    """Weights of edges from earlier to later variables."""
    share = min(1.0, rng.uniform(*edges) * 2 / (n - 1))
    is_edge = np.triu(rng.random((n, n)) < share, 1)
    return is_edge * rng.uniform(0.4, 1.2, (n, n)) * rng.choice([-1, 1], (n, n))
