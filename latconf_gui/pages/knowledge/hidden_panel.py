"""Where hidden causes may be: exogenous variables, variables that none acts on, and groups that share none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLabel, QListWidget, QPushButton, QVBoxLayout, QWidget

from latconf_core.phrases import counted
from latconf_gui.pages.knowledge.draft import Draft
from latconf_gui.pages.knowledge.hidden_model import HiddenColumn, HiddenModel, with_exogenous, with_hidden
from latconf_gui.pages.knowledge.plain_table import LEAST_LINES, PlainTable
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text import SPACE

GROUPS = "Share no hidden cause"


class HiddenPanel(QWidget):
    """`changed(Draft, what)` when a person changes what is said, `said(sentence)` where that cannot be done.

    A tick in a selected row holds for every selected row.
    """

    changed = Signal(object, str)
    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft, self._text, self._variables = Draft(), "", tuple[str, ...]()
        self.variables = HiddenModel(self)
        self.table = PlainTable(
            self.variables,
            "Exogenous variables and hidden causes",
            narrow=[HiddenColumn.EXOGENOUS, HiddenColumn.HIDDEN],
        )
        self.groups = QListWidget()
        self.groups.setAccessibleName(GROUPS)
        self.groups.setWordWrap(True)
        self.groups.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.add, self.delete = QPushButton("&No hidden cause of the selected"), QPushButton("&Delete groups")
        self.add.setToolTip("Declare that no two of the selected variables share a hidden cause")
        for button in (self.add, self.delete):
            button.setAutoDefault(False)
        self._build()
        self.variables.ticked.connect(self._on_ticked)
        self.add.clicked.connect(self._on_add)
        self.delete.clicked.connect(self._on_delete)

    def _build(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.add)
        buttons.addStretch(1)
        buttons.addWidget(self.delete)
        LeastLines(self.groups, LEAST_LINES - 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(SPACE // 2,) * 4)
        layout.addWidget(self.table, 3)
        layout.addLayout(buttons)
        layout.addWidget(QLabel(GROUPS))
        layout.addWidget(self.groups, 1)

    def show_draft(self, draft: Draft, variables: Sequence[str]) -> None:
        """Show what a draft says of these variables."""
        self._draft, self._variables = draft, tuple(variables)
        self.groups.clear()
        self.groups.addItems([", ".join(group) for group in draft.no_hidden_cause])
        self._show()

    def set_filter(self, text: str) -> None:
        """Show only variables with this text in their names."""
        self._text = text.strip().casefold()
        self._show()

    def _show(self) -> None:
        self.variables.show_draft(self._draft, [name for name in self._variables if self._text in name.casefold()])

    def set_editable(self, is_editable: bool) -> None:
        """Whether anything here can be changed."""
        self.variables.set_editable(is_editable)
        for button in (self.add, self.delete):
            button.setEnabled(is_editable)

    def _selected(self) -> tuple[str, ...]:
        return tuple(self.variables.name(row) for row in self.table.selected_rows())

    def _on_ticked(self, name: str, column: int, is_on: bool) -> None:
        selected = self._selected()
        names = selected if name in selected else (name,)
        what = names[0] if len(names) == 1 else counted(len(names), "variable")
        if column == HiddenColumn.EXOGENOUS:
            text = f"{what} {'exogenous' if is_on else 'not exogenous'}"
            self.changed.emit(with_exogenous(self._draft, names, is_on), text)
        else:
            after = with_hidden(self._draft, names, is_on, variables=self._variables)
            self.changed.emit(after, f"{'A' if is_on else 'No'} hidden cause possible for {what}")

    def _on_add(self) -> None:
        names = self._selected()
        if len(names) < 2:
            self.said.emit("First select two or more variables in the table.")
        elif names in self._draft.no_hidden_cause:
            self.said.emit("This group already exists.")
        else:
            after = replace(self._draft, no_hidden_cause=(*self._draft.no_hidden_cause, names))
            self.changed.emit(after, f"No hidden cause of {counted(len(names), 'variable')}")

    def _on_delete(self) -> None:
        rows = {self.groups.row(item) for item in self.groups.selectedItems()}
        if not rows:
            self.said.emit("First select the groups to delete.")
            return
        left = tuple(group for i, group in enumerate(self._draft.no_hidden_cause) if i not in rows)
        self.changed.emit(replace(self._draft, no_hidden_cause=left), f"Delete {counted(len(rows), 'group')}")
