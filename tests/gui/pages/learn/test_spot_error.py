"""Spot the error: clicks and keys choose, answers are checked and counted, the round is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from latconf_core.teaching.spotting.puzzle_maker import make_puzzle
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.learn.spot.score import Score
from latconf_gui.pages.learn.spot.spot_error import SpotTheError
from latconf_gui.window.main_window import MainWindow

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def spot(window: MainWindow) -> Iterator[SpotTheError]:
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity("spot")
    assert isinstance(activity, SpotTheError)
    activity.stage.fit()
    yield activity
    activity.stop()


def answer(spot: SpotTheError) -> None:
    """Choose the right answer."""
    pairs = next(iter(spot.puzzle.answers))
    if spot.puzzle.wants_nodes:
        for name in next(iter(pairs)):
            spot.stage.scenes[0].node_clicked.emit(name)
    else:
        for first, second in map(sorted, pairs):
            spot.stage.scenes[0].edge_clicked.emit(first, second)


def test_that_it_opens_with_a_puzzle_and_nothing_to_save(spot: SpotTheError) -> None:
    assert spot.stage.scenes[0].drawing.names == spot.puzzle.graph.nodes
    assert spot.task.text().startswith("This graph is not a MAG.")
    assert not spot.document.has_content


def test_that_a_puzzle_is_solved_by_keys_alone(spot: SpotTheError, qtbot: QtBot) -> None:
    view, wanted = spot.stage.panes[0].view, next(iter(spot.puzzle.answers))
    view.setFocus()
    for _ in range(spot.puzzle.graph.n_edges):
        qtbot.keyClick(view, Qt.Key.Key_E)
        (pair,) = spot.stage.scenes[0].selected_pairs()
        if pair in wanted:
            qtbot.keyClick(view, Qt.Key.Key_Space)
            spot.stage.scenes[0].select_edge(*pair)
    assert spot.edges == set(wanted)
    qtbot.keyClick(view, Qt.Key.Key_Return, CONTROL)
    assert spot.feedback.text() == f"Right: {spot.puzzle.reason}."
    assert spot.accessibleDescription() == spot.feedback.text()
    assert spot.score.points == 3
    before = spot.puzzle
    qtbot.keyClick(view, Qt.Key.Key_Right, CONTROL)
    assert spot.puzzle != before
    assert spot.points.text() == "3 of 3 points; 1 of 1 solved."


def test_that_what_is_clicked_stands_out_and_the_error_at_the_end(spot: SpotTheError) -> None:
    pair = sorted(next(iter(next(iter(spot.puzzle.answers)))))
    item = spot.stage.scenes[0].edge_item(*pair)
    spot.toggle_edge(*pair)
    assert item.highlight == Highlight.PATH
    spot.toggle_edge(*pair)
    assert item.highlight == Highlight.NONE
    spot.show_answer()
    assert item.highlight == Highlight.PROBLEM
    assert spot.feedback.text() == f"The answer: {spot.puzzle.reason}."
    assert (spot.score.points, spot.score.n_rounds) == (0, 1)
    spot.toggle_edge(*pair)
    spot.check()
    assert spot.score.points == 0


@pytest.mark.parametrize(("level", "seed"), [(1, 2), (2, 3), (2, 4), (3, 1), (3, 3), (3, 5)])
def test_that_every_kind_can_be_solved(spot: SpotTheError, level: int, seed: int) -> None:
    spot.restore({"level": level, "seed": seed})
    assert spot.puzzle == make_puzzle(level, seed)
    answer(spot)
    spot.check()
    assert spot.score.n_solved == 1


def test_that_wrong_answers_and_hints_cost_a_point(spot: SpotTheError) -> None:
    spot.choose_level(2)
    assert spot.hint_text.text() == ""
    spot.check()
    assert spot.feedback.text() == "Click the edges or variables that form the error, then press Check."
    assert spot.score.lost == 0
    spot.hint_button.click()
    assert spot.hint_text.text() == spot.puzzle.hint
    assert not spot.hint_button.isEnabled()
    outside = next(name for name in spot.puzzle.graph.nodes)
    spot.toggle_node(outside)
    spot.check_button.click()
    assert spot.feedback.text().startswith("Not yet.")
    spot.toggle_node(outside)
    answer(spot)
    spot.check()
    assert spot.score.points == 1


def test_that_a_round_is_kept(spot: SpotTheError, window: MainWindow) -> None:
    spot.choose_level(3)
    edge = next(spot.puzzle.graph.edges())
    spot.toggle_edge(edge.first, edge.second)
    spot.check()
    kept = json.loads(json.dumps(spot.state()))
    said, puzzle, score = spot.feedback.text(), spot.puzzle, spot.score
    spot.restore({})
    assert (spot.level, spot.seed, spot.score) == (1, 1, Score())
    spot.restore(kept)
    assert (spot.puzzle, spot.score, spot.feedback.text()) == (puzzle, score, said)
    assert spot.edges == {frozenset((edge.first, edge.second))}
    assert window.document.is_modified


@pytest.mark.parametrize("state", [{"level": "x"}, {"edges": 5}, {"score": []}, {"seed": None}])
def test_that_a_damaged_round_begins_anew(spot: SpotTheError, window: MainWindow, state: object) -> None:
    spot.document.keep_learning({"open": "spot", "activities": {"spot": state}})
    assert (spot.level, spot.seed, spot.score) == (1, 1, Score())
    assert "Spot the error cannot be read" in window.problems.messages[-1].what


def test_that_choices_the_puzzle_does_not_have_are_passed_over(spot: SpotTheError) -> None:
    spot.restore({"edges": [["Q", "R"]], "nodes": ["Q"], "level": 77, "seed": -5})
    assert (spot.edges, spot.nodes, spot.level, spot.seed) == (set(), set(), 1, 0)


def test_that_points_are_counted_once_a_round() -> None:
    score = Score().lose().lose().lose().solve()
    assert (score.points, score.n_rounds) == (1, 1)
    assert score.solve() == score == score.give_up() == score.lose()
    again = score.next_round().solve()
    assert str(again) == "4 of 6 points; 2 of 2 solved."
    assert Score.from_json(json.loads(json.dumps(again.to_json()))) == again
