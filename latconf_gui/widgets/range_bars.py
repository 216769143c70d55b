"""Bars of probabilities, each with the range of values that other models give: a picture for one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from latconf_gui.look.colours import Colours

LINES_OF_BAR = 2.1  # the height of a bar with its text, in lines of text
THICK = 0.5  # of a line: the bar
BAR_ALPHA, OTHER_ALPHA = 150, 60
SAME = 5e-4  # a range that is shorter is one number


@dataclass(frozen=True)
class RangeBar:
    """A value between 0 and 1 with its label.

    least, greatest : how far other models of the same class go, or none
    is_chosen : whether it stands out among the bars
    """

    label: str
    value: float
    least: float | None = None
    greatest: float | None = None
    is_chosen: bool = True

    @property
    def has_range(self) -> bool:
        return self.least is not None and self.greatest is not None and self.greatest - self.least > SAME

    @property
    def numbers(self) -> str:
        """The value, and the range where there is one."""
        span = f" ({self.least:.3f} – {self.greatest:.3f})" if self.has_range else ""
        return f"{self.value:.3f}{span}"


class RangeBars(QWidget):
    """Per bar its label with the numbers, and below them the bar with a stroke from the least to the greatest value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: tuple[RangeBar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Bars with ranges")

    def show_bars(self, bars: Sequence[RangeBar], *, title: str = "") -> None:
        """Show these; `title` says what they are to a screen reader."""
        self.bars = tuple(bars)
        self.setAccessibleName(title or "Bars with ranges")
        said = "\n".join(f"{bar.label}: {bar.numbers}" for bar in bars)
        self.setAccessibleDescription(said)
        self.setToolTip(said)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(16 * line, round(len(self.bars) * LINES_OF_BAR * line) + (2 if self.bars else 0))

    def minimumSizeHint(self) -> QSize:
        return QSize(10 * self.fontMetrics().height(), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = LINES_OF_BAR * self.fontMetrics().height()
        for index, bar in enumerate(self.bars):
            self._paint_bar(painter, bar, index * height)
        painter.end()

    def _paint_bar(self, painter: QPainter, bar: RangeBar, top: float) -> None:
        """Label and numbers on a line, the bar below them over the whole width."""
        palette, line, width = self.palette(), self.fontMetrics().height(), float(self.width())
        font = QFont(self.font())
        font.setBold(bar.is_chosen and any(not other.is_chosen for other in self.bars))
        painter.setFont(font)
        metrics, ink = QFontMetricsF(font), palette.color(QPalette.ColorRole.Text)
        painter.setPen(ink)
        text, middle = QRectF(0, top, width, 1.1 * line), Qt.AlignmentFlag.AlignVCenter
        painter.drawText(text, middle | Qt.AlignmentFlag.AlignRight, bar.numbers)
        room = width - metrics.horizontalAdvance(bar.numbers) - 0.6 * line
        label = metrics.elidedText(bar.label, Qt.TextElideMode.ElideRight, room)
        painter.drawText(text, middle | Qt.AlignmentFlag.AlignLeft, label)
        accent = QColor(palette.color(QPalette.ColorRole.Accent))
        accent.setAlpha(BAR_ALPHA if bar.is_chosen else OTHER_ALPHA)
        box = QRectF(0, top + 1.2 * line, width, THICK * line)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(QPalette.ColorRole.Base))
        painter.drawRect(box)
        painter.setBrush(accent)
        painter.drawRect(QRectF(box.left(), box.top(), max(width * bar.value, 1.0), box.height()))
        if bar.has_range:
            self._paint_range(painter, bar, box, ink)

    def _paint_range(self, painter: QPainter, bar: RangeBar, box: QRectF, ink: QColor) -> None:
        """A stroke with a cap at either end."""
        if bar.least is None or bar.greatest is None:
            return
        width = 1.6 * Colours.from_palette(self.palette()).line_scale
        painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        inside = box.adjusted(width / 2, 0, -width / 2, 0)
        left, right = (inside.left() + inside.width() * share for share in (bar.least, bar.greatest))
        middle = box.center().y()
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        for x in (left, right):
            painter.drawLine(QPointF(x, box.top() - 1), QPointF(x, box.bottom() + 1))
