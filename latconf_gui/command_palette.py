"""The command palette: type a few letters of a command and press Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from latconf_gui.actions import Actions

_ACTION = Qt.ItemDataRole.UserRole


class CommandPalette(QDialog):
    """All commands that can be given now, filtered by the words typed."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Commands")
        self._actions = actions
        self._over = parent
        self.field = QLineEdit(placeholderText="Type a command")
        self.field.setAccessibleName("Command")
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Commands that match")
        self.list.setUniformItemSizes(True)
        self.list.setSpacing(2)
        layout = QVBoxLayout(self)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._run_current)
        self.list.itemActivated.connect(self._run_current)
        self.field.installEventFilter(self)

    def open(self) -> None:
        """Show it, empty, over the middle of the window."""
        self.field.clear()
        self._fill("")
        self.resize(max(420, self._over.width() // 2), max(320, self._over.height() // 2))
        self.field.setFocus()
        super().open()

    def _fill(self, text: str) -> None:
        words = text.lower().split()
        self.list.clear()
        for action in self._actions:
            said = f"{plain(action)} {action.statusTip()}".lower()
            if action.isEnabled() and action.isVisible() and all(word in said for word in words):
                self._add(action)
        self.list.setCurrentRow(0)

    def _add(self, action: QAction) -> None:
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        item = QListWidgetItem(action.icon(), f"{plain(action)}    {keys}" if keys else plain(action))
        item.setToolTip(action.statusTip())
        item.setData(_ACTION, action)
        self.list.addItem(item)

    def _run_current(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.accept()
            item.data(_ACTION).trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move through the list while the field keeps the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None and self.list.count():
                self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
                return True
        return super().eventFilter(watched, event)


def plain(action: QAction) -> str:
    """The text of an action without the mark of its access key."""
    return action.text().replace("&", "")
