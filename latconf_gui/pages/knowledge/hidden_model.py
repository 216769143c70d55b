"""What is said of each variable: whether it is exogenous, and whether a hidden cause may act on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from latconf_gui.pages.knowledge.draft import Draft

Index = QModelIndex | QPersistentModelIndex


class HiddenColumn(IntEnum):
    """The columns."""

    NAME = 0
    EXOGENOUS = 1
    HIDDEN = 2


TITLES = ("Variable", "Exogenous", "Hidden cause possible")
TIPS = (
    "",
    "No measured or hidden variable causes it, such as age, sex or a randomised treatment",
    "Whether a hidden cause may act on it; only ticked variables can have hidden causes",
)


def with_exogenous(draft: Draft, names: Collection[str], is_exogenous: bool) -> Draft:
    """The draft with variables that nothing acts on, or with what acts on them left open."""
    others = tuple(name for name in draft.exogenous if name not in names)
    if not is_exogenous:
        return replace(draft, exogenous=others)
    among = None if draft.may_be_hidden is None else tuple(n for n in draft.may_be_hidden if n not in names)
    return replace(draft, exogenous=(*others, *names), may_be_hidden=among)


def with_hidden(draft: Draft, names: Collection[str], is_possible: bool, *, variables: Sequence[str]) -> Draft:
    """The draft in which hidden causes may act on some variables, or may not; where they may on all, nothing is said.

    variables : all of them, in the order in which they are kept
    """
    open_ones = [name for name in variables if name not in draft.exogenous]
    among = set(open_ones if draft.may_be_hidden is None else draft.may_be_hidden)
    among = among | set(names) - set(draft.exogenous) if is_possible else among - set(names)
    kept = tuple(name for name in variables if name in among)
    return replace(draft, may_be_hidden=None if set(open_ones) <= among else kept)


class HiddenModel(QAbstractTableModel):
    """A row per variable; a tick is a request, `ticked(name, column, is_on)`."""

    ticked = Signal(str, int, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._draft, self._names = Draft(), tuple[str, ...]()
        self._is_editable = True

    def show_draft(self, draft: Draft, names: Sequence[str]) -> None:
        """Show what a draft says of these variables."""
        self._draft = draft
        if tuple(names) != self._names:
            self.beginResetModel()
            self._names = tuple(names)
            self.endResetModel()
        elif names:
            self.dataChanged.emit(self.index(0, 0), self.index(len(names) - 1, len(TITLES) - 1))

    def set_editable(self, is_editable: bool) -> None:
        """Whether anything can be ticked."""
        self._is_editable = is_editable

    def name(self, row: int) -> str:
        """The variable in a row."""
        return self._names[row]

    def is_on(self, name: str, column: int) -> bool:
        """Whether a column is ticked for a variable."""
        if column == HiddenColumn.EXOGENOUS:
            return name in self._draft.exogenous
        among = self._draft.may_be_hidden
        return name not in self._draft.exogenous and (among is None or name in among)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        return {Qt.ItemDataRole.DisplayRole: TITLES, Qt.ItemDataRole.ToolTipRole: TIPS}.get(
            Qt.ItemDataRole(role), (None,) * len(TITLES)
        )[section]

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == HiddenColumn.NAME:
            return flags
        is_settled = index.column() == HiddenColumn.HIDDEN and self._names[index.row()] in self._draft.exogenous
        if is_settled or not self._is_editable:
            return Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        name, column = self._names[index.row()], index.column()
        if column == HiddenColumn.NAME:
            return name if role == Qt.ItemDataRole.DisplayRole else None
        match role:
            case Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if self.is_on(name, column) else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{name}, {TITLES[column]}: {'yes' if self.is_on(name, column) else 'no'}"
            case Qt.ItemDataRole.ToolTipRole:
                return TIPS[column]
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() == HiddenColumn.NAME:
            return False
        is_on = Qt.CheckState(value) == Qt.CheckState.Checked
        self.ticked.emit(self._names[index.row()], index.column(), is_on)
        return True
