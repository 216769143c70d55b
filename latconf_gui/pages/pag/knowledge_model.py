"""Background knowledge as tables: the tier of every variable, and causes that are forbidden or required."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Cause, Knowledge

Index = QModelIndex | QPersistentModelIndex


def tiers_of(knowledge: Knowledge) -> dict[str, int]:
    """The tier of each variable that has one, from 1."""
    return {name: number for number, tier in enumerate(knowledge.tiers, start=1) for name in tier}


def with_tiers(knowledge: Knowledge, tiers: Mapping[str, int]) -> Knowledge:
    """The knowledge with variables in these tiers, counted from 1; a closed tier stays closed while it exists."""
    highest = max(tiers.values(), default=0)
    table = tuple(tuple(name for name, own in tiers.items() if own == number) for number in range(1, highest + 1))
    closed = frozenset(tier for tier in knowledge.closed_tiers if tier < highest)
    return replace(knowledge, tiers=table, closed_tiers=closed)


def with_cause(knowledge: Knowledge, cause: Cause, *, is_required: bool) -> Knowledge:
    """The knowledge with one more forbidden or required cause."""
    if is_required:
        return replace(knowledge, required=tuple(dict.fromkeys((*knowledge.required, cause))))
    return replace(knowledge, forbidden=tuple(dict.fromkeys((*knowledge.forbidden, cause))))


class TierTableModel(QAbstractTableModel):
    """Variable and tier; an edit is a request, `tier_chosen(variable, tier or 0)`."""

    tier_chosen = Signal(str, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._tiers: dict[str, int] = {}

    def show_tiers(self, names: Sequence[str], knowledge: Knowledge) -> None:
        """Show these variables."""
        if tuple(names) != self._names:
            self.beginResetModel()
            self._names, self._tiers = tuple(names), tiers_of(knowledge)
            self.endResetModel()
            return
        self._tiers = tiers_of(knowledge)
        if names:
            self.dataChanged.emit(self.index(0, 1), self.index(len(names) - 1, 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("Variable", "Tier")[section]
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == 1 else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        name = self._names[index.row()]
        tier = self._tiers.get(name)
        if index.column() == 0:
            return name if role == Qt.ItemDataRole.DisplayRole else None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return "–" if tier is None else str(tier)
            case Qt.ItemDataRole.EditRole:
                return tier or 0
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{name}: no tier" if tier is None else f"{name}: tier {tier}"
            case Qt.ItemDataRole.ToolTipRole:
                return "A variable is not caused by one of a later tier; 0 takes it out of the tiers"
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not isinstance(value, int) or value < 0:
            return False
        name = self._names[index.row()]
        if value != self._tiers.get(name, 0):
            self.tier_chosen.emit(name, value)
        return True


class CauseTableModel(QAbstractTableModel):
    """Forbidden and required causes: from, rule, to."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._knowledge = NO_KNOWLEDGE

    def show_causes(self, knowledge: Knowledge) -> None:
        """Show the causes of this knowledge."""
        self.beginResetModel()
        self._knowledge = knowledge
        self.endResetModel()

    def without(self, rows: Sequence[int]) -> Knowledge:
        """The knowledge without the causes of these rows."""
        n_forbidden = len(self._knowledge.forbidden)
        kept_forbidden = [c for i, c in enumerate(self._knowledge.forbidden) if i not in rows]
        kept_required = [c for i, c in enumerate(self._knowledge.required) if i + n_forbidden not in rows]
        return replace(self._knowledge, forbidden=tuple(kept_forbidden), required=tuple(kept_required))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._knowledge.forbidden) + len(self._knowledge.required)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("From", "Rule", "To")[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row, n_forbidden = index.row(), len(self._knowledge.forbidden)
        is_required = row >= n_forbidden
        cause, effect = self._knowledge.required[row - n_forbidden] if is_required else self._knowledge.forbidden[row]
        rule = "causes" if is_required else "does not cause"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{cause} {rule} {effect}"
        return (cause, rule, effect)[index.column()]
