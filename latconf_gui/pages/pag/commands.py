"""What the commands of the PAG page do to the nodes and edges that are selected."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtWidgets import QInputDialog

from latconf_core.graph.marks import Mark, arrow_text
from latconf_gui.application.document import PRESENTING
from latconf_gui.drawing.content.graph_drawing import DrawnNode
from latconf_gui.pages.large_graphs.node_finder import NodeFinder
from latconf_gui.widgets.questions import ask_for_text

if TYPE_CHECKING:
    from latconf_gui.pages.pag.pag_page import PagPage

Marks = tuple[Mark, Mark]


class PagCommands(QObject):
    """Commands on the selection of a page's canvas, and the mode in which nothing is edited; edits are the editor's."""

    def __init__(self, page: PagPage) -> None:
        super().__init__(page)
        self._page = page
        self._document = page.document
        self._scene, self._view, self._editor = page.canvas.scene, page.canvas.view, page.editor
        self.drawn_marks: Marks = (
            Mark.CIRCLE,
            Mark.CIRCLE,
        )  # of an edge that is drawn
        self.search = NodeFinder(page.canvas, page.context.report)
        self._scene.ground_double_clicked.connect(self._on_ground_double_clicked)
        self._scene.node_double_clicked.connect(lambda _name: self.ask_name())
        page.document.presenting_changed.connect(self._on_presenting_changed)

    # Presenting -----------------------------------------------------------------------------------

    @property
    def is_presenting(self) -> bool:
        return self._document.is_presenting

    def presenting_reason(self) -> str:
        """Why nothing can be edited while the graph is presented, or ""."""
        return PRESENTING if self.is_presenting else ""

    def _on_presenting_changed(self) -> None:
        """Let nothing be edited on the page while the graph is shown to others, or allow it again."""
        page, is_presenting = self._page, self.is_presenting
        if is_presenting:
            page.context.actions["pag.draw"].setChecked(False)
        self._scene.set_editable(not is_presenting)
        page.edges.set_editable(not is_presenting)
        page.learn_panel.setEnabled(not is_presenting)
        page.legality.set_presenting(is_presenting)
        page.show_editable(not is_presenting)

    def step_edge(self, step: int) -> None:
        """Select the next or previous edge of the graph."""
        edges = [] if self._document.pag is None else list(self._document.pag.edges())
        if not edges:
            return
        chosen = self._scene.selected_pairs()
        order = [frozenset((edge.first, edge.second)) for edge in edges]
        at = order.index(chosen[0]) + step if chosen else 0
        edge = edges[at % len(edges)]
        self.show_edge(edge.first, edge.second)

    def show_edge(self, first: str, second: str) -> None:
        """Select an edge of the graph, wherever it is."""
        self._page.canvas.reveal(first, second)
        self._scene.select_edge(first, second)

    def show_pair(self, first: str, second: str) -> None:
        """Select two nodes of the graph, wherever they are."""
        self._page.canvas.reveal(first, second)
        self._scene.select_nodes([first, second])

    # Commands on what is selected -----------------------------------------------------------------

    def _active_ends(self) -> list[tuple[str, str]]:
        """For each selected edge the node of its active end, and the other one."""
        ends = []
        for pair in self._scene.selected_pairs():
            item = self._scene.edge_item(*pair)
            node = item.active_end or item.edge.second
            ends.append((node, next(iter(pair - {node}))))
        return ends

    def set_mark(self, mark: Mark) -> None:
        """Put a mark at the active end of the selected edges."""
        if ends := self._active_ends():
            self._editor.set_marks(ends, mark)

    def cycle_mark(self) -> None:
        """The next mark at the active end of the selected edge."""
        for node, other in self._active_ends()[:1]:
            self._editor.cycle_mark(node, other)

    def go_to_other_end(self) -> None:
        """Make the other end of the selected edges the active one."""
        for node, other in self._active_ends():
            self._scene.edge_item(node, other).set_active_end(other)

    def reverse(self) -> None:
        """Swap the marks at the two ends of the selected edges."""
        self._editor.reverse_edges(self._scene.selected_pairs())

    def delete_selected(self) -> None:
        """Delete the selected edges, or the selected nodes where there is no data."""
        if pairs := self._scene.selected_pairs():
            self._editor.delete_edges(pairs)
        elif nodes := self._scene.selected_nodes():
            self._editor.delete_nodes(nodes)

    def join_selected(self) -> None:
        """An edge between the two selected nodes."""
        nodes = self._scene.selected_nodes()
        if len(nodes) == 2:
            self.draw_edge(nodes[0], nodes[1])

    def draw_edge(self, first: str, second: str) -> None:
        """An edge with the marks that are chosen for drawing."""
        self._editor.add_edge(first, second, self.drawn_marks)

    def draw_as(self, marks: Marks) -> None:
        """From now on draw edges with these marks."""
        self.drawn_marks = marks
        draw = self._page.context.actions["pag.draw"]
        draw.setIconText(f"Draw {arrow_text(*marks)}")
        draw.setChecked(True)

    def set_drawing(self, is_drawing: bool) -> None:
        """Whether a drag from node to node draws an edge instead of moving."""
        self._scene.draws_edges = is_drawing
        self._view.viewport().setCursor(Qt.CursorShape.CrossCursor if is_drawing else Qt.CursorShape.ArrowCursor)

    def nudge(self, dx: float, dy: float) -> None:
        """Move the selected nodes a little."""
        places = self._scene.positions()
        moved = {name: (places[name][0] + dx, places[name][1] + dy) for name in self._scene.selected_nodes()}
        if self._page.canvas.neighbourhood is None:
            self._editor.move_nodes(moved)
        else:
            self._page.canvas.place_part(moved)

    def ask_separation(self) -> None:
        """Ask about the two selected nodes."""
        nodes = self._scene.selected_nodes()
        self._page.tabs.setCurrentWidget(self._page.separation)
        if len(nodes) == 2:
            self._page.separation.ask_about(*nodes)

    def toggle_given(self) -> None:
        """Put the selected nodes into the conditioning set, or take them out."""
        self._page.tabs.setCurrentWidget(self._page.separation)
        for name in self._scene.selected_nodes():
            self._page.separation.toggle_given(name)

    # Nodes by name --------------------------------------------------------------------------------

    def ask_node(self) -> QInputDialog:
        """Ask for the name of a new node, placed in the middle of the view."""
        middle = self._view.mapToScene(self._view.viewport().rect().center())
        take = partial(self._add_node, place=middle)
        return ask_for_text(self._page, "Add a node", "Name", text="", take=take)

    def _add_node(self, name: str, place: QPointF) -> None:
        """A new node, not on top of another; in the whole graph, as it has no neighbours yet."""
        if self._page.canvas.neighbourhood is not None:
            self._page.canvas.look_at(None)
            place = self._view.mapToScene(self._view.viewport().rect().center())
        self._editor.add_node(name, self._scene.free_place(DrawnNode(name.strip()), (place.x(), place.y())))

    def _on_ground_double_clicked(self, point: QPointF) -> None:
        if self._page.context.actions["pag.add_node"].isEnabled():
            take = partial(self._add_node, place=point)
            ask_for_text(self._page, "Add a node", "Name", text="", take=take)

    def ask_name(self) -> QInputDialog | None:
        """Ask for another name of the selected node."""
        nodes = self._scene.selected_nodes()
        if not self._page.context.actions["pag.rename_node"].isEnabled():
            return None
        take = partial(self._editor.rename_node, nodes[0])
        return ask_for_text(self._page, "Rename the node", "Name", text=nodes[0], take=take)
