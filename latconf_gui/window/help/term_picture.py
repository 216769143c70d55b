"""The small picture of a term: a graph as the program draws graphs, or a few bars."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontInfo, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from latconf_core.comparison.overlay import lay_over
from latconf_core.comparison.subject import Subject
from latconf_core.teaching.glossary import Bars, GlossaryEntry, GraphPicture
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnEdge, DrawnKind, DrawnNode
from latconf_gui.drawing.content.overlay_drawing import drawing_of_overlay
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.look.colours import TEXT_PIXELS, Colours, Highlight

BAR_LINES = 1.5  # the height of a bar with its surroundings, in lines of text
BAR_SHARE = 0.5  # of the width; the rest is for the labels
LEAST_LETTERS = 24
_CHANGES = (QEvent.Type.FontChange, QEvent.Type.PaletteChange, QEvent.Type.StyleChange)


def drawing_of_picture(picture: GraphPicture) -> Drawing:
    """What a scene shows of a picture."""
    if picture.other is not None:
        return drawing_of_overlay(lay_over(Subject("A", picture.graph), Subject("B", picture.other)), ("A", "B"))
    nodes = [DrawnNode(name, is_latent=name in picture.hidden) for name in picture.graph.nodes]
    kind = DrawnKind.DRAWN if picture.hidden else DrawnKind.PAG
    edges = [DrawnEdge(edge, bool({edge.first, edge.second} & picture.hidden)) for edge in picture.graph.edges()]
    return Drawing(tuple(nodes), tuple(edges), kind=kind)


class TermPicture(QWidget):
    """As large as its text asks for, smaller where there is too little room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: GraphPicture | Bars | None = None
        self._scene = GraphScene(self, is_editable=False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_entry(self, entry: GlossaryEntry) -> None:
        """Show the picture of a term."""
        self._picture = entry.picture
        self.setAccessibleName(f"Picture: {describe_picture(entry.picture)}")
        if isinstance(entry.picture, GraphPicture):
            self._scene.show_drawing(drawing_of_picture(entry.picture), entry.picture.places)
            self._scene.set_given(entry.picture.given)
            self._scene.set_highlights(dict.fromkeys(entry.picture.lit, Highlight.PATH))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        if isinstance(self._picture, Bars):
            n_lines = len(self._picture.bars) + (0.8 if self._picture.line is not None else 0.0)
            return QSize(20 * line, round(n_lines * BAR_LINES * line))
        extent, scale = self._scene.extent(), self._natural_scale()
        return QSize(round(extent.width() * scale) + line, round(extent.height() * scale) + line)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * LEAST_LETTERS, self.sizeHint().height())

    def _natural_scale(self) -> float:
        return QFontInfo(self.font()).pixelSize() / TEXT_PIXELS

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _CHANGES:
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = Colours.from_palette(self.palette())
        painter.fillRect(self.rect(), colours.canvas)
        if isinstance(self._picture, Bars):
            self._paint_bars(painter, self._picture)
        else:
            self._paint_graph(painter, colours)
        painter.end()

    def _paint_graph(self, painter: QPainter, colours: Colours) -> None:
        self._scene.set_colours(colours)
        source = self._scene.extent().adjusted(-4, -4, 4, 4)
        scale = min(self._natural_scale(), self.width() / source.width(), self.height() / source.height())
        target = QRectF(0, 0, source.width() * scale, source.height() * scale)
        target.moveCenter(QRectF(self.rect()).center())
        self._scene.render(painter, target, source)

    def _paint_bars(self, painter: QPainter, bars: Bars) -> None:
        palette, line = self.palette(), self.fontMetrics().height()
        most, left = max(value for _, value in bars.bars), self.width() * (1 - BAR_SHARE)
        room = self.width() - left - line
        side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for index, (label, value) in enumerate(bars.bars):
            top = index * BAR_LINES * line
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            text = QRectF(0, top, left - 0.6 * line, BAR_LINES * line)
            shown = painter.fontMetrics().elidedText(label, Qt.TextElideMode.ElideMiddle, round(text.width()))
            painter.drawText(text, side, shown)
            bar = QRectF(left, top + 0.25 * line, max(room * value / most, 1.0), (BAR_LINES - 0.5) * line)
            painter.fillRect(bar, palette.color(QPalette.ColorRole.Accent))
        if bars.line is not None:
            self._paint_line(painter, left + room * bars.line / most, bars)

    def _paint_line(self, painter: QPainter, x: float, bars: Bars) -> None:
        line, ink = self.fontMetrics().height(), self.palette().color(QPalette.ColorRole.Text)
        bottom = len(bars.bars) * BAR_LINES * line
        painter.setPen(QPen(ink, 1.5, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, 0), QPointF(x, bottom))
        text = QRectF(0, bottom, self.fontMetrics().horizontalAdvance(bars.line_label) + 4, line)
        text.moveCenter(QPointF(x, text.center().y()))
        text.moveLeft(min(max(text.left(), 0.0), self.width() - text.width()))
        painter.drawText(text, Qt.AlignmentFlag.AlignCenter, bars.line_label)


def describe_picture(picture: GraphPicture | Bars) -> str:
    """The picture in words."""
    if isinstance(picture, Bars):
        return ", ".join(label for label, _ in picture.bars)
    said = ", ".join(map(str, picture.graph.edges()))
    if picture.other is not None:
        said = f"A: {said}; B: {', '.join(map(str, picture.other.edges()))}"
    return f"{said}; hidden: {', '.join(sorted(picture.hidden))}" if picture.hidden else said
