"""The keys of a stage: arrows go from node to node, E from edge to edge, M to the other end, Space clicks."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGraphicsItem

from latconf_core.graph.marks import MARK_NAMES
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.items.edge_item import EdgeItem
from latconf_gui.drawing.items.node_item import NodeItem
from latconf_gui.pages.learn.stage_scene import StageScene

HELP = "Keys in a drawing: arrow keys select nodes, E the next edge, M an end of the edge; Space clicks."
_DIRECTIONS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}
_CLICK = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class StageKeys(QObject):
    """Moves the selection of a canvas by keys; `reached` carries what is selected now, in words; 0 asks for a fit."""

    reached = Signal(str)
    fit_asked = Signal()

    def __init__(self, canvas: GraphCanvas, scene: StageScene) -> None:
        super().__init__(canvas)
        self._view, self._scene = canvas.view, scene
        self._end: str | None = None  # of the selected edge, where M has chosen one
        self._view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        act = self._act_for(event)
        if act is not None:
            act()
        return act is not None

    def _act_for(self, event: QKeyEvent) -> Callable[[], None] | None:
        key, step = Qt.Key(event.key()), -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            return None
        if key in _DIRECTIONS:
            return lambda: self._go(*_DIRECTIONS[key])
        if key in _CLICK and self._chosen() is not None:
            return self._click
        if key == Qt.Key.Key_E:
            return lambda: self._next_edge(step)
        if key == Qt.Key.Key_M:
            return self._next_end
        if key == Qt.Key.Key_0:
            return self.fit_asked.emit
        return None

    def _chosen(self) -> NodeItem | EdgeItem | None:
        """The one item that is selected."""
        chosen = [item for item in self._scene.selectedItems() if isinstance(item, NodeItem | EdgeItem)]
        return chosen[0] if len(chosen) == 1 else None

    def _choose(self, item: NodeItem | EdgeItem) -> None:
        self._end = None
        self._scene.clearSelection()
        item.setSelected(True)
        self._view.ensureVisible(item, 10, 10)
        self.reached.emit(item.name if isinstance(item, NodeItem) else str(item.drawn.edge))

    def _go(self, right: float, down: float) -> None:
        """To the nearest node in a direction; from an edge or nothing to the first node."""
        nodes, chosen = self._scene.node_items(), self._chosen()
        if not isinstance(chosen, NodeItem):
            if nodes:
                self._choose(min(nodes, key=lambda node: (node.y(), node.x())))
            return
        ahead = []
        for node in nodes:
            dx, dy = node.x() - chosen.x(), node.y() - chosen.y()
            along, aside = dx * right + dy * down, abs(dx * down) + abs(dy * right)
            if node is not chosen and along > 0.1 * hypot(dx, dy):
                ahead.append((along + 2 * aside, node.name, node))
        if ahead:
            self._choose(min(ahead)[2])

    def _next_edge(self, step: int) -> None:
        """The next edge of the chosen node, or else of the drawing."""
        chosen, edges = self._chosen(), self._scene.edge_items()
        if isinstance(chosen, NodeItem):
            edges = [edge for edge in edges if chosen.name in edge.pair] or edges
        if edges:
            index = edges.index(chosen) if isinstance(chosen, EdgeItem) else -1 if step > 0 else 0
            self._choose(edges[(index + step) % len(edges)])

    def _next_end(self) -> None:
        """The first end of the chosen edge, then the second, then the edge as a whole again."""
        chosen = self._chosen()
        if not isinstance(chosen, EdgeItem):
            return
        edge = chosen.drawn.edge
        self._end = {None: edge.first, edge.first: edge.second, edge.second: None}[self._end]
        if self._end is None:
            self.reached.emit(str(edge))
            return
        chosen.set_active_end(self._end)
        mark = edge.at_first if self._end == edge.first else edge.at_second
        self.reached.emit(f"the {MARK_NAMES[mark]} at {self._end} of {edge}")

    def _click(self) -> None:
        item: QGraphicsItem | None = self._chosen()
        if isinstance(item, EdgeItem) and self._end in item.mark_items:
            item = item.mark_items[self._end]
        if item is not None:
            self._scene.click(item)
