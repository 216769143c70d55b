"""An edge between two nodes, with the marks at its ends."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPainterPathStroker, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from latconf_core.arrays import BoolArray, FloatArray
from latconf_core.graph.marks import Edge, Mark
from latconf_gui.drawing.content.graph_drawing import DrawnEdge, Pair
from latconf_gui.drawing.geometry.curves import Curve, unit
from latconf_gui.drawing.geometry.edge_ends import Ends, Outline, along, find_ends, loop_over
from latconf_gui.drawing.geometry.routing import route
from latconf_gui.drawing.items.mark_item import LINE_WIDTH, MARK_DEPTH, MarkItem
from latconf_gui.drawing.items.twin_arrows import TwinArrow, is_reversed, twin_arrows
from latconf_gui.look.colours import Highlight
from latconf_gui.look.sides import Side

if TYPE_CHECKING:
    from latconf_gui.drawing.items.node_item import NodeItem
    from latconf_gui.drawing.scene import GraphScene

HIT_WIDTH = 12.0
ABOVE_NODES = 3.0  # what is added to the height of an edge that a node would hide
DASHES = {  # with the signs below, classes are told apart without colour
    Highlight.REMOVED: [4.0, 2.0],
    Highlight.CHANGED: [4.0, 2.0],
    Highlight.PATH: [9.0, 2.0, 2.0, 2.0],
    Highlight.BLOCKED: [1.0, 1.5],
}
SIGNS = {Highlight.ADDED: "+", Highlight.REMOVED: "−", Highlight.CHANGED: "≠", Highlight.PROBLEM: "!"}
SIDE_DASHES = {Side.ONLY_A: [5.0, 3.0]}
SIDE_SIGNS = {Side.ONLY_A: "A", Side.ONLY_B: "B"}
SIDE_WIDTHS = {Side.BOTH: 1.0, Side.ONLY_A: 2.0, Side.ONLY_B: 2.0}
VISIBLE_WIDTH = 3.6  # of an arrow behind which no hidden common cause lies
LEAST_SHARE_WIDTH, MOST_SHARE_WIDTH = 0.7, 5.0  # of a line that no sample has, and of one that all have
SHARE_PIXELS, SHARE_ROOM = 11, 3.0  # the number on a line, and the free ground around it
NUMBER_PLACES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)  # along the line, the best first
MOST_SPREAD = 400  # edges whose numbers are kept apart: beyond that nobody can read them anyway
SIGN_RADIUS, SIGN_PIXELS = 7.0, 12
BESIDE = (14.0, 0.0)  # where the letter of a line stands that is too short for it
FADED = 0.18  # the opacity of what is not looked at
FAINT = 0.4  # the opacity of what is not sure
CUT, CUT_DASHES, CUT_SIGN = 0.55, [2.0, 3.0], "✕"  # how an edge is drawn that setting its head has cut


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
        self._twins: tuple[TwinArrow, ...] = ()  # in an overlay, where B has the arrow of A reversed
        self._hit = QPainterPath()
        self._box = QRectF()
        self._is_loop = False  # because the nodes leave no room for the marks
        self._height = 0.0
        self.number_place = NUMBER_PLACES[0]
        first, second = drawn.edge.first, drawn.edge.second
        self.mark_items = {first: MarkItem(self, first, second), second: MarkItem(self, second, first)}
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self._stack()
        self.show_marks(not scene.is_overview)
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
        self.setOpacity(FADED if drawn.is_faded else FAINT if drawn.is_faint else CUT if drawn.is_cut else 1.0)
        self.setToolTip(_tip(drawn))
        self._repaint()

    def show_marks(self, shows: bool) -> None:
        """Draw the marks, or leave them out."""
        for mark in self.mark_items.values():
            mark.setVisible(shows)

    def place(self, obstacles: FloatArray, passing: BoolArray | None = None) -> None:
        """Find the way past the obstacles, of which some may come and go, and put the line and the marks on it."""
        first, second = (self._ends[name].outline() for name in (self.edge.first, self.edge.second))
        way = route((first.x, first.y), (second.x, second.y), obstacles, passing=passing)
        seen = (first, second, self.edge, self.drawn.side, self.drawn.other, self.drawn.share is None, way)
        if seen == self._seen:
            self._show_above_what_hides(obstacles)
            return
        self._seen = seen
        edge, other = self.edge, self.drawn.other
        are_open = (self.drawn.is_other_open, self.drawn.is_open)
        is_twin = other is not None and is_reversed(other, edge)
        self._twins = twin_arrows(other, edge, (first, second), are_open=are_open) if other and is_twin else ()
        curve, ends = self._lead(way, (first, second))
        self._place_mark(edge.first, edge.at_first, curve, at=(ends.first_tip, ends.first_base), scale=ends.scale)
        self._place_mark(edge.second, edge.at_second, curve, at=(ends.second_tip, ends.second_base), scale=ends.scale)
        for twin in self._twins:
            self._place_mark(twin.head, Mark.ARROW, twin.curve, at=twin.tip, scale=twin.ends.scale)
        self.prepareGeometryChange()
        self._path = _path_of(curve.between(ends.first_base, ends.second_base))
        if self._twins:
            self._path = QPainterPath()
            for twin in self._twins:
                self._path.addPath(_path_of_twin(twin))
        stroker = QPainterPathStroker(QPen(Qt.GlobalColor.black, HIT_WIDTH))
        self._hit = stroker.createStroke(self._path)
        around = 2.0 if self.drawn.side == Side.NONE else BESIDE[0] + SIGN_RADIUS
        around = around if self.drawn.share is None else 2.0 * SHARE_PIXELS
        self._box = self._hit.boundingRect().adjusted(-around, -around, around, around)
        self._show_above_what_hides(obstacles)
        self.update()

    def _lead(self, curve: Curve, outlines: tuple[Outline, Outline]) -> tuple[Curve, Ends]:
        """The curve and its ends; over both nodes where there is no room for the marks between them."""
        depths = MARK_DEPTH[self.edge.at_first], MARK_DEPTH[self.edge.at_second]
        ends = find_ends(curve, outlines, depths)
        self._is_loop = ends is None
        if ends is None:
            curve = loop_over(*outlines)
            ends = find_ends(curve, outlines, depths) or Ends(0.0, 0.0, 1.0, 1.0)
        return curve, ends

    def _place_mark(self, node: str, mark: Mark, curve: Curve, *, at: tuple[float, float], scale: float) -> None:
        """Put a mark with its tip and its base on the curve."""
        tip, base = at
        inner = base if MARK_DEPTH[mark] else along(curve, tip, 2.0, towards=0.5)
        point = curve.at(tip)
        direction = unit(curve.at(0.5 if inner is None else inner), point)
        self.mark_items[node].place(mark, point, direction, scale=scale)

    def _show_above_what_hides(self, obstacles: FloatArray) -> None:
        """Draw the edge over the nodes where one of them would hide a mark."""
        is_hidden = self._is_loop or any(mark.is_hidden_by(obstacles) for mark in self.mark_items.values())
        self._height = ABOVE_NODES if is_hidden else 0.0
        self._stack()

    def _stack(self) -> None:
        self.setZValue(self._height + (1 if self.highlight == Highlight.NONE else 2))

    def set_highlight(self, highlight: Highlight) -> None:
        """Make the edge stand out, or not."""
        if highlight != self.highlight:
            self.highlight = highlight
            self._stack()
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
        colours, is_open = self.graph_scene.colours, self.drawn.is_open
        if self.highlight != Highlight.NONE:
            return colours.highlights[self.highlight]
        if self.drawn.side != Side.NONE:
            side = colours.sides[self.drawn.side]
            return colours.lighter(side) if is_open else side
        if self.isSelected():
            return colours.selection
        ink = colours.latent if self.drawn.is_emphasised else colours.edge
        return colours.lighter(ink) if is_open else ink

    def mark_ink(self, node: str) -> QColor:
        """The colour of the mark at a node: that of B where A has another one there."""
        for twin in self._twins:
            if twin.head == node:
                return self._twin_ink(twin)
        return self.ink() if self.other_mark(node) is None else self.graph_scene.colours.sides[Side.ONLY_B]

    def other_mark(self, node: str) -> Mark | None:
        """The mark that A has at a node of an overlay where B has another one; None where they agree."""
        other = self.drawn.other
        if other is None or self._twins:
            return None
        mark = other.at_first if other.first == node else other.at_second
        at_first = self.edge.at_first if self.edge.first == node else self.edge.at_second
        return None if mark == at_first else mark

    def twins(self) -> tuple[TwinArrow, ...]:
        """The arrows of A and B, where they are two."""
        return self._twins

    def is_head_open(self, node: str) -> bool:
        """Whether the data leave the direction of the arrow open whose head is at a node."""
        return next((twin.is_open for twin in self._twins if twin.head == node), self.drawn.is_open)

    def _twin_ink(self, twin: TwinArrow) -> QColor:
        ink = self.graph_scene.colours.sides[twin.side]
        return self.graph_scene.colours.lighter(ink) if twin.is_open else ink

    def _paint_twin(self, painter: QPainter, twin: TwinArrow) -> None:
        """The line of A or B alone with its letter, as of an edge that only one of them has."""
        path, ink = _path_of_twin(twin), self._twin_ink(twin)
        width = SIDE_WIDTHS[twin.side] + (0.8 if self.isSelected() else 0.0)
        pen = QPen(ink, width * self.graph_scene.colours.line_scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        if twin.side in SIDE_DASHES:
            pen.setDashPattern(SIDE_DASHES[twin.side])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        self._paint_disc(painter, SIDE_SIGNS[twin.side], ink, path.pointAtPercent(0.5))

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
        side = self.drawn.side
        if self.highlight != Highlight.NONE or self.isSelected():
            halo = QColor(ink if side == Side.NONE else self.graph_scene.colours.text)
            halo.setAlpha(60)
            painter.setPen(QPen(halo, 8.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawPath(self._path)
        if self._twins:
            for twin in self._twins:
                self._paint_twin(painter, twin)
            return
        width = self.line_width()
        width += 0.8 if self.highlight != Highlight.NONE or self.isSelected() else 0.0
        pen = QPen(ink, width * self.graph_scene.colours.line_scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        if self.highlight in DASHES:
            pen.setDashPattern(DASHES[self.highlight])
        elif side in SIDE_DASHES:
            pen.setDashPattern(SIDE_DASHES[side])
        elif self.drawn.is_cut:
            pen.setDashPattern(CUT_DASHES)
        painter.setPen(pen)
        painter.drawPath(self._path)
        if self.highlight in SIGNS:
            self._paint_sign(painter, SIGNS[self.highlight], ink)
        elif side in SIDE_SIGNS:
            self._paint_sign(painter, SIDE_SIGNS[side], ink)
        elif self.drawn.is_cut:
            self._paint_sign(painter, CUT_SIGN, ink)
        if self.drawn.share is not None:
            self._paint_share(painter, _share_text(self.drawn))

    def line_width(self) -> float:
        """How thick the line is: by its share of samples, where that is shown."""
        if self.drawn.share is not None:
            return LEAST_SHARE_WIDTH + self.drawn.share.joined * (MOST_SHARE_WIDTH - LEAST_SHARE_WIDTH)
        return VISIBLE_WIDTH if self.drawn.is_visible else SIDE_WIDTHS.get(self.drawn.side, LINE_WIDTH)

    def number_box(self, share: float) -> QRectF:
        """Where the number of the edge would stand, so far along the line; empty where it shows none."""
        if self.drawn.share is None:
            return QRectF()
        box = QFontMetricsF(_share_font()).boundingRect(_share_text(self.drawn)).adjusted(-SHARE_ROOM, 0, SHARE_ROOM, 0)
        box.moveCenter(self._path.pointAtPercent(share))
        return box

    def set_number_place(self, share: float) -> None:
        """Put the number elsewhere on the line, so that no two stand on each other."""
        if share != self.number_place:
            self.number_place = share
            self.update()

    def _paint_share(self, painter: QPainter, text: str) -> None:
        """A number on the line, on ground of its own so that it can be read."""
        font, box = _share_font(), self.number_box(self.number_place)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.graph_scene.colours.canvas)
        painter.drawRoundedRect(box, SHARE_ROOM, SHARE_ROOM)
        painter.setFont(font)
        painter.setPen(self.graph_scene.colours.text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_sign(self, painter: QPainter, sign: str, ink: QColor) -> None:
        """A sign in a disc on the middle of the line, where there is room for it."""
        is_short = self._path.length() < 2 * SIGN_RADIUS
        if is_short and self.drawn.side == Side.NONE:
            return
        beside = QPointF(*BESIDE) if is_short else QPointF()
        self._paint_disc(painter, sign, ink, self._path.pointAtPercent(0.5) + beside)

    def _paint_disc(self, painter: QPainter, sign: str, ink: QColor, middle: QPointF) -> None:
        disc = QRectF(0, 0, 2 * SIGN_RADIUS, 2 * SIGN_RADIUS)
        disc.moveCenter(middle)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawEllipse(disc)
        font = QFont()
        font.setPixelSize(SIGN_PIXELS)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(self.graph_scene.colours.canvas)
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, sign)

    def itemChange(self, change: QGraphicsItem.GraphicsItemChange, value: object) -> object:
        if change == QGraphicsItem.GraphicsItemChange.ItemSelectedHasChanged:
            self.set_active_end(self.active_end or self.edge.second if self.isSelected() else None)
            self._repaint()
        return super().itemChange(change, value)


def spread_numbers(items: Iterable[EdgeItem], nodes: Iterable[QRectF]) -> None:
    """Put the numbers of edges where they cover no node, no other number and no other line, as far as they can."""
    shown = [item for item in items if item.drawn.share is not None]
    taken = list(nodes)
    for item in shown if len(shown) <= MOST_SPREAD else ():
        boxes = {number_place: item.number_box(number_place) for number_place in NUMBER_PLACES}
        free = [position for position, box in boxes.items() if not any(box.intersects(other) for other in taken)]
        clear = (position for position in free if not _crosses(boxes[position], item, shown))
        share = next(clear, free[0] if free else NUMBER_PLACES[0])
        item.set_number_place(share)
        taken.append(boxes[share])


def _crosses(box: QRectF, edge_item: EdgeItem, others: Iterable[EdgeItem]) -> bool:
    """Whether the line of another edge goes through a box."""
    near = (other for other in others if other is not edge_item and other.boundingRect().intersects(box))
    return any(other.line().intersects(box) for other in near)


def _share_font() -> QFont:
    font = QFont()
    font.setPixelSize(SHARE_PIXELS)
    return font


def _share_text(drawn: DrawnEdge) -> str:
    return "" if drawn.share is None else f"{drawn.share.as_drawn:.0%}"


def _tip(drawn: DrawnEdge) -> str:
    """The edge, what it means and what supports it; in an overlay also who has it."""
    text = f"<b>{escape(str(drawn.edge))}</b><br>{escape(drawn.note)}"
    if drawn.other is not None:
        return f"<b>A: {escape(str(drawn.other))}<br>B: {escape(str(drawn.edge))}</b><br>{escape(drawn.note)}"
    if drawn.share is not None:
        return f"{text}<br><br>{escape(drawn.share.note)}."
    if drawn.is_cut:
        cut = f"Cut: {drawn.edge.second} is set by intervention, independently of its causes. {drawn.note}"
        return f"<b>{escape(str(drawn.edge))}</b><br>{escape(cut)}"
    said = {Side.BOTH: "in both", Side.ONLY_A: "only in A", Side.ONLY_B: "only in B"}.get(drawn.side)
    return f"{text}<br><i>{said}</i>" if said else text


def _path_of_twin(twin: TwinArrow) -> QPainterPath:
    return _path_of(twin.curve.between(twin.ends.first_base, twin.ends.second_base))


def _path_of(curve: Curve) -> QPainterPath:
    path = QPainterPath(QPointF(*curve.at(0.0)))
    for piece in curve.pieces:
        path.quadTo(QPointF(*piece.control), QPointF(*piece.end))
    return path
