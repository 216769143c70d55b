from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QComboBox, QInputDialog, QMenu
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import (
    Host,
    agrees,
    change_mark,
    click_mark,
    click_node,
    collider_data,
    drag,
    put_data,
    put_graph,
    shown,
)
from support.small_runs import small_run

from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.wording.mark_meanings import edge_sentence
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.pag.tables.edges_model import EdgeColumn
from latconf_gui.widgets.text import keep_arrows_whole

GRAPH = mixed("A o-> C", "B o-> C", "C --> D", nodes=list("ABCDE"))


@pytest.fixture
def page(host: Host, qtbot: QtBot) -> PagPage:
    put_graph(qtbot, host.page, GRAPH)
    return host.page


def undo_all(page: PagPage) -> None:
    while page.document.undo_stack.canUndo():
        page.document.undo_stack.undo()


def test_that_a_click_on_a_mark_chooses_and_explains_it_and_keeps_the_model(page: PagPage) -> None:
    page.document.add_result(small_run(), "HCLC-V")
    state = page.document.state
    mark = page.canvas.scene.edge_item("A", "C").mark_items["A"]
    click_mark(page, "A", "C")
    assert page.document.state is state
    assert page.canvas.scene.is_chosen(mark)
    assert "A causes C, or they share a hidden cause" in page.inspector().text.text()
    assert "Click its mark again" in page.inspector().hint.text()
    click_mark(page, "C", "A")
    click_mark(page, "B", "C")
    assert page.document.state is state
    click_mark(page, "B", "C")
    assert page.document.pag.mark_at("B", "C") == Mark.ARROW
    page.document.undo_stack.undo()
    assert page.document.state is state


def test_that_clicking_a_chosen_mark_cycles_it_and_undo_brings_it_back(page: PagPage) -> None:
    marks = []
    for _ in range(3):
        change_mark(page, "A", "C")
        assert agrees(page)
        marks.append(page.document.pag.mark_at("A", "C"))
    assert marks == [Mark.ARROW, Mark.TAIL, Mark.CIRCLE]
    page.document.undo_stack.undo()
    assert shown(page).mark_at("A", "C") == Mark.TAIL
    undo_all(page)
    assert page.document.pag == shown(page) == GRAPH


@pytest.mark.parametrize(("key", "mark"), [("1", Mark.CIRCLE), ("2", Mark.ARROW), ("3", Mark.TAIL)])
def test_that_keys_set_the_mark_at_the_active_end_on_the_canvas(
    qtbot: QtBot, page: PagPage, key: str, mark: Mark
) -> None:
    page.canvas.scene.select_edge("C", "D", end="C")
    page.canvas.view.setFocus()
    qtbot.keyClick(page.canvas.view, key)
    assert page.document.pag.mark_at("C", "D") == mark
    qtbot.keyClick(page.canvas.view, "x")
    qtbot.keyClick(page.canvas.view, key)
    assert page.document.pag.mark_at("D", "C") == mark
    assert agrees(page)


def cell(page: PagPage, first: str, second: str, column: EdgeColumn) -> object:
    row = page.edges.model.row_of(first, second)
    assert row is not None
    return page.edges.sorted.mapFromSource(page.edges.model.index(row, column))


@pytest.mark.parametrize(
    ("column", "node", "other"), [(EdgeColumn.AT_FIRST, "A", "C"), (EdgeColumn.AT_SECOND, "C", "A")]
)
def test_that_keys_set_marks_in_the_table_too(
    qtbot: QtBot, page: PagPage, column: EdgeColumn, node: str, other: str
) -> None:
    page.tabs.setCurrentWidget(page.edges)
    page.edges.table.setFocus()
    page.edges.table.setCurrentIndex(cell(page, "A", "C", column))
    qtbot.keyClick(page.edges.table, "3")
    assert page.document.pag.mark_at(node, other) == Mark.TAIL
    qtbot.keyClick(page.edges.table, Qt.Key.Key_Space)
    assert page.document.pag.mark_at(node, other) == Mark.CIRCLE
    assert page.canvas.scene.selected_pairs() == [frozenset("AC")]
    assert agrees(page)


