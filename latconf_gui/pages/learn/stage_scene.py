"""The scene of a stage: nodes, edges and marks that can be clicked, nodes that can be moved."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QGraphicsItem, QGraphicsSceneMouseEvent

from latconf_gui.drawing.gestures import CLICK_REACH, Gesture, MoveNodes
from latconf_gui.drawing.items.edge_item import EdgeItem
from latconf_gui.drawing.items.mark_item import MarkItem
from latconf_gui.drawing.items.node_item import NodeItem
from latconf_gui.drawing.scene import GraphScene


class StageScene(GraphScene):
    """`node_clicked`, `edge_clicked` (both nodes) and `end_clicked` (the node at the mark, then the other one).

    A click on a mark emits `end_clicked` alone. Keys emit the same through `click`. Nothing is changed by any of them.
    """

    node_clicked = Signal(str)
    edge_clicked = Signal(str, str)
    end_clicked = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shared_extent = QRectF()  # around the drawings of all canvases of the stage
        self._pressed: tuple[QGraphicsItem, QPointF] | None = None

    def extent(self) -> QRectF:
        """The same rectangle in every canvas, so that each node stands at the same place in all."""
        return super().extent().united(self.shared_extent)

    def own_extent(self) -> QRectF:
        """The rectangle around what is drawn here."""
        return super().extent()

    def _gesture_for(self, event: QGraphicsSceneMouseEvent) -> Gesture | None:
        top = next(iter(self.items(event.scenePos())), None)
        is_left = event.button() == Qt.MouseButton.LeftButton
        return MoveNodes(self) if is_left and isinstance(top, NodeItem) and self.is_editable else None

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        top = next(iter(self.items(event.scenePos())), None)
        is_left = event.button() == Qt.MouseButton.LeftButton
        self._pressed = (top, event.scenePos()) if is_left and top is not None else None
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        super().mouseReleaseEvent(event)
        if pressed is not None and QLineF(pressed[1], event.scenePos()).length() <= CLICK_REACH:
            self.click(pressed[0])

    def click(self, item: QGraphicsItem) -> None:
        """What a click on an item says, by mouse or by key."""
        if isinstance(item, MarkItem):
            self.end_clicked.emit(item.node, item.other)
        elif isinstance(item, EdgeItem):
            edge = item.drawn.edge
            self.edge_clicked.emit(edge.first, edge.second)
        elif isinstance(item, NodeItem):
            self.node_clicked.emit(item.name)
