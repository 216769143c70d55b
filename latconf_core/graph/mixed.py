"""A graph whose edges carry a mark at each end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NewType

import numpy as np
import numpy.typing as npt

from latconf_core.graph.marks import Edge, Mark
from latconf_core.pictures import draw

if TYPE_CHECKING:
    import networkx as nx

MarkMatrix = npt.NDArray[np.uint8]


MAX_NODES = 5_000  # of a graph in a file: a mark for every pair must fit in memory, and nobody could read more


def empty_graph(nodes: Sequence[str]) -> MixedGraph:
    """A graph without edges, which stands for no PAG where a search needs none."""
    return MixedGraph(nodes, np.zeros((len(nodes), len(nodes)), dtype=np.uint8))


class MixedGraph:
    """Nodes and marks; a value: equal graphs are equal keys, and change makes a new graph.

    nodes : names, in the order of the data
    marks : (n, n); `marks[i, j]` is the mark at j on the edge i - j, NONE where there is none
    """

    __slots__ = ("__dict__", "_hash", "marks", "nodes")

    nodes: tuple[str, ...]
    marks: MarkMatrix

    def __init__(self, nodes: Sequence[str], marks: npt.ArrayLike) -> None:
        given = np.asarray(marks)
        n = len(nodes)
        if len(set(nodes)) != n:
            twice = sorted({name for name in nodes if list(nodes).count(name) > 1})
            raise ValueError(f"node names must differ; {', '.join(map(repr, twice))} occurs twice")
        if given.shape != (n, n):
            raise ValueError(f"{n} nodes need a {n} × {n} matrix of marks, not {given.shape}")
        if n and (given.dtype.kind not in "iu" or given.min() < Mark.NONE or given.max() > Mark.TAIL):
            raise ValueError("a mark is 0 (none), 1 (circle), 2 (arrow) or 3 (tail)")
        matrix = np.array(given, dtype=np.uint8)
        if np.any(np.diag(matrix)):
            raise ValueError("a node cannot have an edge to itself")
        if np.any((matrix == 0) != (matrix.T == 0)):
            i, j = np.argwhere((matrix == 0) != (matrix.T == 0))[0]
            raise ValueError(f"the edge {nodes[i]!r}, {nodes[j]!r} has a mark at one end only")
        matrix.setflags(write=False)
        self.nodes = tuple(nodes)
        self.marks = matrix
        self._hash = hash((self.nodes, matrix.tobytes()))

    @classmethod
    def from_edges(cls, nodes: Sequence[str], edges: Iterable[Edge]) -> MixedGraph:
        """The graph on `nodes` with these edges."""
        index = {name: i for i, name in enumerate(nodes)}
        marks = np.zeros((len(nodes), len(nodes)), dtype=np.uint8)
        for edge in edges:
            for name in (edge.first, edge.second):
                if name not in index:
                    raise ValueError(f"the edge {edge} names {name!r}, which is not a node")
            i, j = index[edge.first], index[edge.second]
            if marks[i, j]:
                raise ValueError(f"the pair {edge.first!r}, {edge.second!r} has two edges")
            marks[i, j], marks[j, i] = edge.at_second, edge.at_first
        return cls(nodes, marks)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> MixedGraph:
        """The graph that `to_json` gave; ValueError where it has more nodes than can be held."""
        if len(content["nodes"]) > MAX_NODES:
            raise ValueError(f"a graph of {len(content['nodes']):,} nodes is larger than latconf reads ({MAX_NODES:,})")
        if not all(isinstance(name, str) for name in content["nodes"]):
            raise ValueError("a node of a graph has a name that is not a text")
        return cls.from_edges(content["nodes"], map(Edge.from_json, content["edges"]))

    def to_json(self) -> dict[str, Any]:
        """The nodes, and the edges as `["A", "o->", "B"]`."""
        return {"nodes": list(self.nodes), "edges": [edge.to_json() for edge in self.edges()]}

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The position of each name."""
        return {name: i for i, name in enumerate(self.nodes)}

    def mark_at(self, node: str, other: str) -> Mark:
        """The mark at `node` on its edge with `other`."""
        return Mark(int(self.marks[self.index[other], self.index[node]]))

    def edges(self) -> Iterator[Edge]:
        """Every edge once, the node that comes first in `nodes` first."""
        for i, j in np.argwhere(np.triu(self.marks)):
            yield self.edge(self.nodes[i], self.nodes[j])

    def edge(self, first: str, second: str) -> Edge:
        """The edge between two adjacent nodes."""
        return Edge(first, second, self.mark_at(first, second), self.mark_at(second, first))

    @property
    def n_edges(self) -> int:
        return int(np.count_nonzero(self.marks)) // 2

    def is_adjacent(self, first: str, second: str) -> bool:
        return bool(self.marks[self.index[first], self.index[second]])

    def with_edge(self, edge: Edge) -> MixedGraph:
        """This graph with the edge added, or its marks changed."""
        i, j = self.index[edge.first], self.index[edge.second]
        marks = self.marks.copy()
        marks[i, j], marks[j, i] = edge.at_second, edge.at_first
        return MixedGraph(self.nodes, marks)

    def without_edge(self, first: str, second: str) -> MixedGraph:
        """This graph with the two nodes no longer adjacent."""
        i, j = self.index[first], self.index[second]
        marks = self.marks.copy()
        marks[i, j] = marks[j, i] = Mark.NONE
        return MixedGraph(self.nodes, marks)

    def reordered(self, nodes: Sequence[str]) -> MixedGraph:
        """The same graph with its nodes in another order."""
        order = [self.index[name] for name in nodes]
        if len(order) != len(self.nodes):
            raise ValueError("the new order must name every node once")
        return MixedGraph(nodes, self.marks[np.ix_(order, order)])

    def renamed(self, names: Mapping[str, str]) -> MixedGraph:
        """The same graph with some nodes under another name."""
        return MixedGraph([names.get(name, name) for name in self.nodes], self.marks)

    def to_networkx(self) -> nx.Graph:
        """An undirected networkx graph; each edge has `marks`, a dict from node to Mark."""
        import networkx as nx

        graph = nx.Graph()
        graph.add_nodes_from(self.nodes)
        for edge in self.edges():
            graph.add_edge(edge.first, edge.second, marks={edge.first: edge.at_first, edge.second: edge.at_second})
        return graph

    @classmethod
    def from_networkx(cls, graph: nx.Graph) -> MixedGraph:
        """The graph that `to_networkx` gives, or a networkx DiGraph read as directed edges."""
        nodes = [str(node) for node in graph.nodes]
        if graph.is_directed():
            return cls.from_edges(nodes, [Edge(str(a), str(b), Mark.TAIL, Mark.ARROW) for a, b in graph.edges])
        return cls.from_edges(
            nodes, [Edge(str(a), str(b), Mark(m[a]), Mark(m[b])) for a, b, m in graph.edges(data="marks")]
        )

    def _repr_svg_(self) -> str | None:
        return draw("graph_svg", self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MixedGraph):
            return NotImplemented
        return self.nodes == other.nodes and bool(np.array_equal(self.marks, other.marks))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"MixedGraph({len(self.nodes)} nodes: {', '.join(map(str, self.edges()))})"

    def __reduce__(self) -> tuple[type[MixedGraph], tuple[tuple[str, ...], MarkMatrix]]:
        return MixedGraph, (self.nodes, self.marks)


Pag = NewType("Pag", MixedGraph)
Mag = NewType("Mag", MixedGraph)
