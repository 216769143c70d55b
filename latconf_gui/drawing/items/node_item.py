"""A node: a box with round corners for a measured variable, a dashed ellipse for a latent."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from latconf_gui.drawing.content.graph_drawing import Beliefs, DrawnNode
from latconf_gui.drawing.geometry.edge_ends import CORNER, Outline
from latconf_gui.drawing.items.state_bars import bars_size, paint_bars, row_at
from latconf_gui.look.colours import TEXT_PIXELS
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.look.sides import Side

if TYPE_CHECKING:
    from latconf_gui.drawing.scene import GraphScene

PADDING = (9.0, 5.0)
ELLIPSE_STRETCH = 1.35  # an ellipse around a text is wider than the text
NOTE_SHARE = 0.85  # of the label's size
BORDER_WIDTH = 1.2
SIDE_WIDTH = 2.2  # of what only one of two graphs has
FADED = 0.4  # the opacity of what is not looked at
CENTRE = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip  # lines of a long name may be a little higher


def label_font() -> QFont:
    """The font of labels: the program's family at the size of the scene."""
    font = QFont()
    font.setPixelSize(TEXT_PIXELS)
    return font


def note_font() -> QFont:
    font = label_font()
    font.setPixelSize(round(TEXT_PIXELS * NOTE_SHARE))
    return font


def node_size(node: DrawnNode) -> tuple[float, float]:
    """Width and height that hold the whole label."""
    return _size_in(node, QFont().family())


@lru_cache(maxsize=4096)
def _size_in(node: DrawnNode, family: str) -> tuple[float, float]:
    """In the program's font, which is of this family: measuring texts takes a while."""
    metrics, small = QFontMetricsF(label_font()), QFontMetricsF(note_font())
    lines = node.label.split("\n")
    widths = [metrics.horizontalAdvance(line) for line in lines]
    width = max(*widths, small.horizontalAdvance(node.note) if node.note else 0.0)
    height = len(lines) * metrics.height() + (small.height() if node.note else 0.0)
    if node.states:
        bars = bars_size(node.states, note_font())
        return max(width, bars[0]) + 2 * PADDING[0], height + bars[1] + 2 * PADDING[1]
    stretch = ELLIPSE_STRETCH if node.is_latent else 1.0
    return max(width, 14.0) * stretch + 2 * PADDING[0], height * stretch + 2 * PADDING[1]


def _tip(node: DrawnNode) -> str:
    """The name and the note as they are: Qt would take a name with < and > for markup."""
    return plain_tip(f"{node.name}: {node.note}" if node.note else node.name)


