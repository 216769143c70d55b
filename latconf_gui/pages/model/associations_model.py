"""How strongly a latent goes with each measured variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from latconf_core.score.association import Association

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_Role = Qt.ItemDataRole
NAME, STRENGTH = range(2)
STRENGTH_ROLE = _Role.UserRole + 5


class AssociationsModel(QAbstractTableModel):
    """Variables, the strongest first; children of the latent are marked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Association, ...] = ()

    def show(self, rows: Sequence[Association]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == _Role.DisplayRole:
            return ("Variable", "Cramér's V")[section]
        if role == _Role.ToolTipRole and section == STRENGTH:
            return "Association with the latent's posterior state: 0 = none, 1 = fully determined"
        return None

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        row = self._rows[index.row()]
        if index.column() == NAME:
            shown = f"{row.variable} (child)" if row.is_child else row.variable
            return shown if role in (_Role.DisplayRole, _Role.ToolTipRole) else None
        if role == _Role.DisplayRole:
            return f"{row.cramers_v:.3f}"
        if role == STRENGTH_ROLE:
            return row.cramers_v
        if role in (_Role.ToolTipRole, _Role.AccessibleTextRole):
            return f"Cramér's V {row.cramers_v:.3f}, mutual information {row.mutual_information:.4f} nats"
        return None
