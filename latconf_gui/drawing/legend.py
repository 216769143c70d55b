"""What the marks mean, drawn with the marks themselves: as a strip in the window and below an exported picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from latconf_core.graph.marks import Mark
from latconf_core.wording.arrow_words import FULL_ARROW, HOLLOW_ARROW, MAG_LEGEND
from latconf_core.wording.mark_meanings import (
    ARROW_OF_CLASS,
    BIDIRECTED_SHORTLY,
    HIDDEN_CAUSE,
    HIDDEN_VARIABLE,
    LINE_OF_CLASS,
    MARK_SHORTLY,
)
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnKind
from latconf_gui.drawing.items.edge_item import SIDE_DASHES, SIDE_SIGNS, SIDE_WIDTHS, VISIBLE_WIDTH
from latconf_gui.drawing.items.mark_item import (
    LINE_WIDTH,
    MARK_DEPTH,
    hollow_head,
    mark_shape,
    paint_hollow_head,
    paint_mark,
)
from latconf_gui.drawing.items.state_bars import SEEN_SIGN, SET_SIGN
from latconf_gui.look.colours import TEXT_PIXELS, Colours
from latconf_gui.look.sides import Side

SAMPLE_WIDTH = 30.0
SPACING = 14.0
DOUBLE_SCALE = 0.75  # of two marks on one sample, so that some line is seen between them
BRIEFLY = {Mark.CIRCLE: "undecided", Mark.ARROW: "not a cause", Mark.TAIL: "cause"}


@dataclass(frozen=True)
class LegendEntry:
    """A sample (a mark, or None for a latent) and its meaning."""

    mark: Mark | None
    text: str
    short: str  # where there is little room
    is_double: bool = False  # the same mark at both ends
    side: Side = Side.NONE  # a piece of line as an overlay draws it
    is_visible: bool = False  # a thick line
    is_open: bool = False  # a hollow head on a lighter line
    is_box: bool = False  # a latent with bars inside
    sign: str = ""  # at the bar of a state
    group: str = ""  # the kind of graph, where several have a legend together


OPEN = LegendEntry(Mark.ARROW, HOLLOW_ARROW, "direction not determined", is_open=True)
SHARES = LegendEntry(
    None,
    "thickness: share of samples with an edge; number: share with this edge",
    "shares of samples",
    sign="62%",
)
KIND_TITLES = {
    DrawnKind.MODEL: "DAG",
    DrawnKind.DRAWN: "DAG",
    DrawnKind.CLASS: "Class",
    DrawnKind.MAG: "MAG",
    DrawnKind.PAG: "PAG",
}
Row = list[tuple[float, str, LegendEntry]]


def legend_of(drawing: Drawing) -> tuple[LegendEntry, ...]:
    """By the kind of graph: arrows of a DAG and hidden causes where it has any; every mark of a MAG or PAG."""
    if drawing.overlaid is not None:
        return _overlay_legend(drawing, *drawing.overlaid)
    entries = _dag_legend(drawing) if drawing.is_dag else _mark_legend(drawing)
    return (*entries, SHARES) if drawing.has_shares else entries


def _overlay_legend(drawing: Drawing, a: str, b: str) -> tuple[LegendEntry, ...]:
    """Who A and B are, and how what only one of them has is drawn."""
    sides = (
        LegendEntry(None, f"only in A: {a}", f"A: {a}", side=Side.ONLY_A),
        LegendEntry(None, f"only in B: {b}", f"B: {b}", side=Side.ONLY_B),
        LegendEntry(None, "in both", "both", side=Side.BOTH),
    )
    open_ones = (OPEN,) if drawing.has_open else ()
    return (*sides, *open_ones, *_hidden_legend(drawing))


def _hidden_legend(drawing: Drawing) -> tuple[LegendEntry, ...]:
    """What dashed nodes are: common causes in a model, anything that is not measured in a DAG that a person draws."""
    if not drawing.has_latents:
        return ()
    is_drawn = drawing.kind in (DrawnKind.DRAWN, DrawnKind.CLASS)
    text, short = (HIDDEN_VARIABLE, "hidden") if is_drawn else (HIDDEN_CAUSE, "hidden cause")
    if drawing.has_bars:
        return (LegendEntry(None, f"dashed box: {text}", short, is_box=True),)
    return (LegendEntry(None, f"dashed ellipse: {text}", short),)


def _dag_legend(drawing: Drawing) -> tuple[LegendEntry, ...]:
    """Arrows, and what is seen and set where states are shown."""
    arrows = (LegendEntry(Mark.ARROW, FULL_ARROW, "cause in this DAG"), *([OPEN] if drawing.has_open else []))
    if not drawing.has_bars:
        return (*_hidden_legend(drawing), *arrows)
    seen = LegendEntry(None, "observed", "observed", sign=SEEN_SIGN)
    set_to = LegendEntry(None, "set by intervention: incoming edges cut", "set", sign=SET_SIGN)
    return (*_hidden_legend(drawing), *arrows, seen, set_to)


def _class_legend(drawing: Drawing) -> tuple[LegendEntry, ...]:
    """What all DAGs of a class have, and where they differ."""
    arrow = LegendEntry(Mark.ARROW, ARROW_OF_CLASS, "in every DAG")
    line = LegendEntry(Mark.TAIL, LINE_OF_CLASS, "either direction", is_double=True)
    return (*_hidden_legend(drawing), arrow, line)


def _mag_legend(drawing: Drawing) -> tuple[LegendEntry, ...]:
    """The edges of a MAG, which are its own: others of the same class may have other ones."""
    arrow = LegendEntry(Mark.ARROW, MAG_LEGEND["-->"], "cause in this MAG")
    both = LegendEntry(Mark.ARROW, MAG_LEGEND["<->"], "shared hidden cause", is_double=True)
    return (arrow, both) if drawing.has_bidirected else (arrow,)


def _mark_legend(drawing: Drawing) -> tuple[LegendEntry, ...]:
    """Every mark of a PAG, and what occurs besides."""
    if drawing.kind == DrawnKind.CLASS:
        return _class_legend(drawing)
    marks = tuple(LegendEntry(mark, text, BRIEFLY[mark]) for mark, text in MARK_SHORTLY.items())
    both = LegendEntry(Mark.ARROW, BIDIRECTED_SHORTLY, "hidden cause", is_double=True)
    thick = LegendEntry(Mark.ARROW, "thick: no hidden common cause", "visible", is_visible=True)
    thick_ones = (thick,) if drawing.has_visible else ()
    if drawing.kind == DrawnKind.MAG:
        return (*_mag_legend(drawing), *thick_ones)
    return (*marks, *([both] if drawing.has_bidirected else []), *thick_ones)


def legend_rows(entries: tuple[LegendEntry, ...], font: QFont, width: float) -> list[Row]:
    """Entries in rows no wider than `width`: the left edge of each, and its text, brief where the full one is wider."""
    metrics, scale = QFontMetricsF(font), _scale(font)
    sample = (SAMPLE_WIDTH + 6) * scale
    begin = _group_width(entries, font)
    is_narrow = any(begin + sample + metrics.horizontalAdvance(entry.text) > width for entry in entries)
    rows: list[Row] = [[]]
    left = begin
    for entry in entries:
        text = entry.short if is_narrow else entry.text
        needed = sample + metrics.horizontalAdvance(text)
        if rows[-1] and (left + needed > width or entry.group != rows[-1][-1][2].group):
            rows.append([])
            left = begin
        rows[-1].append((left, text, entry))
        left += needed + SPACING * scale
    return rows


def _group_width(entries: tuple[LegendEntry, ...], font: QFont) -> float:
    """What the names of the graphs need before their entries, where there are several graphs."""
    metrics = QFontMetricsF(font)
    return max((metrics.horizontalAdvance(f"{entry.group}:  ") for entry in entries if entry.group), default=0.0)


def legend_of_several(drawings: Sequence[Drawing]) -> tuple[LegendEntry, ...]:
    """The legends of graphs that stand side by side: one where all say the same, else each after its kind."""
    legends = {drawing.kind: legend_of(drawing) for drawing in drawings}
    if len(set(legends.values())) <= 1:
        return next(iter(legends.values()), ())
    return tuple(replace(entry, group=KIND_TITLES[kind]) for kind, legend in legends.items() for entry in legend)


def row_height(font: QFont) -> float:
    return max(QFontMetricsF(font).height(), 14.0 * _scale(font)) + 4


def _scale(font: QFont) -> float:
    return QFontMetricsF(font).height() / QFontMetricsF(_sized(font)).height()


def _sized(font: QFont) -> QFont:
    plain = QFont(font)
    plain.setPixelSize(TEXT_PIXELS)
    return plain


def paint_legend(
    painter: QPainter, rectangle: QRectF, entries: tuple[LegendEntry, ...], *, font: QFont, colours: Colours
) -> None:
    """Draw the legend into a rectangle."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    height, scale = row_height(font), _scale(font)
    before = ""
    for number, row in enumerate(legend_rows(entries, font, rectangle.width())):
        group = row[0][2].group if row else ""
        if group and group != before:
            painter.setFont(font)
            painter.setPen(colours.text)
            box = QRectF(rectangle.left(), rectangle.top() + number * height, rectangle.width(), height)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, f"{group}:")
        before = group
        for left, text, entry in row:
            box = QRectF(rectangle.left() + left, rectangle.top() + number * height, rectangle.width(), height)
            _paint_sample(painter, box, entry, font=font, colours=colours)
            painter.setFont(font)
            painter.setPen(colours.text)
            box.setLeft(box.left() + (SAMPLE_WIDTH + 6) * scale)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


