"""The drawing of the PAG, or an invitation where there is none."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QWidget

from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.visibility import visible_edges
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.content.graph_drawing import NO_SHARES, Drawing, Positions, Shares, drawing_of_graph
from latconf_gui.widgets.actions import follow_action
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.text import SPACE, Heading, Quiet


class PagCanvas(GraphCanvas):
    """The canvas of a PAG that can be edited."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._invitation = _Invitation()
        self._shows_visible = False
        self.find_shares: Callable[[MixedGraph], Shares] = lambda _: NO_SHARES  # of edges, in samples of the rows
        super().__init__(empty=self._invitation, parent=parent)
        self.setAccessibleName("Drawing of the PAG")

    def invite(self, actions: list[QAction]) -> None:
        """Offer these commands where there is no PAG."""
        for action in actions:
            self._invitation.offer(action)

    def show_graph(self, graph: MixedGraph | None, positions: Positions) -> None:
        """Show a graph, or the invitation."""
        self.show_drawing(None if graph is None else self._drawing(graph), positions)

    def _drawing(self, graph: MixedGraph) -> Drawing:
        visible = [frozenset(edge) for edge in visible_edges(graph)] if self._shows_visible else []
        return drawing_of_graph(graph, visible=visible, shares=self.find_shares(graph))

    def set_shows_visible(self, shows: bool, graph: MixedGraph | None) -> None:
        """Draw the arrows behind which no hidden common cause lies thick, or as all others."""
        self._shows_visible = shows
        if graph is not None:
            self.show_again(self._drawing(graph))

    def is_showing(self, graph: MixedGraph) -> bool:
        """Whether the items are those of this graph or a part of it, and not of one that is on its way out."""
        return self.whole == self._drawing(graph)


class _Invitation(ScrollColumn):
    """What a PAG is, and how to get one."""

    def __init__(self) -> None:
        super().__init__("No PAG yet")
        self.column.setContentsMargins(4 * SPACE, SPACE, 4 * SPACE, SPACE)
        self.column.addStretch(2)
        self.column.addWidget(Heading("No PAG yet"))
        self.column.addWidget(
            Quiet(
                "A PAG shows what the data determine about causes and hidden common causes, and what stays "
                "open. Learn one from the data, import a file, or draw one."
            )
        )
        self.column.addStretch(3)

    def offer(self, action: QAction) -> None:
        """A button for a command."""
        button = QPushButton(action.text().replace("&", ""))
        button.setMaximumWidth(button.fontMetrics().averageCharWidth() * 40)
        follow_action(button, action)
        self.column.insertWidget(self.column.count() - 1, button)
