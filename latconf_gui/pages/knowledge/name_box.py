"""Choosing one of many variables by typing a part of its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QListView, QWidget

LEAST_LETTERS = 14


class NameBox(QComboBox):
    """A list of names with a field: what is typed may stand anywhere in the name."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(LEAST_LETTERS)
        line = self.line = QLineEdit()
        self.setLineEdit(line)
        line.setPlaceholderText(title)
        line.setAccessibleName(title)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.setCompleter(completer)
        self._popup = QListView()
        completer.setPopup(self._popup)
        self._popup.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tab goes on to the next field also while names are offered, which would keep it."""
        is_pressed = watched is self._popup and event.type() == QEvent.Type.KeyPress
        if is_pressed and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._popup.hide()
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
            return True
        return super().eventFilter(watched, event)

    def offer(self, names: Sequence[str]) -> None:
        """Offer these names; what was chosen stays."""
        if [self.itemText(i) for i in range(self.count())] == list(names):
            return
        chosen = self.currentText()
        self.clear()
        self.addItems(list(names))
        self.setCurrentIndex(self.findText(chosen, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchCaseSensitive))
        if self.currentIndex() < 0:
            self.setEditText("")

    def chosen(self) -> str:
        """The name that is typed or chosen, or "" where there is no such variable."""
        typed = self.currentText().strip()
        exact = self.findText(typed, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchCaseSensitive)
        return self.itemText(exact) if exact >= 0 else ""

    def clear_choice(self) -> None:
        """Nothing is chosen."""
        self.setCurrentIndex(-1)
        self.setEditText("")
