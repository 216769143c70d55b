"""Tool tips that show every text as it is: a name from a file is never markup."""

from __future__ import annotations

import re
from html import escape, unescape

from PySide6.QtCore import QPoint
from PySide6.QtGui import QHelpEvent, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QToolTip, QWidget

_OWN = re.compile(r"<(qt|p)>((?:[^<>]|<br>)*)</\1>")  # what `plain_tip` makes: no markup but ends of lines


def plain_tip(text: str) -> str:
    """The text as a tool tip shows it: wrapped, and with `<->` and any name left as they are."""
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>"


def text_of_tip(tip: str) -> str:
    """What a tool tip says: that of `plain_tip` without its markup, any other as it is."""
    match = _OWN.fullmatch(tip)
    return unescape(match[2].replace("<br>", "\n")) if match is not None else tip


def show_as_text(widget: QWidget, event: QHelpEvent) -> bool:
    """Show the tip at a place as text where Qt might take it for markup; False where it may show it itself."""
    tip = find_tip(widget, event.pos())
    if _OWN.fullmatch(tip) or not ("<" in tip or "&" in tip):
        return False
    QToolTip.showText(event.globalPos(), plain_tip(tip), widget)
    return True


def find_tip(widget: QWidget, point: QPoint) -> str:
    """The tool tip that a widget has at a place: of a cell, a title, an entry of a menu, or its own."""
    above = widget.parent()
    tip: object = None
    if isinstance(above, QHeaderView):
        section = above.logicalIndexAt(point)
        tip = above.model().headerData(section, above.orientation(), Qt.ItemDataRole.ToolTipRole)
    elif isinstance(above, QAbstractItemView):
        tip = above.indexAt(point).data(Qt.ItemDataRole.ToolTipRole)
    elif isinstance(widget, QMenu) and (action := widget.actionAt(point)) is not None:
        tip = action.toolTip()
    return tip if isinstance(tip, str) else widget.toolTip()