def test_that_a_mark_is_chosen_from_a_list_in_the_table(qtbot: QtBot, page: PagPage) -> None:
    page.tabs.setCurrentWidget(page.edges)
    page.edges.table.edit(cell(page, "C", "D", EdgeColumn.AT_FIRST))
    box = page.edges.table.findChild(QComboBox)
    assert box is not None
    box.setCurrentIndex(box.findText("arrowhead"))
    box.activated.emit(box.currentIndex())
    assert page.document.pag.edge("C", "D").is_bidirected
    assert agrees(page)


def test_that_edges_are_added_and_deleted_by_the_form_beside_the_table(qtbot: QtBot, page: PagPage) -> None:
    page.tabs.setCurrentWidget(page.edges)
    page.edges.first.setCurrentText("D")
    page.edges.marks.setCurrentText("<->")
    page.edges.second.setCurrentText("E")
    qtbot.mouseClick(page.edges.add, Qt.MouseButton.LeftButton)
    assert page.document.pag.edge("D", "E").is_bidirected
    assert agrees(page)
    qtbot.mouseClick(page.edges.delete, Qt.MouseButton.LeftButton)
    assert page.document.pag == GRAPH
    assert agrees(page)


def test_that_a_drag_with_shift_joins_two_nodes(page: PagPage) -> None:
    scene = page.canvas.scene
    drag(page, scene.node_item("A").pos(), scene.node_item("B").pos(), Qt.KeyboardModifier.ShiftModifier)
    assert page.document.pag == GRAPH.with_edge(mixed("A o-o B").edge("A", "B"))
    assert agrees(page)


def test_that_two_chosen_nodes_are_joined_by_a_key_and_the_edge_deleted_by_another(qtbot: QtBot, page: PagPage) -> None:
    click_node(page, "D")
    click_node(page, "E", Qt.KeyboardModifier.ControlModifier)
    page.canvas.view.setFocus()
    qtbot.keyClick(page.canvas.view, "e")
    assert page.document.pag.is_adjacent("D", "E")
    assert page.canvas.scene.selected_pairs() == [frozenset("DE")]
    qtbot.keyClick(page.canvas.view, Qt.Key.Key_Delete)
    assert page.document.pag == GRAPH
    assert agrees(page)


def test_that_reversing_swaps_both_marks(qtbot: QtBot, page: PagPage) -> None:
    page.canvas.scene.select_edge("C", "D")
    page.canvas.view.setFocus()
    qtbot.keyClick(page.canvas.view, "r")
    assert str(page.document.pag.edge("C", "D")) == "C <-- D"


def test_that_several_edges_change_in_one_step(qtbot: QtBot, page: PagPage) -> None:
    page.tabs.setCurrentWidget(page.edges)
    page.edges.table.selectAll()
    page.edges.table.setFocus()
    qtbot.keyClick(page.edges.table, "1")
    assert page.document.undo_stack.count() == 1
    page.document.undo_stack.undo()
    assert page.document.pag == GRAPH


def test_that_a_drag_keeps_a_node_where_it_is_put_and_undo_moves_it_back(page: PagPage) -> None:
    before = page.canvas.scene.positions()
    drag(page, page.canvas.scene.node_item("E").pos(), page.canvas.scene.node_item("E").pos() + QPointF(30, -40))
    after = page.canvas.scene.positions()
    assert page.document.positions["E"] == after["E"] != before["E"]
    assert agrees(page)
    page.document.undo_stack.undo()
    assert page.canvas.scene.positions() == before


