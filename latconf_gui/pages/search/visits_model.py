"""The DAGs that a search has visited as a table that can be sorted while it grows."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from latconf_core.search.outcome.visit_columns import VisitColumns
from latconf_core.search.outcome.wording import latents_text, nats

Index = QModelIndex | QPersistentModelIndex
REMEMBERED = 500  # rows whose latents are kept as text


class VisitColumn(IntEnum):
    """The columns, left to right."""

    NUMBER = 0
    SCORE = 1
    BELOW = 2
    LEVEL = 3
    LATENTS = 4


_TITLES = ("DAG", "p-ELBO", "Below best", "<->", "Latents")
_TIPS = (
    "The place in the order of visits",
    "The score in nats; higher is better",
    "How many nats the score is below the best DAG visited: 1 nat is odds of 2.7 : 1, 3 nats are 20 : 1",
    "Bidirected edges of the MAG that the DAG was made of",
    "Hidden common causes with their number of states and their children",
)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class VisitsModel(QAbstractTableModel):
    """Shows a VisitColumns; `refresh` takes over what was added to it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._visits = VisitColumns()
        self._latents = _latents_of(self._visits)
        self._order = np.arange(0)
        self._row_of = np.arange(0)
        self._sorted_by = VisitColumn.SCORE
        self._direction = Qt.SortOrder.DescendingOrder

    def follow(self, visits: VisitColumns) -> None:
        """Show other visits."""
        self.beginResetModel()
        self._visits = visits
        self._latents = _latents_of(visits)
        self._sort_again()
        self.endResetModel()

    def refresh(self) -> None:
        """Take over the visits that came since, each in its place."""
        before, count = len(self._order), len(self._visits)
        if count > before:
            self.beginInsertRows(QModelIndex(), before, count - 1)
            self._order = np.concatenate((self._order, np.arange(before, count)))
            self._row_of = np.argsort(self._order)
            self.endInsertRows()
            self._rearrange()

    def visit(self, row: int) -> int:
        """The number of the visit in a row."""
        return int(self._order[row])

    def row_of(self, number: int) -> int:
        """The row of a visit."""
        return int(self._row_of[number])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(VisitColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT  # the mark of the order stands on the right
        return _TIPS[section] if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(self.visit(index.row()), VisitColumn(index.column()))
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == VisitColumn.LATENTS:
            return self.text(self.visit(index.row()), VisitColumn.LATENTS)
        return None

    def cell(self, row: int, column: int) -> tuple[str, bool]:
        """The text of a cell, and whether it is of second rank."""
        return self.text(self.visit(row), VisitColumn(column)), False

    def text(self, number: int, column: VisitColumn) -> str:
        """What a cell says."""
        visits = self._visits
        match column:
            case VisitColumn.NUMBER:
                return f"{number + 1:,}"
            case VisitColumn.SCORE:
                return nats(visits.score(number))
            case VisitColumn.BELOW:
                best = visits.best if visits.best is not None else number
                return f"{visits.score(best) - visits.score(number):,.2f}"
            case VisitColumn.LEVEL:
                return str(int(visits.n_bidirected[number]))
            case VisitColumn.LATENTS:
                return self._latents(number)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted_by, self._direction = VisitColumn(column), order
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
        key = self._sort_key()
        if self._direction == Qt.SortOrder.DescendingOrder:
            key = -key
        self._order = np.argsort(key, kind="stable")  # equal ones in the order of their visits
        self._row_of = np.argsort(self._order)

    def _sort_key(self) -> np.ndarray:
        visits = self._visits
        match self._sorted_by:
            case VisitColumn.NUMBER:
                return np.arange(len(visits))
            case VisitColumn.SCORE:
                return visits.p_elbo
            case VisitColumn.BELOW:
                return -visits.p_elbo
            case VisitColumn.LEVEL:
                return visits.n_bidirected
            case VisitColumn.LATENTS:
                return visits.n_latents


def _latents_of(visits: VisitColumns) -> Callable[[int], str]:
    """What the latents of a visit are; a painted row asks again and again."""
    return lru_cache(maxsize=REMEMBERED)(lambda number: latents_text(visits.dag(number)))
