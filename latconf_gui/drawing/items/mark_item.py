"""The mark at one end of an edge: its shape, and the item that shows it."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from latconf_core.arrays import FloatArray
from latconf_core.graph.marks import Mark
from latconf_gui.drawing.geometry.curves import Point
from latconf_gui.drawing.geometry.edge_ends import ARROW_HALF_WIDTH, ARROW_LENGTH, CIRCLE_RADIUS
from latconf_gui.look.colours import Colours
from latconf_gui.look.sides import Side

if TYPE_CHECKING:
    from latconf_gui.drawing.items.edge_item import EdgeItem

LINE_WIDTH = 1.4
FAINT_MARK = 0.4  # the opacity of a mark that is not sure
REACH = 9.0  # a click this far from the middle of a mark still hits it
GHOST_ASIDE, GHOST_BACK = 10.0, 4.0  # where A's mark stands beside B's, in an overlay
LETTER_ASIDE, LETTER_PIXELS = 8.0, 10
HEAD_SINE = ARROW_HALF_WIDTH / hypot(ARROW_HALF_WIDTH, ARROW_LENGTH)  # of half the angle at the tip
STUB = 12.0  # of the line at an end that is coloured
MARK_DEPTH = {Mark.CIRCLE: 2 * CIRCLE_RADIUS, Mark.ARROW: ARROW_LENGTH, Mark.TAIL: 0.0}  # what the line leaves free


def mark_shape(mark: Mark, tip: Point, direction: Point, *, scale: float = 1.0) -> QPainterPath:
    """The outline of a mark whose tip touches the border; `direction` points into the node. A tail has none."""
    path = QPainterPath()
    (x, y), (dx, dy) = tip, (scale * direction[0], scale * direction[1])
    if mark == Mark.CIRCLE:
        middle = QPointF(x - dx * CIRCLE_RADIUS, y - dy * CIRCLE_RADIUS)
        path.addEllipse(middle, scale * CIRCLE_RADIUS, scale * CIRCLE_RADIUS)
    elif mark == Mark.ARROW:
        base_x, base_y = x - dx * ARROW_LENGTH, y - dy * ARROW_LENGTH
        side_x, side_y = -dy * ARROW_HALF_WIDTH, dx * ARROW_HALF_WIDTH
        corners = [(x, y), (base_x + side_x, base_y + side_y), (base_x - side_x, base_y - side_y)]
        path.addPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
        path.closeSubpath()
    return path


def hollow_head(tip: Point, direction: Point, *, scale: float = 1.0, line_scale: float = 1.0) -> QPainterPath:
    """The outline of an arrowhead that is not filled: a pen of LINE_WIDTH along it ends where a filled one does."""
    width = LINE_WIDTH * line_scale
    miter = width / 2 / HEAD_SINE  # how far a pen carries the corner of the tip
    (x, y), (dx, dy) = tip, direction
    length = scale * ARROW_LENGTH - miter - width / 2
    half = length * ARROW_HALF_WIDTH / ARROW_LENGTH
    x, y = x - dx * miter, y - dy * miter
    base_x, base_y = x - dx * length, y - dy * length
    path = QPainterPath()
    corners = [(x, y), (base_x - dy * half, base_y + dx * half), (base_x + dy * half, base_y - dx * half)]
    path.addPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
    path.closeSubpath()
    return path


def paint_mark(
    painter: QPainter, mark: Mark, shape: QPainterPath, *, ink: QColor, ground: QColor, line_scale: float = 1.0
) -> None:
    """Draw a mark: a hollow circle, a filled arrowhead, nothing for a tail."""
    if mark == Mark.TAIL:
        return
    width = LINE_WIDTH * line_scale
    painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.MiterJoin))
    painter.setBrush(ground if mark == Mark.CIRCLE else ink)
    if mark == Mark.ARROW:
        painter.setPen(Qt.PenStyle.NoPen)  # a pen would carry the tip past the border
    painter.drawPath(shape)


def paint_hollow_head(
    painter: QPainter, shape: QPainterPath, *, ink: QColor, ground: QColor, line_scale: float = 1.0
) -> None:
    """Draw the outline that `hollow_head` gave."""
    pen = QPen(ink, LINE_WIDTH * line_scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    pen.setMiterLimit(4.0)
    painter.setPen(pen)
    painter.setBrush(ground)
    painter.drawPath(shape)


class Ghost:
    """A's mark beside that of B, in an overlay: hollow and dotted, each with its letter."""

    def __init__(self, mark: Mark, tip: Point, direction: Point) -> None:
        self.mark = mark
        (x, y), (dx, dy) = tip, direction
        side_x, side_y = -dy, dx
        self._tip = x + GHOST_ASIDE * side_x - GHOST_BACK * dx, y + GHOST_ASIDE * side_y - GHOST_BACK * dy
        self._direction = direction
        half = ARROW_LENGTH / 2 + 2
        self._letter_a = QPointF(
            self._tip[0] - half * dx + LETTER_ASIDE * side_x, self._tip[1] - half * dy + LETTER_ASIDE * side_y
        )
        self._letter_b = QPointF(
            x - half * dx - (LETTER_ASIDE + 4) * side_x, y - half * dy - (LETTER_ASIDE + 4) * side_y
        )
        self._stub = QPointF(x, y), QPointF(x - STUB * dx, y - STUB * dy)

    def paint(self, painter: QPainter, mark: Mark, colours: Colours) -> None:
        """Draw the ghost, the letters, and for a tail of B the end of its line."""
        a, b = colours.sides[Side.ONLY_A], colours.sides[Side.ONLY_B]
        if mark == Mark.TAIL:
            painter.setPen(QPen(b, 2.4 * colours.line_scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawLine(*self._stub)
        painter.setPen(QPen(a, 1.2 * colours.line_scale, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.mark == Mark.TAIL:
            (x, y), (dx, dy) = self._tip, self._direction
            painter.drawLine(QPointF(x, y), QPointF(x - STUB * dx, y - STUB * dy))
        else:
            painter.drawPath(mark_shape(self.mark, self._tip, self._direction))
        font = QFont()
        font.setPixelSize(LETTER_PIXELS)
        font.setBold(True)
        painter.setFont(font)
        for letter, corner, ink in (("A", self._letter_a, a), ("B", self._letter_b, b)):
            box = QRectF(0, 0, LETTER_PIXELS + 2, LETTER_PIXELS + 2)
            box.moveCenter(corner)
            painter.setPen(ink)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)


class MarkItem(QGraphicsItem):
    """The mark at `node` on its edge with `other`; a child of the edge's item."""

    def __init__(self, edge_item: EdgeItem, node: str, other: str) -> None:
        super().__init__(edge_item)
        self.edge_item = edge_item
        self.node = node
        self.other = other
        self.mark = Mark.NONE
        self.tip: Point = (0.0, 0.0)
        self.direction: Point = (1.0, 0.0)
        self._shape = QPainterPath()
        self._scale = 1.0
        self._box = QRectF()
        self._ghost: Ghost | None = None
        self.setAcceptHoverEvents(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._is_hovered = False

    def place(self, mark: Mark, tip: Point, direction: Point, *, scale: float = 1.0) -> None:
        """Show `mark` with its tip at a point of the node's border."""
        self.prepareGeometryChange()
        self.mark, self.tip, self.direction = mark, tip, direction
        self._scale = scale
        self._shape = mark_shape(mark, tip, direction, scale=scale)
        other = self.edge_item.other_mark(self.node)
        self._ghost = None if other is None else Ghost(other, tip, direction)
        middle, reach = self.middle, REACH + 3.0 if other is None else GHOST_ASIDE + LETTER_ASIDE + LETTER_PIXELS
        self._box = QRectF(middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach)
        self.update()

    @property
    def middle(self) -> QPointF:
        """Where to click."""
        depth = ARROW_LENGTH / 2
        return QPointF(self.tip[0] - self.direction[0] * depth, self.tip[1] - self.direction[1] * depth)

    def is_hidden_by(self, boxes: FloatArray) -> bool:
        """Whether a box lies over a part of the mark, (n, 4) left, top, right, bottom."""
        reach = ARROW_LENGTH / 2
        x, y = self.middle.x(), self.middle.y()
        left, top, right, bottom = boxes.T
        over = (left < x + reach) & (right > x - reach) & (top < y + reach) & (bottom > y - reach)
        return bool(over.any())

    @property
    def is_hollow(self) -> bool:
        """Whether it is the head of an arrow whose direction the data leave open."""
        return self.mark == Mark.ARROW and self.edge_item.is_head_open(self.node)

    def outline(self) -> QPainterPath:
        """The drawn shape, empty for a tail."""
        return self._shape

    def boundingRect(self) -> QRectF:
        return self._box

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.addEllipse(self.middle, REACH, REACH)
        return path

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self.mark == Mark.NONE:
            return
        colours = self.edge_item.graph_scene.colours
        is_active = self.edge_item.active_end == self.node and self.edge_item.drawn.side == Side.NONE
        if self._is_hovered or is_active:
            ring = QColor(colours.selection)
            painter.setPen(QPen(ring, 1.2, Qt.PenStyle.DotLine if self._is_hovered else Qt.PenStyle.SolidLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self.middle, REACH, REACH)
        ink = self.edge_item.mark_ink(self.node)
        if self.node in self.edge_item.drawn.faint_ends:
            painter.setOpacity(FAINT_MARK * painter.opacity())
        scale, ground = colours.line_scale, colours.canvas
        if self.is_hollow:
            head = hollow_head(self.tip, self.direction, scale=self._scale, line_scale=scale)
            paint_hollow_head(painter, head, ink=ink, ground=ground, line_scale=scale)
        else:
            paint_mark(painter, self.mark, self._shape, ink=ink, ground=ground, line_scale=scale)
        if self._ghost is not None:
            self._ghost.paint(painter, self.mark, colours)

    def hoverEnterEvent(self, event: object) -> None:
        self._is_hovered = self.edge_item.graph_scene.is_editable
        self.update()

    def hoverLeaveEvent(self, event: object) -> None:
        self._is_hovered = False
        self.update()
