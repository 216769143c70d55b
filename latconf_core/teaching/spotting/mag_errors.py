"""Everything that keeps a graph of directed and bidirected edges from being a MAG, found in full."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from latconf_core.graph.bits import BitGraph, as_bits, bits, has_inducing_path
from latconf_core.graph.mixed import MixedGraph

Pair = frozenset[str]  # the two nodes of an edge, or of an edge that should be there
Route = frozenset[Pair]  # the edges of a cycle or a path


@dataclass(frozen=True)
class MagErrors:
    """cycles : the edges of every directed cycle
    almost : for every <-> between a node and its ancestor, it with each directed path that contradicts it
    unseparated : pairs that are not joined and cannot be separated; looked for in ancestral graphs alone
    """

    cycles: frozenset[Route]
    almost: dict[Pair, frozenset[Route]]
    unseparated: frozenset[Pair]


def find_mag_errors(graph: MixedGraph) -> MagErrors:
    """Every error of a small graph."""
    form = as_bits(graph)
    cycles = frozenset(_named(form, cycle) for cycle in _cycles(form))
    almost: dict[Pair, frozenset[Route]] = {}
    for a, b in _spouses(form):
        routes = [path for first, last in ((a, b), (b, a)) for path in _paths(form, first, last)]
        if routes:
            edge = _pair(form, a, b)
            almost[edge] = frozenset(_named(form, path) | {edge} for path in routes)
    unseparated = frozenset() if cycles or almost else frozenset(_unseparated(form))
    return MagErrors(cycles, almost, unseparated)


def _spouses(graph: BitGraph) -> Iterator[tuple[int, int]]:
    for a, mask in enumerate(graph.spouses):
        yield from ((a, b) for b in bits(mask) if a < b)


def _unseparated(graph: BitGraph) -> Iterator[Pair]:
    for a, b in combinations(range(len(graph.nodes)), 2):
        if not graph.adjacent[a] >> b & 1 and has_inducing_path(graph, a, b):
            yield _pair(graph, a, b)


def _paths(graph: BitGraph, start: int, end: int) -> Iterator[list[int]]:
    """Every directed path from one node to another that passes no node twice."""
    unfinished = [[start]]
    while unfinished:
        path = unfinished.pop()
        for child in bits(graph.children[path[-1]]):
            if child == end:
                yield [*path, child]
            elif child not in path:
                unfinished.append([*path, child])


def _cycles(graph: BitGraph) -> Iterator[list[int]]:
    """Every directed cycle once, from its first node back to it."""
    for start in range(len(graph.nodes)):
        yield from (path for path in _paths(graph, start, start) if min(path) == start)


def _named(graph: BitGraph, path: list[int]) -> Route:
    return frozenset(_pair(graph, a, b) for a, b in pairwise(path))


def _pair(graph: BitGraph, a: int, b: int) -> Pair:
    return frozenset((graph.nodes[a], graph.nodes[b]))
