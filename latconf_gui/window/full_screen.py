"""Full screen for a lecture: the page and its Inspector, without menus, toolbar, rail and status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QToolBar, QWidget

from latconf_gui.widgets.actions import Actions

if TYPE_CHECKING:
    from latconf_gui.window.main_window import MainWindow

COMMAND = "view.full_screen"


class FullScreen(QObject):
    """The command and its mode; what was shown before is shown again afterwards."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._hidden: list[QWidget] = []  # by this mode
        self._state_before = Qt.WindowState.WindowNoState

    @property
    def is_on(self) -> bool:
        return bool(self._hidden)

    def add_command(self, actions: Actions) -> None:
        """F11, which begins and ends it."""
        tip = "The page alone, without menus and rail; F11 or Esc goes back"
        actions.add(COMMAND, "&Full screen", slot=self.set_on, shortcut="F11", tip=tip, checkable=True)

    def set_on(self, is_on: bool) -> None:
        """Begin or end the mode."""
        if is_on == self.is_on:
            return
        window = self._window
        if is_on:
            bars = window.findChildren(QToolBar, "main_toolbar", Qt.FindChildOption.FindDirectChildrenOnly)
            frame: list[QWidget] = [window.menuBar(), window.rail, window.statusBar(), *bars]
            self._hidden = [widget for widget in frame if not widget.isHidden()]
            self._state_before = window.windowState()
        for widget in self._hidden:
            widget.setVisible(not is_on)
        if is_on:
            window.showFullScreen()
        else:
            self._hidden = []
            window.setWindowState(self._state_before)

    def leave(self) -> None:
        """End the mode, as Esc does."""
        self._window.actions_by_id[COMMAND].setChecked(False)
