"""The DAGs that a search has visited as a table that can be sorted while it grows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from latconf_core.search.outcome.history import History
from latconf_gui.pages.search.columns import COLUMNS, SCORE, VisitColumn

Index = QModelIndex | QPersistentModelIndex
REMEMBERED = 500  # texts that are kept: a painted row asks again and again


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class VisitsModel(QAbstractTableModel):
    """Shows a history; `refresh` takes over what was added to it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._visits = History()
        self._fixed_text = _keep_texts(self._visits)
        self._order = np.arange(0)
        self._row_of = np.arange(0)
        self._sorted_by = SCORE
        self._direction = Qt.SortOrder.DescendingOrder

    def follow(self, visits: History) -> None:
        """Show other visits."""
        self.beginResetModel()
        self._visits = visits
        self._fixed_text = _keep_texts(visits)
        self._sort_again()
        self.endResetModel()

    def exchange(self, visits: History) -> None:
        """Go on with another store of the same visits, and of those that came since."""
        self._visits = visits
        self._fixed_text = _keep_texts(visits)
        self.refresh()

    def refresh(self) -> None:
        """Take over the visits that came since, each in its place."""
        before, count = len(self._order), len(self._visits)
        if count > before:
            self.beginInsertRows(QModelIndex(), before, count - 1)
            self._order = np.concatenate((self._order, np.arange(before, count)))
            self._row_of = np.argsort(self._order)
            self.endInsertRows()
            self._rearrange()

    def show_changes(self) -> None:
        """Say and sort the same visits anew, because scores have changed; what is chosen stays chosen."""
        self._rearrange()

    def visit(self, row: int) -> int:
        """The number of the visit in a row."""
        return int(self._order[row])

    def row_of(self, number: int) -> int:
        """The row of a visit."""
        return int(self._row_of[number])

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A row can be dragged, to be compared."""
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT  # the mark of the order stands on the right
        is_tip = role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
        return COLUMNS[section].tip if is_tip else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole or (role == Qt.ItemDataRole.ToolTipRole and not column.is_number):
            return self.text(self.visit(index.row()), column)
        return None

    def cell(self, row: int, column: int) -> tuple[str, bool]:
        """The text of a cell, and whether it is of second rank."""
        return self.text(self.visit(row), COLUMNS[column]), False

    def text(self, number: int, column: VisitColumn) -> str:
        """What a cell says."""
        return self._fixed_text(number, column) if column.is_fixed else column.text(self._visits, number)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted_by, self._direction = COLUMNS[column], order
        self._rearrange()

    def _rearrange(self) -> None:
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        numbers = [self.visit(index.row()) for index in kept]
        self._sort_again()
        moved = [self.index(self.row_of(number), index.column()) for number, index in zip(numbers, kept)]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _sort_again(self) -> None:
        key = self._sorted_by.sort_key(self._visits)
        if self._direction == Qt.SortOrder.DescendingOrder:
            key = -key
        self._order = np.argsort(key, kind="stable")  # equal ones in the order of their visits
        self._row_of = np.argsort(self._order)


def _keep_texts(visits: History) -> Callable[[int, VisitColumn], str]:
    """What a column says of a visit, kept."""
    return lru_cache(maxsize=REMEMBERED)(lambda number, column: column.text(visits, number))
