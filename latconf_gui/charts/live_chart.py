"""The live chart of a search, the paper's Figure 2: p-ELBO against DAGs visited, a dot for each.

Only new dots are drawn, on a timer; all of them again only where an axis must grow.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from latconf_core.search.outcome.history import History
from latconf_gui.background.gil_priority import GIL_PRIORITY
from latconf_gui.charts.axes import Axes, line_pen
from latconf_gui.charts.chart_style import ChartColours, dot_width
from latconf_gui.charts.dots import DotLayer
from latconf_gui.charts.ranges import Show, count_limit, score_range
from latconf_gui.look.colours import Colours
from latconf_gui.look.plain_tips import plain_tip

DRAW_MILLISECONDS = 80
DRAWS_BETWEEN_RANGES = 25  # draws between two looks at whether the range of scores still suits
REACH = 12.0  # logical pixels between the mouse and the dot it means


class LiveChart(QWidget):
    """Follows a history. `visit_chosen` carries the number of the dot that was clicked or stepped to."""

    visit_chosen = Signal(int)

    def __init__(self, describe: Callable[[int], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._describe = describe
        self._visits = History()
        self._reference: float | None = None
        self._picture: tuple[Axes, DotLayer] | None = None
        self._n_drawn = 0
        self._ratio = 0.0  # of the screen that the picture was drawn for
        self._is_stale = True
        self._is_running = False
        self._show: Show = "typical"
        self._hovered: int | None = None
        self.selected: int | None = None
        self._n_draws = 0
        self._timer = QTimer(self, interval=DRAW_MILLISECONDS, singleShot=True)
        self._timer.timeout.connect(self._draw_new)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Chart of the score against DAGs visited")
        self.setToolTipDuration(-1)

    # What is shown --------------------------------------------------------------------------------

    @property
    def n_drawn(self) -> int:
        """How many visits are in the picture."""
        return self._n_drawn

    @property
    def axes(self) -> Axes:
        """The axes as they are now, wide enough for every visit that is known."""
        return self._drawn()[0]

    @property
    def _score_without(self) -> float | None:
        """The best score without latents that is known, of a visit or not."""
        visited = self._visits.best_without_latents
        known = [None if visited is None else self._visits.score(visited.index), self._reference]
        return max((score for score in known if score is not None), default=None)

    def _drawn(self) -> tuple[Axes, DotLayer]:
        is_other_screen = self._ratio != self.devicePixelRatioF()
        if self._picture is None or self._is_stale or is_other_screen:
            self._picture = self._draw_all()
        return self._picture

    def follow(self, visits: History, *, is_running: bool, reference: float | None = None) -> None:
        """Show other visits, all at once; `reference` is the score of the best DAG without latents."""
        self._visits, self._is_running, self._reference = visits, is_running, reference
        self.selected = self._hovered = None
        self._make_stale()

    def visits_added(self) -> None:
        """More was added to the visits; they are drawn soon, together with others that come meanwhile."""
        if not self._timer.isActive():
            self._timer.start()

    def end_run(self, visits: History, reference: float | None) -> None:
        """Nothing more comes: the same visits as the result keeps them, on axes that fit what is there."""
        self._visits, self._is_running, self._reference = visits, False, reference
        self._make_stale()

    def redraw(self) -> None:
        """Scores have changed: all is drawn again."""
        self._make_stale()

    def set_shown(self, show: Show) -> None:
        """Show all scores, the typical ones, or those near the best."""
        self._show = show
        self._make_stale()

    def select(self, number: int | None) -> None:
        """Put a ring around a dot."""
        self.selected = number
        self.update()

    def _make_stale(self) -> None:
        self._is_stale = True
        self._say_summary()
        self.update()

    def _say_summary(self) -> None:
        count = len(self._visits)
        best = "" if self._visits.best is None else f"; the best is {self._describe(self._visits.best.index)}"
        keys = "Left and Right move between dots, B selects the best."
        self.setAccessibleDescription(f"{count} DAGs visited{best}. {keys}")

    # Drawing --------------------------------------------------------------------------------------

    def _draw_new(self) -> None:
        """Add the dots that came since, if anybody looks; where they do not fit, all are drawn at the next paint."""
        if not self.isVisible():
            return
        if self._picture is None or self._is_stale or not self._fits(self._picture[0]):
            self._is_stale = True
        else:
            self._add_dots(*self._picture)
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw_new()

    def _add_dots(self, axes: Axes, layer: DotLayer) -> None:
        visits, begin, end = self._visits, self._n_drawn, len(self._visits)
        shown = begin + np.flatnonzero(visits.p_elbo[begin:end] >= axes.y_range[0])
        x, y = axes.places(shown + 1, visits.p_elbo[shown])
        layer.add(x - axes.frame.left(), y - axes.frame.top(), visits.level[shown])
        self._n_drawn = end

    def _fits(self, axes: Axes) -> bool:
        """Whether the new visits can be added to the picture as it is."""
        visits = self._visits
        new_levels = set(np.unique(visits.level[self._n_drawn :]).tolist())
        if len(visits) > axes.x_range[1] or not new_levels <= set(axes.levels):
            return False
        if (self._score_without is not None) != axes.has_without:
            return False
        if visits.best is not None and visits.score(visits.best.index) > axes.y_range[1]:
            return False
        self._n_draws += 1
        return self._n_draws % DRAWS_BETWEEN_RANGES != 0 or self._range_suits(axes)

    def _range_suits(self, axes: Axes) -> bool:
        """Whether a new range of scores would be about the same."""
        low, high = self._score_range()
        span = axes.y_range[1] - axes.y_range[0]
        return abs(low - axes.y_range[0]) < 0.5 * span and abs(high - axes.y_range[1]) < 0.5 * span

    def _score_range(self) -> tuple[float, float]:
        visits = self._visits
        low, high = score_range(visits.p_elbo, self._show, also=self._score_without, is_final=not self._is_running)
        if self._is_running:  # room for better ones, so that each does not cost a new picture
            high += 0.15 * (high - low)
        return low, high

    def _draw_all(self) -> tuple[Axes, DotLayer]:
        axes = self._make_axes()
        self._ratio = self.devicePixelRatioF()
        layer = DotLayer(
            axes.frame.width(),
            axes.frame.height(),
            self._ratio,
            dot_width=dot_width(len(self._visits)) * axes.line,
            is_dark=axes.colours.is_dark,
        )
        self._is_stale = False
        self._n_drawn = 0
        self._add_dots(axes, layer)
        return axes, layer

    def _make_axes(self) -> Axes:
        visits, count = self._visits, len(self._visits)
        y_range = self._score_range()
        last = count_limit(count + 1) if self._is_running else 1.02 * count + 1
        return Axes(
            width=self.width(),
            height=self.height(),
            font=self.font(),
            colours=chart_colours(self.palette()),
            x_range=(0.0, float(last)),
            y_range=y_range,
            levels=tuple(np.unique(visits.level).tolist()),
            has_best=visits.best is not None,
            has_without=self._score_without is not None,
            is_without_above=self._score_without is not None and self._score_without > y_range[1],
            level_name=visits.level_name,
            score_title=visits.score_title,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        with GIL_PRIORITY.window_first():
            self._paint()

    def _paint(self) -> None:
        axes, layer = self._drawn()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(axes.colours.ground))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        axes.paint(painter, n_below=int((self._visits.p_elbo[: self._n_drawn] < axes.y_range[0]).sum()))
        painter.drawImage(axes.frame.topLeft(), layer.image())
        painter.setClipRect(axes.frame.adjusted(0, -6, 6, 6))
        self._paint_lines(painter, axes)
        for number, width in ((self._hovered, 1.2), (self.selected, 2.2)):
            if number is not None and number < self._n_drawn:
                self._paint_ring(painter, self._place(axes, number), width)
        painter.end()

    def _paint_lines(self, painter: QPainter, axes: Axes) -> None:
        """The running best as a line of steps, the best without latents dashed."""
        visits, frame = self._visits, axes.frame
        if self._score_without is not None:
            y = float(axes.places(0, self._score_without)[1])
            painter.setPen(line_pen(axes.colours.without, is_dashed=True, scale=axes.colours.line_scale))
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
        steps = [number for number in visits.improvements if number < self._n_drawn]
        if steps:
            x, y_of = axes.places(np.array(steps) + 1, visits.p_elbo[steps])
            corners = [QPointF(x[0], y_of[0])]
            for i in range(1, len(steps)):
                corners += [QPointF(x[i], y_of[i - 1]), QPointF(x[i], y_of[i])]
            corners.append(QPointF(float(axes.places(self._n_drawn, 0)[0]), y_of[-1]))
            painter.setPen(line_pen(axes.colours.best, scale=axes.colours.line_scale))
            painter.drawPolyline(QPolygonF(corners))

    def _paint_ring(self, painter: QPainter, point: QPointF, width: float) -> None:
        ground, ink = self.palette().color(QPalette.ColorRole.Base), self.palette().color(QPalette.ColorRole.Text)
        radius = self.fontMetrics().height() * 0.42
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ground, width + 2.5))
        painter.drawEllipse(point, radius, radius)
        painter.setPen(QPen(ink, width))
        painter.drawEllipse(point, radius, radius)

    def _place(self, axes: Axes, number: int) -> QPointF:
        x, y = axes.places(number + 1, self._visits.score(number))
        return QPointF(float(x), float(y))

    # Mouse and keys -------------------------------------------------------------------------------

    def place_of(self, number: int) -> QPoint:
        """Where a dot stands in the widget."""
        return self._place(self.axes, number).toPoint()

    def visit_at(self, point: QPointF) -> int | None:
        """The dot nearest to a place, if it is near."""
        axes = self.axes  # first, because it may draw everything anew
        if not self._n_drawn:
            return None
        x, y = axes.places(np.arange(1, self._n_drawn + 1), self._visits.p_elbo[: self._n_drawn])
        distance = np.hypot(x - point.x(), y - point.y())
        distance[self._visits.p_elbo[: self._n_drawn] < axes.y_range[0]] = np.inf
        nearest = int(np.argmin(distance))
        return nearest if distance[nearest] <= REACH else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        visit = self.visit_at(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if visit is None else Qt.CursorShape.PointingHandCursor)
        if visit != self._hovered:
            self._hovered = visit
            self.update()
            if visit is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPosition().toPoint(), plain_tip(self._describe(visit)), self)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        visit = self.visit_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and visit is not None:
            self._choose(visit)

    def _choose(self, number: int) -> None:
        self.select(number)
        self.visit_chosen.emit(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._visits) - 1
        best = self._visits.best
        if best is None:
            super().keyPressEvent(event)
            return
        at = best.index if self.selected is None else self.selected
        match event.key():
            case Qt.Key.Key_Left:
                self._choose(max(at - 1, 0))
            case Qt.Key.Key_Right:
                self._choose(min(at + 1, last))
            case Qt.Key.Key_Home:
                self._choose(0)
            case Qt.Key.Key_End:
                self._choose(last)
            case Qt.Key.Key_B:
                self._choose(best.index)
            case _:
                super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_stale()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._make_stale()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(36 * line, 20 * line)

    def minimumSizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(16 * line, 13 * line)  # about half of it is ground for dots


def chart_colours(palette: QPalette) -> ChartColours:
    """The colours of the window's palette."""
    colours = Colours.from_palette(palette)
    is_dark = palette.color(QPalette.ColorRole.Base).lightness() < 128
    return ChartColours(
        ground=palette.color(QPalette.ColorRole.Base).name(),
        text=colours.text.name(),
        faint=colours.faint_text.name(),
        grid=palette.color(QPalette.ColorRole.Mid).name(),
        best=colours.text.name(),
        without=colours.text.name(),
        is_dark=is_dark,
        line_scale=colours.line_scale,
    )