class NodeItem(QGraphicsObject):
    """A node that can be moved and selected."""

    def __init__(self, scene: GraphScene, node: DrawnNode) -> None:
        super().__init__()
        self.graph_scene = scene
        self.node = node
        self.is_given = False  # in the conditioning set
        self.is_found = False  # by the search
        self.beliefs: Beliefs | None = None  # what its bars show
        self._size = node_size(node)
        flags = QGraphicsItem.GraphicsItemFlag
        self.setFlags(flags.ItemIsSelectable | flags.ItemIsMovable | flags.ItemSendsGeometryChanges)
        self.setZValue(3)
        self.setOpacity(FADED if node.is_faded else 1.0)
        self.setToolTip(_tip(node))

    @property
    def name(self) -> str:
        return self.node.name

    def show_node(self, node: DrawnNode) -> None:
        """Take over another kind or note."""
        if node != self.node:
            self.prepareGeometryChange()
            self.node = node
            self._size = node_size(node)
            self.setOpacity(FADED if node.is_faded else 1.0)
            self.setToolTip(_tip(node))
            self.update()

    def outline(self) -> Outline:
        """The border, in the scene."""
        return Outline(self.pos().x(), self.pos().y(), *self._size, is_ellipse=self._is_ellipse)

    @property
    def _is_ellipse(self) -> bool:
        """Bars need a box; a latent with bars has a dashed one."""
        return self.node.is_latent and not self.node.states

    def box(self) -> QRectF:
        """The rectangle around the node, in its own coordinates."""
        width, height = self._size
        return QRectF(-width / 2, -height / 2, width, height)

    def scene_box(self) -> QRectF:
        """The same in the scene."""
        return self.box().translated(self.pos())

    def show_beliefs(self, beliefs: Beliefs | None) -> None:
        """Fill the bars of its states."""
        if beliefs != self.beliefs:
            self.beliefs = beliefs
            self.update()

    def state_at(self, point: QPointF) -> int | None:
        """The state whose bar lies at a place of the scene."""
        return row_at(self._bars_box(), self.node.states, point.y() - self.pos().y()) if self.node.states else None

    def state_place(self, state: int) -> QPointF:
        """A place of the scene on the bar of a state."""
        box, n = self._bars_box(), len(self.node.states)
        rows = [box.top() + box.height() * k / 200 for k in range(200)]
        mine = [y for y in rows if row_at(box, self.node.states, y) == state]
        if not 0 <= state < n or not mine:
            raise ValueError(f"the state {state} of {self.name} has no bar")
        return self.pos() + QPointF(0.0, mine[len(mine) // 2])

    def _bars_box(self) -> QRectF:
        inner = self.box().adjusted(PADDING[0], PADDING[1], -PADDING[0], -PADDING[1])
        return inner.adjusted(0, inner.height() - bars_size(self.node.states, note_font())[1], 0, 0)

    def set_given(self, is_given: bool) -> None:
        if is_given != self.is_given:
            self.is_given = is_given
            self.update()

    def set_found(self, is_found: bool) -> None:
        if is_found != self.is_found:
            self.is_found = is_found
            self.update()

    def boundingRect(self) -> QRectF:
        return self.box().adjusted(-5, -5, 5, 5)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        if self._is_ellipse:
            path.addEllipse(self.box())
        else:
            path.addRoundedRect(self.box(), CORNER, CORNER)
        return path

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        colours = self.graph_scene.colours
        border = colours.latent if self.node.is_latent else colours.node_border
        width = BORDER_WIDTH
        if self.node.side != Side.NONE:
            border = colours.sides[self.node.side]
            width = BORDER_WIDTH if self.node.side == Side.BOTH else SIDE_WIDTH
        if self.beliefs is not None and (self.beliefs.seen, self.beliefs.set_to) != (None, None):
            width = SIDE_WIDTH
        if self.isSelected() or self.is_found:
            is_plain = self.node.side == Side.NONE
            border, width = colours.selection if is_plain else border, SIDE_WIDTH
            halo = QColor(border if is_plain else colours.text)
            halo.setAlpha(70)
            painter.strokePath(self.shape(), QPen(halo, 8.0))
        width *= colours.line_scale
        painter.setPen(QPen(border, width, Qt.PenStyle.DashLine if self.node.is_latent else Qt.PenStyle.SolidLine))
        painter.setBrush(colours.node)
        # The pen is drawn inside, so that the outer edge is the border that the marks touch.
        inset = width / 2
        if self._is_ellipse:
            painter.drawEllipse(self.box().adjusted(inset, inset, -inset, -inset))
        else:
            painter.drawRoundedRect(self.box().adjusted(inset, inset, -inset, -inset), CORNER, CORNER)
        if self.is_given:
            painter.setPen(QPen(colours.node_border, 1.0))
            painter.drawRoundedRect(self.box().adjusted(3, 3, -3, -3), 4, 4)
        if not self.graph_scene.is_overview:
            self._paint_label(painter)

    def _paint_label(self, painter: QPainter) -> None:
        colours, box = self.graph_scene.colours, self.box()
        painter.setPen(colours.text)
        painter.setFont(label_font())
        if self.node.states:
            bars = self._bars_box()
            paint_bars(painter, bars, self.node, self.beliefs, font=note_font(), colours=colours)
            painter.setPen(colours.text)
            painter.setFont(label_font())
            painter.drawText(box.adjusted(0, PADDING[1], 0, bars.top() - box.bottom()), CENTRE, self.node.label)
            return
        if not self.node.note:
            painter.drawText(box, CENTRE, self.node.label)
            return
        n_lines = self.node.label.count("\n") + 1
        share = n_lines / (n_lines + NOTE_SHARE)
        inner = box.adjusted(0, PADDING[1], 0, -PADDING[1])
        top = QRectF(inner.left(), inner.top(), inner.width(), inner.height() * share)
        painter.drawText(top, CENTRE, self.node.label)
        painter.setPen(colours.faint_text)
        painter.setFont(note_font())
        rest = QRectF(inner.left(), top.bottom(), inner.width(), inner.height() - top.height())
        painter.drawText(rest, CENTRE, self.node.note)

    def itemChange(self, change: QGraphicsItem.GraphicsItemChange, value: object) -> object:
        if change == QGraphicsItem.GraphicsItemChange.ItemPositionHasChanged:
            self.graph_scene.node_item_moved(self)
        elif change == QGraphicsItem.GraphicsItemChange.ItemSelectedHasChanged:
            self.update()
        return super().itemChange(change, value)
