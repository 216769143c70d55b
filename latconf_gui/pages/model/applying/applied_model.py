"""What a model says of each row of a table, one cell at a time: a million rows cost no more than the screen shows."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from latconf_core.inference.applying import Applied

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_Role = Qt.ItemDataRole
LOG_LIKELIHOOD = "Log-likelihood"
RULED_OUT = "ruled out"


class AppliedModel(QAbstractTableModel):
    """A row per row of the table: its log-likelihood, then the probability of each state of each hidden cause."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._applied: Applied | None = None
        self._columns: list[tuple[str, int]] = []  # a latent and the place of one of its states

    def show(self, applied: Applied | None) -> None:
        """What was computed; None shows nothing."""
        self.beginResetModel()
        self._applied = applied
        latents = () if applied is None else applied.posteriors_of_distinct
        self._columns = (
            []
            if applied is None
            else [(latent, state) for latent in latents for state in range(len(applied.network.states(latent)))]
        )
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() or self._applied is None else len(self._applied.distinct)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() or self._applied is None else 1 + len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if self._applied is None or role not in (_Role.DisplayRole, _Role.ToolTipRole):
            return None
        if orientation == Qt.Orientation.Vertical:
            return f"{section + 1:,}"
        if section == 0:
            return LOG_LIKELIHOOD if role == _Role.DisplayRole else "The log-likelihood of the row, in nats"
        latent, index = self._columns[section - 1]
        state = self._applied.network.states(latent)[index]
        is_short = role == _Role.DisplayRole
        return f"{latent} = {state}" if is_short else f"The probability that {latent} is {state} in this row"

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        if self._applied is None:
            return None
        if role == _Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != _Role.DisplayRole:
            return None
        row = self._applied.distinct[index.row()]
        if index.column() == 0:
            log = float(self._applied.of_distinct[row])
            return f"{log:.4f}".replace("-", "−") if np.isfinite(log) else RULED_OUT
        latent, state = self._columns[index.column() - 1]
        share = float(self._applied.posteriors_of_distinct[latent][row, state])
        return "" if np.isnan(share) else f"{share:.4f}"
