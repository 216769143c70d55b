"""The rows of a table, asked for one cell at a time: a million rows cost no more than the screen shows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont, QGuiApplication, QPalette

from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.raw_table import RawTable

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_Role = Qt.ItemDataRole


class RawModel(QAbstractTableModel):
    """The table as it stands in the file; excluded columns are greyed, missing cells marked."""

    def __init__(self, raw: RawTable, plans: tuple[ColumnPlan, ...], *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._raw = raw
        self._n_rows, self._n_columns = raw.n_rows, raw.n_columns
        self._plans = plans
        self._italic = QFont()
        self._italic.setItalic(True)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self._n_rows

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self._n_columns

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        if role == _Role.DisplayRole:
            text = self._raw.cell(row, column)
            return text or "(empty)" if self._is_missing(row, column) else text
        if role == _Role.ForegroundRole and (not self._plans[column].is_used or self._is_missing(row, column)):
            return QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText)
        if role == _Role.FontRole and self._is_missing(row, column):
            return self._italic
        if role == _Role.ToolTipRole and self._is_missing(row, column):
            return "Missing"
        return None

    def cell(self, row: int, column: int) -> tuple[str, bool]:
        """The text of a cell, and whether it is missing or not used."""
        plan, column_of = self._plans[column], self._raw.columns[column]
        code = column_of.codes[row]
        if plan.recode[code] < 0:
            return column_of.texts[code] or "(empty)", True
        return column_of.texts[code], not plan.is_used

    def _is_missing(self, row: int, column: int) -> bool:
        return bool(self._plans[column].recode[self._raw.columns[column].codes[row]] < 0)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return _row_header(section, role)
        plan = self._plans[section]
        if role == _Role.DisplayRole:
            return plan.name
        if role == _Role.ToolTipRole:
            reason = plan.reason if plan.by_hand else f"excluded, {plan.reason}"
            return plan.name if plan.is_used else f"{plan.name}: {reason}"
        if role == _Role.ForegroundRole and not plan.is_used:
            return QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText)
        return None


class DatasetModel(QAbstractTableModel):
    """The data as it will be used."""

    def __init__(self, dataset: Dataset, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dataset = dataset

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self._dataset.n_rows

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self._dataset.n_variables

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        return self.cell(index.row(), index.column())[0] if role == _Role.DisplayRole else None

    def cell(self, row: int, column: int) -> tuple[str, bool]:
        """The text of a cell; every cell is used."""
        code = int(self._dataset.codes[row, column])
        return (self._dataset.states[column][code], False) if code >= 0 else ("", True)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return _row_header(section, role)
        return self._dataset.names[section] if role in (_Role.DisplayRole, _Role.ToolTipRole) else None


def _row_header(section: int, role: int) -> Any:
    if role == _Role.TextAlignmentRole:
        return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    return f"{section + 1:,}" if role == _Role.DisplayRole else None
