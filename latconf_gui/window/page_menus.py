"""The menus of the pages: only that of the page that is shown, so that no command acts on what nobody sees."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from latconf_gui.pages.page import Page
from latconf_gui.widgets.actions import Actions


class PageMenus:
    """A menu per page before View, and what the page that is shown adds to View."""

    def __init__(self, bar: QMenuBar, view: QMenu, actions: Actions) -> None:
        self._bar, self._view, self._actions = bar, view, actions
        self._menus: dict[Page, QAction] = {}
        self._in_view: list[QAction] = []

    def add(self, page: Page) -> None:
        """The menu of a page that has one; it stands there once the page is shown."""
        if not page.menu():
            return
        menu = QMenu(f"&{page.title}", self._bar)
        for id in page.menu():
            if id is None:
                menu.addSeparator()
            else:
                menu.addAction(self._actions[id])
        self._bar.insertMenu(self._view.menuAction(), menu)
        menu.menuAction().setVisible(False)
        self._menus[page] = menu.menuAction()

    def show(self, shown: Page) -> None:
        """Another page is shown."""
        for page, menu in self._menus.items():
            menu.setVisible(page is shown)
        for action in self._in_view:
            self._view.removeAction(action)
        self._in_view = [self._actions[id] for id in shown.view_menu()]
        self._view.addActions(self._in_view)
