"""The Compare page: the list, the overlay, walking through differences, scores, panes, matrix, files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from support.compare_acts import FCI, GFCI, HIDDEN, PLAIN, WIDER, compare_dags, names, open_compare, settle
from support.model_acts import small_result

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.formats.example_choice import default_choice
from latconf_core.formats.projects.compared_graphs import MOST
from latconf_gui.drawing.view import GraphView
from latconf_gui.look.sides import Side
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.compare.tables.numbers_choice import NumbersChoice
from latconf_gui.pages.compare.tables.numbers_table import SHORT, TITLES
from latconf_gui.window.main_window import MainWindow

KEY = Qt.Key


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> ComparePage:
    return open_compare(window, qtbot)


def press(widget: object, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(widget, key, modifier)


def test_that_the_document_offers_what_it_has(page: ComparePage) -> None:
    roles = [offer.role for offer in page.adding.offers()]
    assert roles[:2] == ["PAG", "MAG"]
    assert {"best", "with latents"} < set(roles)
    page.adding.fill_menu()
    assert len([each for each in page.adding.menu.actions() if each.text()]) == len(page.adding.offers()) + 1


def test_that_the_first_is_the_reference_and_named_in_every_header(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    assert page.parts.names.text().startswith("A: plain")
    assert page.tree.headerItem().text(1) == "A: plain"
    assert page.numbers.horizontalHeaderItem(0).text() == "A: plain"
    assert "only in A: plain" in page.overlay.canvas.legend.accessibleDescription()


def test_that_graphs_are_renamed_moved_made_reference_and_removed_by_keys(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    own = page.panel.list
    own.setFocus()
    press(own, KEY.Key_F2)
    editor = QApplication.focusWidget()
    QTest.keyClicks(editor, "the widest of all")
    press(editor, KEY.Key_Return)
    qtbot.waitUntil(lambda: names(page) == ["plain", "hidden", "the widest of all"])
    own.setFocus()
    press(own, KEY.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert names(page) == ["plain", "the widest of all", "hidden"]
    press(own, KEY.Key_R)
    assert names(page) == ["the widest of all", "plain", "hidden"]
    assert page.shown == 1
    press(own, KEY.Key_Delete)
    assert names(page) == ["the widest of all", "hidden"]
    settle(page, qtbot)


def test_that_equal_names_get_numbers_and_equal_graphs_are_taken_once(page: ComparePage, qtbot: QtBot) -> None:
    page.add("one", PLAIN)
    page.add("one", HIDDEN)
    page.add("two", PLAIN)
    assert names(page) == ["one", "one (2)"]
    settle(page, qtbot)


def test_that_the_thirteenth_graph_is_refused_with_the_remedy(
    page: ComparePage, window: MainWindow, qtbot: QtBot
) -> None:
    nodes = "ABCD"
    dags = [LatentDag(nodes, [(a, b)]) for a in nodes for b in nodes if a != b]
    for number, dag in enumerate([*dags, PLAIN]):
        page.add(f"DAG {number}", dag)
    assert len(page.candidates) == MOST
    assert window.problems.n_reported == 1
    settle(page, qtbot)


def test_that_space_flips_between_both_a_and_b_and_no_node_moves(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    view, scene = page.overlay.canvas.view, page.overlay.canvas.scene
    view.setFocus()
    before, seen = scene.positions(), []
    for _ in range(3):
        press(view, KEY.Key_Space)
        seen.append(page.overlay.face)
        assert all(before[name] == spot for name, spot in scene.positions().items())
    assert seen == ["A", "B", "overlay"]


def test_that_arrow_keys_walk_through_graphs_and_differences(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    view = page.overlay.canvas.view
    view.setFocus()
    press(view, KEY.Key_Down)
    assert page.shown == 1
    press(view, KEY.Key_Up)
    assert page.shown == 2
    settle(page, qtbot)
    walked = []
    for _ in page.tree.differences:
        press(view, KEY.Key_Right)
        walked.append(page.tree.current)
        assert page.overlay.canvas.scene.selectedItems()
    assert walked == list(page.tree.differences)
    press(view, KEY.Key_Left)
    assert page.tree.current == page.tree.differences[-2 % len(walked)]


def test_that_a_latent_has_the_name_that_was_given_to_it(page: ComparePage, qtbot: QtBot) -> None:
    page.add("plain", PLAIN)
    page.add("hidden", HIDDEN)
    page.document.name_latent(("A", "B"), "Stress", "Name L1 Stress")
    assert "Stress" in page.overlay.canvas.scene.drawing.names
    assert any(difference.text.startswith("Stress: only in B") for difference in page.tree.differences)
    settle(page, qtbot)


def test_that_nodes_without_a_difference_fade(page: ComparePage, qtbot: QtBot) -> None:
    page.add("plain", PLAIN)
    page.add("less", LatentDag("ABCD", [("A", "B"), ("A", "C"), ("B", "C")]))
    page.context.actions["compare.only"].trigger()
    drawn = {node.name: node.is_faded for node in page.overlay.canvas.scene.drawing.nodes}
    assert drawn == {"A": True, "B": True, "C": False, "D": False}
    settle(page, qtbot)


def test_that_scores_are_filled_in_and_the_blocks_add_up(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    pair = page.pair
    assert pair is not None
    assert pair.parts is not None
    assert sum(part.difference for part in pair.parts) == pytest.approx(pair.score_difference, abs=1e-6)
    assert " nats " in page.parts.sentence.text()
    tops = [page.tree.topLevelItem(i) for i in range(page.tree.topLevelItemCount())]
    assert all(top.text(3) for top in tops)
    assert all("…" not in page.numbers.item(0, column).text() for column in range(3))
    assert "−" in page.candidates.data(page.candidates.index(0))


def test_that_a_block_lights_all_of_its_differences_and_a_single_one_has_its_nats(
    page: ComparePage, qtbot: QtBot
) -> None:
    page.add("plain", PLAIN)
    page.add("other", LatentDag("ABCD", [("A", "B"), ("A", "C"), ("B", "D")]))  # C and D have other parents
    settle(page, qtbot)
    tops = [page.tree.topLevelItem(index) for index in range(page.tree.topLevelItemCount())]
    single = next(top for top in tops if top.childCount() == 1)
    assert single.text(3)
    assert single.child(0).text(3) == single.text(3)
    several = next(top for top in tops if top.childCount() == 2)
    assert not several.child(0).text(3)
    page.tree.setCurrentItem(several)
    shown = {frozenset(pair) for pair in page.overlay.canvas.scene.selected_pairs()}
    assert shown == {frozenset("BD"), frozenset("CD")}


def test_that_every_number_has_a_tool_tip(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    assert all(len(page.numbers.verticalHeaderItem(row).toolTip()) > 20 for row in range(page.numbers.rowCount()))


def test_that_a_new_choice_gives_up_scores_under_way(page: ComparePage, qtbot: QtBot) -> None:
    for name, dag in (("plain", PLAIN), ("hidden", HIDDEN), ("wider", WIDER)):
        page.add(name, dag)
    page.panel.choose(1)
    settle(page, qtbot)
    assert page.pair is not None
    assert (page.pair.a, page.pair.b) == ("plain", "hidden")
    assert page.pair.parts is not None


def test_that_pags_are_compared_mark_by_mark(page: ComparePage, qtbot: QtBot) -> None:
    page.add("FCI", FCI)
    page.add("GFCI", GFCI)
    drawn = page.overlay.canvas.scene.drawing.by_pair
    assert drawn[frozenset("AB")].side == Side.ONLY_B
    assert str(drawn[frozenset("AC")].other) == "A o-> C"
    assert drawn[frozenset("CD")].other is None
    assert "differ in 3 edges" in page.parts.sentence.text()
    settle(page, qtbot)


def test_that_what_cannot_be_compared_is_said_and_nothing_is_lost(page: ComparePage, qtbot: QtBot) -> None:
    page.add("FCI", FCI)
    page.add("plain", PLAIN)
    page.parts.view_as.setCurrentIndex(page.parts.view_as.findData("DAG"))
    assert "cannot be compared as DAG" in page.parts.sentence.text()
    page.parts.view_as.setCurrentIndex(0)
    assert page.overlay.overlay is not None
    page.add("other", LatentDag("XY", [("X", "Y")]))
    assert "same variables" in page.parts.sentence.text()
    settle(page, qtbot)


def test_that_panes_share_places_zoom_and_selection(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    page.context.actions["compare.panes"].trigger()
    qtbot.waitUntil(lambda: not page.panes._soon.isActive())
    first, second, third = page.panes.shown
    assert first.title.text() == "A: plain"
    for name in "ABCD":
        assert first.scene.positions()[name] == second.scene.positions()[name] == third.scene.positions()[name]
    first.view.zoom_by(1.5)
    assert second.view.zoom == pytest.approx(first.view.zoom)
    second.scene.select_edge("A", "C")
    assert first.scene.selected_pairs() == [frozenset("AC")]


def test_that_the_numbers_that_are_shown_are_those_that_are_exported(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    choice = page.findChild(NumbersChoice)
    assert isinstance(choice, NumbersChoice)
    assert set(SHORT) < set(TITLES) == set(page.parts.numbers.shown_titles())
    choice.choose(SHORT)
    assert page.tables()["numbers"].titles == ("Graph", *SHORT)
    choice.ticks["BIC"].setChecked(False)
    assert "BIC" not in page.tables()["numbers"].titles
    assert {len(row) for row in page.tables()["numbers"].rows} == {len(SHORT)}
    choice.choose(TITLES)
    assert page.tables()["numbers"].titles == ("Graph", *TITLES)


def test_that_an_edge_of_the_matrix_that_is_far_away_is_brought_into_view(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    page.places.use({name: (3000.0 * i, 2000.0 * (i % 2)) for i, name in enumerate("ABCD")})
    page.overlay.redraw()
    view = page.overlay.canvas.view
    view.zoom_to_text()
    scene = page.overlay.canvas.scene
    ends = [(drawn.edge.first, drawn.edge.second) for drawn in scene.drawing.edges if drawn.pair <= set("ABCD")]
    for first, second in ends:
        page.comparison.go_to_cell(1, (first, second))
        seen = view.mapToScene(view.viewport().rect()).boundingRect()
        assert seen.intersects(scene.edge_item(first, second).sceneBoundingRect()), (first, second)


def test_that_fit_shows_all_of_a_graph_that_is_far_too_large(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    page.places.use({name: (3000.0 * i, 2000.0 * (i % 2)) for i, name in enumerate("ABCD")})
    page.overlay.redraw()
    page.context.actions["compare.fit"].trigger()
    assert_all_seen(page.overlay.canvas.view)
    page.comparison.show_rest()
    page.context.actions["compare.panes"].trigger()
    page.context.actions["compare.fit"].trigger()
    qtbot.waitUntil(lambda: not page.panes._soon.isActive())
    for pane in page.panes.shown:
        assert_all_seen(pane.view)


def test_that_panes_without_a_graph_can_be_resized(page: ComparePage, qtbot: QtBot) -> None:
    page.panes.resize(700, 500)
    page.panes.fit()
    page.context.actions["compare.panes"].trigger()
    page.resize(page.width() + 40, page.height())
    qtbot.waitUntil(lambda: not page.panes._soon.isActive())


def assert_all_seen(view: GraphView) -> None:
    """No node lies beyond the edge of the view."""
    seen = view.mapToScene(view.viewport().rect()).boundingRect()
    assert all(seen.contains(node.scene_box()) for node in view.graph_scene.node_items())


def test_that_a_cell_of_the_matrix_opens_the_overlay(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    page.context.actions["compare.matrix"].trigger()
    model = page.matrix.matrix
    assert model.columnCount() == 3
    titles = [model.title_of(row) for row in range(model.rowCount())]
    assert {"Latent over A, B", "Latent over A, B, C"} < set(titles)
    page.matrix.clicked.emit(model.index(titles.index("B – C"), 1))
    assert page.tabs.currentWidget() is page.overlay
    assert page.shown == 1
    assert page.overlay.canvas.scene.selectedItems()
    settle(page, qtbot)


def test_that_other_pages_add_to_compare(page: ComparePage, window: MainWindow, qtbot: QtBot) -> None:
    for id in ("pag.compare", "model.compare", "search.compare"):
        window.actions_by_id[id].trigger()
    assert [item.kind for item in page.candidates.items] == ["PAG", "DAG"]  # the best DAG is on two pages
    assert page.candidates.items[1].content == small_result().best
    settle(page, qtbot)
    window.page(type(page)).stop()


def test_that_another_document_starts_with_an_empty_list(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    open_compare(page.window(), qtbot)
    assert not page.candidates.items


def test_that_a_graph_file_is_compared(page: ComparePage, qtbot: QtBot, tmp_path: Path) -> None:
    from latconf_core.formats.graphs.registry import write_dag

    path = tmp_path / "other.json"
    write_dag(HIDDEN, path)
    page.files.read_graph(path)
    qtbot.waitUntil(lambda: len(page.candidates) == 1)
    assert names(page) == ["other.json"]
    assert page.candidates.items[0].content == HIDDEN
    settle(page, qtbot)


def test_that_pictures_and_tables_are_written(page: ComparePage, qtbot: QtBot, tmp_path: Path) -> None:
    compare_dags(page, qtbot)
    page.files.write_picture(page.overlay.canvas.scene, tmp_path / "both.svg", 1.0)
    text = (tmp_path / "both.svg").read_text(encoding="utf-8")
    assert "only in A: plain" in text
    assert "only in B: wider" in text
    tables = page.tables()
    assert set(tables) == {"numbers", "differences", "matrix"}
    for what, table in tables.items():
        for ending in ("csv", "md", "tex"):
            page.files.write_table(table, tmp_path / f"{what}.{ending}")
            assert "plain" in (tmp_path / f"{what}.{ending}").read_text(encoding="utf-8") or what == "differences"
    page.export.copy()
    assert QGuiApplication.clipboard().text().startswith("| Block |")


def test_that_found_and_truth_are_compared_by_keyboard_alone(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.opener.opened, timeout=60_000):
        window.opener.open_example(default_choice("asia"))
    window.show_page("Compare")
    page = window.page(ComparePage)
    page.panel.add.setFocus()
    QTimer.singleShot(0, lambda: choose_in_menu(page, "Truth"))
    press(page.panel.add, KEY.Key_Space)
    qtbot.waitUntil(lambda: names(page) == ["Truth"], timeout=10_000)
    QTimer.singleShot(0, lambda: choose_in_menu(page, "PAG of the truth"))
    press(page.panel.add, KEY.Key_Space)
    qtbot.waitUntil(lambda: names(page) == ["Truth", "PAG of the truth"], timeout=10_000)
    assert "Markov equivalent" in page.parts.sentence.text()
    settle(page, qtbot)
    window.activateWindow()
    page.overlay.canvas.view.setFocus()
    qtbot.waitUntil(page.overlay.canvas.view.hasFocus)
    press(page.overlay.canvas.view, KEY.Key_Space)
    assert page.overlay.face == "A"


def choose_in_menu(page: ComparePage, name: str) -> None:
    """Walk down the open menu by keys, and take an entry."""
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    for _ in menu.actions():
        press(menu, KEY.Key_Down)
        if menu.activeAction().text().partition("  (")[0] == name:
            break
    press(menu, KEY.Key_Return)


def test_that_nodes_moved_elsewhere_move_here_and_nothing_is_scored_anew(
    page: ComparePage, window: MainWindow, qtbot: QtBot
) -> None:
    compare_dags(page, qtbot)
    window.show_page("PAG")
    page.document.move_nodes({"D": (400.0, 300.0)}, "Move D")
    assert not page.is_busy
    window.show_page("Compare")
    assert page.overlay.canvas.scene.positions()["D"] == (400.0, 300.0)
