"""The states of one variable with their counts; the name of a state can be edited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from latconf_core.arrays import IntArray
from latconf_gui.widgets.bars import SHARE_ROLE

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_Role = Qt.ItemDataRole
NAME, COUNT = range(2)


class StatesModel(QAbstractTableModel):
    """`renamed(old, new)` asks to rename a state."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None, *, is_editable: bool = True) -> None:
        super().__init__(parent)
        self._states: tuple[str, ...] = ()
        self._counts: IntArray = np.zeros(0, dtype=np.int64)
        self._is_editable = is_editable

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states that are shown."""
        return self._states

    def set_editable(self, is_editable: bool) -> None:
        """Whether states can be renamed here."""
        self._is_editable = is_editable

    def show(self, states: Sequence[str], counts: IntArray) -> None:
        self.beginResetModel()
        self._states, self._counts = tuple(states), counts
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._states)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == _Role.DisplayRole:
            return ("State", "Rows")[section]
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if self._is_editable and index.column() == NAME else flags

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        row = index.row()
        share = self._counts[row] / max(int(self._counts.sum()), 1)
        if index.column() == NAME:
            return self._states[row] if role in (_Role.DisplayRole, _Role.EditRole, _Role.ToolTipRole) else None
        if role == SHARE_ROLE:
            return float(self._counts[row] / max(int(self._counts.max()), 1)), int(self._counts.max())
        if role in (_Role.DisplayRole, _Role.AccessibleTextRole, _Role.ToolTipRole):
            return f"{self._counts[row]:,} ({share:.1%})"
        return None

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:
        old, new = self._states[index.row()], str(value).strip()
        if role != _Role.EditRole or not new or new == old:
            return False
        self.renamed.emit(old, new)
        return True
