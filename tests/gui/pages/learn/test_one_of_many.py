"""One of many: the class beside its DAG, reversed arrows and what a test could tell, the answers of do()."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from support.learn_acts import LearnHost, open_activity, settle

from latconf_core.graph.marks import Mark
from latconf_core.teaching.classes.dag_members import list_members
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.pages.learn.one_of_many.class_examples import EXAMPLES
from latconf_gui.pages.learn.one_of_many.one_of_many_activity import OneOfMany

CHAIN = DrawnDag(("A", "B", "C"), (("A", "B"), ("B", "C")))


@pytest.fixture
def activity(host: LearnHost, qtbot: QtBot) -> OneOfMany:
    opened = open_activity(host, qtbot, "one_of_many")
    assert isinstance(opened, OneOfMany)
    settle(opened, qtbot)
    return opened


def show(activity: OneOfMany, qtbot: QtBot, dag: DrawnDag) -> None:
    activity.show_dag(dag)
    settle(activity, qtbot)


def reverse(activity: OneOfMany, qtbot: QtBot, cause: str, effect: str) -> None:
    activity.stage.scenes[0].select_edge(cause, effect)
    activity.reverse.click()
    settle(activity, qtbot)


def hollow(activity: OneOfMany) -> set[frozenset[str]]:
    return {drawn.pair for drawn in activity.stage.scenes[0].drawing.edges if drawn.is_open}


def lines(activity: OneOfMany) -> set[frozenset[str]]:
    """The edges that the picture of the class leaves open."""
    drawing = activity.stage.scenes[1].drawing
    return {drawn.pair for drawn in drawing.edges if drawn.edge.at_second == drawn.edge.at_first == Mark.TAIL}


def test_that_it_opens_with_a_dag_its_class_and_answers(activity: OneOfMany) -> None:
    members = list_members(activity.dag)
    count = len(members.members)
    assert activity.about.text().startswith(f"{count} DAGs have these conditional independences")
    assert activity.stage.panes[0].heading.text().endswith(f"of {count}")
    assert hollow(activity) == {frozenset(arrow) for arrow in activity.dag.edges if members.is_open(arrow)} != set()
    assert lines(activity) == hollow(activity)
    assert activity.asking.bars.bars
    legend = activity.stage.legend.accessibleDescription()
    assert "hollow arrow: direction not determined" in legend
    assert "line: either direction" in legend
    assert "direct" not in legend.replace("direction", "")


def test_that_reversing_an_open_arrow_stays_in_the_class(activity: OneOfMany, qtbot: QtBot) -> None:
    show(activity, qtbot, CHAIN)
    before = activity.study.members
    reverse(activity, qtbot, "A", "B")
    assert ("B", "A") in activity.dag.edges
    assert "No test of conditional independence can detect this" in activity.news.text()
    assert activity.study.members is before


def test_that_reversing_another_arrow_names_the_test_that_tells(activity: OneOfMany, qtbot: QtBot) -> None:
    show(activity, qtbot, CHAIN)
    reverse(activity, qtbot, "B", "C")
    assert "A and C were dependent, and are independent now" in activity.news.text()
    assert hollow(activity) == set()
    assert activity.stage.panes[0].heading.text() == "DAG 1 of 1"
    assert not activity.following.isEnabled()


def test_that_a_cycle_is_refused_in_words(activity: OneOfMany, qtbot: QtBot) -> None:
    show(activity, qtbot, DrawnDag(("A", "B", "C"), (("A", "B"), ("B", "C"), ("A", "C"))))
    reverse(activity, qtbot, "A", "C")
    assert ("A", "C") in activity.dag.edges
    assert "directed cycle" in activity.news.text()


def test_that_next_goes_through_every_member_and_back(activity: OneOfMany, qtbot: QtBot) -> None:
    show(activity, qtbot, CHAIN)
    seen = []
    for _ in range(3):
        seen.append(frozenset(activity.dag.edges))
        activity.flip(1)
        settle(activity, qtbot)
    assert len(set(seen)) == 3
    assert frozenset(activity.dag.edges) == seen[0]


def test_that_the_bar_of_the_member_that_is_shown_stands_out(activity: OneOfMany, qtbot: QtBot) -> None:
    show(activity, qtbot, CHAIN)
    activity.asking.show_names(CHAIN.nodes, ("C", "A"))
    answers = []
    for _ in range(3):
        activity.flip(1)
        settle(activity, qtbot)
        chosen = [bar for bar in activity.asking.bars.bars if bar.is_chosen]
        assert len(chosen) == 1
        answers.append(chosen[0].value)
    assert len({round(answer, 9) for answer in answers}) == 2, "the members with and without an arrow into C"
    assert "depending on the DAG" in activity.asking.said.text()


def test_that_a_click_on_an_arrow_says_in_how_many_members_it_stands(activity: OneOfMany, qtbot: QtBot) -> None:
    show(activity, qtbot, CHAIN)
    scene = activity.stage.scenes[1]
    scene.click(scene.edge_item("A", "B"))
    assert activity.news.text() == "A --> B in 1 and B --> A in 2 of the 3 DAGs."
    assert activity.chosen_arrow == ("A", "B")


def test_that_keys_do_everything(activity: OneOfMany, qtbot: QtBot) -> None:
    show(activity, qtbot, CHAIN)
    view = activity.stage.panes[0].view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_E)
    first = activity.chosen_arrow
    assert first is not None
    QTest.keyClick(view, Qt.Key.Key_R)
    settle(activity, qtbot)
    assert (first[1], first[0]) in activity.dag.edges
    before = activity.dag.edges
    QTest.keyClick(view, Qt.Key.Key_N)
    QTest.keyClick(view, Qt.Key.Key_P)
    settle(activity, qtbot)
    assert activity.dag.edges == before


def test_that_hidden_variables_are_no_end_of_a_question(activity: OneOfMany, qtbot: QtBot) -> None:
    activity.show_source(EXAMPLES[2])
    settle(activity, qtbot)
    offered = [activity.asking.cause.itemText(i) for i in range(activity.asking.cause.count())]
    assert offered == list(activity.dag.observed)
    assert "hidden variable" in activity.stage.legend.accessibleDescription()
    assert "hidden common cause" not in activity.stage.legend.accessibleDescription()


def test_that_too_many_variables_get_a_sentence_instead_of_answers(activity: OneOfMany, qtbot: QtBot) -> None:
    names = tuple(f"V{i}" for i in range(13))
    show(activity, qtbot, DrawnDag(names, tuple(pairwise(names))))
    assert activity.about.text() == "13 DAGs have these conditional independences."
    assert "at most 12 variables" in activity.asking.said.text()
    assert activity.asking.bars.bars == ()


def test_that_a_project_keeps_what_was_done(host: LearnHost, activity: OneOfMany, qtbot: QtBot) -> None:
    show(activity, qtbot, CHAIN)
    reverse(activity, qtbot, "A", "B")
    activity.asking.show_names(CHAIN.nodes, ("C", "A"))
    kept, edges = json.loads(json.dumps(activity.state())), activity.dag.edges
    activity.restore({})
    settle(activity, qtbot)
    assert activity.dag.nodes != CHAIN.nodes
    activity.restore(kept)
    settle(activity, qtbot)
    assert activity.dag.edges == edges
    assert activity.asking.asked == ("C", "A")
    assert activity.state() == kept


def test_that_the_pags_of_a_project_are_not_offered(host: LearnHost, activity: OneOfMany) -> None:
    texts = [activity.graphs.itemText(i) for i in range(activity.graphs.count())]
    assert texts
    assert not [text for text in texts if text.startswith("PAG:")]


def test_a_hundred_things_a_person_might_do(activity: OneOfMany, qtbot: QtBot) -> None:
    rng = np.random.default_rng(4)
    keys = (Qt.Key.Key_E, Qt.Key.Key_R, Qt.Key.Key_N, Qt.Key.Key_P, Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_M)
    for _ in range(100):
        match rng.integers(6):
            case 0:
                activity.graphs.setCurrentIndex(int(rng.integers(activity.graphs.count())))
                activity.graphs.activated.emit(activity.graphs.currentIndex())
            case 1:
                activity.asking.cause.setCurrentIndex(int(rng.integers(max(activity.asking.cause.count(), 1))))
            case 2:
                activity.restore(json.loads(json.dumps(activity.state())))
            case 3:
                settle(activity, qtbot)
            case _:
                view = activity.stage.panes[int(rng.integers(2))].view
                QTest.keyClick(view, keys[rng.integers(len(keys))])
    settle(activity, qtbot)
    assert activity.study is not None
    assert activity.study.members.place_of(activity.dag) is not None or activity.study.members.is_cut
