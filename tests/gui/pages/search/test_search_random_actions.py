"""Two hundred things a person might do on the Search page, at fixed seeds, and then Undo until nothing is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.search_acts import SearchHost, confounded_data, open_pag, put, quick_options, warm

from latconf_core.search.outcome.result import SearchResult
from latconf_gui.pages.search.running import HELD

N_ACTIONS = 200
GRAPHS = (open_pag(), mixed("A o-> B", "B <-> C", "C <-o D"), mixed("A --> B", "B --> C", "C --> A", "C o-o D"))
KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_B)


class Person:
    """Chooses what to do next."""

    def __init__(self, host: SearchHost, rng: np.random.Generator) -> None:
        self.host, self.page, self.rng = host, host.page, rng
        self.acts: tuple[Callable[[], None], ...] = (
            self.trigger,
            self.trigger,
            self.click_the_chart,
            self.press_a_key,
            self.choose_a_row,
            self.sort,
            self.fill_the_form,
            self.edit_the_pag,
            self.undo_or_redo,
            self.look_around,
            self.wait,
        )

    def act(self) -> None:
        self.acts[self.rng.integers(len(self.acts))]()

    def trigger(self) -> None:
        id = self.rng.choice(("run", "run", "pause", "stop", "best"))
        self.host.actions_by_id[f"search.{id}"].trigger()

    def click_the_chart(self) -> None:
        chart = self.page.results.chart
        spot = QPoint(int(self.rng.integers(chart.width())), int(self.rng.integers(chart.height())))
        if len(self.page.visits) and self.rng.random() < 0.7:
            spot = chart.place_of(int(self.rng.integers(chart.n_drawn))) if chart.n_drawn else spot
        QTest.mouseMove(chart, spot)
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)

    def press_a_key(self) -> None:
        QTest.keyClick(self.page.results.chart, KEYS[self.rng.integers(len(KEYS))])

    def choose_a_row(self) -> None:
        table = self.page.results.table
        if table.visits.rowCount():
            table.selectRow(int(self.rng.integers(table.visits.rowCount())))

    def sort(self) -> None:
        order = Qt.SortOrder.AscendingOrder if self.rng.random() < 0.5 else Qt.SortOrder.DescendingOrder
        self.page.results.table.sortByColumn(int(self.rng.integers(5)), order)

    def fill_the_form(self) -> None:
        form = self.page.form
        if not form.isEnabled():
            return
        form.choose(str(self.rng.choice(("ilc-v", "hclc-v"))))
        form.fill("max_bidirected", int(self.rng.integers(4)))
        form.time_limit.setText(str(self.rng.choice(("12 h", "", "5 min", "soon", "0"))))
        form.seed.setValue(int(self.rng.integers(5)))

    def edit_the_pag(self) -> None:
        self.host.document.set_pag(GRAPHS[self.rng.integers(len(GRAPHS))], "Edit the PAG")

    def undo_or_redo(self) -> None:
        stack = self.host.document.undo_stack
        if self.host.document.held_reason:  # the window disables both meanwhile
            return
        if self.rng.random() < 0.5:
            stack.undo()
        else:
            stack.redo()

    def look_around(self) -> None:
        self.page.tabs.setCurrentIndex(int(self.rng.integers(2)))
        self.page.results.shown.setCurrentIndex(int(self.rng.integers(3)))
        self.host.resize(int(self.rng.integers(700, 1200)), int(self.rng.integers(500, 800)))

    def wait(self) -> None:
        QTest.qWait(int(self.rng.integers(60)))


@pytest.fixture
def host(qtbot: QtBot) -> Iterator[SearchHost]:
    warm()
    host = SearchHost()
    put(host, confounded_data(200), open_pag())
    host.page.form.show_options("ilc-v", quick_options())
    host.show()
    yield host
    host.end()


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.exhaustive)])
def test_that_nothing_a_person_does_breaks_the_page_and_undo_brings_back_the_start(
    qtbot: QtBot, host: SearchHost, seed: int
) -> None:
    page, start = host.page, host.document.state
    person = Person(host, np.random.default_rng(seed))
    for _ in range(N_ACTIONS):
        person.act()
        QApplication.processEvents()
        assert page.running.is_running == bool(host.document.held_reason)
        assert page.results.table.visits.rowCount() <= len(page.visits)
        assert page.dag.shown is None or page.dag.shown < len(page.visits)
    page.running.resume()
    page.running.stop()
    qtbot.waitUntil(lambda: not page.running.is_running, timeout=20_000)
    result = host.document.result
    assert len(page.visits) == (len(result.history) if isinstance(result, SearchResult) else 0)
    page.preflight.stop()
    while host.document.undo_stack.canUndo():
        host.document.undo_stack.undo()
    assert host.document.state is start
    known = (HELD, "is not a duration", "it must be above 0")
    assert [said for said in host.problems if not any(part in said for part in known)] == []
