"""Guess the hidden: mark by click or key, reveal once, keep the points; the program's answer waits for the reveal."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.lab_acts import open_in_window
from support.learn_acts import click_node, settle, walk_to

from latconf_core.teaching.sampled.hidden_puzzle import ProgramAnswer, PuzzleChoice, make_puzzle, score_guess
from latconf_gui.pages.learn.guess.guess_activity import GuessActivity
from latconf_gui.pages.learn.guess.sentences import answer_sentence, marked_sentence, score_sentence
from latconf_gui.window.main_window import MainWindow


@pytest.fixture
def activity(window: MainWindow, qtbot: QtBot) -> GuessActivity:
    result = open_in_window(window, qtbot, "guess")
    assert isinstance(result, GuessActivity)
    qtbot.waitUntil(lambda: result.posed is not None, timeout=20_000)
    return result


def secret_of(activity: GuessActivity) -> tuple[str, ...]:
    return activity.posed.puzzle.secret.children


def test_that_a_puzzle_is_there_and_nothing_tells_the_answer(activity: GuessActivity) -> None:
    assert set(activity.stage.scenes[0].drawing.names) == set(activity.posed.puzzle.dataset.names)
    assert activity.stage.panes[1].isHidden()
    assert activity.score_text.text() == ""
    assert len(activity.answers) == 2
    assert activity.program_text.text() == "The program has an answer, too."
    assert "hidden cause of" not in activity.program_text.text()


def test_that_clicking_the_children_and_revealing_gives_ten_points(activity: GuessActivity, qtbot: QtBot) -> None:
    for name in secret_of(activity):
        click_node(activity.stage.panes[0], name)
    assert activity.marked == tuple(sorted(secret_of(activity)))
    with qtbot.waitSignal(activity.changed):
        activity.reveal_button.click()
    assert (activity.points, activity.rounds) == (10, 1)
    assert "You found all of it: 10 points." in activity.score_text.text()
    assert not activity.stage.panes[1].isHidden()
    assert activity.posed.puzzle.secret.name in activity.stage.scenes[1].drawing.names
    for answer in activity.answers.values():
        assert answer_sentence(answer, secret_of(activity)) in activity.program_text.text()
    activity.reveal()
    assert (activity.points, activity.rounds) == (10, 1)
    click_node(activity.stage.panes[0], activity.posed.puzzle.dataset.names[0])
    assert activity.marked == tuple(sorted(secret_of(activity)))


def test_that_a_wrong_guess_is_told_apart_at_the_nodes(activity: GuessActivity) -> None:
    names, secret = activity.posed.puzzle.dataset.names, secret_of(activity)
    wrong = next(name for name in names if name not in secret)
    for name in (secret[0], wrong):
        activity.marks.toggle(name)
    activity.reveal()
    notes = {node.name: node.note for node in activity.stage.scenes[0].drawing.nodes if node.note}
    assert notes == {secret[0]: "✓ right", wrong: "✗ wrong", secret[1]: "missed"}
    assert activity.points == score_guess((secret[0], wrong), secret).points == 3


def test_that_everything_goes_by_keys(window: MainWindow, activity: GuessActivity, qtbot: QtBot) -> None:
    window.activateWindow()
    pane = activity.stage.panes[0]
    pane.view.setFocus()
    for name in secret_of(activity):
        walk_to(pane, name)
        QTest.keyClick(pane.view, Qt.Key.Key_Space)
    assert set(activity.marked) == set(secret_of(activity))
    QTest.keyClick(pane.view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert activity.points == 10
    QTest.keyClick(pane.view, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert activity.form.choice == PuzzleChoice("random", "easy", 2)
    settle(activity, qtbot)
    activity.marks.setFocus()
    activity.marks.setCurrentRow(1)
    QTest.keyClick(activity.marks, Qt.Key.Key_Space)
    assert activity.marked == (activity.posed.puzzle.dataset.names[1],)


def test_that_counts_follow_the_nodes_clicked(activity: GuessActivity) -> None:
    first, second = activity.posed.puzzle.dataset.names[2:4]
    for name in (first, second):
        click_node(activity.stage.panes[0], name)
    assert (activity.pairs.first.currentText(), activity.pairs.second.currentText()) == (first, second)
    assert (activity.pairs.table.rowCount(), activity.pairs.table.columnCount()) == (2, 2)
    assert activity.pairs.sentence.text().startswith(f"{first} and {second} ")
    activity.pairs.second.setCurrentText(first)
    activity.pairs.second.activated.emit(0)
    assert activity.pairs.sentence.text() == "Choose two different variables."


def test_that_points_and_guess_are_kept(activity: GuessActivity, qtbot: QtBot) -> None:
    activity.marks.toggle(secret_of(activity)[0])
    activity.reveal()
    kept = activity.state()
    activity.restore({})
    settle(activity, qtbot)
    assert (activity.points, activity.rounds, activity.marked) == (0, 0, ())
    activity.restore(kept)
    assert activity.state() == kept
    settle(activity, qtbot)
    assert activity.state() == kept
    assert activity.score is not None
    assert activity.score_text.text() == score_sentence(activity.posed.puzzle, activity.score)


def test_that_a_search_can_be_stopped_and_the_reveal_still_works(activity: GuessActivity, qtbot: QtBot) -> None:
    activity.form.fill(PuzzleChoice("alarm", "easy", 1))
    activity.form.chosen.emit()
    qtbot.waitUntil(lambda: activity.posed is not None, timeout=60_000)
    activity.stop_button.click()
    settle(activity, qtbot)
    activity.reveal()
    assert activity.rounds == 1
    assert "The hidden variable is" in activity.score_text.text()
    QApplication.processEvents()


def test_that_sentences_read_well() -> None:
    puzzle = make_puzzle(PuzzleChoice("random", "easy", 1))
    a, b = puzzle.secret.children
    assert marked_sentence(("A",)).endswith("has at least two children.")
    none = score_sentence(puzzle, score_guess((), puzzle.secret.children))
    assert none.startswith(f"The hidden variable is H; it causes {a} and {b}. Your guess: none right; ")
    assert none.endswith(f"{a} and {b} missed. 0 points of 10.")
    said = answer_sentence(ProgramAnswer("refine", ((a, b), ("X", "Y")), True), (a, b))
    assert said == f"Refine found a hidden cause of {a} and {b} (and 1 other hidden cause): 10 points."
    late = answer_sentence(ProgramAnswer("ilc-v", (), False), (a, b))
    assert late == "ILC-V found no hidden cause, before its time limit: 0 points."
