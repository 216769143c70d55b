"""The part of a large PAG around one node: chosen, walked through, edited and left again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import Host, change_mark, click_node, drag, put_graph, settle

from latconf_core.graph.marks import Mark
from latconf_gui.drawing.content.neighbourhood import Neighbourhood
from latconf_gui.pages.large_graphs.neighbourhood_bar import LARGE
from latconf_gui.pages.pag.pag_page import PagPage

CHAIN = mixed("A --> B", "B --> C", "C o-> D", "D --> E", "E --> F", nodes=list("ABCDEFG"))


@pytest.fixture
def page(qtbot: QtBot, host: Host) -> PagPage:
    host.page.part_bar.steps.setCurrentIndex(0)
    put_graph(qtbot, host.page, CHAIN)
    return host.page


def shown(page: PagPage) -> str:
    return "".join(sorted(page.canvas.scene.drawing.names))


def look_near(page: PagPage, name: str, steps: int = 0) -> None:
    """Click a node and press H, as a person would; then choose from the list of steps."""
    click_node(page, name)
    QTest.keyClick(page.canvas.view, Qt.Key.Key_H)
    if steps:
        box = page.part_bar.steps
        box.setCurrentIndex(box.findData(steps))
        box.activated.emit(box.currentIndex())


def test_that_h_shows_the_neighbours_of_a_node_and_shift_h_the_whole_graph(page: PagPage) -> None:
    places = page.canvas.scene.positions()
    assert not page.part_bar.isVisible()  # a small graph needs no such line
    look_near(page, "C")
    assert shown(page) == "BCD"
    assert page.part_bar.isVisible()
    assert page.part_bar.text.text() == "Near C: 3 of 7 nodes"
    look_near(page, "C", steps=2)
    assert shown(page) == "ABCDE"
    QTest.keyClick(page.canvas.view, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert shown(page) == "ABCDEFG"
    assert page.canvas.scene.positions() == places
    assert not page.part_bar.isVisible()


def test_that_a_large_graph_offers_its_neighbourhoods(qtbot: QtBot, page: PagPage) -> None:
    put_graph(qtbot, page, mixed(*(f"V{i} --> V{i + 1}" for i in range(LARGE - 1))))
    assert page.part_bar.isVisible()
    actions = page.context.actions
    assert "find it by name" in actions.obstacle("pag.neighbourhood")
    page.canvas.scene.select_nodes(["V7"])
    actions["pag.neighbourhood"].trigger()
    assert set(page.canvas.scene.drawing.names) == {"V6", "V7", "V8"}
    assert actions.obstacle("pag.neighbourhood") == "This neighbourhood is shown."
    page.canvas.scene.select_nodes(["V8"])
    actions["pag.neighbourhood"].trigger()
    assert set(page.canvas.scene.drawing.names) == {"V7", "V8", "V9"}


def test_that_an_edit_in_a_neighbourhood_changes_the_whole_graph(qtbot: QtBot, page: PagPage) -> None:
    look_near(page, "C")
    change_mark(page, "C", "D")
    settle(qtbot, page)
    assert page.document.pag is not None
    assert page.document.pag.edge("C", "D").at_first == Mark.ARROW
    assert page.document.pag.n_edges == CHAIN.n_edges
    assert shown(page) == "BCD"
    page.document.undo_stack.undo()
    assert page.document.pag == CHAIN


def test_that_moving_a_node_of_a_neighbourhood_leaves_the_whole_graph_as_it_is(page: PagPage) -> None:
    kept = dict(page.document.positions)
    look_near(page, "C")
    item = page.canvas.scene.node_item("B")
    before = item.pos()
    drag(page, before, before + item.pos() * 0 + (page.canvas.scene.node_item("C").pos() - before) * 0.3)
    assert page.canvas.scene.node_item("B").pos() != before
    page.commands.nudge(10.0, 0.0)
    assert page.document.positions == kept
    assert not page.document.undo_stack.canUndo()
    page.part_bar.show_whole()
    assert page.canvas.scene.positions() == kept


def test_that_a_row_of_a_hidden_edge_shows_that_edge_and_stays_selected(page: PagPage) -> None:
    look_near(page, "A")
    page.tabs.setCurrentWidget(page.edges)
    row = page.edges.model.row_of("E", "F")
    assert row is not None
    page.edges.table.setCurrentIndex(page.edges.sorted.mapFromSource(page.edges.model.index(row, 0)))
    assert page.canvas.neighbourhood == Neighbourhood("E")
    assert page.canvas.scene.selected_pairs() == [frozenset("EF")]
    assert page.edges.selected_pairs() == [frozenset("EF")]
    page.edges.table.selectAll()
    assert page.canvas.neighbourhood is None
    assert len(page.canvas.scene.selected_pairs()) == CHAIN.n_edges
    assert len(page.edges.selected_pairs()) == CHAIN.n_edges


def test_that_a_row_of_an_edge_out_of_sight_brings_it_into_view(page: PagPage) -> None:
    view = page.canvas.view
    for _ in range(20):
        view.zoom_in()
    for first, second in ("AB", "EF"):
        row = page.edges.model.row_of(first, second)
        assert row is not None
        page.edges.table.setCurrentIndex(page.edges.sorted.mapFromSource(page.edges.model.index(row, 0)))
        seen = view.mapToScene(view.viewport().rect()).boundingRect()
        assert seen.contains(page.canvas.scene.node_item(first).pos())
    view.fit()


def test_that_finding_a_hidden_node_shows_its_neighbourhood(qtbot: QtBot, page: PagPage) -> None:
    look_near(page, "A")
    qtbot.keyClicks(page.commands.search, "f")
    qtbot.keyClick(page.commands.search, Qt.Key.Key_Return)
    assert shown(page) == "EF"
    assert page.canvas.scene.selected_nodes() == ["F"]


def test_that_next_edge_walks_through_the_whole_graph(page: PagPage) -> None:
    look_near(page, "A")
    for _ in range(CHAIN.n_edges):
        page.commands.step_edge(1)
        (pair,) = page.canvas.scene.selected_pairs()
    assert pair == frozenset("EF")
    page.commands.show_pair("A", "F")  # no edge, and far from each other
    assert page.canvas.neighbourhood is None
    assert set(page.canvas.scene.selected_nodes()) == {"A", "F"}


def test_that_another_graph_without_the_node_is_shown_whole(qtbot: QtBot, page: PagPage) -> None:
    look_near(page, "C")
    put_graph(qtbot, page, mixed("X --> Y", "Y --> Z"))
    assert shown(page) == "XYZ"
    assert page.canvas.neighbourhood is None


def test_that_another_document_is_shown_whole_though_it_has_the_node(qtbot: QtBot, host: Host, page: PagPage) -> None:
    state = host.document.state
    page.editor.add_edge("A", "G")
    look_near(page, "C")
    assert shown(page) == "BCD"
    host.document.open_state(state, "Open it again")
    settle(qtbot, page)
    assert shown(page) == "ABCDEFG"
    host.document.undo_stack.undo()


def test_that_a_layout_in_a_neighbourhood_is_not_kept(qtbot: QtBot, page: PagPage) -> None:
    kept = dict(page.document.positions)
    look_near(page, "C")
    before = page.canvas.scene.positions()
    page.lay_out("neato")
    settle(qtbot, page)
    assert page.canvas.scene.positions() != before
    assert page.document.positions == kept
    page.lay_out("neato")
    page.part_bar.show_whole()  # before it is ready
    settle(qtbot, page)
    assert page.canvas.scene.positions() == kept


def test_that_a_new_node_is_added_to_the_whole_graph(qtbot: QtBot, page: PagPage) -> None:
    look_near(page, "C")
    dialog = page.commands.ask_node()
    dialog.setTextValue("H")
    dialog.accept()
    assert shown(page) == "ABCDEFGH"
