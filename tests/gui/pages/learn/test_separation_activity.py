from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyle
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.learn_acts import LearnHost, click_node, open_activity, settle, walk_to

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.separation.separation_game import FIRST_TRY_POINTS, LATER_POINTS
from latconf_core.teaching.separation.separation_graph import GraphKind
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.learn.separation.choice import Choice
from latconf_gui.pages.learn.separation.separation_activity import SeparationActivity

Key = Qt.Key


@pytest.fixture
def activity(host: LearnHost, qtbot: QtBot) -> SeparationActivity:
    opened = open_activity(host, qtbot, "separation")
    assert isinstance(opened, SeparationActivity)
    return opened


def lit(activity: SeparationActivity, highlight: Highlight) -> set[frozenset[str]]:
    return {item.pair for item in activity.stage.scenes[0].edge_items() if item.highlight == highlight}


def pairs(*texts: str) -> set[frozenset[str]]:
    return {frozenset(text) for text in texts}


def lines(activity: SeparationActivity) -> list[str]:
    rows = range(activity.paths.count())
    return [activity.paths.item(row).text().replace("\u2060", "") for row in rows]


def test_that_it_opens_with_a_graph_two_ends_and_an_open_path(activity: SeparationActivity) -> None:
    assert activity.verdict_text.text() == "A and C are connected: 1 path is open."
    assert lit(activity, Highlight.PATH) == pairs("AB", "BC")
    assert lines(activity)[0] == "● A --> B --> C: open. B is not a collider and is not given."
    assert lines(activity)[1].startswith("✕ A --> D <-- C: blocked at D. D is a collider")


def test_that_a_click_holds_a_variable_fixed_and_another_lets_it_go(activity: SeparationActivity, qtbot: QtBot) -> None:
    pane = activity.stage.panes[0]
    click_node(pane, "B")
    settle(activity, qtbot)
    assert activity.verdict_text.text() == "A and C are separated given B: every path is blocked."
    assert activity.exploring.chosen.text() == "Between A and C, given B."
    assert lit(activity, Highlight.PATH) == set()
    assert pane.scene.node_item("B").is_given
    click_node(pane, "B")
    settle(activity, qtbot)
    assert activity.choice == Choice("A", "C")
    click_node(pane, "A")
    settle(activity, qtbot)
    assert activity.exploring.chosen.text() == "C is one end: select another variable."
    assert activity.verdict_text.text() == ""
    assert lines(activity) == []


def test_that_a_chosen_path_alone_is_lit_and_its_blocking_node_is_named(
    activity: SeparationActivity, qtbot: QtBot
) -> None:
    activity.click_node("B")
    settle(activity, qtbot)
    activity.paths.setCurrentRow(1)
    assert lit(activity, Highlight.BLOCKED) == pairs("AD", "DC")
    assert activity.stage.scenes[0].node_item("D").node.note == "blocks"
    QTest.keyClick(activity.paths, Key.Key_Escape)
    assert activity.paths.current_path is None
    assert lit(activity, Highlight.BLOCKED) == set()


def test_that_every_path_is_listed_whole_where_there_is_room(activity: SeparationActivity, qtbot: QtBot) -> None:
    activity.window().resize(1280, 800)
    activity.click_node("E")  # opens four paths, whose reasons take several lines each
    settle(activity, qtbot)
    paths = activity.paths
    assert paths.count() == 4
    frame = 2 * paths.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 2
    for row in range(paths.count()):
        item = paths.item(row)
        visualitemrect = paths.visualItemRect(item)
        room = QRect(0, 0, visualitemrect.width() - frame, visualitemrect.height())
        needed = paths.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, item.text())
        assert needed.height() <= visualitemrect.height()
        assert needed.width() <= visualitemrect.width()
    assert visualitemrect.bottom() <= paths.viewport().height()
    assert not paths.verticalScrollBar().maximum()


def test_that_a_hidden_variable_says_why_it_cannot_be_chosen(activity: SeparationActivity) -> None:
    before = activity.choice
    activity.click_node("H")
    assert activity.choice == before
    assert "H is hidden" in activity.hint.text()


