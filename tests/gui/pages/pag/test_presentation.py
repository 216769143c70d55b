"""Presentation mode: whatever a hand does, nothing is edited; and how commands say why they cannot be used."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QInputDialog, QPushButton
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import Host, agrees, click_mark, collider_data, drag, on_view, put_data, put_graph, settle

from latconf_core.data.preparing.choices import Preparation
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.pages.pag.actions import EDITING
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.pag.tables.edges_model import EdgeColumn
from latconf_gui.window.main_window import MainWindow

GRAPH = mixed("A o-> C", "B o-> C", "C --> D", nodes=list("ABCDE"))
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def presented(qtbot: QtBot, host: Host) -> PagPage:
    put_graph(qtbot, host.page, GRAPH)
    host.actions_by_id["view.present"].setChecked(True)
    return host.page


def test_that_nothing_a_hand_does_edits_while_presenting(qtbot: QtBot, host: Host, presented: PagPage) -> None:
    page, state = presented, host.document.state
    scene, view = page.canvas.scene, page.canvas.view
    for _ in range(3):
        click_mark(page, "A", "C")
    view.setFocus()
    for key in (*"123xre", Qt.Key.Key_Space, Qt.Key.Key_Delete):
        qtbot.keyClick(view, key)
    drag(page, scene.node_item("E").pos(), scene.node_item("E").pos() + QPointF(30, -40))
    drag(page, scene.node_item("A").pos(), scene.node_item("B").pos(), SHIFT)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=on_view(page, scene.node_item("D").pos()))
    page.tabs.setCurrentWidget(page.edges)
    page.edges.table.edit(page.edges.sorted.index(0, EdgeColumn.AT_FIRST))
    for button in (page.edges.add, page.edges.delete):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    for id in EDITING:
        host.actions_by_id[id].trigger()
    settle(qtbot, page)
    assert host.document.state is state
    assert agrees(page)
    assert page.findChild(QInputDialog) is None
    assert page.edges.table.findChild(QComboBox) is None
    assert not page.is_learning


def test_that_a_click_still_explains_while_presenting(presented: PagPage) -> None:
    click_mark(presented, "A", "C")
    assert presented.canvas.scene.selected_pairs() == [frozenset("AC")]
    assert "A causes C, or they share a hidden cause" in presented.inspector().text.text()
    assert presented.inspector().hint.text() == ""


def test_that_presenting_is_seen_and_ends(qtbot: QtBot, host: Host, presented: PagPage) -> None:
    assert presented.legality.text.text() == "Presentation mode blocks editing. This is a valid PAG."
    assert all("Presentation mode" in host.actions_by_id[id].toolTip() for id in EDITING)
    host.actions_by_id["view.present"].trigger()
    assert presented.legality.text.text() == "This is a valid PAG."
    for _ in range(2):
        click_mark(presented, "A", "C")
    assert presented.document.pag != GRAPH
    settle(qtbot, presented)


def test_that_presenting_waits_for_a_graph_that_is_being_learned(qtbot: QtBot, host: Host) -> None:
    page, present = host.page, host.actions_by_id["view.present"]
    put_data(host, collider_data())
    with qtbot.waitSignal(page.learning.learned, timeout=60_000):
        page.learn()
        assert not present.isEnabled()
        assert "wait until it finishes" in present.toolTip()
    qtbot.waitUntil(lambda: host.document.pag is not None and present.isEnabled(), timeout=20_000)
    settle(qtbot, page)


def test_that_presenting_ends_with_what_was_presented(host: Host, presented: PagPage) -> None:
    put_data(host, collider_data(50))
    assert not presented.commands.is_presenting
    assert not host.actions_by_id["view.present"].isChecked()
    assert host.actions_by_id["pag.learn"].isEnabled()


def test_that_the_view_menu_offers_it_and_undo_rests(qtbot: QtBot, window: MainWindow) -> None:
    window.load_pages()
    page = window.page(PagPage)
    put_graph(qtbot, page, GRAPH)
    page.editor.delete_edges([frozenset("AC")])
    present, undo = window.actions_by_id["view.present"], window.actions_by_id["edit.undo"]
    assert present in window.view_menu.actions()
    assert undo.isEnabled()
    present.setChecked(True)
    assert not undo.isEnabled()
    window.document.set_knowledge(window.document.knowledge, "Something else")
    assert not undo.isEnabled()
    present.setChecked(False)
    assert undo.isEnabled()
    settle(qtbot, page)


def buttons_of(page: PagPage, text: str) -> list[QAbstractButton]:
    return [each for each in page.findChildren(QPushButton) if each.text() == text]


def test_that_every_button_of_a_command_has_one_state_and_says_why(qtbot: QtBot, host: Host) -> None:
    page, delete = host.page, host.actions_by_id["pag.delete"]
    put_graph(qtbot, page, GRAPH)
    assert (delete.isEnabled(), page.edges.delete.isEnabled()) == (False, False)
    assert "First select a node" in page.edges.delete.toolTip()
    page.canvas.scene.select_edge("A", "C")
    assert (delete.isEnabled(), page.edges.delete.isEnabled()) == (True, True)
    page.canvas.scene.select_nodes(["A"])
    assert (delete.isEnabled(), page.edges.delete.isEnabled()) == (True, True)


def test_that_without_data_learning_says_what_is_missing(host: Host) -> None:
    learn = host.actions_by_id["pag.learn"]
    buttons = buttons_of(host.page, "Learn the PAG")
    assert len(buttons) == 2  # of the invitation, and of the panel
    assert not learn.isEnabled()
    assert "open a file or an example first" in learn.toolTip()
    assert {(each.isEnabled(), each.toolTip()) for each in buttons} == {(False, learn.toolTip())}
    obstacle = "12 cells are missing: say on the Data page what to do with them"
    undecided = replace(host.document.state, preparation=Preparation(), obstacle=obstacle)
    host.document.open_state(undecided, "Open a table with gaps")
    assert {each.toolTip().splitlines()[-1] for each in buttons} == {f"{obstacle}."}
    put_data(host, collider_data(50))
    assert learn.isEnabled()
    assert {(each.isEnabled(), each.toolTip()) for each in buttons} == {(True, "Learn a PAG from the data (Ctrl+L)")}


def test_that_nothing_is_said_about_a_graph_that_is_gone(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_data(host, collider_data())
    with qtbot.waitSignal(page.learning.learned, timeout=60_000):
        page.learn()
    qtbot.waitUntil(lambda: host.document.pag is not None, timeout=20_000)
    settle(qtbot, page)
    assert "3 edges" in page.learn_panel.state.text()
    learned = host.document.state
    page.editor.delete_edges([frozenset("AC")])
    assert page.learn_panel.state.text() == ""
    host.document.undo_stack.undo()
    assert "3 edges" in page.learn_panel.state.text()
    page.canvas.scene.select_nodes(["C"])
    host.document.open_state(type(learned)(name="other"), "Open other data")
    assert page.learn_panel.state.text() == ""
    assert page.inspector().title.text() == "No PAG yet"
    assert page.edges.model.rowCount() == 0
    QApplication.processEvents()
    settle(qtbot, page)


def test_that_the_inspector_follows_new_names_of_states(qtbot: QtBot, host: Host) -> None:
    from latconf_core.data.dataset import Dataset

    data = collider_data(50)
    put_data(host, data)
    put_graph(qtbot, host.page, MixedGraph.from_edges("ABCD", ()))
    host.page.canvas.scene.select_nodes(["A"])
    assert "2 states: no, yes" in host.page.inspector().text.text()
    renamed = Dataset(data.names, [("off", "on"), *data.states[1:]], data.codes)
    prepared = replace(host.document.prepared, dataset=renamed)
    host.document.set_preparation(replace(host.document.state, prepared=prepared), "Rename states")
    assert "2 states: off, on" in host.page.inspector().text.text()
