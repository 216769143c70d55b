"""A person who tries everything in the Gallery, in Hide it and in Spot the error, in any order."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot
from support.drawn_dag_truth import mag_by_definition

from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.pages.learn.gallery.gallery import Gallery
from latconf_gui.pages.learn.hide.hide_it import HideIt
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.learn.spot.spot_error import SpotTheError
from latconf_gui.window.main_window import MainWindow

N_ACTIONS = 300
KEYS = (
    *(Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_E, Qt.Key.Key_M),
    *(Qt.Key.Key_H, Qt.Key.Key_N, Qt.Key.Key_C, Qt.Key.Key_R, Qt.Key.Key_Delete, Qt.Key.Key_Escape, Qt.Key.Key_0),
    *(Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Return, Qt.Key.Key_Tab),
)
MODIFIERS = (*[Qt.KeyboardModifier.NoModifier] * 5, Qt.KeyboardModifier.ShiftModifier)
MOST_CHECKED = 7  # nodes, for brute force
Acts = dict[str, Callable[[], object]]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LATCONF_LESSONS_FOLDER", str(tmp_path))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: True)


class Learner:
    """Someone who does anything."""

    def __init__(self, page: LearnPage, window: MainWindow, seed: int) -> None:
        self.page, self.window, self.rng = page, window, random.Random(seed)

    def act(self) -> None:
        """One thing that a person may do in the activity that is open."""
        activity = self.page.current
        acts = self._everywhere()
        if isinstance(activity, Gallery):
            acts |= self._in_gallery(activity)
        elif isinstance(activity, HideIt):
            acts |= self._in_hide(activity)
        elif isinstance(activity, SpotTheError):
            acts |= self._in_spot(activity)
        acts[self.rng.choice(list(acts))]()
        for dialog in activity.findChildren(QInputDialog) if activity else ():
            dialog.setTextValue(self.rng.choice(("", "A", "Z9", "two words", "Long" * 9)))
            dialog.accept()
        self.window.show_page("Lessons")

    def _everywhere(self) -> Acts:
        rng, page = self.rng, self.page
        return {
            "open": lambda: page.open_activity(rng.choice(("gallery", "hide", "spot"))),
            "list": lambda: QTest.keyClick(page.list, rng.choice((Qt.Key.Key_Up, Qt.Key.Key_Down))),
            "key": self.press,
            "key again": self.press,
            "click": self.click,
            "drag": self.drag,
            "resize": lambda: self.window.resize(rng.randrange(700, 1900), rng.randrange(500, 1100)),
            "other document": self.change_document,
            "theme": lambda: self.window.actions_by_id[rng.choice(("view.dark", "view.light"))].trigger(),
        }

    def press(self) -> None:
        stage = getattr(self.page.current, "stage", None)
        if stage is not None:
            view = self.rng.choice(stage.panes).view
            QTest.keyClick(view, self.rng.choice(KEYS), self.rng.choice(MODIFIERS))

    def _place(self) -> tuple[object, QPoint] | None:
        stage = getattr(self.page.current, "stage", None)
        if stage is None:
            return None
        pane = self.rng.choice(stage.panes)
        items = pane.scene.node_items()
        if items and self.rng.random() < 0.7:
            return pane.view.viewport(), pane.view.mapFromScene(self.rng.choice(items).pos())
        return pane.view.viewport(), QPoint(self.rng.randrange(300), self.rng.randrange(200))

    def click(self) -> None:
        if (place := self._place()) is not None:
            kind = self.rng.choice((QTest.mouseClick, QTest.mouseClick, QTest.mouseDClick))
            kind(place[0], Qt.MouseButton.LeftButton, self.rng.choice(MODIFIERS), place[1])

    def drag(self) -> None:
        start, end = self._place(), self._place()
        if start is not None and end is not None:
            modifier = self.rng.choice(MODIFIERS)
            QTest.mousePress(start[0], Qt.MouseButton.LeftButton, modifier, start[1])
            QTest.mouseMove(start[0], (start[1] + end[1]) / 2)
            QTest.mouseMove(start[0], end[1])
            QTest.mouseRelease(start[0], Qt.MouseButton.LeftButton, modifier, end[1])

    def change_document(self) -> None:
        document = self.window.document
        match self.rng.randrange(4):
            case 0:
                document.open_state(ProjectState(name="other"), "Open")
            case 1:
                document.undo_stack.undo()
            case 2:
                document.undo_stack.redo()
            case _:
                document.move_nodes({"Q": (1, 2)}, "Move")

    def _in_gallery(self, gallery: Gallery) -> Acts:
        rng = self.rng
        return {
            "lesson": lambda: gallery.choose(rng.randrange(len(gallery.lessons))),
            "next": gallery.column.next.click,
            "previous": gallery.column.previous.click,
            "answer": gallery.column.answer_button.click,
            "copy": gallery.copy_lesson,
            "read": gallery.read_again,
            "try": lambda: gallery.try_dag.emit("hide", gallery.lesson.dag),
            "rows": lambda: gallery.column.rows.setValue(rng.randrange(10, 99)),
        }

    def _in_hide(self, hide: HideIt) -> Acts:
        rng = self.rng
        commands = {
            id.objectName(): id.trigger for id in self.page.context.actions if id.objectName().startswith("hide_it.")
        }
        return {
            **commands,
            "select": lambda: hide.scene.select_nodes(rng.sample(hide.dag.nodes, min(len(hide.dag.nodes), 1))),
            "arrow": lambda: len(hide.dag.nodes) > 1 and hide.draw_arrow(*rng.sample(hide.dag.nodes, 2)),
            "toggle": lambda: hide.dag.nodes and hide.toggle(rng.choice(hide.dag.nodes)),
        }

    def _in_spot(self, spot: SpotTheError) -> Acts:
        rng = self.rng
        edges = [(edge.first, edge.second) for edge in spot.puzzle.graph.edges()]
        return {
            "edge": lambda: spot.toggle_edge(*rng.choice(edges)),
            "node": lambda: spot.toggle_node(rng.choice(spot.puzzle.graph.nodes)),
            "check": spot.check_button.click,
            "hint": spot.hint_button.click,
            "show": spot.answer_button.click,
            "go on": spot.next_button.click,
            "level": lambda: spot.levels.setCurrentIndex(rng.randrange(3)),
        }


def check(page: LearnPage) -> None:
    """What always holds."""
    activity = page.current
    assert activity is not None
    state = json.loads(json.dumps(activity.state()))
    kept = page.document.learn.get("activities", {}).get(activity.key)
    if isinstance(activity, HideIt):
        dag = activity.dag
        assert DrawnDag.from_json(state["dag"]) == dag
        assert set(dag.positions) == set(dag.nodes)
        if len(dag.nodes) <= MOST_CHECKED:
            mag = mag_by_definition(dag)
            shown = activity.stage.scenes[1].drawing
            assert {str(drawn.edge) for drawn in shown.edges} == {str(edge) for edge in mag.edges()}
        assert kept is None or kept["dag"] == state["dag"]
    elif isinstance(activity, Gallery):
        assert activity.column.title.text() == activity.lesson.title
        assert kept is None or kept["lesson"] == state["lesson"]
    elif isinstance(activity, SpotTheError):
        assert activity.score.points <= 3 * activity.score.n_rounds
        assert kept is None or kept["score"] == state["score"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_that_nothing_a_person_does_breaks_the_activities(window: MainWindow, qtbot: QtBot, seed: int) -> None:
    window.show_page("Lessons")
    page = window.page(LearnPage)
    learner = Learner(page, window, seed)
    for number in range(N_ACTIONS):
        learner.act()
        if number % 10 == 0:
            QApplication.processEvents()
        if not page.is_busy:
            check(page)
    qtbot.waitUntil(lambda: not page.is_busy)
    check(page)
    assert [message.what for message in window.problems.messages] == []
    page.stop()