def test_that_a_click_on_a_graph_that_is_about_to_go_chooses_nothing(
    activity: SeparationActivity, qtbot: QtBot
) -> None:
    activity.show_dag(DrawnDag(("A", "B"), (("A", "B"),)))
    activity.click_node("E")  # of the graph that still is on the stage
    settle(activity, qtbot)
    assert activity.choice == Choice("A", None)


def test_that_everything_can_be_chosen_by_keys(activity: SeparationActivity, qtbot: QtBot) -> None:
    pane = activity.stage.panes[0]
    pane.view.setFocus()
    QTest.keyClick(pane.view, Key.Key_Backspace)
    settle(activity, qtbot)
    assert activity.choice == Choice()
    for name in ("A", "C", "B"):
        walk_to(pane, name)
        QTest.keyClick(pane.view, Key.Key_Space)
        settle(activity, qtbot)
    assert activity.choice == Choice("A", "C", frozenset("B"))
    for key, kind in ((Key.Key_2, GraphKind.MAG), (Key.Key_3, GraphKind.PAG), (Key.Key_1, GraphKind.DAG)):
        QTest.keyClick(pane.view, key)
        settle(activity, qtbot)
        assert activity.kind == kind
        assert activity.shown is not None
        assert activity.shown.asked.kind == kind
        assert activity.verdict_text.text() == "A and C are separated given B: every path is blocked."


def test_that_the_game_can_be_played_by_keys(activity: SeparationActivity, qtbot: QtBot) -> None:
    view = activity.stage.panes[0].view
    view.setFocus()
    QTest.keyClick(view, Key.Key_G)
    settle(activity, qtbot)
    assert activity.is_playing
    for name in activity.game.round.answers[0]:
        walk_to(activity.stage.panes[0], name)
        QTest.keyClick(view, Key.Key_Space)
        settle(activity, qtbot)
    QTest.keyClick(view, Key.Key_C)
    settle(activity, qtbot)
    assert activity.game.feedback.text().startswith("Right: ")
    assert activity.game.play.points == FIRST_TRY_POINTS
    QTest.keyClick(view, Key.Key_N)
    QTest.keyClick(view, Key.Key_S)
    settle(activity, qtbot)
    assert activity.game.feedback.text() == activity.game.round.solution
    QTest.keyClick(view, Key.Key_G)
    settle(activity, qtbot)
    assert not activity.is_playing


def test_that_hints_name_the_smallest_sets_and_what_opens_a_path(activity: SeparationActivity, qtbot: QtBot) -> None:
    activity.smallest.click()
    settle(activity, qtbot)
    assert activity.hint.text() == "The only smallest set that separates A and C: B."
    activity.opening.click()
    settle(activity, qtbot)
    assert activity.hint.text() == "A path is already open. First separate the two."
    activity.click_node("B")
    settle(activity, qtbot)
    activity.opening.click()
    settle(activity, qtbot)
    assert activity.hint.text() == "Also conditioning on any one of these would open a path: D, E."
    activity.clear_choice()
    settle(activity, qtbot)
    activity.smallest.click()
    settle(activity, qtbot)
    assert activity.hint.text() == "First select two variables."
    for pair, said in (
        ("BE", "No set separates B and E: some path stays open whatever measured variables you condition on."),
        ("AB", "No set separates A and B: they are adjacent."),
    ):
        activity.clear_choice()
        for name in pair:
            activity.click_node(name)
        settle(activity, qtbot)
        activity.smallest.click()
        settle(activity, qtbot)
        assert activity.hint.text() == said


