"""Whether a graph is a maximal ancestral graph, and whether two of them are Markov equivalent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.graph.bits import (
    BitGraph,
    ancestors_in,
    as_bits,
    bits,
    components,
    has_inducing_path,
    topological_order,
    unite,
)
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import Mag, MixedGraph

Pair = tuple[int, int]


@dataclass(frozen=True)
class NotMag:
    """Why a graph is not a MAG: a sentence, and the nodes and edges it is about."""

    sentence: str
    nodes: tuple[str, ...]
    edges: tuple[Edge, ...] = ()


def is_mag(graph: MixedGraph | BitGraph, *, control: RunControl | None = None) -> bool:
    """Whether the graph has directed and bidirected edges only, is ancestral, and is maximal."""
    if isinstance(graph, MixedGraph):
        if _other_edge(graph) is not None:
            return False
        graph = BitGraph.from_graph(graph)
    return (
        topological_order(graph.parents) is not None
        and next(_almost_cycles(graph), None) is None
        and next(_unseparated_pairs(graph, control or RunControl()), None) is None
    )


def is_ancestral(graph: MixedGraph | BitGraph) -> bool:
    """Whether a graph of directed and bidirected edges has no directed cycle and no spouse that is an ancestor."""
    form = as_bits(graph)
    return topological_order(form.parents) is not None and next(_almost_cycles(form), None) is None


def why_not_mag(graph: MixedGraph | BitGraph, *, control: RunControl | None = None) -> NotMag | None:
    """The first thing that keeps a graph from being a MAG; None where it is one."""
    if isinstance(graph, MixedGraph):
        edge = _other_edge(graph)
        if edge is not None:
            sentence = f"{edge} is neither directed nor bidirected"
            return NotMag(sentence, (edge.first, edge.second), (edge,))
    form = as_bits(graph)
    return _why_cyclic(form) or _why_not_ancestral(form) or _why_not_maximal(form, control or RunControl())


def as_mag(graph: MixedGraph) -> Mag:
    """The same graph known to be a MAG; raises GraphError with the reason where it is not."""
    reason = why_not_mag(graph)
    if reason is not None:
        raise GraphError(f"the graph is not a MAG: {reason.sentence}")
    return Mag(graph)


def are_equivalent(first: MixedGraph | BitGraph, second: MixedGraph | BitGraph) -> bool:
    """Whether two MAGs on the same nodes have the same m-separations (criterion of Wienöbst et al. 2022)."""
    graph, other = _same_order(first, second)
    if graph.adjacent != other.adjacent or _unshielded_colliders(graph) != _unshielded_colliders(other):
        return False
    return not _contradicts(_discriminated_colliders(graph), other) and not _contradicts(
        _discriminated_colliders(other), graph
    )


def _other_edge(graph: MixedGraph) -> Edge | None:
    """The first edge that is neither directed nor bidirected."""
    for edge in graph.edges():
        if Mark.CIRCLE in (edge.at_first, edge.at_second) or edge.at_first == edge.at_second == Mark.TAIL:
            return edge
    return None


def _almost_cycles(graph: BitGraph) -> Iterator[Pair]:
    """Pairs (a, b) with a <-> b and a an ancestor of b."""
    for b, spouses in enumerate(graph.spouses):
        if spouses:
            for a in bits(spouses & ancestors_in(graph.parents, b)):
                yield a, b


def _unseparated_pairs(graph: BitGraph, control: RunControl) -> Iterator[Pair]:
    """Pairs of an ancestral graph that are joined by an inducing path but not adjacent.

    The inner nodes of such a path are at least two, joined by bidirected edges, and each has a child:
    only the neighbours of such groups need be looked at.
    """
    adjacent = graph.adjacent
    inner = sum(1 << v for v, mask in enumerate(graph.spouses) if mask and graph.children[v])
    for group in components(graph.spouses, inner):
        if group.bit_count() < 2:
            continue
        ends = unite(graph.parents, group) | unite(graph.spouses, group)
        for a in bits(ends):
            control.checkpoint()
            for b in bits(ends & ~adjacent[a] & -(2 << a)):
                if has_inducing_path(graph, a, b):
                    yield a, b


def _why_cyclic(graph: BitGraph) -> NotMag | None:
    for node in range(len(graph.nodes)):
        if ancestors_in(graph.parents, node) >> node & 1:
            cycle = _directed_path(graph, node, node)
            return NotMag(
                f"it has the directed cycle {_drawn(graph, cycle)}", _names(graph, cycle), _arrows(graph, cycle)
            )
    return None


def _why_not_ancestral(graph: BitGraph) -> NotMag | None:
    for a, b in _almost_cycles(graph):
        path = _directed_path(graph, a, b)
        first, second = sorted((a, b))
        edge = Edge(graph.nodes[first], graph.nodes[second], Mark.ARROW, Mark.ARROW)
        sentence = f"{edge}, although {graph.nodes[a]} is an ancestor of {graph.nodes[b]}: {_drawn(graph, path)}"
        return NotMag(sentence, _names(graph, path), (edge, *_arrows(graph, path)))
    return None


def _why_not_maximal(graph: BitGraph, control: RunControl) -> NotMag | None:
    for a, b in _unseparated_pairs(graph, control):
        pair = (graph.nodes[a], graph.nodes[b])
        return NotMag(f"{pair[0]} and {pair[1]} are not adjacent, yet no set of nodes separates them", pair)
    return None


def _directed_path(graph: BitGraph, start: int, end: int) -> list[int]:
    """A directed path of at least one edge from start to end, which is known to exist."""
    paths = [[start]]
    seen = 0
    for path in paths:  # grows while it is read: breadth first
        below = graph.children[path[-1]]
        if below >> end & 1:
            return [*path, end]
        paths.extend([*path, child] for child in bits(below & ~seen))
        seen |= below
    raise ValueError(f"{graph.nodes[start]} has no directed path to {graph.nodes[end]}")


def _names(graph: BitGraph, path: list[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(graph.nodes[v] for v in path))


def _drawn(graph: BitGraph, path: list[int]) -> str:
    return " --> ".join(graph.nodes[v] for v in path)


def _arrows(graph: BitGraph, path: list[int]) -> tuple[Edge, ...]:
    return tuple(Edge(graph.nodes[a], graph.nodes[b], Mark.TAIL, Mark.ARROW) for a, b in pairwise(path))


def _same_order(first: MixedGraph | BitGraph, second: MixedGraph | BitGraph) -> tuple[BitGraph, BitGraph]:
    masks = as_bits(first)
    if set(masks.nodes) != set(second.nodes):
        raise GraphError("the two graphs have different nodes; only graphs on the same nodes can be equivalent")
    if masks.nodes != second.nodes:
        graph = second.to_graph() if isinstance(second, BitGraph) else second
        second = graph.reordered(masks.nodes)
    return masks, as_bits(second)


def _unshielded_colliders(graph: BitGraph) -> set[tuple[int, int, int]]:
    """Triples (a, b, c) with edges from a and c into b, a < c not adjacent."""
    adjacent = graph.adjacent
    unshielded_colliders: set[tuple[int, int, int]] = set()
    for b in range(len(graph.nodes)):
        into = graph.parents[b] | graph.spouses[b]
        for a in bits(into):
            unshielded_colliders.update((a, b, c) for c in bits(into & ~adjacent[a] & -(2 << a)))
    return unshielded_colliders


def _discriminated_colliders(graph: BitGraph) -> set[Pair]:
    """Pairs (b, y) such that b is a collider at the end of a discriminating path for b into y."""
    adjacent = graph.adjacent
    discriminated_colliders: set[Pair] = set()
    for y, parents in enumerate(graph.parents):
        if not graph.spouses[y]:
            continue
        for group in components(graph.spouses, parents):
            into = unite(graph.parents, group) | unite(graph.spouses, group)
            if into & ~adjacent[y] & ~(1 << y):
                discriminated_colliders.update((b, y) for b in bits(unite(graph.spouses, group) & graph.spouses[y]))
    return discriminated_colliders


def _contradicts(colliders: set[Pair], graph: BitGraph) -> bool:
    return any(graph.children[b] >> y & 1 for b, y in colliders)
