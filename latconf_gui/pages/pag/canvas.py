"""The drawing of the PAG with its legend, or an invitation where there is none."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from latconf_core.graph.mixed import MixedGraph
from latconf_gui.drawing.graph_drawing import Pair, Positions
from latconf_gui.drawing.legend import LegendWidget, legend_of
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.drawing.view import GraphView
from latconf_gui.look.colours import Highlight
from latconf_gui.widgets.actions import follow_action
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.text import SPACE, Heading, Quiet


class PagCanvas(QWidget):
    """The view, the legend below it, and what stands there before there is a PAG."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Drawing of the PAG")
        self.scene = GraphScene(self)
        self.view = GraphView(self.scene)
        self.legend = LegendWidget(legend_of(self.scene.drawing))
        self._highlights: dict[str, Mapping[Pair, Highlight]] = {}
        self._stack = QStackedWidget()
        self._stack.addWidget(self._make_invitation())
        self._stack.addWidget(self.view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.legend)

    def _make_invitation(self) -> QWidget:
        scroll = ScrollColumn()
        self._invitation = scroll.column
        self._invitation.setContentsMargins(4 * SPACE, SPACE, 4 * SPACE, SPACE)
        self._invitation.addStretch(2)
        self._invitation.addWidget(Heading("No PAG yet"))
        self._invitation.addWidget(
            Quiet(
                "A PAG shows what the data say about causes and hidden common causes, and what they leave open. "
                "Learn one from the data, import a file, or draw one."
            )
        )
        self._invitation.addStretch(3)
        return scroll

    def invite(self, actions: list[QAction]) -> None:
        """Offer these commands where there is no PAG."""
        for action in actions:
            button = QPushButton(action.text().replace("&", ""))
            button.setMaximumWidth(button.fontMetrics().averageCharWidth() * 40)
            follow_action(button, action)
            self._invitation.insertWidget(self._invitation.count() - 1, button)

    def show_graph(self, graph: MixedGraph | None, positions: Positions) -> None:
        """Show a graph, or the invitation."""
        self._stack.setCurrentIndex(0 if graph is None else 1)
        self.scene.show_graph(graph or MixedGraph.from_edges((), ()), positions)
        self._apply_lights()

    def room(self) -> QSize:
        """The size of the drawing area, also while the invitation stands there."""
        return self._stack.size()

    def highlight(self, reason: str, highlights: Mapping[Pair, Highlight]) -> None:
        """Highlight edges for one reason; later reasons win where two highlight the same edge."""
        self._highlights.pop(reason, None)
        if highlights:
            self._highlights[reason] = highlights
        self._apply_lights()

    def _apply_lights(self) -> None:
        merged: dict[Pair, Highlight] = {}
        for highlights in self._highlights.values():
            merged |= highlights
        self.scene.set_highlights(merged)

    def menu_at(self, actions: list[QAction | None], place: QPoint) -> QMenu:
        """A context menu of these commands; None is a separator."""
        menu = QMenu(self)
        for action in actions:
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)
        return menu
