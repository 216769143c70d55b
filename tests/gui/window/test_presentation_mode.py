"""Presentation mode holds on every page that edits: whatever is tried, the document stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.model_acts import settle, state_with_result

from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import add_pag
from latconf_core.knowledge.knowledge import Knowledge
from latconf_gui.application.document import PRESENTING, WHAT_EDITING_CHANGES
from latconf_gui.pages.data.actions import EDITING as DATA_EDITING
from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.pages.data.variables_model import NAME
from latconf_gui.pages.learn.hide.hide_it import HideIt
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.model.actions import EDITING as MODEL_EDITING
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.actions import EDITING as PAG_EDITING
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture
def presented(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with a result, shown to others."""
    window.load_pages()
    window.document.open_state(state_with_result(), "Open")
    settle(window.page(ModelPage), qtbot)
    window.actions_by_id["view.present"].trigger()
    return window


def test_that_every_command_that_edits_says_why_it_rests(presented: MainWindow) -> None:
    actions = presented.actions_by_id
    for id in (*DATA_EDITING, *PAG_EDITING, *MODEL_EDITING):
        assert not actions[id].isEnabled(), id
        assert PRESENTING in actions[id].toolTip(), id


def test_that_no_command_of_the_window_edits(presented: MainWindow, qtbot: QtBot) -> None:
    before = presented.document.state
    apart = ("file.", "page.", "view.", "help.", "run.", "edit.commands", "search.run", "search.auto")
    for action in list(presented.actions_by_id):
        if not action.objectName().startswith(apart):
            action.trigger()
            for dialog in presented.findChildren(QDialog):
                dialog.close()
    settle(presented.page(ModelPage), qtbot)
    after = presented.document.state
    assert [name for name in WHAT_EDITING_CHANGES if getattr(after, name) is not getattr(before, name)] == []
    assert (after.pags, after.runs) == (before.pags, before.runs)


def test_that_the_data_page_shows_and_does_not_change(presented: MainWindow) -> None:
    page, before = presented.page(DataPage), presented.document.state
    presented.show_page("Data")
    for row in range(page.variables.rowCount()):
        assert not page.variables.flags(page.variables.index(row, NAME)) & Qt.ItemFlag.ItemIsUserCheckable
    inspector = page.inspector()
    for button in (inspector.use, inspector.discretise, inspector.undiscretise, page.changes.take_back):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert presented.document.state is before


def test_that_the_model_page_names_and_moves_nothing(presented: MainWindow, qtbot: QtBot) -> None:
    page, before = presented.page(ModelPage), presented.document.state
    presented.show_page("Model")
    latent = page.dag.latents[0].name
    page.choose(latent)
    card = page.inspector().latent
    card.name.setFocus()
    QTest.keyClicks(card.name, "Income")
    QTest.keyClick(card.name, Qt.Key.Key_Return)
    assert card.name.text() == ""
    assert not card.states.flags(card.states.index(0, 0)) & Qt.ItemFlag.ItemIsEditable
    item = page.canvas.scene.node_item(page.dag.nodes[0])
    place, view = item.pos(), page.canvas.view
    at = view.mapFromScene(place)
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    for step in (10, 30):
        QTest.mouseMove(view.viewport(), at + QPointF(step, step).toPoint())
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=at + QPointF(30, 30).toPoint())
    assert item.pos() == place
    assert presented.document.state is before
    settle(page, qtbot)


def test_that_runs_can_be_looked_at_but_not_renamed(presented: MainWindow) -> None:
    page = presented.page(SearchPage)
    page.manage_runs()
    dialog = page.runs_dialog
    assert dialog.show_button.isEnabled()
    assert not dialog.rename_button.isEnabled()
    assert not dialog.delete_button.isEnabled()
    assert not dialog.list.topLevelItem(0).flags() & Qt.ItemFlag.ItemIsEditable
    dialog.close()


EDITS: dict[str, Callable[[ProjectState], ProjectState]] = {
    "knowledge": lambda now: replace(now, knowledge=Knowledge()),
    "places": lambda now: replace(now, positions=MappingProxyType({"A": (1.0, 2.0)})),
    "names": lambda now: replace(now, latent_names=MappingProxyType({("A", "B"): "Income"})),
    "PAGs": lambda now: replace(now, pags=(), current_pag=""),
    "runs": lambda now: replace(now, runs=(), current_run=""),
}


@pytest.mark.parametrize("what", EDITS)
def test_that_the_document_itself_refuses_an_edit_and_says_so(presented: MainWindow, what: str) -> None:
    document, n_before = presented.document, presented.problems.n_reported
    before = document.state
    assert not document.change(EDITS[what](before), "Edit")
    assert document.state is before
    assert presented.problems.n_reported == n_before + 1
    document.undo_stack.undo()
    assert document.state is before


def test_that_what_is_found_meanwhile_is_added(presented: MainWindow) -> None:
    document = presented.document
    graph = mixed(nodes=document.dataset.names)
    assert document.change(add_pag(document.state, graph, origin="drawn"), "Draw")
    assert document.pag == graph
    assert document.is_presenting


def test_that_the_mode_ends_with_the_document_or_its_command(presented: MainWindow) -> None:
    actions, document = presented.actions_by_id, presented.document
    actions["view.present"].trigger()
    assert document.change(EDITS["names"](document.state), "Name")
    actions["view.present"].trigger()
    assert document.is_presenting
    presented.document.open_state(ProjectState(), "Open")
    assert not document.is_presenting
    assert not actions["view.present"].isChecked()


def test_that_one_key_begins_and_ends_it(window: MainWindow) -> None:
    window.load_pages()
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier)
    QApplication.processEvents()
    assert window.document.is_presenting
    QTest.keyClick(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier)
    assert not window.document.is_presenting


def test_that_a_drawing_of_the_lessons_is_only_hidden_and_shown(presented: MainWindow, qtbot: QtBot) -> None:
    learn = presented.page(LearnPage)
    presented.show_page(learn.title)
    activity = learn.open_activity("hide")
    assert isinstance(activity, HideIt)
    before = activity.dag
    activity.scene.select_nodes(["Maths"])
    for name in ("add", "connect", "turn", "rename", "delete", "undo", "redo", "random", "start"):
        assert not presented.actions_by_id[f"hide_it.{name}"].isEnabled(), name
    activity.delete_chosen()
    activity.draw_arrow("Teacher", "Books")
    activity.add_node(QPointF(0, 0))
    assert activity.dag == before
    activity.toggle("Ability")
    assert activity.dag.hidden == {"Ability"}
    qtbot.waitUntil(lambda: not activity.is_busy)
    activity.stop()
    presented.actions_by_id["view.present"].trigger()
    assert presented.actions_by_id["hide_it.delete"].isEnabled()


def test_that_the_title_says_that_it_is_presented(presented: MainWindow) -> None:
    assert "presentation" in presented.windowTitle()
    presented.actions_by_id["view.present"].trigger()
    assert "presentation" not in presented.windowTitle()
