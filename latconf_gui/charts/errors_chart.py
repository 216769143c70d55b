"""A small chart: errors of a learned graph against rows, a thin line for each draw and a thick one for their mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from latconf_gui.look.colours import Colours

ROWS_TITLE, ERRORS_TITLE = "rows", "errors"
LEAST_TOP = 4  # errors that the chart has room for at least
LINES = 9  # its height in lines of text
MEAN_WIDTH, DRAW_WIDTH = 2.2, 1.0


@dataclass(frozen=True)
class ErrorPoint:
    """How many errors were made with the first rows of a draw."""

    draw: int
    n_rows: int
    n_errors: int


class ErrorsChart(QWidget):
    """`rows_chosen` carries the number of rows that was clicked or stepped to."""

    rows_chosen = Signal(int)

    def __init__(self, sizes: Sequence[int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sizes = tuple(sizes)
        self._points: tuple[ErrorPoint, ...] = ()
        self._rows, self._draw = self._sizes[0], 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Chart of errors against rows")
        self.setToolTip("Thin: each draw. Thick: mean. Click to select a number of rows.")

    def show_points(self, points: Sequence[ErrorPoint], *, n_rows: int, draw: int) -> None:
        """Show what was counted so far, and where one looks."""
        self._points, self._rows, self._draw = tuple(points), n_rows, draw
        means = (f"{size:,} rows: {mean:.1f} errors" for size, mean in self.means().items())
        self.setAccessibleDescription(f"{'; '.join(means)}. Left and Right change the number of rows.")
        self.update()

    def means(self) -> dict[int, float]:
        """The mean number of errors by rows, over the draws that are known."""
        errors_of: dict[int, list[int]] = {size: [] for size in self._sizes}
        for point in self._points:
            errors_of[point.n_rows].append(point.n_errors)
        return {size: sum(errors) / len(errors) for size, errors in errors_of.items() if errors}

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 60, self.fontMetrics().height() * LINES)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 30, self.fontMetrics().height() * (LINES - 2))

    def place_of(self, n_rows: int, n_errors: float) -> QPointF:
        """Where a point stands in the widget."""
        frame, top = self._frame(), self._top()
        low, high = log10(self._sizes[0]), log10(self._sizes[-1])
        x = frame.left() + frame.width() * (log10(n_rows) - low) / ((high - low) or 1.0)
        return QPointF(x, frame.bottom() - frame.height() * n_errors / top)

    def _frame(self) -> QRectF:
        line = self.fontMetrics().height()
        return QRectF(self.rect()).adjusted(3.6 * line, 0.8 * line, -2.4 * line, -3.0 * line)

    def _top(self) -> int:
        return max([LEAST_TOP, *(point.n_errors for point in self._points)])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = Colours.from_palette(self.palette())
        painter.fillRect(self.rect(), colours.canvas)
        self._paint_axes(painter, colours)
        self._paint_draws(painter, colours)
        self._paint_mean(painter, colours)
        painter.end()

    def _paint_axes(self, painter: QPainter, colours: Colours) -> None:
        frame, line, top = self._frame(), self.fontMetrics().height(), self._top()
        grid = QPen(self.palette().color(QPalette.ColorRole.Mid), colours.line_scale)
        step = next(
            each for each in (1, 2, 5, 10, 20, 50, 100) if top / each * 1.3 * line <= frame.height() or each == 100
        )
        for value in range(0, top + 1, step):
            y = self.place_of(self._sizes[0], value).y()
            painter.setPen(grid)
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(colours.faint_text)
            q_rect_f = QRectF(0, y - line / 2, frame.left() - 0.5 * line, line)
            painter.drawText(q_rect_f, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(value))
        end = 0.0  # of the label before
        for size in [size for size in self._sizes if str(size).strip("0") == "1"]:
            x, half = self.place_of(size, 0).x(), self.fontMetrics().horizontalAdvance(f"{size:,}") / 2
            if x - half < end:
                continue
            end = x + half + 0.5 * line
            q_rect_f = QRectF(x - 4 * line, frame.bottom() + 0.4 * line, 8 * line, line)
            painter.drawText(q_rect_f, Qt.AlignmentFlag.AlignCenter, f"{size:,}")
        painter.setPen(colours.text)
        below = QRectF(0, self.height() - 1.3 * line, self.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, ROWS_TITLE)
        painter.save()
        painter.translate(0.9 * line, frame.center().y())
        painter.rotate(-90)
        painter.drawText(
            QRectF(-frame.height(), -line / 2, 2 * frame.height(), line), Qt.AlignmentFlag.AlignCenter, ERRORS_TITLE
        )
        painter.restore()

    def _paint_draws(self, painter: QPainter, colours: Colours) -> None:
        """A line for each draw; the one that is looked at in the colour of what was learned."""
        x = self.place_of(self._rows, 0).x()
        frame = self._frame()
        painter.setPen(QPen(colours.selection, MEAN_WIDTH * colours.line_scale, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
        for draw in sorted({point.draw for point in self._points}, key=lambda draw: draw == self._draw):
            points = sorted((p for p in self._points if p.draw == draw), key=lambda point: point.n_rows)
            ink = QColor(colours.selection if draw == self._draw else colours.faint_text)
            painter.setPen(QPen(ink, DRAW_WIDTH * colours.line_scale))
            places = [self.place_of(point.n_rows, point.n_errors) for point in points]
            painter.drawPolyline(QPolygonF(places))
            painter.setBrush(ink)
            for index in places:
                painter.drawEllipse(index, 2.5, 2.5)

    def _paint_mean(self, painter: QPainter, colours: Colours) -> None:
        places = [self.place_of(size, mean) for size, mean in self.means().items()]
        painter.setPen(QPen(colours.text, MEAN_WIDTH * colours.line_scale))
        painter.drawPolyline(QPolygonF(places))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        near = min(self._sizes, key=lambda size: abs(self.place_of(size, 0).x() - event.position().x()))
        self.rows_chosen.emit(near)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        index = self._sizes.index(self._rows) + step
        self.rows_chosen.emit(self._sizes[min(max(index, 0), len(self._sizes) - 1)])
