from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from support.pag_acts import agrees
from support.search_acts import endless, warm

from latconf_core.control import StopReason
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.graph.marks import Mark
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_gui.pages.catalogue import PAGES
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search import running as search_running
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

TITLES = [entry.title for entry in PAGES]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def search_page(window: MainWindow, qtbot: QtBot) -> SearchPage:
    """The Search page of the whole window, with the Asia example and its PAG."""
    warm()
    with qtbot.waitSignal(window.opener.opened, timeout=30_000):
        window.opener.open_example(ExampleChoice("asia", ("smoke",), 2000, 1))
    assert window.document.dataset is not None
    assert window.rail.button(TITLES.index("Search")).isEnabled()  # Auto and its like need no PAG
    window.page(PagPage).introduce(run_learner(window.document.dataset).graph, "Learn", origin="FCI")
    qtbot.waitUntil(lambda: window.document.pag is not None and not window.page(PagPage).legality.is_busy)
    qtbot.mouseClick(window.rail.button(TITLES.index("Search")), LEFT)
    page = window.page(SearchPage)
    assert page.isVisible()
    page.preflight.stop()
    yield page
    page.stop()
    window.page(PagPage).stop()


def run_from_toolbar(window: MainWindow, page: SearchPage) -> None:
    button = page.bar.buttons.widgetForAction(window.actions_by_id["search.run"])
    button.click()  # type: ignore[attr-defined]


@pytest.mark.parametrize("algorithm", ["ilc-v", "hclc-v"])
def test_that_each_search_runs_on_asia_and_leads_to_its_model(
    window: MainWindow, search_page: SearchPage, qtbot: QtBot, algorithm: str
) -> None:
    search_page.form.choose(algorithm)
    with qtbot.waitSignal(search_page.running.finished, timeout=60_000):
        run_from_toolbar(window, search_page)
    result = window.document.result
    assert isinstance(result, SearchResult)
    assert window.document.dataset is not None
    assert window.document.pag is not None
    truth = run_search(window.document.dataset, window.document.pag, algorithm, options=SearchOptions())
    assert result.p_elbo == pytest.approx(truth.p_elbo, abs=1e-6)
    assert result.best == truth.best
    qtbot.waitUntil(lambda: search_page.results.chart.n_drawn == len(result.history))
    assert window.problems.messages == []
    qtbot.mouseClick(search_page.banner.model, LEFT)
    assert window.stack.currentWidget().objectName() == "page_model"
    window.actions_by_id["edit.undo"].trigger()
    assert window.document.result is None
    assert window.stack.currentWidget() is not search_page or len(search_page.visits) == 0


@pytest.fixture
def searching(window: MainWindow, search_page: SearchPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> SearchPage:
    """The window while a search goes on without end."""
    started = threading.Event()
    monkeypatch.setattr(search_running, "_events", endless(started, n_nodes=7))
    search_page.form.choose("ilc-v")
    run_from_toolbar(window, search_page)
    qtbot.waitUntil(lambda: started.is_set() and len(search_page.visits) > 10)
    return search_page


def test_that_what_a_search_works_on_cannot_be_edited_learned_opened_or_undone(
    window: MainWindow, searching: SearchPage, qtbot: QtBot
) -> None:
    pag_page, before = window.page(PagPage), window.document.state
    edge = next(before.pag.edges())  # type: ignore[union-attr]
    for act in (
        lambda: pag_page.editor.set_mark(edge.first, edge.second, Mark.TAIL),
        lambda: pag_page.learn(),
        lambda: window.opener.open_example(ExampleChoice("asia")),
    ):
        window.problems.clear()
        act()
        assert [message.what for message in window.problems.messages] == [search_running.HELD]
        assert agrees(pag_page)
    assert not window.actions_by_id["edit.undo"].isEnabled()
    assert window.document.state is before
    window.actions_by_id["search.stop"].trigger()
    qtbot.waitUntil(lambda: not searching.running.is_running)
    assert window.actions_by_id["edit.undo"].isEnabled()


def test_that_the_status_bar_follows_a_search(window: MainWindow, searching: SearchPage, qtbot: QtBot) -> None:
    status = window.statusBar()
    qtbot.waitUntil(lambda: "Searching with ILC-V · Level 1:" in status.run.text())  # type: ignore[attr-defined]
    status.cancel.click()  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: not searching.running.is_running)
    assert isinstance(window.document.result, SearchResult)


def test_that_closing_during_a_search_asks_stops_it_and_keeps_the_best(
    window: MainWindow, searching: SearchPage, qtbot: QtBot
) -> None:
    assert not window.close()
    box = window.findChild(QMessageBox)
    assert box is not None
    assert "Searching with ILC-V" in box.text()
    assert searching.running.is_running
    next(button for button in box.buttons() if button.text() == "Stop and close").click()
    qtbot.waitUntil(lambda: not searching.running.is_running)
    result = window.document.result
    assert isinstance(result, SearchResult)
    assert result.stop_reason is StopReason.CANCELLED
    assert result.best is not None
