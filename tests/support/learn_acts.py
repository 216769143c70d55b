"""What a person does on the Lessons page, for tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare import Prepared
from latconf_gui.application.document import Document
from latconf_gui.application.messages import explain
from latconf_gui.application.opener import Opener
from latconf_gui.application.settings import Settings
from latconf_gui.background.runs import Runs
from latconf_gui.pages.learn.activity import Activity
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.learn.stage import StagePane
from latconf_gui.pages.page import PageContext
from latconf_gui.widgets.actions import Actions
from latconf_gui.window.main_window import MainWindow

LONGEST_MILLISECONDS = 60_000


class LearnHost(QMainWindow):
    """A window with the Lessons page alone; what it reports is kept as sentences."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.document = Document(self)
        self.runs = Runs(self.report, parent=self)
        settings = Settings()
        opener = Opener(self.document, settings, self.runs, report=self.report, parent=self)
        context = PageContext(self.document, Actions(self), settings, self.runs, opener, self.report)
        self.page = LearnPage(context)
        self.setCentralWidget(self.page)
        self.resize(1100, 760)

    def report(self, problem: BaseException | str, where: str) -> None:
        self.problems.append(explain(problem, where).what)

    def leave(self) -> None:
        """As when another page is opened."""
        self.page.hide()

    def come_back(self) -> None:
        self.page.show()

    def put_rows(self, dataset: Dataset) -> None:
        """Other data in the same project."""
        prepared = Prepared(dataset, np.arange(dataset.n_rows))
        self.document.open_state(replace(self.document.state, prepared=prepared), "Open data")

    def end(self) -> None:
        """Stop everything and go."""
        self.runs.stop_all()
        self.page.stop()
        self.close()
        self.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def open_activity(window: MainWindow | LearnHost, qtbot: QtBot, key: str) -> Activity:
    """An activity on the screen, with nothing running any more."""
    if isinstance(window, MainWindow):
        window.show_page("Lessons")
        activity = window.page(LearnPage).open_activity(key)
    else:
        with qtbot.waitActive(window):
            window.show()
        activity = window.page.open_activity(key)
    settle(activity, qtbot)
    return activity


def settle(activity: Activity, qtbot: QtBot) -> None:
    """Wait until nothing runs in the background."""
    qtbot.waitUntil(lambda: not activity.is_busy, timeout=LONGEST_MILLISECONDS)


def click_node(pane: StagePane, name: str) -> None:
    """A click with the left button on the middle of a node."""
    point = pane.view.mapFromScene(pane.scene.node_item(name).pos())
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=point)


def walk_to(pane: StagePane, name: str) -> None:
    """To a node by the arrow keys alone, from wherever the selection is."""
    keys = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
    scene, seen = pane.scene, set[str]()
    QTest.keyClick(pane.view, Qt.Key.Key_Up)
    ways: dict[str, list[Qt.Key]] = {scene.selected_nodes()[0]: []}
    queue = list(ways)
    while queue and name not in ways:
        at = queue.pop(0)
        seen.add(at)
        for key in keys:
            scene.select_nodes([at])
            QTest.keyClick(pane.view, key)
            reached = scene.selected_nodes()[0]
            if reached not in ways:
                ways[reached] = [*ways[at], key]
                queue.append(reached)
    assert name in ways, f"no way by keys to {name}"
    scene.select_nodes([name])
