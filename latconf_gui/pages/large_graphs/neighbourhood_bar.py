"""The line above a drawing that says which part of a large graph is drawn, and the commands that change that."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from latconf_core.phrases import counted
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.content.neighbourhood import Neighbourhood
from latconf_gui.pages.large_graphs.node_finder import NodeFinder
from latconf_gui.widgets.actions import Actions, ShortToolBar
from latconf_gui.widgets.text import SPACE, Quiet

LARGE = 40  # nodes from which the line stands there also while all of them are drawn
STEPS = {1: "1 step", 2: "2 steps"}
NOT_A_PART = "The whole graph is shown."
NO_NODE = "First select one node: click it, or find it by name."
NO_CENTRE = "First learn, import or draw a graph."


class NeighbourhoodBar(QWidget):
    """Offers the neighbourhood of the selected node, and the whole graph.

    kind : of the page, with which the names of its commands begin
    finder : shown at the left, where the page has no other room for it
    """

    def __init__(
        self,
        canvas: GraphCanvas,
        actions: Actions,
        kind: str,
        *,
        finder: NodeFinder | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._canvas, self._actions, self.finder = canvas, actions, finder
        self._near, self._whole = f"{kind}.neighbourhood", f"{kind}.whole"
        self._add_actions()
        self.text = Quiet()
        self.steps = QComboBox()
        for n_steps, text in STEPS.items():
            self.steps.addItem(text, n_steps)
        self.steps.setAccessibleName("Steps")
        self.steps.setToolTip("How many edges the neighbourhood reaches from its node")
        self.steps.activated.connect(lambda _index: self._on_steps())
        bar = ShortToolBar("Part of the graph", n_first=1)  # what has no room goes into its menu
        bar.setStyleSheet("QToolBar { border: none; padding: 0; }")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        bar.addAction(actions[self._near])
        bar.addWidget(self.steps)
        bar.addAction(actions[self._whole])
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE, 0, SPACE // 2, SPACE // 2)
        if finder is not None:
            row.addWidget(finder)
        row.addWidget(self.text, 2)
        row.addWidget(bar, 3)
        canvas.shown.connect(self._show)
        canvas.scene.selectionChanged.connect(self._show_enabled)
        self._show()

    def _add_actions(self) -> None:
        add, view = self._actions.add, self._canvas.view
        tip = "Show only the selected node and the nodes near it"
        add(self._near, "Show the neigh&bourhood", slot=self.show_near, shortcut="H", tip=tip, within=view)
        tip = "Show all nodes again"
        add(self._whole, "Show the w&hole graph", slot=self.show_whole, shortcut="Shift+H", tip=tip, within=view)
        for id, text in ((self._near, "Neighbourhood"), (self._whole, "Whole graph")):
            self._actions[id].setIconText(text)

    def start_finding(self) -> None:
        """Type the name of a node to find, in a small graph too."""
        if self.finder is not None:
            self.show()
            self.finder.start()

    def show_near(self) -> None:
        """Show the neighbourhood of the selected node."""
        centre = self._centre()
        if centre is not None:
            self._canvas.look_at(Neighbourhood(centre, self.steps.currentData()))

    def show_whole(self) -> None:
        """Show all nodes again."""
        self._canvas.look_at(None)

    def _centre(self) -> str | None:
        """The node that is selected, or the end of the edge that is."""
        scene = self._canvas.scene
        nodes, pairs = scene.selected_nodes(), scene.selected_pairs()
        if len(nodes) == 1:
            return nodes[0]
        return scene.edge_item(*pairs[0]).active_end if not nodes and len(pairs) == 1 else None

    def _on_steps(self) -> None:
        near = self._canvas.neighbourhood
        if near is not None:
            self._canvas.look_at(Neighbourhood(near.centre, self.steps.currentData()))

    def _show(self) -> None:
        near, whole = self._canvas.neighbourhood, self._canvas.whole
        n_nodes = len(whole.names)
        self.setVisible(near is not None or n_nodes >= LARGE)
        if near is None:
            self.text.setText(f"All {counted(n_nodes, 'node')}")
        else:
            self.steps.setCurrentIndex(self.steps.findData(near.n_steps))
            n_shown = len(self._canvas.scene.drawing.names)
            self.text.setText(f"Near {near.centre}: {n_shown:,} of {counted(n_nodes, 'node')}")
        self._show_enabled()

    def _show_enabled(self) -> None:
        near = self._canvas.neighbourhood
        has_graph, centre = bool(self._canvas.whole.names), self._centre()
        is_centre = near is not None and centre == near.centre and self.steps.currentData() == near.n_steps
        shown_already = "This neighbourhood is shown." if is_centre else ""
        self._actions.allow(self._near, NO_CENTRE if not has_graph else NO_NODE if centre is None else shown_already)
        self._actions.allow(self._whole, NOT_A_PART if near is None else "")
