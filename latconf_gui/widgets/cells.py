"""Draws the cells of a large table with one short call each, so that scrolling stays smooth."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QStaticText
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

Index = QModelIndex | QPersistentModelIndex
MAX_KEPT = 5_000  # laid-out texts; a table of data has few different ones
_SELECTED = (
    QStyle.StateFlag.State_Selected.value
)  # plain numbers: Python's flags are slow, and this runs for every cell
_FOCUS = QStyle.StateFlag.State_HasFocus.value
_Role = QPalette.ColorRole


class Cells(Protocol):
    """A model that can give the text of a cell without an index."""

    def cell(self, row: int, column: int) -> tuple[str, bool]:
        """The text, and whether it is of second rank."""


class CellDelegate(QStyledItemDelegate):
    """Plain text on one line; second rank in the palette's quieter colour."""

    def __init__(self, cells: Cells, parent: QObject, *, right: Collection[int] = ()) -> None:
        """right : the columns whose texts stand at the right, as numbers do"""
        super().__init__(parent)
        self._cells = cells
        self._right = frozenset(right)
        self._texts: dict[str, tuple[QStaticText, int, int]] = {}
        self._look: tuple[int, int] = (0, 0)
        self._colours: tuple[QColor, QColor, QColor] = (QColor(), QColor(), QColor())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        column = index.column()
        text, is_quiet = self._cells.cell(index.row(), column)
        self._refresh(option)
        rect, state = option.rect, option.state.value
        margin = rect.height() // 4
        room = rect.width() - margin
        laid_out, width, height = self._laid_out(text, option)
        if width > room:
            elided = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            laid_out, width, height = self._laid_out(elided, option)
        if state & _SELECTED:
            painter.fillRect(rect, option.palette.brush(_Role.Highlight))
        painter.setPen(self._colours[2 if state & _SELECTED else 1 if is_quiet else 0])
        aside = room - width if column in self._right else margin
        painter.drawStaticText(rect.left() + aside, rect.top() + (rect.height() - height) // 2, laid_out)
        if state & _FOCUS:
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _refresh(self, option: QStyleOptionViewItem) -> None:
        """Forget what was laid out for another font or other colours."""
        look = (option.palette.cacheKey(), option.fontMetrics.height())
        if look != self._look:
            self._look = look
            self._texts.clear()
            roles = (_Role.Text, _Role.PlaceholderText, _Role.HighlightedText)
            self._colours = (*(option.palette.color(role) for role in roles),)  # type: ignore[assignment]

    def _laid_out(self, text: str, option: QStyleOptionViewItem) -> tuple[QStaticText, int, int]:
        kept = self._texts.get(text)
        if kept is None:
            if len(self._texts) >= MAX_KEPT:
                self._texts.clear()
            made = QStaticText(text.replace("\n", " "))
            made.setTextFormat(Qt.TextFormat.PlainText)
            made.prepare(font=option.font)
            size = made.size()
            kept = self._texts[text] = made, round(size.width()), round(size.height())
        return kept
