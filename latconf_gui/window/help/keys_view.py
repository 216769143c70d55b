"""Every key of the window, read from its commands, so that the list is never out of date."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.pages.catalogue import PAGES
from latconf_gui.widgets.actions import Actions, plain

GROUPS = {"file": "File", "edit": "Edit", "view": "View", "page": "Pages", "help": "Help", "run": "What is running"}


def group_of(action: QAction) -> str:
    """Where a command belongs: a menu, or the page whose commands begin with its name."""
    first = action.objectName().split(".")[0]
    titles = {entry.icon: f"{entry.title} page" for entry in PAGES}
    return GROUPS.get(first) or titles.get(first) or first.replace("_", " ").capitalize()


def keys_of(action: QAction) -> str:
    """The keys of a command as the system writes them, without those that only some keyboards have."""
    common = [
        keys
        for keys in action.shortcuts()
        if keys.count() and keys[0].key() < Qt.Key.Key_Back  # type: ignore[index] # PySide's stubs lack it
    ]
    texts = [keys.toString(QKeySequence.SequenceFormat.NativeText) for keys in common]
    return " or ".join(dict.fromkeys(texts))


class KeysView(QWidget):
    """A tree of commands with their keys, by page."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Keys")
        self.tree.setHeaderLabels(["Keys", "Command"])
        self.tree.setRootIsDecorated(False)
        header = self.tree.header()
        self.tree.setIndentation(self.fontMetrics().averageCharWidth())
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tree)

    def filter(self, text: str) -> None:
        """List every command with a key that has these words in its name, its tip or its keys."""
        words = text.casefold().split()
        self.tree.clear()
        groups: dict[str, QTreeWidgetItem] = {}
        for action in self._actions:
            keys = keys_of(action)
            said = f"{plain(action)} {action.statusTip()} {keys}".casefold()
            if keys and all(word in said for word in words):
                self._add(groups, action, keys)
        self.tree.expandAll()

    def _add(self, groups: dict[str, QTreeWidgetItem], action: QAction, keys: str) -> None:
        name = group_of(action)
        if name not in groups:
            head = groups[name] = QTreeWidgetItem(self.tree, [name])
            head.setFirstColumnSpanned(True)
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = head.font(0)
            font.setBold(True)
            head.setFont(0, font)
        item = QTreeWidgetItem(groups[name], [keys, plain(action)])
        item.setToolTip(1, plain_tip(f"{plain(action)}\n{action.statusTip()}"))
