"""Directed and bidirected edges as one integer of bits a node: what the fast algorithms on MAGs run on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from latconf_core.errors import GraphError
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph


def bits(mask: int) -> Iterator[int]:
    """The positions of the bits that are set, smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def closure(links: Sequence[int], start: int) -> int:
    """Everything reached from the nodes in `start`, themselves included, by following `links`."""
    seen = 0
    todo = start
    while todo:
        low = todo & -todo
        seen |= low
        todo = (todo | links[low.bit_length() - 1]) & ~seen
    return seen


def unite(links: Sequence[int], nodes: int) -> int:
    """The union of the links of several nodes."""
    result = 0
    while nodes:
        low = nodes & -nodes
        result |= links[low.bit_length() - 1]
        nodes ^= low
    return result


def components(links: Sequence[int], nodes: int) -> Iterator[int]:
    """The connected components of the symmetric `links` restricted to `nodes`."""
    while nodes:
        component = nodes & -nodes
        todo = component
        while todo:
            low = todo & -todo
            todo ^= low
            new = links[low.bit_length() - 1] & nodes & ~component
            component |= new
            todo |= new
        yield component
        nodes &= ~component


def ancestors_in(parents: Sequence[int], node: int) -> int:
    """The ancestors of a node, without itself unless it lies on a directed cycle."""
    return closure(parents, parents[node])


def topological_order(parents: Sequence[int]) -> list[int] | None:
    """The nodes, parents first; None where there is a directed cycle."""
    placed = 0
    order: list[int] = []
    waiting = list(range(len(parents)))
    while waiting:
        late = []
        for node in waiting:
            if parents[node] & ~placed:
                late.append(node)
            else:
                placed |= 1 << node
                order.append(node)
        if len(late) == len(waiting):
            return None
        waiting = late
    return order


class BitGraph:
    """Parents, children and spouses of every node as bits; a value that converts cheaply to a MixedGraph.

    A pair may be joined twice, by a directed and a bidirected edge (a bow): latent projections need it.
    """

    __slots__ = ("children", "nodes", "parents", "spouses")

    nodes: tuple[str, ...]
    parents: tuple[int, ...]
    children: tuple[int, ...]
    spouses: tuple[int, ...]

    def __init__(
        self, nodes: tuple[str, ...], parents: Sequence[int], children: Sequence[int], spouses: Sequence[int]
    ) -> None:
        self.nodes = nodes
        self.parents = tuple(parents)
        self.children = tuple(children)
        self.spouses = tuple(spouses)

    @classmethod
    def from_graph(cls, graph: MixedGraph) -> BitGraph:
        """The bit form of a graph of directed and bidirected edges."""
        n = len(graph.nodes)
        marks = graph.marks.tolist()
        parents, children, spouses = [0] * n, [0] * n, [0] * n
        for i, j in np.argwhere(graph.marks).tolist():
            at_j, at_i = marks[i][j], marks[j][i]
            if at_j == Mark.ARROW == at_i:
                spouses[i] |= 1 << j
            elif at_j == Mark.ARROW and at_i == Mark.TAIL:
                children[i] |= 1 << j
                parents[j] |= 1 << i
            elif not (at_j == Mark.TAIL and at_i == Mark.ARROW):
                edge = graph.edge(graph.nodes[i], graph.nodes[j])
                raise GraphError(f"the edge {edge} is neither directed nor bidirected; choose a MAG or a DAG")
        return cls(graph.nodes, parents, children, spouses)

    def to_graph(self) -> MixedGraph:
        """The graph as marks."""
        marks = np.zeros((len(self.nodes), len(self.nodes)), dtype=np.uint8)
        for node, mask in enumerate(self.children):
            for child in bits(mask):
                marks[node, child], marks[child, node] = Mark.ARROW, Mark.TAIL
        for node, mask in enumerate(self.spouses):
            for spouse in bits(mask):
                if marks[node, spouse] == Mark.TAIL or marks[spouse, node] == Mark.TAIL:
                    pair = f"{self.nodes[node]!r}, {self.nodes[spouse]!r}"
                    raise GraphError(f"the pair {pair} has two edges; project the graph to its MAG first")
                marks[node, spouse] = Mark.ARROW
        return MixedGraph(self.nodes, marks)

    @property
    def adjacent(self) -> list[int]:
        """The neighbours of every node, whatever the edge."""
        return [p | c | s for p, c, s in zip(self.parents, self.children, self.spouses)]

    @property
    def n_bidirected(self) -> int:
        return sum(mask.bit_count() for mask in self.spouses) // 2

    def bidirected(self) -> Iterator[tuple[int, int]]:
        """Every bidirected edge once, the smaller position first."""
        for node, mask in enumerate(self.spouses):
            for spouse in bits(mask >> node):
                yield node, node + spouse

    def directed(self) -> Iterator[tuple[int, int]]:
        """Every directed edge as (parent, child)."""
        for node, mask in enumerate(self.children):
            for child in bits(mask):
                yield node, child

    def edges(self) -> Iterator[Edge]:
        """Every edge once: `A --> B` from parent to child, `A <-> B` in the order of the nodes."""
        for a, b in self.directed():
            yield Edge(self.nodes[a], self.nodes[b], Mark.TAIL, Mark.ARROW)
        for a, b in self.bidirected():
            yield Edge(self.nodes[a], self.nodes[b], Mark.ARROW, Mark.ARROW)

    def names(self, mask: int) -> tuple[str, ...]:
        """The names of the nodes in a set of bits."""
        return tuple(self.nodes[i] for i in bits(mask))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BitGraph):
            return NotImplemented
        return (self.nodes, self.parents, self.spouses) == (other.nodes, other.parents, other.spouses)

    def __hash__(self) -> int:
        return hash((self.nodes, self.parents, self.spouses))

    def __repr__(self) -> str:
        return f"BitGraph({len(self.nodes)} nodes: {', '.join(map(str, self.edges()))})"


def as_bits(graph: MixedGraph | BitGraph) -> BitGraph:
    """The bit form of a graph that may be in it already."""
    return graph if isinstance(graph, BitGraph) else BitGraph.from_graph(graph)


def has_inducing_path(graph: BitGraph, first: int, second: int, *, above: Sequence[int] | None = None) -> bool:
    """Whether some path has only colliders inside, each an ancestor of an end: then nothing separates the ends.

    above : the ancestors of every node, where many pairs of one graph are asked for
    """
    ends = 1 << first | 1 << second
    if (graph.parents[first] | graph.children[first] | graph.spouses[first]) >> second & 1:
        return True
    inside = (closure(graph.parents, ends) if above is None else above[first] | above[second]) & ~ends
    goal = (graph.children[second] | graph.spouses[second]) & inside
    if not goal:
        return False
    todo = (graph.children[first] | graph.spouses[first]) & inside
    seen = 0
    while todo:
        if todo & goal:
            return True
        low = todo & -todo
        seen |= low
        todo = (todo | graph.spouses[low.bit_length() - 1] & inside) & ~seen
    return False


def is_visible(graph: BitGraph, parent: int, child: int) -> bool:
    """Whether the directed edge parent --> child can hide no latent cause of both (Zhang 2008)."""
    near = graph.parents[child] | graph.children[child] | graph.spouses[child] | 1 << child
    todo = 1 << parent
    seen = 0
    while todo:
        low = todo & -todo
        node = low.bit_length() - 1
        if (graph.parents[node] | graph.spouses[node]) & ~near:
            return True
        seen |= low
        todo = (todo | graph.spouses[node] & graph.parents[child]) & ~seen
    return False
