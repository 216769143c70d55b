"""Graphs come to the Compare page by drag, and the order of the list is changed by drag."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, Qt, QUrl
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from support.compare_acts import FCI, HIDDEN, PLAIN, compare_dags, drop_on, names, open_compare, settle

from latconf_core.formats.examples import load_example
from latconf_core.formats.graphs.registry import write_dag, write_graph
from latconf_core.formats.networks.bif_text import write_bif
from latconf_core.formats.projects.compared_graphs import GraphSource
from latconf_gui.application.compared_graph import ComparedGraph, dragged_graph
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> ComparePage:
    return open_compare(window, qtbot)


@pytest.fixture
def dragged(monkeypatch: pytest.MonkeyPatch) -> list[ComparedGraph]:
    """What drags carry; there is nobody to end a drag offscreen."""
    result: list[ComparedGraph] = []

    def keep(drag: QDrag, _actions: Qt.DropAction) -> Qt.DropAction:
        graph = dragged_graph(drag.mimeData())
        assert graph is not None
        result.append(graph)
        return Qt.DropAction.IgnoreAction

    monkeypatch.setattr(QDrag, "exec", keep)
    return result


def files(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def test_that_a_drag_carries_all_about_a_graph() -> None:
    for content in (HIDDEN, FCI):
        graph = ComparedGraph("x", "y", content, GraphSource(run="r", visit=3), "DAG")
        assert dragged_graph(graph.to_mime()) == graph
    assert dragged_graph(QMimeData()) is None


def test_that_a_graph_dropped_anywhere_on_the_page_is_compared(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    for widget in (page.overlay.canvas.view.viewport(), page.panel.list.viewport(), page.tree.viewport()):
        page.candidates.clear()
        assert drop_on(widget, ComparedGraph("dropped", "elsewhere", PLAIN).to_mime())
        assert names(page) == ["dropped"]
    settle(page, qtbot)


def test_that_a_graph_dropped_on_the_rail_is_compared(page: ComparePage, window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("PAG")
    button = window.rail.button(window.pages.index(page))
    assert drop_on(button, ComparedGraph("dropped", "elsewhere", PLAIN).to_mime())
    assert names(page) == ["dropped"]
    settle(page, qtbot)


def test_that_files_dropped_on_the_page_are_all_compared(page: ComparePage, qtbot: QtBot, tmp_path: Path) -> None:
    write_dag(HIDDEN, tmp_path / "a.json")
    write_graph(FCI, tmp_path / "b.txt")
    assert drop_on(page.overlay.canvas.view.viewport(), files(tmp_path / "a.json", tmp_path / "b.txt"))
    qtbot.waitUntil(lambda: len(page.candidates) == 2, timeout=10_000)
    assert names(page) == ["a.json", "b.txt"]
    settle(page, qtbot)


def test_that_a_wrong_file_is_reported_and_the_next_one_read(
    page: ComparePage, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text("no graph", encoding="utf-8")
    write_dag(HIDDEN, tmp_path / "b.json")
    drop_on(page, files(tmp_path / "a.json", tmp_path / "b.json"))
    qtbot.waitUntil(lambda: names(page) == ["b.json"], timeout=10_000)
    assert window.problems.n_reported == 1
    settle(page, qtbot)


def test_that_a_network_about_something_else_is_refused(
    page: ComparePage, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    write_bif(load_example("asia"), tmp_path / "asia.bif")
    drop_on(page, files(tmp_path / "asia.bif"))
    qtbot.waitUntil(lambda: window.problems.n_reported == 1, timeout=10_000)
    assert "none of the variables" in window.problems.messages[0].what
    assert names(page) == []


def test_that_a_visit_is_dragged_with_its_run(
    page: ComparePage, window: MainWindow, qtbot: QtBot, dragged: list[ComparedGraph]
) -> None:
    window.show_page("Search")
    table = window.page(SearchPage).results.table
    table.select(2)
    table.startDrag(Qt.DropAction.CopyAction)
    run = page.document.state.runs[0]
    assert dragged[0].content == run.result.history.dag(2)
    assert dragged[0].source == GraphSource(run=run.name, visit=2)
    drop_on(window.rail.button(window.pages.index(page)), dragged[0].to_mime())
    assert names(page) == ["DAG 3"]
    settle(page, qtbot)


def test_that_pags_and_runs_are_listed_dragged_and_added(
    page: ComparePage, qtbot: QtBot, dragged: list[ComparedGraph]
) -> None:
    offers = page.panel.offers
    assert [offers.topLevelItem(i).text(0) for i in range(offers.topLevelItemCount())] == ["PAGs", "Runs"]
    offers.setCurrentItem(offers.topLevelItem(0).child(0))
    offers.startDrag(Qt.DropAction.CopyAction)
    assert dragged[0].content == page.document.pag
    assert dragged[0].source == GraphSource(pag="drawn")
    offers.setFocus()
    QTest.keyClick(offers, Qt.Key.Key_Return)
    assert names(page) == ["drawn"]
    settle(page, qtbot)


def test_that_a_row_dragged_to_another_place_goes_there(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    model, top = page.candidates, QModelIndex()
    assert model.moveRows(top, 0, 1, top, 3)  # as the list view asks for it: before the row that is not there
    assert names(page) == ["hidden", "wider", "plain"]
    assert model.moveRows(top, 2, 1, top, 0)
    assert names(page) == ["plain", "hidden", "wider"]
    settle(page, qtbot)
