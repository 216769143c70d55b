"""The frame of the Lessons page: activities are built when they are opened, and what is done in them is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from support.toy_activity import ENTRIES, FORK, CountingActivity

from latconf_core.control import RunControl
from latconf_core.formats.projects.project_state import OpenedProject, ProjectState, open_project, save_state
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.pages.learn import learn_page, try_it
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture(autouse=True)
def toy_activities(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the window builds the page."""
    for module in (learn_page, try_it):
        monkeypatch.setattr(module, "ACTIVITIES", ENTRIES)


@pytest.fixture
def page(window: MainWindow) -> LearnPage:
    return window.page(LearnPage)


def counting(page: LearnPage) -> CountingActivity:
    activity = page.open_activity("counting")
    assert isinstance(activity, CountingActivity)
    return activity


def saved_and_read(state: ProjectState, path: Path) -> OpenedProject:
    list(save_state(state, path, RunControl(), post=lambda _: None))
    (opened,) = open_project(path, RunControl(), post=lambda _: None)
    assert isinstance(opened, OpenedProject)
    return opened


def test_that_the_page_is_there_without_data_and_opens_its_first_activity(
    window: MainWindow, page: LearnPage, qtbot: QtBot
) -> None:
    window.show()
    window.show_page("Lessons")
    assert window.current_page is page
    assert page.current is not None
    assert page.current.key == "counting"
    assert not window.document.is_modified
    assert not page.document.has_content


def test_that_what_is_done_counts_as_unsaved_and_is_no_undo_step(window: MainWindow, page: LearnPage) -> None:
    counting(page).add_one()
    assert window.document.is_modified
    assert window.document.undo_stack.count() == 0
    assert window.document.learn == {"open": "counting", "activities": {"counting": {"count": 1}}}


def test_that_a_project_keeps_what_was_done(window: MainWindow, page: LearnPage, tmp_path: Path) -> None:
    activity = counting(page)
    activity.add_one()
    other = page.open_activity("other")
    assert isinstance(other, CountingActivity)
    other.add_one()
    other.add_one()
    opened = saved_and_read(window.document.state, tmp_path / "lecture.latconf")
    assert opened.notes == ()
    window.document.open_state(ProjectState(), "New")
    assert (activity.count, other.count) == (0, 0)
    window.document.open_state(opened.state, "Open")
    assert (activity.count, other.count) == (1, 2)
    assert page.current is other


def test_that_undoing_an_opening_brings_back_what_was_done_and_redoing_the_other(
    window: MainWindow, page: LearnPage
) -> None:
    activity = counting(page)
    activity.add_one()
    window.document.open_state(ProjectState(name="next"), "Open")
    activity.add_one()
    activity.add_one()
    window.document.undo_stack.undo()
    assert activity.count == 1
    window.document.undo_stack.redo()
    assert activity.count == 2


def test_that_undo_elsewhere_leaves_what_was_done(window: MainWindow, page: LearnPage) -> None:
    activity, document = counting(page), window.document
    document.move_nodes({"A": (1, 2)}, "Move")
    activity.add_one()
    document.undo_stack.undo()
    assert activity.count == 1
    assert document.learn["activities"] == {"counting": {"count": 1}}


def test_that_a_saved_state_is_clean_again_after_undo_and_redo(window: MainWindow, page: LearnPage) -> None:
    document = window.document
    document.move_nodes({"A": (1, 2)}, "Move")
    counting(page).add_one()
    document.mark_saved(document.snapshot, Path("x.latconf"))
    document.undo_stack.undo()
    assert document.is_modified
    document.undo_stack.redo()
    assert not document.is_modified


@pytest.mark.parametrize("state", [{"count": "many"}, ["count"], 7, {"count": None}])
def test_that_a_damaged_activity_begins_anew_and_says_so(window: MainWindow, page: LearnPage, state: object) -> None:
    learn = {"open": "counting", "activities": {"counting": state}}
    window.document.open_state(ProjectState(learn=learn), "Open")
    assert counting(page).count == 0
    assert "the activity starts afresh" in window.problems.messages[-1].what


@pytest.mark.parametrize("learn", [{"open": ["x"], "activities": 5}, {"open": "gone", "activities": {"gone": {}}}])
def test_that_odd_content_is_passed_over(window: MainWindow, page: LearnPage, learn: dict[str, object]) -> None:
    window.show()
    window.document.open_state(ProjectState(learn=learn), "Open")
    window.show_page("Lessons")
    assert page.current is not None
    counting(page).add_one()
    assert window.document.learn["activities"]["counting"] == {"count": 1}


def test_that_a_dag_is_tried_in_another_activity(page: LearnPage) -> None:
    chain = DrawnDag(("X", "Y"), (("X", "Y"),))
    counting(page).try_dag.emit("other", chain)
    assert page.current is page.activity("other")
    assert isinstance(page.current, CountingActivity)
    assert page.current.dag.edges == chain.edges
    assert set(page.current.dag.positions) == {"X", "Y"}


def test_that_try_it_names_the_other_activities_that_take_a_dag(page: LearnPage) -> None:
    activity = counting(page)
    button = try_it.TryItButton(activity, lambda: FORK)
    button.fill_menu()
    assert [action.text() for action in button.menu().actions()] == ["Other"]
    button.menu().actions()[0].trigger()
    assert page.current is page.activity("other")


def test_that_a_graph_goes_to_compare(page: LearnPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.document.compare_asked) as asked:
        counting(page).compare.emit("the PAG", FORK.pag)
    assert asked.args == [ComparedGraph("the PAG", "Lessons", FORK.pag)]


def test_that_a_lecture_without_data_opens_at_the_learn_page(
    window: MainWindow, page: LearnPage, tmp_path: Path, qtbot: QtBot
) -> None:
    counting(page).add_one()
    path = tmp_path / "lecture.latconf"
    saved_and_read(window.document.state, path)
    window.document.mark_clean()
    window.show_page("Start")
    with qtbot.waitSignal(window.opener.project_opened):
        window.opener.open_path(path)
    assert window.current_page is page


def test_that_an_activity_can_be_opened_by_its_command(window: MainWindow, page: LearnPage) -> None:
    window.show()
    window.actions_by_id["learn.other"].trigger()
    assert window.current_page is page
    assert page.current is page.activity("other")


def test_that_a_box_takes_the_place_of_the_list_where_there_is_little_width(
    window: MainWindow, page: LearnPage, qtbot: QtBot
) -> None:
    window.show_page("Lessons")
    window.resize(1400, 800)
    assert (page.list.isVisible(), page.box.isVisible()) == (True, False)
    window.resize(700, 700)
    assert (page.list.isVisible(), page.box.isVisible()) == (False, True)
    page.box.setFocus()
    qtbot.keyClick(page.box, Qt.Key.Key_Down)
    assert page.current is page.activity("other")
    page.open_activity("counting")
    assert page.box.currentText() == "Counting"


def test_that_a_document_without_a_lecture_leaves_the_activity_open(window: MainWindow, page: LearnPage) -> None:
    other = page.open_activity("other")
    window.document.open_state(ProjectState(name="data alone"), "Open")
    assert page.current is other
