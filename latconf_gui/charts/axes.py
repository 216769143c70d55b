"""Axes, grid and legend of a chart, painted by Qt in the window's own font."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, log10

import numpy as np
import numpy.typing as npt
from matplotlib.ticker import MaxNLocator
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from latconf_core.arrays import FloatArray
from latconf_core.phrases import number_text
from latconf_core.search.outcome.history import BIDIRECTED, level_text
from latconf_gui.charts.chart_style import (
    BEST_LABEL,
    WITHOUT_LABEL,
    X_LABEL,
    Y_LABEL,
    ChartColours,
    level_style,
)
from latconf_gui.charts.dots import marker_shape

LINE_WIDTH = 1.7
DOT_ROOM = 0.3  # of a line of text, above the highest score and below the lowest, so that no dot is cut
DASHES = [4.0, 3.0]
MOST_TICKS = 10
WHOLE_SPAN = 5.0  # nats: a wider range of scores has ticks at whole numbers


@dataclass(frozen=True)
class LegendEntry:
    """A sample and what it stands for: a level's marker, or a line."""

    text: str
    colour: str
    marker: str = ""
    is_dashed: bool = False


@dataclass(frozen=True)
class Axes:
    """What a chart without dots depends on; lengths are in logical pixels.

    is_without_above : whether the best without hidden causes lies above what is shown
    """

    width: float
    height: float
    font: QFont
    colours: ChartColours
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    levels: tuple[int, ...]
    has_best: bool = False
    has_without: bool = False
    is_without_above: bool = False
    level_name: str = BIDIRECTED
    score_title: str = "p-ELBO"

    @cached_property
    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.font)

    @cached_property
    def line(self) -> float:
        """The height of a line of text."""
        return self._metrics.height()

    @cached_property
    def frame(self) -> QRectF:
        """The ground that the dots stand on."""
        widest = max(self._advance(self.score_text(y)) for y in self.y_range)
        left, top = 1.9 * self.line + widest, 0.7 * self.line + self._legend_height
        right, bottom = self.width - 1.4 * self.line, self.height - 2.7 * self.line
        return QRectF(left, top, max(right - left, 10.0), max(bottom - top, 10.0))

    def places(self, numbers: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Where dots stand."""
        frame, room = self.frame, DOT_ROOM * self.line
        height = max(self.frame.height() - 2 * room, 1.0)
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        x = frame.left() + (np.asarray(numbers, dtype=np.float64) - x0) * frame.width() / (x1 - x0)
        y = frame.bottom() - room - (np.asarray(scores, dtype=np.float64) - y0) * height / (y1 - y0)
        return x, y

    def score_text(self, score: float) -> str:
        return number_text(score, self._decimals)

    @cached_property
    def _decimals(self) -> int:
        """How many the steps of the scores need: a tick must stand where its number says."""
        span = self.y_range[1] - self.y_range[0]
        return 0 if span > WHOLE_SPAN else max(ceil(-log10(span / MOST_TICKS)), 1)

    def score_ticks(self) -> list[float]:
        """The scores with a line."""
        return _ticks(self.y_range, self.frame.height() / (2.5 * self.line), whole=self._decimals == 0)

    def paint(self, painter: QPainter, *, n_below: int = 0) -> None:
        """Grid, numbers, titles and legend; `n_below` is how many DAGs lie lower than what is shown."""
        painter.setFont(self.font)
        self._paint_grid(painter)
        self._paint_titles(painter, n_below)
        self._paint_legend(painter)

    def x_title(self, n_below: int) -> str:
        """What stands under the chart, where no dot can be; what has no room for all its words says it in fewer."""
        if not n_below:
            return X_LABEL
        short = f"{n_below:,} below ▾"
        full = f"{X_LABEL} · {n_below:,} {'lies' if n_below == 1 else 'lie'} below ▾"
        fitting = (text for text in (full, f"{X_LABEL} · {short}") if self._advance(text) <= self.width)
        return next(fitting, short)

    def _advance(self, text: str) -> float:
        return self._metrics.horizontalAdvance(text)

    def _paint_grid(self, painter: QPainter) -> None:
        frame, line = self.frame, self.line
        pen = QPen(QColor(self.colours.grid), 0 if self.colours.line_scale == 1.0 else self.colours.line_scale)
        faint = QColor(self.colours.faint)
        for value in _ticks(self.x_range, frame.width() / (6 * line), whole=True):
            x = float(self.places(value, 0)[0])
            painter.setPen(pen)
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            painter.setPen(faint)
            q_rect_f = QRectF(x - 4 * line, frame.bottom() + 0.2 * line, 8 * line, line)
            painter.drawText(q_rect_f, Qt.AlignmentFlag.AlignCenter, f"{value:,.0f}")
        for value in self.score_ticks():
            y = float(self.places(0, value)[1])
            painter.setPen(pen)
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(faint)
            q_rect_f = QRectF(0, y - line / 2, frame.left() - 0.4 * line, line)
            painter.drawText(
                q_rect_f, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.score_text(value)
            )

    def _paint_titles(self, painter: QPainter, n_below: int) -> None:
        frame, line = self.frame, self.line
        painter.setPen(QColor(self.colours.text))
        title = self.x_title(n_below)
        middle = min(frame.center().x(), self.width - self._advance(title) / 2 - 0.3 * line)
        below = QRectF(middle - self.width, self.height - 1.35 * line, 2 * self.width, line)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, title)
        if self._advance(Y_LABEL.format(self.score_title)) > frame.height():
            return  # large text in a low chart: the title would run into the legend
        painter.save()
        painter.translate(0.85 * line, frame.center().y())
        painter.rotate(-90)
        beside = QRectF(-self.height / 2, -line / 2, self.height, line)
        painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, Y_LABEL.format(self.score_title))
        painter.restore()

    # Legend ---------------------------------------------------------------------------------------

    @cached_property
    def legend(self) -> tuple[LegendEntry, ...]:
        """What occurs in the chart."""
        colours = self.colours
        entries = []
        for level in self.levels:
            style = level_style(level)
            entries.append(
                LegendEntry(level_text(level, self.level_name), style.colour(is_dark=colours.is_dark), style.marker)
            )
        if self.has_best:
            entries.append(LegendEntry(BEST_LABEL, colours.best))
        if self.has_without:
            label = f"{WITHOUT_LABEL}: higher ▴" if self.is_without_above else WITHOUT_LABEL
            entries.append(LegendEntry(label, colours.without, is_dashed=True))
        return tuple(entries)

    @cached_property
    def _legend_places(self) -> list[tuple[QPointF, LegendEntry]]:
        """The left end of each entry's middle line, in rows no wider than the chart."""
        places: list[tuple[QPointF, LegendEntry]] = []
        x, y = 0.6 * self.line, 0.9 * self.line
        for entry in self.legend:
            needed = self._sample_width(entry) + self._advance(entry.text) + self.line
            if places and x + needed > self.width:
                x, y = 0.6 * self.line, y + 1.2 * self.line
            places.append((QPointF(x, y), entry))
            x += needed
        return places

    @cached_property
    def _legend_height(self) -> float:
        return self._legend_places[-1][0].y() + 0.6 * self.line if self.legend else 0.0

    def _sample_width(self, entry: LegendEntry) -> float:
        return self.line * (1.0 if entry.marker else 1.9)

    def _paint_legend(self, painter: QPainter) -> None:
        for position, entry in self._legend_places:
            width = self._sample_width(entry)
            painter.save()
            painter.translate(position)
            if entry.marker:
                painter.translate(width / 2, 0)
                painter.fillPath(marker_shape(entry.marker, 0.48 * self.line), QColor(entry.colour))
                painter.translate(-width / 2, 0)
            else:
                pen = line_pen(entry.colour, is_dashed=entry.is_dashed, scale=self.colours.line_scale)
                painter.setPen(pen)
                painter.drawLine(QPointF(0.1 * self.line, 0), QPointF(width - 0.3 * self.line, 0))
            painter.setPen(QColor(self.colours.text))
            text = QRectF(width, -self.line / 2, self.width, self.line)
            painter.drawText(text, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, entry.text)
            painter.restore()


def line_pen(colour: str, *, is_dashed: bool = False, scale: float = 1.0) -> QPen:
    """The pen of the chart's lines."""
    pen = QPen(QColor(colour), LINE_WIDTH * scale)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if is_dashed:
        pen.setDashPattern(DASHES)
    return pen


def _ticks(shown: tuple[float, float], most: float, *, whole: bool = False) -> list[float]:
    """Round numbers inside a range."""
    steps = [1, 2, 2.5, 5, 10] if whole else [1, 2, 5, 10]  # 25 is whole, 0.25 needs a digit more
    locator = MaxNLocator(min(max(int(most), 2), MOST_TICKS), steps=steps, integer=whole)
    return [float(value) for value in locator.tick_values(*shown) if shown[0] <= value <= shown[1]]
