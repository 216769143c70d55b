"""All that was done to the data: choices of the user, which can be taken back, and what came of them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QPushButton, QVBoxLayout, QWidget

from latconf_core.data.preparing.choices import DEFAULT_MISSING_MARKS
from latconf_core.data.preparing.data_changes import DataChange, changes_of
from latconf_core.formats.projects.project_state import ProjectState
from latconf_gui.look.icons import icon
from latconf_gui.widgets.text import SPACE


class ChangesPanel(QWidget):
    """`take_back_asked(change of the preparation, text)`."""

    take_back_asked = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._changes: list[DataChange] = []
        self.choices = QListWidget()
        self.choices.setAccessibleName("Your changes")
        self.notes = QListWidget()
        self.notes.setAccessibleName("Change")
        for each in (self.choices, self.notes):
            each.setWordWrap(True)
        self.take_back = QPushButton(icon("undo"), "Undo change")
        self.take_back.setToolTip("Undo the selected change, whenever it was made")
        self.take_back.clicked.connect(self._on_take_back)
        self._is_editable = True
        self.choices.currentRowChanged.connect(self._show_enabled)
        left = QVBoxLayout()
        left.addWidget(QLabel("Your changes"))
        left.addWidget(self.choices, 1)
        row = QHBoxLayout()
        row.addWidget(self.take_back)
        row.addStretch(1)
        left.addLayout(row)
        right = QVBoxLayout()
        right.addWidget(QLabel("Changes of the data"))
        right.addWidget(self.notes, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, SPACE - 4, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(left, 1)
        layout.addLayout(right, 1)

    @property
    def count(self) -> int:
        """How many changes the user made."""
        return len(self._changes)

    def set_editable(self, is_editable: bool) -> None:
        """Whether changes can be taken back here."""
        self._is_editable = is_editable
        self._show_enabled()

    def _show_enabled(self) -> None:
        self.take_back.setEnabled(self._is_editable and self.choices.currentRow() >= 0)

    def show_state(self, state: ProjectState) -> None:
        marks = DEFAULT_MISSING_MARKS if state.raw is not None and state.raw.source is not None else ()
        self._changes = changes_of(state.preparation, default_marks=marks)
        self.choices.clear()
        self.choices.addItems([change.text for change in self._changes] or [])
        self._show_enabled()
        self.notes.clear()
        if state.prepared is not None:
            aside = [f"{each.name!r} is excluded: {each.reason}" for each in state.prepared.set_aside]
            self.notes.addItems([*state.prepared.notes, *aside])

    def _on_take_back(self) -> None:
        row = self.choices.currentRow()
        if 0 <= row < len(self._changes):
            change = self._changes[row]
            self.take_back_asked.emit(change.without, f"Undo: {change.text}")
