"""The drawing of a PAG with a number beside each circle: in how many of its members it is an arrowhead."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from latconf_core.graph.marks import Mark
from latconf_core.teaching.members import End, count_sentence
from latconf_gui.drawing.items.mark_item import MarkItem
from latconf_gui.look.colours import TEXT_PIXELS
from latconf_gui.pages.learn.stage_scene import StageScene
from latconf_gui.widgets.text import as_tool_tip

ASIDE, BACK = 9.0, 12.0  # from the circle to the nearest edge of its number
LARGEST_AS_COUNT = 999  # above it a share is easier to read
GROUND_OPACITY = 215


class CountingScene(StageScene):
    """`show_counts` puts the numbers there; they stay with their circles when nodes move."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: Mapping[End, int] = {}
        self._n_listed = 0

    def show_counts(self, counts: Mapping[End, int], n_listed: int, *, is_cut: bool) -> None:
        """For each circle (node, other) the members in which it is an arrowhead, of how many."""
        self._counts, self._n_listed = counts, n_listed
        for mark in self._marks():
            count = counts.get((mark.node, mark.other))
            tip = "" if count is None or not n_listed else count_sentence(count, n_listed, is_cut=is_cut)
            mark.setToolTip(as_tool_tip(tip) if tip else "")
        self.update()

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

    def drawForeground(self, painter: QPainter, rect: QRectF | object) -> None:
        font = QFont()
        font.setPixelSize(round(TEXT_PIXELS * 0.85))
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        ground = QColor(self.colours.canvas)
        ground.setAlpha(GROUND_OPACITY)
        for mark in self._marks():
            text = self.label(mark)
            if text:
                box = _box_beside(mark, metrics.horizontalAdvance(text) + 4, metrics.height())
                painter.fillRect(box, ground)
                painter.setPen(self.colours.text)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _box_beside(mark: MarkItem, width: float, height: float) -> QRectF:
    """A box of this size a little way from the node: above the line, or to the right of an upright one."""
    dx, dy = mark.direction
    side_x, side_y = -dy, dx
    if side_y > 0 or (side_y == 0 and side_x < 0):
        side_x, side_y = -side_x, -side_y
    reach = ASIDE + abs(side_x) * width / 2 + abs(side_y) * height / 2
    middle = mark.middle + QPointF(side_x * reach - dx * BACK, side_y * reach - dy * BACK)
    box = QRectF(0, 0, width, height)
    box.moveCenter(middle)
    return box
