"""The variables of one tier as a list: dragged to another list, or moved there by the arrow keys."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QByteArray,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

Index = QModelIndex | QPersistentModelIndex
MIME_TYPE = "application/x-latconf-variables"
SEPARATOR = "\x1f"  # between names that are dragged; no name of a column holds it
STRANGER = "not in the data"


class TierModel(QAbstractListModel):
    """Names of variables; `dropped(names)` when others are dropped here."""

    dropped = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.title = ""
        self._names: tuple[str, ...] = ()
        self._strangers: frozenset[str] = frozenset()
        self._is_editable = True

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    def show_names(self, names: Sequence[str], strangers: Collection[str], *, title: str) -> None:
        """Show the variables of a tier.

        strangers : names that the data lack
        """
        self.title = title
        if tuple(names) != self._names or frozenset(strangers) != self._strangers:
            self.beginResetModel()
            self._names, self._strangers = tuple(names), frozenset(strangers)
            self.endResetModel()

    def set_editable(self, is_editable: bool) -> None:
        """Whether variables can be dragged."""
        self._is_editable = is_editable

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        name = self._names[index.row()]
        is_stranger = name in self._strangers
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return name
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{name}, {self.title}{f', {STRANGER}' if is_stranger else ''}"
            case Qt.ItemDataRole.ToolTipRole:
                return f"{name}: {STRANGER}" if is_stranger else name
            case Qt.ItemDataRole.ForegroundRole if is_stranger:
                return QPalette().color(QPalette.ColorRole.PlaceholderText)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not self._is_editable:
            return flags
        return flags | (Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled)

    # Dragging -------------------------------------------------------------------------------------

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        names = SEPARATOR.join(self._names[index.row()] for index in sorted(indexes, key=lambda index: index.row()))
        content = QMimeData()
        content.setData(MIME_TYPE, QByteArray(names.encode()))
        return content

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        if not data.hasFormat(MIME_TYPE):
            return False
        self.dropped.emit(tuple(data.data(MIME_TYPE).toStdString().split(SEPARATOR)))
        return True


class TierList(QListView):
    """`shifted(names, step)` by the arrow keys, `stepped(step)` to another list with Ctrl held."""

    shifted = Signal(object, int)
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tiers = TierModel(self)
        self._hint = ""
        self.setModel(self.tiers)
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)

    def set_hint(self, hint: str) -> None:
        """What stands in the list while it is empty."""
        self._hint = hint
        self.viewport().update()

    def selected_names(self) -> tuple[str, ...]:
        """The variables that are selected."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        return tuple(self.tiers.names[row] for row in rows)

    def select(self, names: Collection[str]) -> None:
        """Select variables, and go to the first of them."""
        model, flags = self.selectionModel(), QItemSelectionModel.SelectionFlag
        model.clearSelection()
        rows = [row for row, name in enumerate(self.tiers.names) if name in names]
        for row in reversed(rows):
            model.setCurrentIndex(self.tiers.index(row), flags.Select)
        if rows:
            self.scrollTo(self.tiers.index(rows[0]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows to the sides move what is selected; with Ctrl held they go to the list there."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.stepped.emit(step)
        elif step:
            self.shifted.emit(self.selected_names(), step)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._hint and not self.tiers.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            room = self.viewport().rect().adjusted(8, 8, -8, -8)
            painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap, self._hint)
