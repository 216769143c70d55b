"""One row per column of the table: whether it is used, its states, its missing cells, and why it is excluded."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPalette

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.preparing.prepare import Prepared
from latconf_gui.widgets.bars import SHARES_ROLE

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_Role = Qt.ItemDataRole
HEADERS = ("Variable", "States", "Distribution", "Missing", "Remarks")
NAME, STATES, DISTRIBUTION, MISSING, REMARKS = range(5)


class VariablesModel(QAbstractTableModel):
    """The check box before a name says whether the variable is used; `use_changed(name, used)` asks to change it."""

    use_changed = Signal(str, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plans: tuple[ColumnPlan, ...] = ()
        self._remarks: tuple[str, ...] = ()
        self._is_editable = True

    def show(self, plans: tuple[ColumnPlan, ...], preparation: Preparation, prepared: Prepared | None) -> None:
        """Show these columns; the same columns keep selection and scroll position."""
        same = [plan.name for plan in plans] == [plan.name for plan in self._plans]
        if not same:
            self.beginResetModel()
        self._plans = plans
        aside = {each.name: each.reason for each in prepared.set_aside} if prepared is not None else {}
        self._remarks = tuple(_remark(plan, preparation, aside.get(plan.name, plan.reason)) for plan in plans)
        if not same:
            self.endResetModel()
        elif plans:
            self.dataChanged.emit(self.index(0, 0), self.index(len(plans) - 1, REMARKS))

    def plan(self, row: int) -> ColumnPlan:
        return self._plans[row]

    def remark(self, row: int) -> str:
        return self._remarks[row]

    def row_of(self, name: str) -> int:
        """The row of a variable, −1 where there is none."""
        return next((row for row, plan in enumerate(self._plans) if plan.name == name), -1)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._plans)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == _Role.DisplayRole:
            return HEADERS[section]
        if orientation == Qt.Orientation.Horizontal and role == _Role.TextAlignmentRole:
            return _alignment(section)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self._is_editable and index.column() == NAME else flags

    def set_editable(self, is_editable: bool) -> None:
        """Whether variables can be used and excluded here."""
        self._is_editable = is_editable

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        plan, column = self._plans[index.row()], index.column()
        match role:
            case _Role.DisplayRole:
                return self._text(index.row(), column)
            case _Role.CheckStateRole if column == NAME:
                return Qt.CheckState.Checked if plan.is_used else Qt.CheckState.Unchecked
            case _Role.TextAlignmentRole:
                return _alignment(column)
            case _Role.ForegroundRole if not plan.is_used:
                return QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText)
            case _Role.ToolTipRole | _Role.AccessibleTextRole:
                return _shares_text(plan) if column == DISTRIBUTION else self._text(index.row(), column)
        if role == SHARES_ROLE and column == DISTRIBUTION:
            return plan.bars
        return None

    def _text(self, row: int, column: int) -> str:
        plan = self._plans[row]
        missing = f"{plan.n_missing:,}" if plan.n_missing else "–"
        return (plan.called, f"{len(plan.states):,}", "", missing, self._remarks[row])[column]

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:
        if role != _Role.CheckStateRole or index.column() != NAME:
            return False
        used = Qt.CheckState(value) == Qt.CheckState.Checked
        self.use_changed.emit(self._plans[index.row()].name, used)
        return True


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in (STATES, MISSING) else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _remark(plan: ColumnPlan, preparation: Preparation, reason: str) -> str:
    if plan.by_hand:
        return "Excluded manually"
    remarks = [f"Excluded: {reason}"] if reason else []
    rule = preparation.rule_of(plan.name)
    if rule is not None and not reason:
        remarks.append(f"Discretised ({rule})")
    if plan.called != plan.name:
        remarks.append(f"{plan.name} in the file")
    if preparation.renames_of(plan.name) and not reason:
        remarks.append("States renamed")
    if plan.overruled:
        remarks.append(f"Used although {plan.overruled}")
    elif plan.has_many_states:
        remarks.append(f"{len(plan.states)} states: {'discretise' if plan.is_numeric else 'merge some'}?")
    remarks += [offer.text[:1].upper() + offer.text[1:] for offer in plan.offers]
    return " · ".join(remarks)


def _shares_text(plan: ColumnPlan) -> str:
    total = max(int(plan.counts.sum()), 1)
    shown = [f"{state}: {count / total:.0%}" for state, count in zip(plan.states[:12], plan.counts)]
    rest = len(plan.states) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")