def test_that_a_pag_of_the_project_is_offered_and_one_that_is_none_gets_no_verdict_but_the_reason(
    activity: SeparationActivity, qtbot: QtBot
) -> None:
    activity.document.set_pag(mixed("A --> B", "B o-o C"), "Draw a graph")
    graphs = activity.exploring.graphs
    place = next(index for index in range(graphs.count()) if graphs.itemText(index).startswith("PAG: "))
    graphs.setCurrentIndex(place)
    graphs.activated.emit(place)
    settle(activity, qtbot)
    assert activity.kind == GraphKind.PAG
    assert not activity.exploring.kind_button(GraphKind.DAG).isEnabled()
    assert activity.verdict_text.text().startswith("This graph is not a valid PAG: ")
    assert lines(activity) == []


def test_that_the_verdict_of_a_round_is_told_only_when_it_is_over(activity: SeparationActivity, qtbot: QtBot) -> None:
    activity.game.restart(3)
    activity.play.click()
    settle(activity, qtbot)
    assert activity.paths.isHidden()
    assert activity.verdict_text.isHidden()
    assert not lit(activity, Highlight.PATH)
    activity.game.show_solution()
    settle(activity, qtbot)
    assert not activity.paths.isHidden()
    assert activity.verdict_text.text()


def test_that_a_wrong_answer_costs_points_and_says_why(activity: SeparationActivity, qtbot: QtBot) -> None:
    activity.play.click()
    activity.game.restart(3)
    one = activity.game.round
    wrong = next(
        name
        for name in one.dag.observed
        if name not in (one.first, one.second, *one.given) and (name,) not in one.answers
    )
    activity.game.click(wrong)
    activity.game.check_answer()
    assert not activity.game.play.is_over
    assert activity.game.play.n_tries == 1
    assert activity.game.feedback.text()
    activity.game.click(wrong)
    for name in one.answers[0]:
        activity.game.click(name)
    activity.game.check_answer()
    assert activity.game.play.points == LATER_POINTS
    assert not activity.game.check.isEnabled()
    activity.game.check_answer()
    assert activity.game.play.points == LATER_POINTS
    settle(activity, qtbot)


def test_that_a_dag_from_elsewhere_is_shown_and_what_was_chosen_stays_where_it_can(
    activity: SeparationActivity, qtbot: QtBot
) -> None:
    activity.show_dag(DrawnDag(("A", "B", "Q"), (("A", "B"), ("B", "Q"))))
    settle(activity, qtbot)
    assert activity.choice == Choice("A", None)
    assert activity.exploring.graphs.currentText() == "Drawn DAG"
    assert set(activity.stage.scenes[0].drawing.names) == {"A", "B", "Q"}


def test_that_the_state_goes_through_json_and_comes_back(activity: SeparationActivity, qtbot: QtBot) -> None:
    activity.show_kind(GraphKind.PAG)
    activity.click_node("B")
    activity.stage.scenes[0].nodes_moved.emit({"A": (5.0, 6.0)})
    activity.play.click()
    activity.game.next_round()
    activity.game.show_solution()
    settle(activity, qtbot)
    kept = json.loads(json.dumps(activity.state()))
    activity.restore({})
    settle(activity, qtbot)
    assert activity.choice == Choice("A", "C")
    assert not activity.is_playing
    with qtbot.assertNotEmitted(activity.changed):
        activity.restore(kept)
        settle(activity, qtbot)
    assert activity.state() == kept
    assert activity.is_playing
    assert activity.game.feedback.text() == activity.game.round.solution


def test_that_a_kept_graph_that_the_project_no_longer_has_is_still_there(
    activity: SeparationActivity, qtbot: QtBot
) -> None:
    source = SourceGraph.of_pag("PAG: gone", mixed("A o-> B", "C o-> B"), {})
    kept = {**activity.state(), "source": source.to_json(), "kind": "PAG"}
    activity.restore(json.loads(json.dumps(kept)))
    settle(activity, qtbot)
    assert activity.exploring.graphs.currentText() == "PAG: gone"
    assert activity.verdict_text.text() == "A and C are separated: every path is blocked."


def test_that_leaving_the_activity_ends_what_runs(activity: SeparationActivity, qtbot: QtBot) -> None:
    activity.click_node("B")
    activity.hide()
    settle(activity, qtbot)
    activity.stop()
    assert not activity.is_busy
