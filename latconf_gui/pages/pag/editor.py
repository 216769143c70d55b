"""Every change a person can make to the PAG, each one undo step; what cannot be done is said and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from PySide6.QtCore import QObject, Signal

from latconf_core.errors import GraphError
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import add_pag, edit_pag
from latconf_core.graph.marks import MARK_NAMES, Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.pag.events import PagEvent
from latconf_gui.application.document import Document
from latconf_gui.background.runs import Report
from latconf_gui.drawing.content.graph_drawing import DrawnNode, Pair, Positions
from latconf_gui.drawing.geometry.free_places import place_beside
from latconf_gui.drawing.items.node_item import node_size

NEXT_MARK: Mapping[Mark, Mark] = {Mark.CIRCLE: Mark.ARROW, Mark.ARROW: Mark.TAIL, Mark.TAIL: Mark.CIRCLE}
_A_MARK = {mark: f"{'an' if name[0] == 'a' else 'a'} {name}" for mark, name in MARK_NAMES.items()}
WHERE = "Editing the PAG"


class PagEditor(QObject):
    """Edits the document's PAG; while `busy_reason` gives a sentence, or the document is held, that is said instead."""

    edge_added = Signal(str, str)

    def __init__(self, document: Document, report: Report, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._report = report
        self.busy_reason: Callable[[], str] = lambda: ""

    @property
    def graph(self) -> MixedGraph | None:
        return self._document.pag

    @property
    def has_own_nodes(self) -> bool:
        """Whether nodes can be added and removed: with data, the variables are the nodes."""
        return self._document.dataset is None and self._document.raw is None

    # Edges ----------------------------------------------------------------------------------------

    def set_mark(self, node: str, other: str, mark: Mark) -> None:
        """Put a mark at `node` on its edge with `other`."""
        self.set_marks([(node, other)], mark)

    def set_marks(self, ends: Sequence[tuple[str, str]], mark: Mark) -> None:
        """Put the same mark at several ends, each the node and the other node of its edge."""
        graph = self._open_graph()
        if graph is None:
            return
        changed = graph
        for node, other in ends:
            changed = changed.with_edge(Edge(node, other, mark, changed.mark_at(other, node)))
        if changed != graph:
            where = f"at {ends[0][0]} on its edge with {ends[0][1]}" if len(ends) == 1 else f"on {len(ends)} edges"
            self._keep(changed, f"Put {_A_MARK[mark]} {where}")

    def cycle_mark(self, node: str, other: str) -> None:
        """Circle, arrowhead, tail, and circle again."""
        if self.graph is not None and self.graph.is_adjacent(node, other):
            self.set_mark(node, other, NEXT_MARK[self.graph.mark_at(node, other)])

    def add_edge(self, first: str, second: str, marks: tuple[Mark, Mark] = (Mark.CIRCLE, Mark.CIRCLE)) -> None:
        """Join two nodes; by default nothing is decided about the edge."""
        graph = self._open_graph()
        if graph is None:
            return
        if first == second:
            self._report(GraphError(f"an edge needs two different nodes, not {first!r} twice"), WHERE)
        elif graph.is_adjacent(first, second):
            edge = graph.edge(first, second)
            self._report(GraphError(f"there is already an edge {edge}; change its marks instead"), WHERE)
        else:
            edge = Edge(first, second, *marks)
            self._keep(graph.with_edge(edge), f"Add the edge {edge}")
            self.edge_added.emit(first, second)

    def delete_edges(self, pairs: Collection[Pair]) -> None:
        """Take edges away."""
        graph = self._open_graph()
        if graph is None or not pairs:
            return
        ends = [sorted(pair, key=graph.index.__getitem__) for pair in pairs]
        what = f"the edge {graph.edge(*ends[0])}" if len(ends) == 1 else f"{len(ends)} edges"
        for first, second in ends:
            graph = graph.without_edge(first, second)
        self._keep(graph, f"Delete {what}")

    def reverse_edges(self, pairs: Collection[Pair]) -> None:
        """Swap the marks at the two ends."""
        graph = self._open_graph()
        if graph is None:
            return
        changed = graph
        for pair in pairs:
            first, second = sorted(pair, key=graph.index.__getitem__)
            edge = graph.edge(first, second)
            changed = changed.with_edge(Edge(first, second, edge.at_second, edge.at_first))
        if changed != graph:
            self._keep(changed, "Reverse an edge" if len(pairs) == 1 else f"Reverse {len(pairs)} edges")

    # Nodes ----------------------------------------------------------------------------------------

    def empty_graph(self) -> MixedGraph | None:
        """A graph without edges on the data's variables, or without nodes where there is no data; None if not now."""
        if self.refuses():
            return None
        data = self._document.dataset
        if data is None and not self.has_own_nodes:
            self._report(self._document.state.obstacle or "The data are not ready yet.", WHERE)
            return None
        return MixedGraph.from_edges(() if data is None else data.names, ())

    def add_node(self, name: str, position: tuple[float, float]) -> None:
        """A new node where there is no data to say which variables exist."""
        if self.refuses() or self._refuses_nodes():
            return
        graph = self.graph or MixedGraph.from_edges((), ())
        clean = name.strip()
        if self._refuses_name(clean, graph):
            return
        grown = MixedGraph.from_edges((*graph.nodes, clean), graph.edges())
        self._keep(grown, f"Add the node {clean}", positions={clean: position})

    def rename_node(self, old: str, new: str) -> None:
        """Give a node another name; it keeps its place."""
        graph, clean = self._open_graph(), new.strip()
        if graph is None or self._refuses_nodes() or clean == old:
            return
        if self._refuses_name(clean, graph):
            return
        places = self._document.positions
        moved = {clean: places[old]} if old in places else {}
        self._keep(graph.renamed({old: clean}), f"Rename {old} to {clean}", positions=moved)

    def delete_nodes(self, names: Collection[str]) -> None:
        """Take nodes away with their edges."""
        graph = self._open_graph()
        if graph is None or not names or self._refuses_nodes():
            return
        left = [name for name in graph.nodes if name not in names]
        edges = [edge for edge in graph.edges() if edge.first not in names and edge.second not in names]
        what = f"the node {next(iter(names))}" if len(names) == 1 else f"{len(names)} nodes"
        self._keep(MixedGraph.from_edges(left, edges), f"Delete {what}")

    # Places and whole graphs ----------------------------------------------------------------------

    def move_nodes(self, positions: Positions, text: str = "") -> None:
        """Keep where nodes were put."""
        if positions:
            names = next(iter(positions)) if len(positions) == 1 else f"{len(positions)} nodes"
            self._document.move_nodes(positions, text or f"Move {names}")

    def add_graph(
        self,
        graph: MixedGraph,
        text: str,
        *,
        origin: str,
        positions: Positions | None = None,
        events: Sequence[PagEvent] = (),
        knowledge: Knowledge = NO_KNOWLEDGE,
    ) -> None:
        """One more PAG in one step, with the places of nodes that have none yet; for results of our own runs too.

        events, knowledge : what its learner told, and what bound it
        """
        known = {name: spot for name, spot in self._document.positions.items() if name in graph.index}
        asked = {name: spot for name, spot in (positions or {}).items() if name not in known}
        new = place_beside(asked, known, {name: node_size(DrawnNode(name)) for name in (*known, *asked)})
        placed = self._with_places(new)
        self._document.change(add_pag(placed, graph, origin=origin, events=events, knowledge=knowledge), text)

    def replace_graph(self, graph: MixedGraph, text: str, *, origin: str) -> None:
        """Another graph in the current PAG in one step."""
        self._keep(graph, text, origin=origin)

    def _keep(
        self, graph: MixedGraph, text: str, *, positions: Positions | None = None, origin: str | None = None
    ) -> None:
        self._document.change(edit_pag(self._with_places(positions or {}), graph, origin=origin), text)

    def _with_places(self, positions: Positions) -> ProjectState:
        state = self._document.state
        return replace(state, positions=MappingProxyType({**state.positions, **positions})) if positions else state

    def _open_graph(self) -> MixedGraph | None:
        """The graph, if it may be changed now."""
        return None if self.refuses() else self.graph

    def refuses(self) -> bool:
        """Whether the PAG may not be changed now; the reason is reported."""
        reason = self.busy_reason() or self._document.held_reason
        if reason:
            self._report(reason, WHERE)
        return bool(reason)

    def _refuses_nodes(self) -> bool:
        if not self.has_own_nodes:
            self._report(GraphError("the nodes are the variables of the data; change them on the Data page"), WHERE)
        return not self.has_own_nodes

    def _refuses_name(self, name: str, graph: MixedGraph) -> bool:
        is_taken = name in graph.index
        if is_taken:
            self._report(GraphError(f"there is already a node {name!r}; choose another name"), WHERE)
        elif not name:
            self._report(GraphError("a node needs a name; type one"), WHERE)
        return is_taken or not name
