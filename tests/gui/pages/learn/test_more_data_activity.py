"""More data: sliders choose what is shown, everything else is learned anew in the background and can be stopped."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from support.lab_acts import open_in_window
from support.learn_acts import settle

from latconf_core.comparison.metrics import compare_graphs
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.sampled.more_data import N_DRAWS, SIZES, Errors, Luck
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.learn.more_data.more_data_activity import MoreDataActivity
from latconf_gui.pages.learn.more_data.sentences import HOW_TO_READ, TOO_FEW, error_sentence, luck_sentence
from latconf_gui.window.main_window import MainWindow

N_RESULTS = N_DRAWS * len(SIZES)
COLLIDER = DrawnDag(("A", "B", "C", "H"), (("A", "C"), ("B", "C"), ("H", "A")), frozenset({"H"})).placed()


@pytest.fixture
def activity(window: MainWindow, qtbot: QtBot) -> MoreDataActivity:
    """With the rows of Asia."""
    opened = open_in_window(window, qtbot, "more_data")
    assert isinstance(opened, MoreDataActivity)
    opened.restore({"network": "asia"})
    settle(opened, qtbot)
    return opened


def test_that_it_opens_where_errors_fall_as_rows_come(window: MainWindow, qtbot: QtBot) -> None:
    opened = open_in_window(window, qtbot, "more_data")
    assert isinstance(opened, MoreDataActivity)
    assert len(opened.results) == N_RESULTS
    means = opened.chart.means()
    assert means[100] > means[1_000] > means[10_000] == means[100_000] == 0
    assert not opened.why.isVisible()


def test_that_it_is_said_at_the_top_why_errors_of_asia_stay(activity: MoreDataActivity) -> None:
    assert activity.why.isVisible()
    assert "faithfulness" in activity.why.text()
    assert activity.why.geometry().bottom() < activity.form.geometry().top()


def test_that_asia_is_there_with_every_size_of_every_draw(activity: MoreDataActivity) -> None:
    assert len(activity.results) == N_RESULTS
    assert activity.form.hidden_names() == ("smoke",)
    shown = activity.shown()
    assert shown is not None
    numbers = compare_graphs(shown.graph, activity.truth.pag)
    assert f"makes {numbers.shd} errors" in activity.errors.text()
    assert "In all 5 draws of 1,000 rows" in activity.luck.text()
    assert activity.chart.means()[1_000] == pytest.approx(
        sum(activity.results[draw, 1_000].errors.total for draw in range(N_DRAWS)) / N_DRAWS
    )
    texts = [label.text() for label in activity.findChildren(QLabel) if label.isVisible()]
    assert HOW_TO_READ in texts
    assert not activity.progress.isVisible()


def test_that_rows_and_draws_only_choose_what_is_shown(activity: MoreDataActivity) -> None:
    results = dict(activity.results)
    QTest.keyClick(activity.form.rows.slider, Qt.Key.Key_Right)
    assert activity.n_rows == 2_000
    QTest.keyClick(activity.form.draw, Qt.Key.Key_Up)
    assert activity.draw == 1
    QTest.keyClick(activity.chart, Qt.Key.Key_Left)
    assert activity.n_rows == 1_000
    topoint = activity.chart.place_of(100_000, 0).toPoint()
    QTest.mouseClick(activity.chart, Qt.MouseButton.LeftButton, pos=topoint)
    assert activity.n_rows == 100_000
    assert "From 100,000 rows" in activity.errors.text()
    assert activity.results == results
    assert not activity.is_busy


def test_that_edges_and_marks_that_come_and_go_are_faint(activity: MoreDataActivity) -> None:
    activity._choose_rows(200)
    graphs = [activity.results[draw, 200].graph for draw in range(N_DRAWS)]
    for item in activity.stage.scenes[0].edge_items():
        first, second = sorted(item.pair)
        joined = {graph.is_adjacent(first, second) for graph in graphs}
        assert item.drawn.is_faint == (len(joined) > 1)
        for node, other in ((first, second), (second, first)):
            marks = {graph.mark_at(node, other) for graph in graphs}
            assert (node in item.drawn.faint_ends) == (joined == {True} and len(marks) > 1)


def test_that_another_alpha_learns_anew_and_other_draws_differ(activity: MoreDataActivity, qtbot: QtBot) -> None:
    before = {key: result.graph for key, result in activity.results.items()}
    QTest.keyClick(activity.form.alpha.slider, Qt.Key.Key_End)
    assert activity.results == {}
    settle(activity, qtbot)
    assert len(activity.results) == N_RESULTS
    assert {key: result.graph for key, result in activity.results.items()} != before
    activity.again_button.click()
    settle(activity, qtbot)
    assert activity.state()["seed"] == 2


def test_that_stop_keeps_what_was_learned(activity: MoreDataActivity, qtbot: QtBot) -> None:
    activity.form.choose_network("alarm")
    activity.form.network_chosen.emit("alarm")
    qtbot.waitUntil(lambda: activity.truth is not None, timeout=20_000)
    activity.stop_button.click()
    settle(activity, qtbot)
    assert len(activity.results) < N_RESULTS
    assert not activity.stop_button.isEnabled()


def test_that_nothing_is_learned_while_nobody_looks(
    window: MainWindow, activity: MoreDataActivity, qtbot: QtBot
) -> None:
    window.show_page("Start")
    activity.draw_again()
    assert not activity.is_busy
    window.show_page("Lessons")
    settle(activity, qtbot)
    assert len(activity.results) == N_RESULTS


def test_that_one_visible_variable_is_too_few(activity: MoreDataActivity, qtbot: QtBot) -> None:
    for row in range(activity.form.hidden.count() - 1):
        activity.form.hidden.item(row).setCheckState(Qt.CheckState.Checked)
    assert activity.errors.text() == TOO_FEW
    settle(activity, qtbot)
    assert activity.results == {}


def test_that_a_drawn_dag_can_be_learned_and_is_kept(
    window: MainWindow, activity: MoreDataActivity, qtbot: QtBot
) -> None:
    window.page(LearnPage).try_dag("more_data", COLLIDER)
    settle(activity, qtbot)
    assert set(activity.truth.pag.nodes) == {"A", "B", "C"}
    assert activity.form.hidden_names() == ("H",)
    activity._choose_rows(50_000)
    kept, graph = activity.state(), activity.shown().graph
    activity.restore({})
    assert activity.form.network.currentData() == "earthquake"
    activity.restore(kept)
    settle(activity, qtbot)
    assert activity.state() == kept
    assert activity.shown().graph == graph
    assert activity.errors.text() == "From 50,000 rows, FCI finds the true PAG without an error."


def test_that_both_graphs_go_to_compare(window: MainWindow, activity: MoreDataActivity) -> None:
    asked: list[tuple[str, object]] = []
    activity.compare.connect(lambda name, graph: asked.append((name, graph)))
    activity.compare_button.click()
    window.page(ComparePage).stop()
    assert asked == [("true PAG", activity.truth.pag), ("FCI, 1,000 rows", activity.shown().graph)]


def test_that_odd_states_begin_anew(window: MainWindow, activity: MoreDataActivity, qtbot: QtBot) -> None:
    document, n_before = window.document, window.problems.n_reported
    document.open_state(type(document.state)(learn={"activities": {"more_data": {"network": "atlantis"}}}), "Open")
    settle(activity, qtbot)
    assert window.problems.n_reported == n_before + 1
    assert activity.form.network.currentData() == "earthquake"


def test_that_sentences_count_in_words() -> None:
    assert error_sentence("FCI", 1, Errors(1, 0, 0)) == "From 1 row, FCI makes 1 error: 1 edge missed."
    assert error_sentence("FCI", 500, Errors(2, 1, 3)) == (
        "From 500 rows, FCI makes 6 errors: 2 edges missed, 1 extra edge and 3 edges with a wrong mark."
    )
    none = Luck(frozenset(), frozenset())
    assert luck_sentence(100, [Errors(1, 0, 0)], none, n_draws=5) == ""
    same = luck_sentence(100, [Errors(1, 0, 0)] * 2, none, n_draws=5)
    assert same == "In 2 of 5 draws of 100 rows: 1 error, with the same graph every time: chance plays no part."
    odd = Luck(frozenset({frozenset("AB")}), frozenset({("A", "B"), ("C", "B")}))
    said = luck_sentence(100, [Errors(1, 0, 0), Errors(0, 0, 3)], odd, n_draws=2)
    assert said.endswith("1 to 3 errors; 2 pairs of variables are connected differently in some draws.")
