"""Bars of probabilities, each with the range of values that other models give: a picture for one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from latconf_gui.look.colours import Colours

LINES_OF_BAR = 1.9  # the height of a bar with its surroundings, in lines of text
THICK, CAP = 0.55, 0.42  # of a line: the bar, and the strokes at the ends of its range
LABEL_SHARE = 0.42  # of the width at most, for the labels
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
    """One bar per line: label, bar, a stroke from the least to the greatest value, and the numbers."""

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

    def _columns(self) -> tuple[float, float, float]:
        """Where labels end, where bars begin and how long the longest is; numbers stand below in a narrow widget."""
        metrics, line = self.fontMetrics(), self.fontMetrics().height()
        longest = max((metrics.horizontalAdvance(bar.label) for bar in self.bars), default=0)
        label = min(longest, LABEL_SHARE * self.width())
        start = label + 0.5 * line
        return label, start, max(self.width() - start - 0.2 * line, line)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = LINES_OF_BAR * self.fontMetrics().height()
        for place, bar in enumerate(self.bars):
            self._paint_bar(painter, bar, place * height)
        painter.end()

    def _paint_bar(self, painter: QPainter, bar: RangeBar, top: float) -> None:
        palette, line = self.palette(), self.fontMetrics().height()
        label, start, length = self._columns()
        middle = top + 1.35 * line
        font = QFont(self.font())
        font.setBold(bar.is_chosen and any(not other.is_chosen for other in self.bars))
        painter.setFont(font)
        ink = palette.color(QPalette.ColorRole.Text)
        painter.setPen(ink)
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        text = self.fontMetrics().elidedText(bar.label, Qt.TextElideMode.ElideRight, round(label))
        painter.drawText(QRectF(0, middle - line, label + 2, 2 * line), side, text)
        painter.drawText(QRectF(start, top - 0.1 * line, length, line), side, bar.numbers)
        accent = QColor(palette.color(QPalette.ColorRole.Accent))
        accent.setAlpha(BAR_ALPHA if bar.is_chosen else OTHER_ALPHA)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        box = QRectF(start, middle - THICK * line / 2, max(length * bar.value, 1.0), THICK * line)
        painter.drawRect(box)
        painter.setPen(QPen(palette.color(QPalette.ColorRole.PlaceholderText), 1.0))
        painter.drawLine(QPointF(start, box.top() - 1), QPointF(start, box.bottom() + 1))
        if bar.has_range:
            self._paint_range(painter, bar, middle, ink)

    def _paint_range(self, painter: QPainter, bar: RangeBar, middle: float, ink: QColor) -> None:
        """A stroke with a cap at either end."""
        assert bar.least is not None and bar.greatest is not None, "it has a range"
        _, start, length = self._columns()
        cap = CAP * self.fontMetrics().height()
        painter.setPen(QPen(ink, 1.6 * Colours.from_palette(self.palette()).line_scale))
        left, right = start + length * bar.least, start + length * bar.greatest
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        for x in (left, right):
            painter.drawLine(QPointF(x, middle - cap), QPointF(x, middle + cap))