def _paint_sample(painter: QPainter, box: QRectF, entry: LegendEntry, *, font: QFont, colours: Colours) -> None:
    """A piece of line that ends with the mark at a border, a small dashed ellipse, or the sign of a state."""
    mark, scale = entry.mark, _scale(font)
    painter.save()
    painter.translate(box.left(), box.center().y())
    painter.scale(scale, scale)
    if entry.side != Side.NONE:
        _paint_side(painter, entry.side, colours)
    elif entry.sign:
        painter.setPen(colours.text)
        painter.setFont(_sized(font))  # the painter scales it
        alignment = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
        painter.drawText(QRectF(0, -8, SAMPLE_WIDTH, 16), alignment, entry.sign)
    elif mark is None:
        painter.setPen(QPen(colours.latent, LINE_WIDTH * colours.line_scale, Qt.PenStyle.DashLine))
        painter.setBrush(colours.node)
        sample = QRectF(2, -6, SAMPLE_WIDTH - 6, 12)
        painter.drawRoundedRect(sample, 3, 3) if entry.is_box else painter.drawEllipse(sample)
    else:
        size = DOUBLE_SCALE if entry.is_double else 1.0
        depth = size * MARK_DEPTH[mark]
        width = VISIBLE_WIDTH if entry.is_visible else LINE_WIDTH
        ink = colours.lighter(colours.edge) if entry.is_open else colours.edge
        painter.setPen(QPen(ink, width * colours.line_scale))
        painter.drawLine(QPointF(2 + (depth if entry.is_double else 0), 0), QPointF(SAMPLE_WIDTH - 4 - depth, 0))
        for x, towards in ((SAMPLE_WIDTH - 4, 1.0), (2.0, -1.0))[: 2 if entry.is_double else 1]:
            tip, direction = (x, 0.0), (towards, 0.0)
            if entry.is_open:
                head = hollow_head(tip, direction, scale=size, line_scale=colours.line_scale)
                paint_hollow_head(painter, head, ink=ink, ground=colours.canvas, line_scale=colours.line_scale)
            else:
                shape = mark_shape(mark, tip, direction, scale=size)
                paint_mark(painter, mark, shape, ink=ink, ground=colours.canvas)
            painter.setPen(QPen(colours.node_border, 1.2))
            painter.drawLine(QPointF(x, -6), QPointF(x, 6))
    painter.restore()


