"""Colours and text size chosen while the program runs look as if it had been started with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot
from support.model_acts import settle, state_with_result

from latconf_core.search.estimate import preflight
from latconf_core.search.estimate.preflight import Preflight
from latconf_gui.application.settings import ColourScheme, Settings
from latconf_gui.look.theme import Theme
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow


class Look(NamedTuple):
    """What the View menu chooses."""

    scheme: ColourScheme
    percent: int = 100
    is_projecting: bool = False

    def __str__(self) -> str:
        return f"{self.scheme} {self.percent}{' projected' if self.is_projecting else ''}"


TITLES = ("Start", "Data", "PAG", "Search", "Model", "Compare", "Lessons")
WIDTH, HEIGHT = 1280, 800


@pytest.fixture(autouse=True)
def searches_are_estimated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long a search may take is measured anew by every window, and is another on a busy machine."""
    estimate = preflight.preflight
    found: list[Preflight] = []

    def estimate_once(*arguments: Any, **options: Any) -> Preflight:
        if not found:
            found.append(estimate(*arguments, **options))
        return found[0]

    monkeypatch.setattr(preflight, "preflight", estimate_once)


@pytest.fixture
def start(qapp: QApplication, own_settings: Settings, qtbot: QtBot) -> Iterator[Callable[[Look], MainWindow]]:
    """Starts the program in these colours and at this size of text, on a small document; one window at a time."""
    font = qapp.font()
    running: list[MainWindow] = []

    def close() -> None:
        for window in running:
            window.close_at_once()
            window.theme.deleteLater()
            window.deleteLater()
        running.clear()
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        qapp.setFont(font)

    def begin(look: Look) -> MainWindow:
        close()
        own_settings.reset()
        own_settings.colour_scheme, own_settings.text_percent, own_settings.is_projecting = look
        window = MainWindow(own_settings, Theme(qapp, own_settings))
        running.append(window)
        window.resize(WIDTH, HEIGHT)
        window.show()
        window.load_pages()
        window.document.open_state(state_with_result(), "Open")
        window.document.mark_clean()
        settle(window.page(ModelPage), qtbot)
        return window

    yield begin
    close()


def pictures(window: MainWindow, qtbot: QtBot) -> dict[str, QImage]:
    """What each page looks like once all that it computes is there."""
    result = {}
    for title in TITLES:
        window.show_page(title)
        qtbot.waitUntil(lambda: is_still(window), timeout=20_000)
        for _ in range(5):
            QApplication.processEvents()
        result[title] = window.grab().toImage()
    return result


def is_still(window: MainWindow) -> bool:
    """Whether nothing more will change by itself."""
    pag, search = window.page(PagPage), window.page(SearchPage)
    is_busy = pag.legality.is_busy or pag.layouts.is_running or search.dag.is_busy or bool(window.runs.texts)
    is_busy = is_busy or window.page(LearnPage).is_busy
    is_ahead = window.current_page is search and search.preflight.answer is None
    return not is_busy and not is_ahead


def differing(first: dict[str, QImage], second: dict[str, QImage]) -> list[str]:
    return [title for title in TITLES if first[title] != second[title]]


def switch(theme: Theme, before: Look, after: Look) -> None:
    """Choose what differs, as the View menu does."""
    if after.scheme != before.scheme:
        theme.set_colour_scheme(after.scheme)
    if after.percent != before.percent:
        theme.set_text_percent(after.percent)
    if after.is_projecting != before.is_projecting:
        theme.set_projecting(after.is_projecting)


SWITCHES: tuple[tuple[Look, ...], ...] = (
    (Look("light"), Look("dark")),
    (Look("dark"), Look("light")),
    (Look("light"), Look("light", 150), Look("light")),
    (Look("light"), Look("light", 200)),
    (Look("light"), Look("light", is_projecting=True)),
    (Look("light"), Look("light", is_projecting=True), Look("light")),
    (Look("dark", is_projecting=True), Look("dark")),
)


