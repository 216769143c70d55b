"""Narrows the list of variables: by letters of their names, and by what became of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget

from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_gui.widgets.text import SPACE, Quiet

KINDS: dict[str, Callable[[ColumnPlan, str], bool]] = {
    "All variables": lambda _plan, _remark: True,
    "Used": lambda plan, _remark: plan.is_used,
    "Excluded": lambda plan, _remark: not plan.is_used,
    "With remarks": lambda _plan, remark: bool(remark),
    "With missing cells": lambda plan, _remark: plan.n_missing > 0,
    "Many states": lambda plan, _remark: plan.has_many_states,
}


class VariableFilter(QWidget):
    """`changed` when other variables match."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = QLineEdit(placeholderText="Find a variable…", clearButtonEnabled=True)
        self.name.setAccessibleName("Find a variable by letters of its name")
        self.kind = QComboBox()
        self.kind.addItems(list(KINDS))
        for widget in (self.kind, self.kind.view()):  # the list that opens takes the focus
            widget.setAccessibleName("Which variables are listed")
        self.shown = Quiet()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.name, 2)
        layout.addWidget(self.kind)
        layout.addWidget(self.shown, 1)
        self.name.textChanged.connect(self.changed)
        self.kind.currentIndexChanged.connect(self.changed)

    def matches(self, plans: Sequence[ColumnPlan], remarks: Sequence[str]) -> list[bool]:
        """Which of the variables are listed; says how many where some are not."""
        letters, fits = self.name.text().strip().casefold(), KINDS[self.kind.currentText()]
        matching = [
            letters in f"{plan.called}\n{plan.name}".casefold() and fits(plan, remark)
            for plan, remark in zip(plans, remarks)
        ]
        self.shown.setText("" if all(matching) else f"{sum(matching):,} of {len(matching):,}")
        return matching
