"""The states of a node as bars inside it: how large they are, how they are drawn, and which one lies where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from latconf_gui.drawing.content.graph_drawing import Beliefs, DrawnNode
from latconf_gui.look.colours import Colours

MOST_ROWS = 8  # of a node; the rest is in the table beside the drawing
NAME_WIDTH = (24.0, 84.0)  # the least and the most room for the name of a state
BAR_WIDTH, GAP = 52.0, 4.0
ROW_GAP = 2.0
WIDEST_SHARE = ">99%"
SEEN_SIGN, SET_SIGN = "●", "◆"  # told apart without colour
SIGN_WIDTH = 11.0
ABOVE = 2.0  # between the name of the node and the first bar
SAME_SHARE = 0.005  # a smaller change is not marked
LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextSingleLine)
RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


def shown_rows(states: tuple[str, ...]) -> int:
    """How many states have a bar; where not all do, one more line says how many have none."""
    return len(states) if len(states) <= MOST_ROWS else MOST_ROWS - 1


@dataclass(frozen=True)
class BarsLayout:
    """What the states of a node need in one font; measuring texts takes a while."""

    names: tuple[str, ...]  # cut where they are too long
    name_width: float
    number_width: float
    line_height: float
    n_lines: int  # with the one that says how many have no bar

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of all bars."""
        width = SIGN_WIDTH + self.name_width + BAR_WIDTH + 2 * GAP + self.number_width
        return width, ABOVE + self.n_lines * self.line_height


def layout_bars(states: tuple[str, ...], font: QFont) -> BarsLayout:
    """What the bars of these states need."""
    return _layout_in(states, font.family(), font.pixelSize())


@lru_cache(maxsize=4096)
def _layout_in(states: tuple[str, ...], family: str, pixels: int) -> BarsLayout:
    font = QFont(family)
    font.setPixelSize(pixels)
    metrics = QFontMetricsF(font)
    shown = states[: shown_rows(states)]
    width = min(max(metrics.horizontalAdvance(state) for state in shown), NAME_WIDTH[1])
    names = tuple(metrics.elidedText(state, Qt.TextElideMode.ElideRight, NAME_WIDTH[1]) for state in shown)
    number = metrics.horizontalAdvance(WIDEST_SHARE)
    n_lines = len(shown) + (len(states) > MOST_ROWS)
    return BarsLayout(names, max(width, NAME_WIDTH[0]), number, metrics.height() + ROW_GAP, n_lines)


def bars_size(states: tuple[str, ...], font: QFont) -> tuple[float, float]:
    """Width and height of the bars of these states."""
    return layout_bars(states, font).size


def row_at(box: QRectF, states: tuple[str, ...], y: float) -> int | None:
    """The state whose bar lies at this height."""
    n_lines = shown_rows(states) + (len(states) > MOST_ROWS)
    if not box.top() + ABOVE <= y < box.bottom():
        return None
    row = int((y - box.top() - ABOVE) / ((box.height() - ABOVE) / n_lines))
    return row if row < shown_rows(states) else None


def paint_bars(
    painter: QPainter, box: QRectF, node: DrawnNode, beliefs: Beliefs | None, *, font: QFont, colours: Colours
) -> None:
    """Draw a line for each state: a sign where it is seen or set, its name, its bar and its probability."""
    painter.setFont(font)
    layout = layout_bars(node.states, font)
    height = (box.height() - ABOVE) / layout.n_lines
    ink = colours.latent if node.is_latent else colours.selection
    for row, name in enumerate(layout.names):
        line = QRectF(box.left(), box.top() + ABOVE + row * height, box.width(), height)
        painter.setPen(colours.faint_text)
        painter.drawText(line.adjusted(SIGN_WIDTH, 0, 0, 0), LEFT, name)
        if beliefs is not None:
            _paint_share(painter, line, beliefs, row, ink, colours, number_width=layout.number_width)
    if len(node.states) > MOST_ROWS:
        rest = QRectF(box.left() + SIGN_WIDTH, box.bottom() - height, box.width(), height)
        painter.setPen(colours.faint_text)
        painter.drawText(rest, LEFT, f"… {len(node.states) - len(layout.names)} more")


def _paint_share(
    painter: QPainter,
    line: QRectF,
    beliefs: Beliefs,
    row: int,
    ink: QColor,
    colours: Colours,
    *,
    number_width: float,
) -> None:
    right = line.right() - number_width - GAP
    bar = QRectF(right - BAR_WIDTH, line.center().y() - 0.3 * line.height(), BAR_WIDTH, 0.6 * line.height())
    share, before = beliefs.shares[row], beliefs.before[row]
    ground = QColor(ink)
    ground.setAlpha(40)
    painter.fillRect(bar, ground)
    painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), ink)
    if abs(before - share) > SAME_SHARE:  # where it was before
        tick = QRectF(
            bar.left() + bar.width() * before - 0.7, bar.top() - 1, 1.4 * colours.line_scale, bar.height() + 2
        )
        painter.fillRect(tick, colours.text)
    painter.setPen(colours.text)
    sign = SEEN_SIGN if beliefs.seen == row else SET_SIGN if beliefs.set_to == row else ""
    if sign:
        painter.drawText(line, LEFT, sign)
    painter.drawText(line, RIGHT, share_text(share))


def share_text(share: float) -> str:
    """A probability in as few letters as tell 0 and 1 from nearly so."""
    if 0 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{100 * share:.0f}%"
