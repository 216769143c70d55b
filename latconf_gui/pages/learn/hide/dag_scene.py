"""The scene in which a DAG is drawn: arrows with Shift and a drag, new variables with a double click."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsSceneMouseEvent

from latconf_gui.drawing.gestures import DrawEdge, Gesture
from latconf_gui.drawing.items.node_item import NodeItem
from latconf_gui.pages.learn.stage_scene import StageScene


class DagScene(StageScene):
    """A stage's scene that also tells of arrows (`edge_drawn`) and of double clicks on free ground."""

    def _gesture_for(self, event: QGraphicsSceneMouseEvent) -> Gesture | None:
        top = next(iter(self.items(event.scenePos())), None)
        has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if has_shift and isinstance(top, NodeItem) and event.button() == Qt.MouseButton.LeftButton:
            return DrawEdge(self, top)
        return super()._gesture_for(event)

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        super().mousePressEvent(event)
        if isinstance(self._gesture, DrawEdge):
            self._pressed = None  # the end of a line is no click
