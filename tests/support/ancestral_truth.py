"""Independent truths about small ancestral graphs: everything here follows the definitions, by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph

if TYPE_CHECKING:
    import networkx as nx

Separation = tuple[str, str, frozenset[str]]
DIRECTIONS = ((Mark.TAIL, Mark.ARROW), (Mark.ARROW, Mark.TAIL), (Mark.ARROW, Mark.ARROW))


def random_latent_dag(rng: np.random.Generator, n_nodes: int, n_latents: int, density: float) -> LatentDag:
    """A DAG over V0, V1, … in a random causal order, with latents of two or three children."""
    names = [f"V{i}" for i in range(n_nodes)]
    order = [names[i] for i in rng.permutation(n_nodes)]
    edges = [pair for pair in itertools.combinations(order, 2) if rng.random() < density]
    latents = [
        Latent(f"H{k}", 2, tuple(rng.choice(names, size=int(rng.integers(2, 4)), replace=False).tolist()))
        for k in range(n_latents)
    ]
    return LatentDag(names, edges, latents)


def random_marks(
    rng: np.random.Generator, n_nodes: int, density: float, choices: Sequence[tuple[int, int]]
) -> MixedGraph:
    """A graph whose pairs are joined with this probability, by any of the given pairs of marks."""
    marks = np.zeros((n_nodes, n_nodes), dtype=np.uint8)
    for i, j in itertools.combinations(range(n_nodes), 2):
        if rng.random() < density:
            marks[i, j], marks[j, i] = choices[int(rng.integers(len(choices)))]
    return MixedGraph([f"V{i}" for i in range(n_nodes)], marks)


def canonical_dag(graph: MixedGraph) -> nx.DiGraph:
    """The directed edges, and a latent parent of its own for the ends of every bidirected edge."""
    import networkx as nx

    dag = nx.DiGraph()
    dag.add_nodes_from(graph.nodes)
    for edge in graph.edges():
        if edge.is_bidirected:
            hidden = f"({edge.first}, {edge.second})"
            dag.add_edges_from([(hidden, edge.first), (hidden, edge.second)])
        else:
            first_is_parent = edge.at_second == Mark.ARROW
            dag.add_edge(*((edge.first, edge.second) if first_is_parent else (edge.second, edge.first)))
    return dag


def every_query(nodes: Sequence[str]) -> Iterator[Separation]:
    """Every pair with every set of other nodes."""
    for x, y in itertools.combinations(nodes, 2):
        rest = [node for node in nodes if node not in (x, y)]
        for size in range(len(rest) + 1):
            for given in itertools.combinations(rest, size):
                yield x, y, frozenset(given)


class Truth:
    """The m-separations of one graph of directed and bidirected edges, by Richardson's augmented graphs.

    Two nodes are separated by Z exactly when Z separates them in the undirected graph that joins, inside the
    ancestors of all of them, every district with its parents. Sets of nodes are bits, for speed.
    """

    def __init__(self, graph: MixedGraph) -> None:
        n = len(graph.nodes)
        marks = graph.marks.tolist()
        self.nodes = graph.nodes
        self.parents = [_bits(u for u in range(n) if marks[u][v] == 2 and marks[v][u] == 3) for v in range(n)]
        self.spouses = [_bits(u for u in range(n) if marks[u][v] == 2 and marks[v][u] == 2) for v in range(n)]
        self.adjacent = [_bits(u for u in range(n) if marks[u][v]) for v in range(n)]
        self.ancestors = [self._closed(self.parents, 1 << v) for v in range(n)]
        self._augmented: dict[int, list[int]] = {}

    @property
    def is_ancestral(self) -> bool:
        """No node is an ancestor of one of its parents or spouses."""
        return not any(
            self.ancestors[u] >> v & 1
            for v in range(len(self.nodes))
            for u in _members(self.parents[v] | self.spouses[v])
        )

    @property
    def is_mag(self) -> bool:
        """Ancestral, and every pair that is not adjacent has a separating set."""
        return self.is_ancestral and self.is_maximal_by(self.table())

    def table(self) -> int:
        """One bit for every pair and set of other nodes: whether the set separates the pair."""
        queries = _queries(len(self.nodes))
        return sum(1 << i for i, query in enumerate(queries) if self.is_separated(*query))

    def is_separated(self, x: int, y: int, given: int) -> bool:
        inside = self.ancestors[x] | self.ancestors[y]
        for v in _members(given):
            inside |= self.ancestors[v]
        if inside not in self._augmented:
            self._augmented[inside] = self._augment(inside)
        blocked = [links & ~given for links in self._augmented[inside]]
        return not self._closed(blocked, 1 << x) >> y & 1

    def is_maximal_by(self, table: int) -> bool:
        separated = {query[:2] for i, query in enumerate(_queries(len(self.nodes))) if table >> i & 1}
        pairs = itertools.combinations(range(len(self.nodes)), 2)
        return all(self.adjacent[x] >> y & 1 or (x, y) in separated for x, y in pairs)

    def _augment(self, inside: int) -> list[int]:
        linked = [0] * len(self.nodes)
        within = [links & inside for links in self.spouses]
        for v in _members(inside):
            group = self._closed(within, 1 << v)
            for u in _members(group):
                group |= self.parents[u]
            for u in _members(group):
                linked[u] |= group
        return linked

    @staticmethod
    def _closed(links: Sequence[int], found: int) -> int:
        while True:
            more = found
            for v in _members(found):
                more |= links[v]
            if more == found:
                return found
            found = more


def _bits(members: Iterable[int]) -> int:
    return sum(1 << v for v in members)


@cache
def _members(mask: int) -> tuple[int, ...]:
    return tuple(v for v in range(mask.bit_length()) if mask >> v & 1)


@cache
def _queries(n_nodes: int) -> tuple[tuple[int, int, int], ...]:
    position = {str(v): v for v in range(n_nodes)}
    return tuple(
        (position[x], position[y], _bits(position[z] for z in given)) for x, y, given in every_query(list(position))
    )


def markov_classes(nodes: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[list[MixedGraph]]:
    """All MAGs on a skeleton, found by trying every mark, grouped by their m-separations."""
    groups: dict[int, list[MixedGraph]] = {}
    for choice in itertools.product(DIRECTIONS, repeat=len(pairs)):
        graph = MixedGraph.from_edges(nodes, [Edge(a, b, *marks) for (a, b), marks in zip(pairs, choice)])
        truth = Truth(graph)
        if truth.is_ancestral:
            table = truth.table()
            if truth.is_maximal_by(table):
                groups.setdefault(table, []).append(graph)
    return list(groups.values())


def pag_by_intersection(mags: Sequence[MixedGraph]) -> MixedGraph:
    """The marks that all graphs share, circles elsewhere."""
    first = mags[0].marks
    shared = np.all([graph.marks == first for graph in mags], axis=0)
    return MixedGraph(mags[0].nodes, np.where(shared, first, Mark.CIRCLE))


def skeletons(n_nodes: int) -> list[list[tuple[str, str]]]:
    """One labelling of every graph on this many nodes, up to isomorphism."""
    names = [chr(ord("A") + i) for i in range(n_nodes)]
    pairs = list(itertools.combinations(range(n_nodes), 2))
    seen: set[frozenset[tuple[int, int]]] = set()
    result = []
    for choice in itertools.product((False, True), repeat=len(pairs)):
        edges = [pair for pair, is_in in zip(pairs, choice) if is_in]
        if frozenset(edges) in seen:
            continue
        for order in itertools.permutations(range(n_nodes)):
            seen.add(frozenset(tuple(sorted((order[a], order[b]))) for a, b in edges))
        result.append([(names[a], names[b]) for a, b in edges])
    return result
