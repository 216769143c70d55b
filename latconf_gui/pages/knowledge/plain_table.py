"""A table whose rows can be selected, and deleted by a key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text_size import FollowTextSize

ROW_LINES, LEAST_LINES = 1.6, 5


class PlainTable(QTableView):
    """`delete_asked` when Delete is pressed on it.

    narrow : columns that take no more room than they need; the others share the rest
    """

    delete_asked = Signal()

    def __init__(
        self, model: QAbstractTableModel, name: str, *, narrow: Sequence[int], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in narrow:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        FollowTextSize(self, self._fit_rows)
        LeastLines(self, LEAST_LINES)
        self._fit_rows()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * ROW_LINES))

    def selected_rows(self) -> list[int]:
        """The rows that are selected."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Delete):
            self.delete_asked.emit()
        else:
            super().keyPressEvent(event)
