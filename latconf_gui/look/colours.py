"""The colours of a picture, taken from the palette so that light and dark both read well."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette

from latconf_gui.look.sides import Side

PROJECTED_SIZE = 1.5  # of text and of lines on a projector, in the usual ones
OPEN_SHARE = 0.64  # of its ink, in an arrow whose direction the data leave open
OPEN_SHARE_PROJECTED = 0.66
TEXT_PIXELS = 13  # of labels, in scene units; positions do not depend on the user's font size


class Highlight(Enum):
    """Why an edge stands out."""

    NONE = "none"
    PROBLEM = "problem"
    PATH = "open path"
    BLOCKED = "blocked path"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True)
class Colours:
    """One colour for each thing in a picture."""

    canvas: QColor
    node: QColor
    node_border: QColor
    text: QColor
    faint_text: QColor
    edge: QColor
    selection: QColor
    latent: QColor
    highlights: dict[Highlight, QColor]
    sides: dict[Side, QColor]
    line_scale: float = 1.0  # how much thicker than usual lines are

    @classmethod
    def from_palette(cls, palette: QPalette) -> Colours:
        """The colours of a palette; colours without a role are chosen by whether its ground is dark."""
        base, text = palette.color(QPalette.ColorRole.Base), palette.color(QPalette.ColorRole.Text)
        is_dark = base.lightness() < 128
        is_projected = is_projected_palette(palette)
        edge = text if is_projected else _mixed(base, text, 0.78)
        return cls(
            canvas=base,
            node=_mixed(base, text, 0.06),
            node_border=_mixed(base, text, 0.9 if is_projected else 0.62),
            text=text,
            faint_text=_mixed(base, text, 0.85 if is_projected else 0.68),
            edge=edge,
            selection=_readable(palette.color(QPalette.ColorRole.Highlight), is_dark),
            latent=QColor("#f0a060") if is_dark else QColor("#b3541e"),
            highlights={
                Highlight.NONE: edge,
                Highlight.PROBLEM: QColor("#ff7b72") if is_dark else QColor("#c62828"),
                Highlight.PATH: QColor("#58b8ff") if is_dark else QColor("#0060b0"),
                Highlight.BLOCKED: QColor("#c9a5f5") if is_dark else QColor("#6f3fa0"),
                Highlight.ADDED: QColor("#5fd38d") if is_dark else QColor("#1b7f3b"),
                Highlight.REMOVED: QColor("#ff7b72") if is_dark else QColor("#c62828"),
                Highlight.CHANGED: QColor("#e3b341") if is_dark else QColor("#8a5a00"),
            },
            sides={
                Side.NONE: edge,
                Side.BOTH: _mixed(base, text, 0.6 if is_projected else 0.45),
                Side.ONLY_A: QColor("#6cb2ff") if is_dark else QColor("#1259b0"),
                Side.ONLY_B: QColor("#ffab4d") if is_dark else QColor("#c25400"),
            },
            line_scale=PROJECTED_SIZE if is_projected else 1.0,
        )

    def lighter(self, ink: QColor) -> QColor:
        """The ink of an arrow whose direction the data leave open: nearer to the ground."""
        return _mixed(self.canvas, ink, OPEN_SHARE_PROJECTED if self.line_scale > 1 else OPEN_SHARE)

    @classmethod
    def for_paper(cls) -> Colours:
        """Black on white."""
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, QColor(Qt.GlobalColor.lightGray))  # paper is no projector
        palette.setColor(QPalette.ColorRole.Base, QColor(Qt.GlobalColor.white))
        palette.setColor(QPalette.ColorRole.Text, QColor(Qt.GlobalColor.black))
        palette.setColor(QPalette.ColorRole.Highlight, QColor("#0060b0"))
        return cls.from_palette(palette)


def is_projected_palette(palette: QPalette) -> bool:
    """Whether a palette has all the contrast there is, as on a projector: black and white."""
    roles = (QPalette.ColorRole.Base, QPalette.ColorRole.Window, QPalette.ColorRole.Text)
    return all(palette.color(role).lightness() in (0, 255) for role in roles)


def _mixed(ground: QColor, ink: QColor, share: float) -> QColor:
    """`share` of the ink on the ground."""
    return QColor(*(round(g + (i - g) * share) for g, i in zip(ground.getRgb()[:3], ink.getRgb()[:3])))  # type: ignore[index]


def _readable(colour: QColor, is_dark: bool) -> QColor:
    """The colour made light enough on a dark ground, dark enough on a light one."""
    if is_dark and colour.lightness() < 130:
        return colour.lighter(round(100 * 150 / max(colour.lightness(), 40)))
    if not is_dark and colour.lightness() > 150:
        return colour.darker(150)
    return colour
