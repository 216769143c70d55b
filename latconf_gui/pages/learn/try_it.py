"""The button "Try it": opens a DAG in another activity."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QPushButton

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.pages.learn.activities import ACTIVITIES
from latconf_gui.pages.learn.activity import Activity


class TryItButton(QPushButton):
    """A menu of the other activities that take a DAG; `dag` gives the one to open there."""

    def __init__(self, activity: Activity, dag: Callable[[], DrawnDag]) -> None:
        super().__init__("Try it in")
        self._activity, self._dag = activity, dag
        self.setToolTip("Open this graph in another activity")
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self.fill_menu)
        self.setMenu(self._menu)

    def fill_menu(self) -> None:
        """Name the activities; their modules are imported now, not when the page is."""
        self._menu.clear()
        for entry in ACTIVITIES:
            if entry.key != self._activity.key and entry.load().takes_dag:
                action = self._menu.addAction(entry.title)
                action.setToolTip(entry.description)
                action.triggered.connect(lambda _=False, key=entry.key: self._activity.try_dag.emit(key, self._dag()))
