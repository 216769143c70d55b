"""One QAction per command: menus, toolbar, context menus and the command palette show the same object."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import SIGNAL, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStyle, QToolBar, QToolButton, QWidget

from latconf_gui.look.icons import icon

Shortcut = QKeySequence | QKeySequence.StandardKey | str


class Actions(QObject):
    """The commands of the window by id, in the order in which they were added."""

    added = Signal(QAction)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._by_id: dict[str, QAction] = {}
        self._tips: dict[str, str] = {}  # the tool tips while nothing stands in the way
        self._obstacles: dict[str, str] = {}

    def add(
        self,
        id: str,
        text: str,
        *,
        slot: Callable[..., object] | None = None,
        shortcut: Shortcut | None = None,
        tip: str = "",
        icon_name: str = "",
        checkable: bool = False,
        within: QWidget | None = None,
        while_shown: QWidget | None = None,
    ) -> QAction:
        """A new command.

        within : its key works only while that widget or a child of it has the focus
        while_shown : its key works only while that widget can be seen, such as a page; others may have the same key
        """
        owner = within or while_shown or self._window
        action = QAction(text, owner)
        action.setObjectName(id)
        action.setCheckable(checkable)
        if icon_name:
            action.setIcon(icon(icon_name))
        self._set_keys(action, shortcut, tip=tip)
        if slot is not None:
            (action.toggled if checkable else action.triggered).connect(_without_extra(slot, checkable))
        if within is not None:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        return self._keep(id, action, owner)

    def adopt(self, id: str, action: QAction, *, shortcut: Shortcut | None = None, icon_name: str = "") -> QAction:
        """A command that Qt made, such as an undo stack's or a dock's."""
        action.setObjectName(id)
        if icon_name:
            action.setIcon(icon(icon_name))
        self._set_keys(action, shortcut, tip="")
        return self._keep(id, action, self._window)

    def allow(self, id: str, obstacle: str = "") -> None:
        """Offer a command everywhere; or nowhere, with the obstacle in its tool tip: why not, and what to do."""
        action, tip = self._by_id[id], self._tips[id]
        self._obstacles[id] = obstacle
        action.setToolTip(f"{tip}\n{obstacle}" if obstacle else tip)
        action.setStatusTip(obstacle or tip)
        action.setEnabled(not obstacle)

    def obstacle(self, id: str) -> str:
        """Why a command is not offered, and what to do; empty where it is."""
        return self._obstacles.get(id, "")

    def describe(self, id: str, text: str, *, tip: str) -> None:
        """Another text and tool tip for a command, as what it does depends on what there is."""
        action = self._by_id[id]
        action.setText(text)
        self._set_keys(action, None, tip=tip)
        self._tips[id] = action.toolTip()

    def _keep(self, id: str, action: QAction, owner: QWidget) -> QAction:
        if id in self._by_id:
            raise ValueError(f"there is already an action {id!r}")
        owner.addAction(action)
        self._by_id[id] = action
        self._tips[id] = action.toolTip()
        self.added.emit(action)
        return action

    def _set_keys(self, action: QAction, shortcut: Shortcut | None, *, tip: str) -> None:
        if isinstance(shortcut, QKeySequence.StandardKey):
            action.setShortcuts(shortcut)
        elif shortcut is not None:
            action.setShortcut(QKeySequence(shortcut))
        action.setStatusTip(tip or action.text().replace("&", "").rstrip("…"))
        action.setToolTip(_tip_with_keys(action))

    def __getitem__(self, id: str) -> QAction:
        return self._by_id[id]

    def __contains__(self, id: object) -> bool:
        return id in self._by_id

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._by_id.values())


def follow_action(button: QAbstractButton, action: QAction) -> None:
    """Make a button another face of a command: it can be pressed when the command can be used, and says why not."""

    def follow() -> None:
        button.setEnabled(action.isEnabled())
        button.setToolTip(action.toolTip())

    action.changed.connect(follow)
    button.clicked.connect(action.trigger)
    follow()


def _tip_with_keys(action: QAction) -> str:
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return f"{action.statusTip()} ({keys})" if keys else action.statusTip()


def _without_extra(slot: Callable[..., object], checkable: bool) -> Callable[[bool], None]:
    """A slot that takes `checked` only where it means something."""

    def call(checked: bool = False) -> None:
        if checkable:
            slot(checked)
        else:
            slot()

    return call


class ToolBar(QToolBar):
    """A tool bar whose buttons hold one connection to their actions; it hears of a change before its button does.

    A tool button of Qt 6.11 connects itself to its action anew with every change of it and lets no older connection
    go: each takes memory, and each is called again at the next change. What is connected is called after the button
    has heard of the change and connected itself, so that nothing is lost where the older ones go before.
    """

    def actionEvent(self, event: QActionEvent) -> None:
        if event.type() == QEvent.Type.ActionChanged:
            button = self.widgetForAction(event.action())
            if isinstance(button, QToolButton):
                _forget_connections(event.action(), button)
        super().actionEvent(event)


class ShortToolBar(ToolBar):
    """Asks for the room of its first buttons and of the arrow: what has no room is in the menu of the arrow."""

    def __init__(self, title: str, *, n_first: int, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self._n_first = n_first
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self._first_width(), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._first_width(), super().minimumSizeHint().height())

    def _first_width(self) -> int:
        layout = self.layout()
        assert layout is not None
        margins = layout.contentsMargins()
        buttons = [self.widgetForAction(action) for action in self.actions()[: self._n_first]]
        widths = sum(button.sizeHint().width() for button in buttons)
        spaces = self._n_first * layout.spacing()  # between the buttons, and before the arrow
        arrow = self.style().pixelMetric(QStyle.PixelMetric.PM_ToolBarExtensionExtent, None, self)
        return margins.left() + widths + spaces + arrow + margins.right()


class ToolButton(QToolButton):
    """The same for a tool button that stands alone."""

    def actionEvent(self, event: QActionEvent) -> None:
        if event.type() == QEvent.Type.ActionChanged and event.action() is self.defaultAction():
            _forget_connections(event.action(), self)
        super().actionEvent(event)


def _forget_connections(action: QAction, button: QToolButton) -> None:
    QObject.disconnect(action, SIGNAL("changed()"), button, None)  # type: ignore[call-overload]


def plain(action: QAction) -> str:
    """The text of an action without the mark of its access key."""
    return action.text().replace("&", "")
