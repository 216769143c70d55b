"""Three hundred things a person might do in each of two activities, at a fixed seed."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.learn_acts import LearnHost, click_node, open_activity, settle

from latconf_core.data.dataset import Dataset
from latconf_core.graph.separation import is_m_separated
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.pag.validity import check_pag
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.separation.separation_graph import GraphKind
from latconf_gui.pages.learn.activity import Activity
from latconf_gui.pages.learn.members.members_activity import MembersActivity
from latconf_gui.pages.learn.separation.separation_activity import SeparationActivity

N_ACTIONS = 300
Key = Qt.Key
KEYS = [
    *(Key.Key_Up, Key.Key_Down, Key.Key_Left, Key.Key_Right, Key.Key_Space, Key.Key_Backspace, Key.Key_Escape),
    *(Key.Key_Return, Key.Key_Home, Key.Key_End, Key.Key_PageDown, Key.Key_Tab, Key.Key_Plus, Key.Key_Minus),
    *(Key.Key_C, Key.Key_E, Key.Key_G, Key.Key_M, Key.Key_N, Key.Key_P, Key.Key_S),
    *(Key.Key_0, Key.Key_1, Key.Key_2, Key.Key_3),
]
PAGS = (
    mixed("A o-> B", "C o-> B", "B --> D"),
    mixed("A --> B", "B o-o C"),  # not valid
    mixed(*(f"{a} o-o {b}" for a in "ABCDE" for b in "ABCDE" if a < b)),
)


class Person:
    """Chooses what to do next; what both activities offer."""

    def __init__(self, activity: Activity, host: LearnHost, rng: np.random.Generator) -> None:
        self.activity, self.host, self.rng = activity, host, rng
        self.kept: list[str] = []
        self.acts: list[Callable[[], object]] = [
            self.press_a_key,
            self.press_a_key,
            self.draw_a_dag,
            self.put_a_pag,
            self.keep,
            self.go_back,
            self.leave_and_come_back,
            self.resize,
        ]

    def act(self) -> None:
        self.acts[self.rng.integers(len(self.acts))]()

    def widgets(self) -> list[QWidget]:
        raise NotImplementedError

    def press_a_key(self) -> None:
        widgets = self.widgets()
        QTest.keyClick(widgets[self.rng.integers(len(widgets))], KEYS[self.rng.integers(len(KEYS))])

    def draw_a_dag(self) -> None:
        names = [chr(ord("A") + i) for i in range(self.rng.integers(1, 6))]
        edges = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if self.rng.random() < 0.5]
        hidden = frozenset(name for name in names if self.rng.random() < 0.2)
        self.activity.show_dag(DrawnDag(tuple(names), tuple(edges), hidden))

    def put_a_pag(self) -> None:
        self.host.document.set_pag(PAGS[self.rng.integers(len(PAGS))], "Draw", origin="drawn")

    def choose_in(self, box: QComboBox) -> None:
        place = int(self.rng.integers(box.count()))
        box.setCurrentIndex(place)
        box.activated.emit(place)

    def keep(self) -> None:
        self.kept.append(json.dumps(self.activity.state()))

    def go_back(self) -> None:
        self.activity.restore(json.loads(str(self.rng.choice(self.kept))) if self.kept else {})

    def leave_and_come_back(self) -> None:
        self.host.leave()
        self.host.come_back()

    def resize(self) -> None:
        self.host.resize(*self.rng.integers((900, 600), (1500, 1000)).tolist())


class SeparationPerson(Person):
    def __init__(self, activity: SeparationActivity, host: LearnHost, rng: np.random.Generator) -> None:
        super().__init__(activity, host, rng)
        self.separation = activity
        self.acts += [
            *[self.click_a_node] * 5,
            lambda: self.choose_in(activity.exploring.graphs),
            self.press_a_button,
            self.press_a_button,
            self.choose_a_path,
            lambda: activity.show_kind(list(GraphKind)[rng.integers(3)]),
        ]

    def widgets(self) -> list[QWidget]:
        return [self.separation.stage.panes[0].view, self.separation.paths]

    def click_a_node(self) -> None:
        pane = self.separation.stage.panes[0]
        if pane.scene.drawing.names:
            click_node(pane, str(self.rng.choice(pane.scene.drawing.names)))

    def press_a_button(self) -> None:
        one, game = self.separation, self.separation.game
        buttons = (one.smallest, one.opening, one.clear, one.play, game.check, game.solution, game.following)
        button = buttons[self.rng.integers(len(buttons))]
        if button.isVisible():
            button.click()

    def choose_a_path(self) -> None:
        self.separation.paths.setCurrentRow(int(self.rng.integers(-1, max(self.separation.paths.count(), 1))))


class MembersPerson(Person):
    def __init__(self, activity: MembersActivity, host: LearnHost, rng: np.random.Generator) -> None:
        super().__init__(activity, host, rng)
        self.members = activity
        self.acts += [
            lambda: self.choose_in(activity.graphs),
            *[lambda: activity.flip(int(rng.choice([-1, 1, 1, 7])))] * 3,
            self.open_a_row,
            self.scroll,
            self.click_a_mark,
            lambda: activity.to_compare.click(),
            self.put_rows,
        ]

    def widgets(self) -> list[QWidget]:
        return [self.members.tree, self.members.stage.panes[0].view]

    def open_a_row(self) -> None:
        indexes = self.members.tree.visible_indexes()
        if indexes:
            index = indexes[self.rng.integers(len(indexes))]
            self.members.tree.setExpanded(index, not self.members.tree.isExpanded(index))
            self.members.tree.setCurrentIndex(index)

    def put_rows(self) -> None:
        names = "ABCD" if self.rng.random() < 0.7 else "ABC"
        codes = self.rng.integers(2, size=(30, len(names)))
        self.host.put_rows(Dataset(list(names), [["no", "yes"]] * len(names), codes))
        self.host.page.open_activity(self.activity.key)

    def scroll(self) -> None:
        bar = self.members.tree.verticalScrollBar()
        bar.setValue(int(self.rng.integers(bar.maximum() + 1)))

    def click_a_mark(self) -> None:
        scene = self.members.stage.scenes[0]
        edges = scene.edge_items()
        if edges:
            marks = list(edges[self.rng.integers(len(edges))].mark_items.values())
            scene.click(marks[self.rng.integers(2)])


def check_separation(activity: SeparationActivity) -> None:
    """What is shown is the verdict on what is chosen."""
    question, shown = activity.question(), activity.shown
    assert shown is not None
    assert (shown.question.source, shown.question.kind, shown.question.choice) == (
        question.source,
        question.kind,
        question.choice,
    )
    first, second = question.choice.first, question.choice.second
    assert set(activity.stage.scenes[0].drawing.names) == set(shown.asked.graph.nodes)
    if shown.verdict is None or first is None or second is None:
        assert shown.asked.problem or not question.choice.is_question
        return
    graph = LowestLevel(shown.asked.graph).along_search() if shown.asked.kind == GraphKind.PAG else shown.asked.graph
    assert shown.verdict.is_separated == is_m_separated(graph, first, second, question.choice.given)


def check_members(activity: MembersActivity) -> None:
    """What is listed are the members of the graph that is chosen."""
    members, pag = activity.model.members, activity.graphs.current.pag
    if members is None:
        assert activity.problem.text()
        assert not check_pag(pag).valid
        return
    assert members.pag == pag
    number = activity.model.member_at(activity.tree.currentIndex())
    if number is not None:
        shown = activity.stage.scenes[1].drawing
        assert {drawn.edge for drawn in shown.edges} == set(members.mag(number).edges())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.exhaustive)])
def test_that_separation_survives_three_hundred_actions(host: LearnHost, qtbot: QtBot, seed: int) -> None:
    activity = open_activity(host, qtbot, "separation")
    assert isinstance(activity, SeparationActivity)
    person = SeparationPerson(activity, host, np.random.default_rng(seed))
    for step in range(N_ACTIONS):
        person.act()
        if step % 10 == 9:
            settle(activity, qtbot)
            check_separation(activity)
    settle(activity, qtbot)
    assert json.loads(json.dumps(activity.state())) == activity.state()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.exhaustive)])
def test_that_members_survive_three_hundred_actions(host: LearnHost, qtbot: QtBot, seed: int) -> None:
    activity = open_activity(host, qtbot, "members")
    assert isinstance(activity, MembersActivity)
    person = MembersPerson(activity, host, np.random.default_rng(seed))
    for step in range(N_ACTIONS):
        person.act()
        if step % 10 == 9:
            settle(activity, qtbot)
            check_members(activity)
    settle(activity, qtbot)
    assert json.loads(json.dumps(activity.state())) == activity.state()
