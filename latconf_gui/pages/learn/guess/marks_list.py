"""The variables of a puzzle, to be ticked as children of the secret one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from latconf_gui.widgets.scroll import LeastLines

LIST_LINES = 5


class MarksList(QListWidget):
    """`marked_changed` when a person ticks or unticks a variable; nothing can be ticked once the list is closed."""

    marked_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Children of the hidden variable")
        LeastLines(self, LIST_LINES)
        self.itemChanged.connect(lambda _item: self.marked_changed.emit())

    def show_names(self, names: Sequence[str], marked: Collection[str]) -> None:
        """List these variables, some of them ticked."""
        was_blocked = self.blockSignals(True)
        self.clear()
        for name in names:
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in marked else Qt.CheckState.Unchecked)
            self.addItem(item)
        self.blockSignals(was_blocked)

    def set_open(self, is_open: bool) -> None:
        """Whether variables can be ticked."""
        was_blocked = self.blockSignals(True)
        for item in self._items():
            flags = item.flags() & ~Qt.ItemFlag.ItemIsUserCheckable
            item.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable if is_open else flags)
        self.blockSignals(was_blocked)

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    @property
    def marked(self) -> tuple[str, ...]:
        """The variables that are ticked."""
        return tuple(item.text() for item in self._items() if item.checkState() == Qt.CheckState.Checked)

    def toggle(self, name: str) -> None:
        """Tick a variable, or untick it."""
        for item in self.findItems(name, Qt.MatchFlag.MatchExactly):
            is_marked = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if is_marked else Qt.CheckState.Checked)
