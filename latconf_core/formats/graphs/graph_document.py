"""What a graph file holds, and what every graph format can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from latconf_core.dag.latent_dag import MAX_STATES, Latent, LatentDag
from latconf_core.errors import FileFormatError, GraphError
from latconf_core.graph.marks import Edge, Mark, arrow_text
from latconf_core.graph.mixed import MAX_NODES, MixedGraph

DEFAULT_STATES = 2
_MANY_DIGITS = 9
MAX_EDGES = 100_000  # and of edges: a file may join two groups of thousands by one arrow


@dataclass(frozen=True)
class GraphDocument:
    """A graph with its latents marked.

    latents : the nodes of `graph` that are latent, with their numbers of states
    lists_nodes : False where the file names only the nodes that have an edge
    kept : lines of the file that mean nothing to us and are written back as they were
    positions : where the file draws some nodes, in its own units; y points down
    notes : a sentence for everything in the file that was left out
    """

    graph: MixedGraph
    latents: Mapping[str, int] = field(default_factory=dict)
    lists_nodes: bool = True
    kept: tuple[str, ...] = ()
    positions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of_dag(cls, dag: LatentDag) -> GraphDocument:
        """The document of a DAG, its latents after the observed nodes."""
        names = (*dag.nodes, *(latent.name for latent in dag.latents))
        edges = [Edge(parent, child, Mark.TAIL, Mark.ARROW) for parent, child in dag.all_edges()]
        return cls(MixedGraph.from_edges(names, edges), {latent.name: latent.n_states for latent in dag.latents})

    def to_dag(self) -> LatentDag:
        """The DAG with latents that the graph draws; GraphError where an edge is not directed."""
        directed = []
        for edge in self.graph.edges():
            forward = tail_first(edge)
            if forward.arrow != "-->":
                raise GraphError(f"the edge {edge} is not directed; a DAG has only edges such as A --> B")
            directed.append((forward.first, forward.second))
        above: dict[str, list[str]] = {name: [] for name in self.latents}
        below: dict[str, list[str]] = {name: [] for name in self.latents}
        for parent, child in directed:
            above.get(child, []).append(parent)
            below.get(parent, []).append(child)
        latents = [self._latent(name, above[name], below[name]) for name in self.latents]
        observed = [name for name in self.graph.nodes if name not in self.latents]
        edges = [(a, b) for a, b in directed if a not in self.latents and b not in self.latents]
        try:
            return LatentDag(observed, edges, latents)
        except RecursionError:
            raise GraphError("the chain of latents is too long; merge some") from None

    def _latent(self, name: str, above: Sequence[str], children: Sequence[str]) -> Latent:
        if len(above) > 1:
            raise GraphError(f"latent {name!r} has {len(above)} parents; at most one is possible")
        return Latent(name, self.latents[name], tuple(children), above[0] if above else None)

    def renamed(self, names: Mapping[str, str]) -> GraphDocument:
        """The same document with some nodes under another name."""
        latents = {names.get(name, name): states for name, states in self.latents.items()}
        positions = {names.get(name, name): position for name, position in self.positions.items()}
        return replace(self, graph=self.graph.renamed(names), latents=latents, positions=positions)

    def on_nodes(self, nodes: Sequence[str]) -> GraphDocument:
        """The same document with its nodes in this order, and others of them added; latents last."""
        graph = MixedGraph.from_edges([*nodes, *self.latents], self.graph.edges())
        return replace(self, graph=graph, lists_nodes=True)


@dataclass(frozen=True)
class GraphFormat:
    """A kind of graph file: how its text is recognised, read and written.

    parse : text → document; FileFormatErrors carry the line, not the file
    render : document, written name of each node → text
    written_names : the name under which each node is written; only those that change
    """

    name: str
    description: str
    extensions: tuple[str, ...]
    parse: Callable[[str], GraphDocument]
    render: Callable[[GraphDocument, Mapping[str, str]], str] | None
    written_names: Callable[[MixedGraph], Mapping[str, str]]
    recognises: Callable[[str], bool]
    holds_latents: bool = False

    @property
    def can_read(self) -> bool:
        return True

    @property
    def can_write(self) -> bool:
        return self.render is not None


class GraphBuilder:
    """Collects the nodes and edges of a file, each with its line, into a document."""

    def __init__(self) -> None:
        self._nodes: dict[str, int] = {}
        self._latents: dict[str, int] = {}
        self._edges: dict[tuple[int, int], tuple[Mark, Mark]] = {}
        self._real: dict[str, str] = {}
        self._positions: dict[str, tuple[float, float]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._nodes

    @property
    def n_nodes(self) -> int:
        return len(self._nodes)

    def add_node(self, name: str, line: int | None = None) -> None:
        """Declare a node that was not declared before."""
        if name in self._nodes:
            raise FileFormatError(f"the node {name!r} occurs twice; give each node its own name", line=line)
        self._add(name)

    def ensure_node(self, name: str) -> None:
        """Declare a node unless it is there."""
        if name not in self._nodes:
            self._add(name)

    def _add(self, name: str) -> None:
        if len(self._nodes) == MAX_NODES:
            raise FileFormatError(f"there are more than {MAX_NODES:,} nodes; latconf reads graphs up to that size")
        self._nodes[name] = len(self._nodes)

    def mark_latent(self, name: str, n_states: int = DEFAULT_STATES) -> None:
        """Say that a node is latent."""
        if n_states > MAX_STATES:
            raise FileFormatError(f"latent {name!r} has more than {MAX_STATES:,} states; give it fewer")
        self._latents[name] = n_states

    def place(self, name: str, position: tuple[float, float]) -> None:
        """Say where a node is drawn."""
        self._positions[name] = position

    def call(self, written: str, real: str, line: int | None = None) -> None:
        """Say that the node written so is really called otherwise."""
        if written not in self._nodes:
            raise FileFormatError(f"a name is given to {written!r}, which is not a node", line=line)
        if not real:
            raise FileFormatError(f"the node {written!r} is given a name that is empty", line=line)
        self._real[written] = real

    def add_edge(self, first: str, marks: tuple[Mark, Mark], second: str, *, line: int | None = None) -> None:
        """Add an edge between two declared nodes; `marks` are those at the first and at the second."""
        for name in (first, second):
            if name not in self._nodes:
                raise FileFormatError(
                    f"the edge {first} {arrow_text(*marks)} {second} names {name!r}, which is not among the nodes",
                    line=line,
                )
        if first == second:
            raise FileFormatError(f"{first!r} has an edge to itself; remove it", line=line)
        i, j = self._nodes[first], self._nodes[second]
        if i > j:
            i, j, marks = j, i, (marks[1], marks[0])
        if (i, j) in self._edges:
            raise FileFormatError(f"the pair {first!r}, {second!r} has a second edge; keep one", line=line)
        if len(self._edges) == MAX_EDGES:
            raise FileFormatError(f"there are more than {MAX_EDGES:,} edges; latconf reads graphs up to that size")
        self._edges[i, j] = marks

    def document(
        self, *, lists_nodes: bool = True, kept: tuple[str, ...] = (), notes: tuple[str, ...] = ()
    ) -> GraphDocument:
        """The document of everything collected."""
        names = [self._real.get(name, name) for name in self._nodes]
        if len(set(names)) != len(names):
            raise FileFormatError("two nodes have the same name; give each its own")
        marks = np.zeros((len(names), len(names)), dtype=np.uint8)
        if self._edges:
            i, j = np.array(list(self._edges)).T
            at_first, at_second = np.array(list(self._edges.values())).T
            marks[i, j], marks[j, i] = at_second, at_first
        latents = {self._real.get(name, name): states for name, states in self._latents.items()}
        positions = {self._real.get(name, name): position for name, position in self._positions.items()}
        return GraphDocument(MixedGraph(names, marks), latents, lists_nodes, kept, positions, notes)


def read_states(text: str) -> int:
    """A number of states as a file writes it; the default where it says none, and no more than can be meant."""
    if not text.isdecimal():
        return DEFAULT_STATES
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) < _MANY_DIGITS else MAX_STATES + 1


def tail_first(edge: Edge) -> Edge:
    """The edge written with its arrow to the right where only one end has one: `B <-o A` becomes `A o-> B`."""
    return edge.reversed() if edge.arrow in ("<--", "<-o") else edge
