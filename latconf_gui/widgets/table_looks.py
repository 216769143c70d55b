"""What tables that are read row by row have in common."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView


def look_like_rows(table: QTableView) -> None:
    """Rows without a grid or numbers, past which Tab goes on to the next widget."""
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)


def choose_single_rows(table: QTableView) -> None:
    """The same, one row selected at a time, and titles on the left."""
    look_like_rows(table)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
