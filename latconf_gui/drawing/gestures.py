"""What a press of the mouse on the canvas turns into: one object a gesture, from press to release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QGraphicsLineItem

from latconf_gui.drawing.items.mark_item import MarkItem
from latconf_gui.drawing.items.node_item import NodeItem

if TYPE_CHECKING:
    from latconf_gui.drawing.scene import GraphScene

CLICK_REACH = 6.0  # a press that moves less than this is a click


class Gesture(Protocol):
    """Follows the mouse; `uses_default` lets the scene do its own moving and selecting as well."""

    uses_default: bool

    def move(self, point: QPointF) -> None: ...

    def release(self, point: QPointF) -> None: ...

    def cancel(self) -> None: ...


class ClickMark:
    """A click on a mark chooses it; a click on the one that is chosen asks for the next mark there."""

    uses_default = False

    def __init__(self, scene: GraphScene, item: MarkItem, point: QPointF) -> None:
        self._scene = scene
        self._node, self._other = item.node, item.other
        self._pressed_at = point
        self._was_chosen = scene.is_chosen(item)
        scene.select_edge(item.node, item.other, end=item.node)

    def move(self, point: QPointF) -> None:
        """A click has no way to follow."""

    def release(self, point: QPointF) -> None:
        is_click = QLineF(self._pressed_at, point).length() <= CLICK_REACH
        if is_click and self._was_chosen and self._scene.is_editable:
            self._scene.mark_clicked.emit(self._node, self._other)

    def cancel(self) -> None:
        """Nothing was begun."""


class DrawEdge:
    """A drag from one node to another asks for an edge between them."""

    uses_default = False

    def __init__(self, scene: GraphScene, start: NodeItem) -> None:
        self._scene = scene
        self._start = start
        self._line = QGraphicsLineItem(QLineF(start.pos(), start.pos()))
        self._line.setPen(QPen(scene.colours.selection, 2.0, Qt.PenStyle.DashLine))
        self._line.setZValue(2)
        scene.addItem(self._line)

    def move(self, point: QPointF) -> None:
        self._line.setLine(QLineF(self._start.pos(), point))
        target = self._scene.node_at(point)
        self._scene.mark_target(target if target is not self._start else None)

    def release(self, point: QPointF) -> None:
        target = self._scene.node_at(point)
        self.cancel()
        if target is not None and target is not self._start:
            self._scene.edge_drawn.emit(self._start.name, target.name)

    def cancel(self) -> None:
        self._scene.mark_target(None)
        self._scene.removeItem(self._line)


class MoveNodes:
    """A drag of nodes ends in one request to keep their new places."""

    uses_default = True

    def __init__(self, scene: GraphScene) -> None:
        self._scene = scene
        self._before = scene.positions()

    def move(self, point: QPointF) -> None:
        """The scene moves the items itself."""

    def release(self, point: QPointF) -> None:
        after = self._scene.positions()
        moved = {name: spot for name, spot in after.items() if spot != self._before.get(name)}
        if moved:
            self._scene.nodes_moved.emit(moved)

    def cancel(self) -> None:
        self._scene.place_nodes(self._before)
