"""The command palette: type a few letters of a command and press Enter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QKeySequence, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from latconf_gui.pages.catalogue import PAGES
from latconf_gui.widgets.actions import Actions, plain

Index = QModelIndex | QPersistentModelIndex
PAGE_TITLES = {entry.icon: entry.title for entry in PAGES}  # an icon is called as the commands of its page
_ACTION = Qt.ItemDataRole.UserRole
_KEYS = Qt.ItemDataRole.UserRole + 1


class CommandPalette(QDialog):
    """All commands that can be given now, filtered by the words typed; one of another page opens that page first."""

    def __init__(self, actions: Actions, parent: QWidget, *, show_page: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._show_page = show_page
        self.setWindowTitle("Commands")
        self._actions = actions
        self._over = parent
        self.field = QLineEdit(placeholderText="Type a command")
        self.field.setAccessibleName("Command")
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Matching commands")
        self.list.setUniformItemSizes(True)
        self.list.setSpacing(2)
        self.list.setItemDelegate(_KeysDelegate(self.list))
        self._blank = _blank_icon()
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
        offered = [action for action in self._actions if self._is_offered(action)]
        counts = Counter(plain(action) for action in offered)
        for action in offered:
            name = plain(action) if counts[plain(action)] == 1 else _with_page(action)
            said = f"{name} {action.statusTip()}".lower()
            if all(word in said for word in words):
                self._add(action, name)
        self.list.setCurrentRow(0)

    def _is_offered(self, action: QAction) -> bool:
        """Whether it can be given now; one of an activity only where that is seen."""
        owner = action.parent()
        is_seen = not isinstance(owner, QWidget) or owner.isVisible() or _page_of(action) is not None
        return action.isEnabled() and action.isVisible() and is_seen

    def _add(self, action: QAction, name: str) -> None:
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        item = QListWidgetItem(action.icon(), name)
        if item.icon().isNull():
            item.setIcon(self._blank)  # keeps the words of all commands below each other
        item.setData(_KEYS, keys)
        item.setToolTip(action.statusTip())
        item.setData(_ACTION, action)
        self.list.addItem(item)

    def _run_current(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.accept()
            action = item.data(_ACTION)
            page = _page_of(action)
            if page is not None:  # what a command changes is to be seen
                self._show_page(page)
            action.trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move through the list while the field keeps the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None and self.list.count():
                self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
                return True
        return super().eventFilter(watched, event)


class _KeysDelegate(QStyledItemDelegate):
    """A command with its keys at the right end of the row."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        keys = index.data(_KEYS)
        if keys:
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.PlaceholderText
            painter.save()
            painter.setPen(option.palette.color(role))
            area = option.rect.adjusted(0, 0, -option.fontMetrics.height() // 2, 0)
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, keys)
            painter.restore()


def _blank_icon() -> QIcon:
    picture = QPixmap(64, 64)
    picture.fill(Qt.GlobalColor.transparent)
    return QIcon(picture)


def _with_page(action: QAction) -> str:
    """The text of an action and whose it is, where another page has one of the same text."""
    page = _page_of(action)
    return plain(action) if page is None else f"{plain(action)} ({page})"


def _page_of(action: QAction) -> str | None:
    """The title of the page whose command it is."""
    return PAGE_TITLES.get(action.objectName().partition(".")[0])