@pytest.mark.slow
@pytest.mark.parametrize("looks", SWITCHES, ids=lambda looks: " to ".join(map(str, looks)))
def test_that_a_switched_window_is_drawn_as_one_started_that_way(
    start: Callable[[Look], MainWindow], qtbot: QtBot, looks: tuple[Look, ...]
) -> None:
    window = start(looks[0])
    pictures(window, qtbot)
    for before, after in pairwise(looks):
        switch(window.theme, before, after)
        switched = pictures(window, qtbot)
    assert differing(switched, pictures(start(looks[-1]), qtbot)) == []


def table_of_knowledge(window: MainWindow, _qtbot: QtBot) -> QTableView:
    window.actions_by_id["knowledge.edit"].trigger()
    dialog = window.knowledge.dialog
    assert dialog is not None
    dialog.tabs.setCurrentWidget(dialog.hidden)
    return dialog.hidden.table


def table_of_a_latent(window: MainWindow, _qtbot: QtBot) -> QTableView:
    window.show_page("Model")
    page = window.page(ModelPage)
    page.choose("L1")
    return page.inspector().latent.state_table


def table_of_a_pair(window: MainWindow, qtbot: QtBot) -> QTableView:
    """Seeing against setting."""
    window.show_page("Model")
    page = window.page(ModelPage)
    page.context.actions["model.ask"].setChecked(True)
    panel = page.asking.panel
    panel.tabs.setCurrentWidget(panel.pair)
    panel.pair.ask_about("A", "C")
    qtbot.waitUntil(lambda: not page.is_busy and panel.pair.numbers.rowCount() == 3, timeout=20_000)
    return panel.pair.numbers


def table_of_states(window: MainWindow, qtbot: QtBot) -> QTableView:
    """What is most probable, for every variable."""
    window.show_page("Model")
    page = window.page(ModelPage)
    page.context.actions["model.ask"].setChecked(True)
    qtbot.waitUntil(lambda: not page.is_busy, timeout=20_000)
    return page.asking.panel.table


def cut_titles(view: QTableView) -> list[str]:
    """The titles of columns that are wider than their columns."""
    header, shown = view.horizontalHeader(), Qt.Orientation.Horizontal
    cut = (column for column in range(header.count()) if header.sectionSizeHint(column) > header.sectionSize(column))
    return [str(header.model().headerData(column, shown)) for column in cut]


TABLES = (table_of_knowledge, table_of_a_latent, table_of_a_pair, table_of_states)


@pytest.mark.parametrize("percent", [150, 200])
@pytest.mark.parametrize("find_table", TABLES, ids=lambda find: find.__name__)
def test_that_a_table_behind_a_page_follows_the_size_of_text(
    start: Callable[[Look], MainWindow],
    qtbot: QtBot,
    find_table: Callable[[MainWindow, QtBot], QTableView],
    percent: int,
) -> None:
    def sizes(table: QTableView) -> tuple[int, int, int]:
        qtbot.waitUntil(lambda: is_still(window), timeout=20_000)
        for _ in range(5):
            QApplication.processEvents()
        shares_width = find_table in (table_of_a_pair, table_of_states)  # of a column that is as wide as its text needs
        return table.rowHeight(0), table.minimumHeight(), table.columnWidth(0) if shares_width else 0

    window = start(Look("light"))
    table = find_table(window, qtbot)
    sizes(table)
    window.theme.set_text_percent(percent)
    switched = sizes(table)
    assert cut_titles(table) == []
    window = start(Look("light", percent))
    assert sizes(find_table(window, qtbot)) == switched


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_that_the_titles_of_all_panels_beside_the_pag_are_seen(
    start: Callable[[Look], MainWindow], qtbot: QtBot, percent: int
) -> None:
    window = start(Look("light", percent))
    window.show_page("PAG")
    qtbot.waitUntil(lambda: is_still(window), timeout=20_000)
    bar = window.page(PagPage).tabs.tabBar()
    assert bar.tabRect(bar.count() - 1).right() < bar.width()
