"""The states of a node as bars inside it: how large they are, how they are drawn, and which one lies where."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from latconf_gui.drawing.graph_drawing import Beliefs, DrawnNode
from latconf_gui.look.colours import Colours

MOST_ROWS = 8  # of a node; the rest is in the table beside the drawing
NAME_WIDTH = (24.0, 84.0)  # the least and the most room for the name of a state
BAR_WIDTH, GAP = 52.0, 4.0
ROW_GAP = 2.0
WIDEST_SHARE = ">99%"
SEEN_SIGN, SET_SIGN = "●", "◆"  # told apart without colour
SIGN_WIDTH = 11.0
ABOVE = 2.0  # between the name of the node and the first bar


def shown_rows(states: tuple[str, ...]) -> int:
    """How many states have a bar; where not all do, one more line says how many have none."""
    return len(states) if len(states) <= MOST_ROWS else MOST_ROWS - 1


def bars_size(states: tuple[str, ...], font: QFont) -> tuple[float, float]:
    """Width and height of the bars of these states."""
    metrics = QFontMetricsF(font)
    n_lines = shown_rows(states) + (len(states) > MOST_ROWS)
    width = SIGN_WIDTH + _name_width(states, metrics) + BAR_WIDTH + 2 * GAP + metrics.horizontalAdvance(WIDEST_SHARE)
    return width, ABOVE + n_lines * (metrics.height() + ROW_GAP)


def _name_width(states: tuple[str, ...], metrics: QFontMetricsF) -> float:
    longest = max(metrics.horizontalAdvance(state) for state in states[: shown_rows(states)])
    return min(max(longest, NAME_WIDTH[0]), NAME_WIDTH[1])


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
    metrics = QFontMetricsF(font)
    lines = shown_rows(node.states) + (len(node.states) > MOST_ROWS)
    height = (box.height() - ABOVE) / lines
    ink = colours.latent if node.is_latent else colours.selection
    for row, state in enumerate(node.states[: shown_rows(node.states)]):
        line = QRectF(box.left(), box.top() + ABOVE + row * height, box.width(), height)
        _paint_name(painter, line, state, _name_width(node.states, metrics), colours)
        if beliefs is not None:
            _paint_share(painter, line, beliefs, row, ink, colours)
    if len(node.states) > MOST_ROWS:
        rest = QRectF(box.left() + SIGN_WIDTH, box.bottom() - height, box.width(), height)
        painter.setPen(colours.faint_text)
        painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, f"… {len(node.states) - shown_rows(node.states)} more")


def _paint_name(painter: QPainter, line: QRectF, state: str, width: float, colours: Colours) -> None:
    text = QFontMetricsF(painter.font()).elidedText(state, Qt.TextElideMode.ElideRight, width + 0.5)
    painter.setPen(colours.faint_text)
    place = QRectF(line.left() + SIGN_WIDTH, line.top(), width + 1.0, line.height())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)


def _paint_share(painter: QPainter, line: QRectF, beliefs: Beliefs, row: int, ink: QColor, colours: Colours) -> None:
    metrics = QFontMetricsF(painter.font())
    number = metrics.horizontalAdvance(WIDEST_SHARE)
    right = QRectF(line.right() - number, line.top(), number, line.height())
    bar = QRectF(
        right.left() - GAP - BAR_WIDTH, line.center().y() - 0.3 * line.height(), BAR_WIDTH, 0.6 * line.height()
    )
    share = beliefs.shares[row]
    painter.setPen(Qt.PenStyle.NoPen)
    ground = QColor(ink)
    ground.setAlpha(40)
    painter.fillRect(bar, ground)
    painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), ink)
    if abs(beliefs.before[row] - share) > 0.005:  # where it was before
        tick = bar.left() + bar.width() * beliefs.before[row]
        painter.setPen(QPen(colours.text, 1.4 * colours.line_scale))
        painter.drawLine(round(tick), round(bar.top() - 1), round(tick), round(bar.bottom() + 1))
    sign = SEEN_SIGN if beliefs.seen == row else SET_SIGN if beliefs.set_to == row else ""
    painter.setPen(colours.text)
    painter.drawText(QRectF(line.left(), line.top(), SIGN_WIDTH, line.height()), Qt.AlignmentFlag.AlignVCenter, sign)
    painter.drawText(right, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, share_text(share))


def share_text(share: float) -> str:
    """A probability in as few letters as tell 0 and 1 from nearly so."""
    if 0 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{100 * share:.0f}%"
