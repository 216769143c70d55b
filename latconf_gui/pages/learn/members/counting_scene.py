"""The drawing of a PAG with a number beside each circle: in how many of its members it is an arrowhead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath

from latconf_core.graph.marks import Mark
from latconf_core.teaching.members import End, count_sentence
from latconf_gui.drawing.items.mark_item import MarkItem
from latconf_gui.look.colours import TEXT_PIXELS
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.pages.learn.stage_scene import StageScene

ASIDE = 9.0  # from the line to the number
BACK = (12.0, 24.0, 0.0, 36.0)  # from the circle along its line, the best place first
UPRIGHT = 1e-6  # what a direction may be off
LARGEST_AS_COUNT = 999  # above it a share is easier to read
USUAL = "88 of 88"  # most of which stands beside the graph where a circle is at its border
GROUND_OPACITY = 215


class CountingScene(StageScene):
    """`show_counts` puts the numbers there; they stay with their circles when nodes move."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: Mapping[End, int] = {}
        self._n_listed = 0
        self._seen: tuple[object, ...] = ()  # what the places of the numbers were found for
        self._places: list[QRectF] = []

    def show_counts(self, counts: Mapping[End, int], n_listed: int, *, is_cut: bool) -> None:
        """For each circle (node, other) the members in which it is an arrowhead, of how many."""
        self._counts, self._n_listed = counts, n_listed
        for mark in self._marks():
            count = counts.get((mark.node, mark.other))
            tip = "" if count is None or not n_listed else count_sentence(count, n_listed, is_cut=is_cut)
            mark.setToolTip(plain_tip(tip) if tip else "")
        self.update()

    def extent(self) -> QRectF:
        """With room at both sides for a number at the border, whatever it will be: counting must not move the graph."""
        room = QFontMetricsF(_font()).horizontalAdvance(USUAL) / 2 if self._marks() else 0.0
        return super().extent().adjusted(-room, 0.0, room, 0.0)

    def label(self, mark: MarkItem) -> str:
        """The number beside a mark; empty where it is no circle or nothing is counted yet."""
        count = self._counts.get((mark.node, mark.other))
        if count is None or mark.mark != Mark.CIRCLE or not self._n_listed:
            return ""
        if self._n_listed > LARGEST_AS_COUNT:
            return f"{100 * count / self._n_listed:.0f} %"
        return f"{count} of {self._n_listed}"

    def _marks(self) -> list[MarkItem]:
        return [mark for edge in self.edge_items() for mark in edge.mark_items.values()]

    def boxes(self) -> list[tuple[QRectF, str]]:
        """Where each number stands, and what it is: beside its circle, away from nodes, lines and other numbers."""
        labels = [(mark, text) for mark in self._marks() if (text := self.label(mark))]
        seen = tuple((mark.tip, mark.direction, len(text)) for mark, text in labels)
        if seen != self._seen:  # a number that only counts on stays where it is
            self._seen, self._places = seen, self._find_places(labels)
        return [(box, text) for box, (_, text) in zip(self._places, labels)]

    def _find_places(self, labels: Sequence[tuple[MarkItem, str]]) -> list[QRectF]:
        metrics = QFontMetricsF(_font())
        taken = [node.scene_box() for node in self.node_items()]
        places: list[QRectF] = []
        for mark, text in labels:
            size = metrics.horizontalAdvance("8" * len(text)) + 4, metrics.height()
            others = [edge.shape() for edge in self.edge_items() if edge is not mark.edge_item]
            places.append(_best_box(mark, size, [*taken, *places], others))
        return places

    def drawForeground(self, painter: QPainter, rect: QRectF | object) -> None:
        painter.setFont(_font())
        ground = QColor(self.colours.canvas)
        ground.setAlpha(GROUND_OPACITY)
        for box, text in self.boxes():
            painter.fillRect(box, ground)
            painter.setPen(self.colours.text)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _font() -> QFont:
    font = QFont()
    font.setPixelSize(round(TEXT_PIXELS * 0.85))
    return font


def _best_box(
    mark: MarkItem, size: tuple[float, float], taken: Sequence[QRectF], lines: Sequence[QPainterPath]
) -> QRectF:
    """The place beside the line that covers least of nodes and other numbers, and then fewest lines."""

    def covered(box: QRectF) -> tuple[float, int]:
        shared = (box.intersected(other) for other in taken)
        return sum(part.width() * part.height() for part in shared), sum(line.intersects(box) for line in lines)

    return min(_places_beside(mark, *size), key=covered)


def _places_beside(mark: MarkItem, width: float, height: float) -> Iterator[QRectF]:
    """Boxes of this size above the line, or to the right of an upright one, then on the other side; near ones first."""
    dx, dy = mark.direction
    side = (-dy, dx)
    if side[1] > UPRIGHT or (abs(side[1]) <= UPRIGHT and side[0] < 0):
        side = (dy, -dx)
    for back in BACK:
        for side_x, side_y in (side, (-side[0], -side[1])):
            reach = ASIDE + abs(side_x) * width / 2 + abs(side_y) * height / 2
            box = QRectF(0, 0, width, height)
            box.moveCenter(mark.middle + QPointF(side_x * reach - dx * back, side_y * reach - dy * back))
            yield box
