"""A person at the whole window: looks, clicks, types, waits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from latconf_core.formats.examples import example_names
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.pages.start.start_page import StartPage
from latconf_gui.window.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
LONG = 60_000  # milliseconds: kernels may have to be compiled first


class Person:
    """Looks at the window and acts on it."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot

    def wait(self, claim: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(claim()), timeout=LONG)

    def go_to(self, title: str) -> None:
        """Click a page on the rail."""
        titles = [page.title for page in self.window.pages]
        button = self.window.rail.button(titles.index(title))
        self.wait(button.isEnabled)
        self.qtbot.mouseClick(button, LEFT)
        assert self.window.current_page.title == title

    def open_example(self, name: str = "asia") -> None:
        """Choose an example on the Start page and open its data."""
        self.go_to("Start")
        start = self.window.page(StartPage)
        start.examples.list.setCurrentRow(example_names().index(name))
        with self.qtbot.waitSignal(self.window.opener.opened, timeout=LONG):
            self.qtbot.mouseClick(start.examples.open_button, LEFT)

    def learn_pag(self, method: str) -> PagPage:
        self.go_to("PAG")
        page = self.window.page(PagPage)
        panel = page.learn_panel
        panel.method.setCurrentIndex(panel.method.findData(method))
        self.qtbot.mouseClick(panel.learn, LEFT)
        self.wait(lambda: self.window.document.pag is not None and not page.layouts.is_running)
        return page

    def search(self, algorithm: str) -> SearchResult:
        """Choose a search, run it, and wait for its end."""
        self.start_search(algorithm)
        page = self.window.page(SearchPage)
        self.wait(lambda: not page.running.is_running)
        result = self.window.document.result
        assert isinstance(result, SearchResult)
        assert result.algorithm == algorithm
        return result

    def start_search(self, algorithm: str) -> None:
        self.go_to("Search")
        form = self.window.page(SearchPage).form
        form.search.setCurrentIndex(form.search.findData(algorithm))
        QTest.keyClick(self.window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)

    def choose_run(self, place: int) -> None:
        """Take another run from the list above the search."""
        box = self.window.page(SearchPage).run_box.box
        box.setCurrentIndex(place)
        box.activated.emit(place)

    def click_dot(self, number: int) -> None:
        """Click a dot of the chart, once all are drawn."""
        page = self.window.page(SearchPage)
        chart = page.results.chart
        self.wait(lambda: chart.n_drawn == len(page.visits))
        self.qtbot.mouseClick(chart, LEFT, pos=chart.place_of(number))

    def choose_file(self, path: Path) -> None:
        """Type a name into the file dialog on the screen."""
        dialog = next(each for each in self.window.findChildren(QFileDialog) if each.isVisible())
        dialog.selectFile(str(path))
        dialog.accept()