def _paint_side(painter: QPainter, side: Side, colours: Colours) -> None:
    """A piece of line as an overlay draws it, with its letter."""
    pen = QPen(colours.sides[side], SIDE_WIDTHS[side], Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
    if side in SIDE_DASHES:
        pen.setDashPattern([0.5 * side_dash for side_dash in SIDE_DASHES[side]])
    painter.setPen(pen)
    painter.drawLine(QPointF(-2, 0), QPointF(SAMPLE_WIDTH + 1, 0))
    if side in SIDE_SIGNS:
        disc = QRectF(SAMPLE_WIDTH / 2 - 6, -6, 12, 12)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.sides[side])
        painter.drawEllipse(disc)
        font = QFont(painter.font())
        font.setPixelSize(10)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(colours.canvas)
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, SIDE_SIGNS[side])


class LegendWidget(QWidget):
    """The legend as a strip that wraps to as many rows as it needs."""

    def __init__(self, entries: tuple[LegendEntry, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries = entries
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._describe()

    def show_entries(self, entries: tuple[LegendEntry, ...]) -> None:
        if entries != self._entries:
            self._entries = entries
            self._describe()
            self.updateGeometry()
            self.update()

    def _describe(self) -> None:
        self.setAccessibleName("Legend")
        self.setAccessibleDescription(
            "; ".join(f"{entry.group}: {entry.text}" if entry.group else entry.text for entry in self._entries)
        )

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(len(legend_rows(self._entries, self.font(), width - 12)) * row_height(self.font()) + 6)

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(self.width()))  # a layout never gives it more height than this

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.height() != self.heightForWidth(self.width()):
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = Colours.from_palette(self.palette())
        painter.fillRect(self.rect(), colours.canvas)
        area = QRectF(self.rect()).adjusted(6, 3, -6, -3)
        paint_legend(painter, area, self._entries, font=self.font(), colours=colours)
        painter.end()
