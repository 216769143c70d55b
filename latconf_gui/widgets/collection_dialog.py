"""A list of all items of a collection, where each can be shown, renamed and deleted."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.widgets.collection import Collection, Entry
from latconf_gui.widgets.text import Quiet

DIALOG_LETTERS, DIALOG_LINES = 110, 16  # its first size
NAME_ROLE = Qt.ItemDataRole.UserRole


class CollectionDialog(QDialog):
    """Every item of a collection with what it is; F2 renames, Delete deletes, Return shows."""

    def __init__(self, collection: Collection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._collection = collection
        thing = collection.kind.thing
        self.setWindowTitle(collection.kind.where)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.list = QTreeWidget()
        self.list.setAccessibleName(f"{thing}s")
        self.list.setHeaderLabels(["Name", "About"])
        self.list.setRootIsDecorated(False)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.show_button = QPushButton("&Show")
        self.rename_button = QPushButton("&Rename")
        self.delete_button = QPushButton("&Delete")
        note = Quiet(collection.kind.note)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        for button in (self.show_button, self.rename_button, self.delete_button):
            button.setAutoDefault(False)
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        layout = QVBoxLayout(self)
        layout.addWidget(self.list, 1)
        layout.addWidget(note)
        layout.addWidget(buttons)
        self._connect(buttons)
        self._show_entries()
        self._choose_current()
        metrics = self.fontMetrics()
        self.resize(metrics.averageCharWidth() * DIALOG_LETTERS, metrics.height() * DIALOG_LINES)

    def _connect(self, buttons: QDialogButtonBox) -> None:
        buttons.rejected.connect(self.reject)
        self.show_button.clicked.connect(self._on_show)
        self.rename_button.clicked.connect(self._on_rename)
        self.delete_button.clicked.connect(self._on_delete)
        QShortcut(
            QKeySequence.StandardKey.Delete, self.list, self._on_delete, context=Qt.ShortcutContext.WidgetShortcut
        )
        self.list.itemActivated.connect(lambda _item, _column: self._on_show())
        self.list.itemChanged.connect(self._on_changed)
        self.list.currentItemChanged.connect(lambda _now, _before: self._show_enabled())
        self._collection.changed.connect(self._show_entries)

    @property
    def chosen(self) -> str | None:
        """The name of the item whose row is chosen."""
        item = self.list.currentItem()
        return None if item is None else str(item.data(0, NAME_ROLE))

    def _show_entries(self) -> None:
        row = self.list.currentIndex().row()
        was_blocked = self.list.blockSignals(True)
        self.list.clear()
        entries, current = self._collection.entries, self._collection.current
        for entry in entries:
            is_current, is_editable = entry.name == current, self._collection.is_editable
            self.list.addTopLevelItem(_row(entry, is_current=is_current, is_editable=is_editable))
        chosen = self.list.topLevelItem(min(max(row, 0), len(entries) - 1))
        if chosen is not None:
            self.list.setCurrentItem(chosen)
        self.list.blockSignals(was_blocked)
        self._show_enabled()

    def _choose_current(self) -> None:
        names = [entry.name for entry in self._collection.entries]
        if self._collection.current in names:
            item = self.list.topLevelItem(names.index(self._collection.current))
            assert item is not None
            self.list.setCurrentItem(item)

    def _show_enabled(self) -> None:
        entry = next((entry for entry in self._collection.entries if entry.name == self.chosen), None)
        self.show_button.setEnabled(entry is not None and not entry.reason)
        self.show_button.setToolTip(plain_tip(entry.reason) if entry is not None else "")
        for button in (self.rename_button, self.delete_button):
            button.setEnabled(entry is not None and self._collection.is_editable)

    def _on_show(self) -> None:
        if self.chosen is not None:
            self._collection.choose(self.chosen)

    def _on_rename(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.list.editItem(item, 0)

    def _on_delete(self) -> None:
        if self.chosen is not None:
            self._collection.delete(self.chosen)

    def _on_changed(self, item: QTreeWidgetItem, column: int) -> None:
        old, new = str(item.data(0, NAME_ROLE)), item.text(0)
        if column == 0:  # after the field has closed: the rows are made anew
            QTimer.singleShot(0, self, lambda: self._collection.rename(old, new))


def _row(entry: Entry, *, is_current: bool, is_editable: bool) -> QTreeWidgetItem:
    item = QTreeWidgetItem([entry.name, f"{entry.about} – {entry.reason}" if entry.reason else entry.about])
    item.setData(0, NAME_ROLE, entry.name)
    if is_editable:
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
    font = item.font(0)
    font.setBold(is_current)
    item.setFont(0, font)
    for column in (0, 1):
        item.setToolTip(column, plain_tip(entry.tip))
        if entry.reason:
            item.setForeground(column, QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText))
    return item