def test_that_alt_and_arrows_move_the_chosen_nodes(qtbot: QtBot, page: PagPage) -> None:
    before = page.canvas.scene.positions()["B"]
    click_node(page, "B")
    page.canvas.view.setFocus()
    qtbot.keyClick(page.canvas.view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(page.canvas.view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    after = page.canvas.scene.positions()["B"]
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((10, -10))


def test_that_the_context_menu_of_a_mark_offers_the_three_marks(qtbot: QtBot, page: PagPage) -> None:
    mark = page.canvas.scene.edge_item("C", "D").mark_items["D"]
    page.canvas.scene.select_edge("C", "D", end="D")
    page.canvas.scene.menu_requested.emit(mark, page.canvas.view.mapToGlobal(page.canvas.view.rect().center()))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    texts = {action.text(): action for action in menu.actions()}
    texts["Circle here"].trigger()
    menu.close()
    assert str(page.document.pag.edge("C", "D")) == "C --o D"


def test_that_a_node_is_drawn_named_renamed_and_deleted_where_there_is_no_data(qtbot: QtBot, page: PagPage) -> None:
    qtbot.mouseDClick(page.canvas.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    dialog = page.findChild(QInputDialog)
    assert dialog is not None
    dialog.setTextValue("New")
    dialog.accept()
    assert page.document.pag.nodes == (*GRAPH.nodes, "New")
    position = page.document.positions["New"]
    page.editor.rename_node("New", "Newer")
    assert page.document.positions["Newer"] == position
    assert agrees(page)
    page.canvas.scene.select_nodes(["Newer"])
    page.commands.delete_selected()
    assert page.document.pag == GRAPH
    undo_all(page)
    assert page.document.pag == shown(page) == GRAPH


def test_that_a_graph_is_drawn_from_nothing(qtbot: QtBot, host: Host) -> None:
    page = host.page
    host.actions_by_id["pag.new"].trigger()
    qtbot.waitUntil(lambda: page.document.pag is not None, timeout=20_000)
    page.editor.add_node("X", (0, 0))
    page.editor.add_node("Y", (150, 0))
    drag(page, QPointF(0, 0), QPointF(150, 0), Qt.KeyboardModifier.ShiftModifier)
    assert [str(edge) for edge in page.document.pag.edges()] == ["X o-o Y"]
    assert agrees(page)
    undo_all(page)
    assert page.document.pag is None


def test_that_with_data_an_empty_graph_has_its_variables(qtbot: QtBot, host: Host) -> None:
    put_data(host, collider_data(50))
    page = host.page
    host.actions_by_id["pag.new"].trigger()
    qtbot.waitUntil(lambda: page.document.pag is not None, timeout=20_000)
    assert page.document.pag == MixedGraph.from_edges("ABCD", ())
    assert set(page.document.positions) == set("ABCD")
    page.editor.add_node("Z", (0, 0))
    assert "variables of the data" in host.problems[-1]
    assert page.document.pag.nodes == tuple("ABCD")


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda page: page.editor.add_edge("A", "C"), "there is already an edge A o-> C"),
        (lambda page: page.editor.add_edge("A", "A"), "two different nodes"),
        (lambda page: page.editor.add_node("A", (0, 0)), "there is already a node 'A'"),
        (lambda page: page.editor.add_node("  ", (0, 0)), "a node needs a name"),
        (lambda page: page.editor.rename_node("A", "B"), "there is already a node 'B'"),
    ],
)
def test_that_a_wrong_move_is_said_and_changes_nothing(host: Host, page: PagPage, act: object, sentence: str) -> None:
    state = page.document.state
    act(page)  # type: ignore[operator]
    assert sentence in host.problems[-1]
    assert page.document.state is state
    assert agrees(page)


def test_that_the_table_sorts_and_filters_without_losing_an_edge(page: PagPage) -> None:
    table = page.edges
    table.table.sortByColumn(EdgeColumn.SECOND, Qt.SortOrder.DescendingOrder)
    names = [table.sorted.index(row, EdgeColumn.SECOND).data() for row in range(table.sorted.rowCount())]
    assert names == ["D", "C", "C"]
    table.filter.setText("d")
    assert table.sorted.rowCount() == 1
    table.filter.setText("(")
    assert table.sorted.rowCount() == 0
    table.filter.clear()
    assert table.sorted.rowCount() == 3


