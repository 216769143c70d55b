"""What a person does on the Learn page, for tests."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latconf_gui.pages.learn.activity import Activity
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.learn.stage import StagePane
from latconf_gui.window.main_window import MainWindow

LONGEST_MILLISECONDS = 20_000


def open_activity(window: MainWindow, qtbot: QtBot, key: str) -> Activity:
    """An activity on the screen, with nothing running any more."""
    window.show_page("Learn")
    activity = window.page(LearnPage).open_activity(key)
    settle(activity, qtbot)
    return activity


def settle(activity: Activity, qtbot: QtBot) -> None:
    """Wait until nothing runs in the background."""
    qtbot.waitUntil(lambda: not activity.is_busy, timeout=LONGEST_MILLISECONDS)


def click_node(pane: StagePane, name: str) -> None:
    """A click with the left button on the middle of a node."""
    place = pane.view.mapFromScene(pane.scene.node_item(name).pos())
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=place)


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
