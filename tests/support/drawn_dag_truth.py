"""Brute force about drawn DAGs: networkx answers every d-separation, hidden variables with causes included."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import networkx as nx
import numpy as np

from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.teaching.drawn_dag import DrawnDag


def as_networkx(dag: DrawnDag) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(dag.nodes)
    graph.add_edges_from(dag.edges)
    return graph


def is_separated(dag: DrawnDag, first: str, second: str, given: tuple[str, ...]) -> bool:
    return bool(nx.is_d_separator(as_networkx(dag), {first}, {second}, set(given)))


def separations(dag: DrawnDag) -> frozenset[tuple[str, str, frozenset[str]]]:
    """Every pair of observed variables with every set of others that separates it."""
    graph = as_networkx(dag)
    return frozenset(
        (a, b, frozenset(given))
        for a, b in combinations(dag.observed, 2)
        for given in _sets([name for name in dag.observed if name not in (a, b)])
        if nx.is_d_separator(graph, {a}, {b}, set(given))
    )


def mag_by_definition(dag: DrawnDag) -> MixedGraph:
    """Joined where nothing separates; an arrowhead where an end is not an ancestor of the other."""
    graph, apart = as_networkx(dag), {(a, b) for a, b, _ in separations(dag)}
    edges = []
    for a, b in combinations(dag.observed, 2):
        if (a, b) not in apart:
            marks = [Mark.TAIL if end in nx.ancestors(graph, other) else Mark.ARROW for end, other in ((a, b), (b, a))]
            edges.append(Edge(a, b, marks[0], marks[1]))
    return MixedGraph.from_edges(dag.observed, edges)


def random_drawn_dag(rng: np.random.Generator, n_nodes: int, *, density: float, hide: float) -> DrawnDag:
    """A DAG over N0, N1, … in a random causal order, any of them hidden."""
    names = [f"N{i}" for i in range(n_nodes)]
    order = [names[i] for i in rng.permutation(n_nodes)]
    edges = [pair for pair in combinations(order, 2) if rng.random() < density]
    hidden = frozenset(name for name in names if rng.random() < hide)
    return DrawnDag(tuple(names), tuple(edges), hidden).placed()


def _sets(names: list[str]) -> Iterator[tuple[str, ...]]:
    for size in range(len(names) + 1):
        yield from combinations(names, size)