@pytest.mark.parametrize("column", EdgeColumn)
def test_that_the_sort_arrow_has_room_beside_the_title_of_its_column(page: PagPage, column: EdgeColumn) -> None:
    page.tabs.setCurrentWidget(page.edges)
    table = page.edges.table
    table.sortByColumn(column, Qt.SortOrder.AscendingOrder)
    assert table.columnWidth(column) >= table.horizontalHeader().sectionSizeHint(column)
    table.sortByColumn(EdgeColumn.FIRST, Qt.SortOrder.AscendingOrder)


def test_that_a_tool_tip_of_the_table_keeps_arrows_and_names_as_they_are(qtbot: QtBot, host: Host) -> None:
    put_graph(qtbot, host.page, mixed("A <-> B").renamed({"A": "<b>A&B</b>"}))
    tip = host.page.edges.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    shown_tip = QTextDocumentFragment.fromHtml(tip).toPlainText()
    assert shown_tip.splitlines()[0] == "<b>A&B</b> <-> B"
    assert edge_sentence(host.document.pag.edge("<b>A&B</b>", "B")) in shown_tip


def test_that_below_the_table_stands_what_the_chosen_edge_means(qtbot: QtBot, page: PagPage) -> None:
    page.tabs.setCurrentWidget(page.edges)
    assert page.edges.meaning.text() == "Select an edge to see what it means."
    page.edges.table.setCurrentIndex(cell(page, "A", "C", EdgeColumn.AT_SECOND))
    assert page.edges.meaning.text().startswith("If this PAG is right, C is not a cause of A:")
    qtbot.keyClick(page.edges.table, "3")
    assert page.edges.meaning.text() == edge_sentence(page.document.pag.edge("A", "C"))
    page.edges.table.selectAll()
    assert page.edges.meaning.text() == "3 edges selected."


def test_that_the_inspector_says_what_the_chosen_edge_means(page: PagPage) -> None:
    page.canvas.scene.select_edge("A", "C")
    inspector = page.inspector()
    assert inspector.title.text() == keep_arrows_whole("A o-> C")
    assert (
        "If this PAG is right, C is not a cause of A: A causes C, or they share a hidden cause."
        in inspector.text.text()
    )
    assert "share a hidden cause" in page.canvas.scene.edge_item("A", "C").toolTip()
    page.canvas.scene.select_nodes(["C"])
    assert inspector.title.text() == "C"
    page.canvas.scene.clearSelection()
    assert "5 nodes, 3 edges" in inspector.text.text()


def test_that_find_brings_a_node_to_the_middle(qtbot: QtBot, host: Host, page: PagPage) -> None:
    for _ in range(6):
        page.canvas.view.zoom_in()
    page.commands.search.start()
    qtbot.keyClicks(page.commands.search, "e")
    qtbot.keyClick(page.commands.search, Qt.Key.Key_Return)
    assert page.canvas.scene.selected_nodes() == ["E"]
    middle = page.canvas.view.mapToScene(page.canvas.view.viewport().rect().center())
    assert (middle - page.canvas.scene.node_item("E").pos()).manhattanLength() * page.canvas.view.zoom < 400
    page.commands.search.setText("nobody")
    qtbot.keyClick(page.commands.search, Qt.Key.Key_Return)
    assert "No node has 'nobody' in its name" in host.problems[-1]


def test_that_full_stop_and_comma_walk_through_the_edges(qtbot: QtBot, page: PagPage) -> None:
    page.canvas.view.setFocus()
    seen = []
    for key in (".", ".", ".", ","):
        qtbot.keyClick(page.canvas.view, key)
        seen.append("".join(sorted(*page.canvas.scene.selected_pairs())))
    assert seen == ["AC", "BC", "CD", "BC"]
