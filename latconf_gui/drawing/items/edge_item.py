"""An edge between two nodes, with the marks at its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from latconf_core.arrays import FloatArray
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.meanings import edge_sentence
from latconf_gui.drawing.geometry.curves import Curve, unit
from latconf_gui.drawing.geometry.edge_ends import along, arriving, leaving
from latconf_gui.drawing.geometry.routing import route, within_reach
from latconf_gui.drawing.graph_drawing import DrawnEdge, Pair
from latconf_gui.drawing.items.mark_item import LINE_WIDTH, MARK_DEPTH, MarkItem
from latconf_gui.look.colours import Highlight

if TYPE_CHECKING:
    from latconf_gui.drawing.items.node_item import NodeItem
    from latconf_gui.drawing.scene import GraphScene

HIT_WIDTH = 12.0
DASHED = {Highlight.REMOVED, Highlight.CHANGED}


class EdgeItem(QGraphicsObject):
    """A line from border to border; `active_end` is the node whose mark the keys change."""

    def __init__(self, scene: GraphScene, drawn: DrawnEdge, ends: tuple[NodeItem, NodeItem]) -> None:
        super().__init__()
        self.graph_scene = scene
        self.drawn = drawn
        self.highlight = Highlight.NONE
        self.active_end: str | None = None
        self._ends = {item.name: item for item in ends}
        self._seen: tuple[object, ...] = ()  # what the line was led by
        self._path = QPainterPath()
        self._hit = QPainterPath()
        self._box = QRectF()
        first, second = drawn.edge.first, drawn.edge.second
        self.mark_items = {first: MarkItem(self, first, second), second: MarkItem(self, second, first)}
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setZValue(1)
        self.show_edge(drawn)

    @property
    def edge(self) -> Edge:
        return self.drawn.edge

    @property
    def pair(self) -> Pair:
        return self.drawn.pair

    def show_edge(self, drawn: DrawnEdge) -> None:
        """Take over new marks; `place` draws them."""
        self.drawn = drawn
        self.setToolTip(f"<b>{self.edge}</b><br>{edge_sentence(self.edge)}")

    def place(self, obstacles: FloatArray) -> None:
        """Find the way past the obstacles and put the line and the marks on it."""
        first, second = (self._ends[name].outline() for name in (self.edge.first, self.edge.second))
        start_at, end_at = (first.x, first.y), (second.x, second.y)
        near = within_reach(start_at, end_at, obstacles)
        seen = (first, second, self.edge, near.tobytes())
        if seen == self._seen:
            return
        self._seen = seen
        curve = route(start_at, end_at, near)
        low, high = leaving(curve, first), arriving(curve, second)
        start = self._place_mark(curve, low, self.edge.first, self.edge.at_first)
        end = self._place_mark(curve, high, self.edge.second, self.edge.at_second)
        self.prepareGeometryChange()
        self._path = _path_of(curve.between(start, end))
        stroker = QPainterPathStroker(QPen(Qt.GlobalColor.black, HIT_WIDTH))
        self._hit = stroker.createStroke(self._path)
        self._box = self._hit.boundingRect().adjusted(-2, -2, 2, 2)
        self.update()

    def _place_mark(self, curve: Curve, t: float, node: str, mark: Mark) -> float:
        """Put a mark with its tip at `t`; returns where the line may begin."""
        base = along(curve, t, MARK_DEPTH[mark])
        inner = base if MARK_DEPTH[mark] else along(curve, t, 2.0)
        self.mark_items[node].place(mark, curve.at(t), unit(curve.at(inner), curve.at(t)))
        return base

    def set_highlight(self, highlight: Highlight) -> None:
        """Make the edge stand out, or not."""
        if highlight != self.highlight:
            self.highlight = highlight
            self.setZValue(1 if highlight == Highlight.NONE else 2)
            self._repaint()

    def set_active_end(self, node: str | None) -> None:
        """Choose the end whose mark the keys change."""
        if node != self.active_end:
            self.active_end = node
            self._repaint()
            self.graph_scene.active_end_changed.emit()

    def _repaint(self) -> None:
        self.update()
        for item in self.mark_items.values():
            item.update()

    def ink(self) -> QColor:
        """The colour of the line and its marks."""
        colours = self.graph_scene.colours
        if self.highlight != Highlight.NONE:
            return colours.highlights[self.highlight]
        if self.isSelected():
            return colours.selection
        return colours.latent if self.drawn.is_emphasised else colours.edge

    def line(self) -> QPainterPath:
        """The line from mark to mark."""
        return self._path

    def boundingRect(self) -> QRectF:
        return self._box

    def shape(self) -> QPainterPath:
        return self._hit

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        ink = self.ink()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.highlight != Highlight.NONE or self.isSelected():
            halo = QColor(ink)
            halo.setAlpha(60)
            painter.setPen(QPen(halo, 8.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawPath(self._path)
        width = LINE_WIDTH + (0.8 if self.highlight != Highlight.NONE or self.isSelected() else 0.0)
        style = Qt.PenStyle.DashLine if self.highlight in DASHED else Qt.PenStyle.SolidLine
        painter.setPen(QPen(ink, width, style, Qt.PenCapStyle.FlatCap))
        painter.drawPath(self._path)

    def itemChange(self, change: QGraphicsItem.GraphicsItemChange, value: object) -> object:
        if change == QGraphicsItem.GraphicsItemChange.ItemSelectedHasChanged:
            self.set_active_end(self.active_end or self.edge.second if self.isSelected() else None)
            self._repaint()
        return super().itemChange(change, value)


def _path_of(curve: Curve) -> QPainterPath:
    path = QPainterPath(QPointF(*curve.at(0.0)))
    for piece in curve.pieces:
        path.quadTo(QPointF(*piece.control), QPointF(*piece.end))
    return path
