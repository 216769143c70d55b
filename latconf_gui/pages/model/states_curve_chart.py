"""A small chart: p-ELBO against the number of states of a latent."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from latconf_core.phrases import nats
from latconf_core.search.outcome.states_curve import StatesPoint
from latconf_gui.look.colours import Colours

ROWS = 8  # height in lines of text


class StatesCurve(QWidget):
    """Dots joined by a line; the chosen number of states is filled and named."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.points: tuple[StatesPoint, ...] = ()
        self._chosen = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Score by number of states")

    def show_points(self, points: tuple[StatesPoint, ...], chosen: int) -> None:
        """Show a curve; `chosen` is the number of states that the latent has."""
        self.points, self._chosen = points, chosen
        said = "; ".join(f"{point.n_states} states: {nats(point.p_elbo)}" for point in points)
        self.setAccessibleDescription(said)
        self.setToolTip(said)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 28, self.fontMetrics().height() * ROWS)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 20, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.points:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self._places()
        palette, line = self.palette(), self.fontMetrics().height()
        scale = Colours.from_palette(palette).line_scale
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Mid), scale))
        base = self.height() - 1.4 * line
        painter.drawLine(QPointF(0, base), QPointF(self.width(), base))
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Accent), 1.6 * scale))
        painter.drawPolyline(places)
        for point, point_place in zip(self.points, places):
            self._paint_point(painter, point, point_place)
        painter.end()

    def _places(self) -> list[QPointF]:
        line = self.fontMetrics().height()
        scores = [point.p_elbo for point in self.points]
        low, high = min(scores), max(scores)
        top, bottom = 1.7 * line, self.height() - 3.2 * line
        margin = self.fontMetrics().horizontalAdvance("−888,888.88") / 2 + 2
        step = (self.width() - 2 * margin) / max(len(scores) - 1, 1)
        left = margin if len(scores) > 1 else self.width() / 2
        return [
            QPointF(left + i * step, bottom - (bottom - top) * ((score - low) / (high - low) if high > low else 0.5))
            for i, score in enumerate(scores)
        ]

    def _paint_point(self, painter: QPainter, point: StatesPoint, point_place: QPointF) -> None:
        palette, line = self.palette(), self.fontMetrics().height()
        is_chosen = point.n_states == self._chosen
        accent = palette.color(QPalette.ColorRole.Accent)
        painter.setPen(QPen(accent, 1.6))
        painter.setBrush(accent if is_chosen else palette.color(QPalette.ColorRole.Base))
        radius = line * (0.28 if is_chosen else 0.2)
        painter.drawEllipse(point_place, radius, radius)
        painter.setPen(palette.color(QPalette.ColorRole.Text if is_chosen else QPalette.ColorRole.PlaceholderText))
        centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        wide = self.width() / max(len(self.points), 1)
        below = QRectF(point_place.x() - wide / 2, self.height() - 1.3 * line, wide, 1.2 * line)
        painter.drawText(below, centre, str(point.n_states))
        if is_chosen or len(self.points) <= 3:
            text = nats(point.p_elbo)
            beside = QRectF(0, 0, self.fontMetrics().horizontalAdvance(text) + 4, line)
            beside.moveCenter(QPointF(point_place.x(), point_place.y() + (-line if self._is_top(point) else line)))
            painter.fillRect(beside, palette.color(QPalette.ColorRole.Window))  # the line may pass here
            painter.drawText(beside, centre, text)

    def _is_top(self, point: StatesPoint) -> bool:
        """Whether the line leaves the point downwards, so that its number stands above it."""
        i = self.points.index(point)
        around = [other.p_elbo for other in self.points[max(i - 1, 0) : i + 2] if other is not point]
        return not around or point.p_elbo >= sum(around) / len(around)
