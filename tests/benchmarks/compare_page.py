"""The Compare page on Alarm: any two of 20,000 visited DAGs after a click, ten candidates in the matrix.

    python tests/benchmarks/compare_page.py
    xvfb-run -a -s "-screen 0 1920x1080x24" env QT_QPA_PLATFORM=xcb python tests/benchmarks/compare_page.py

A click is timed until the picture is painted: first at rest, then with a search beside it, which is begun again when
it has come to its end; a click during which it ended is timed again. The reference material is looked for in
LATCONF_REFERENCE, or beside the checkout.

On a virtual machine whose host takes the processor away for a while, nothing answers meanwhile: clicks that this
happened in are counted apart.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from program import make_program
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from search_page import Switch, ms, said_of, stolen_ticks, wait, wait_until

from latconf_core.formats.graphs.registry import read_graph
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.phrases import counted
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.background.after_painting import AfterPainting
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = Path(os.environ.get("LATCONF_REFERENCE", ROOT.parent / "shared" / "reference"))
CASE = "alarm_ERRCAUTER_1000"
N_PAIRS, N_COLUMNS, N_MATRICES = 40, 10, 10
AT_REST, SEARCHING = (0.15, 0.3), (0.25, 0.5)  # limits of a pair and of the matrix


class Painted(QObject):
    """Times acts until a widget is painted; `processor` has the seconds that the window's own thread worked."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.processor: list[float] = []
        self._is_painted = self._is_over = False
        self._after = AfterPainting(self)
        self._after.reached.connect(self._on_reached)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self._is_painted = self._is_painted or event.type() == QEvent.Type.Paint
        return False

    def _on_reached(self) -> None:
        """All that was due is handled; the widget's own painting may be due now only."""
        self._is_over = self._is_painted
        self._ended = time.perf_counter(), time.thread_time()
        if not self._is_over:
            self._after.start()

    def time(self, act: Callable[[], object]) -> Switch:
        """The time that a person waits until the widget shows what was asked for."""
        QApplication.processEvents()
        self._is_painted = self._is_over = False
        stolen, began, worked = stolen_ticks(), time.perf_counter(), time.thread_time()
        self._after.start()  # before the page's own, which starts the scores
        act()
        while not self._is_over:
            QApplication.processEvents()
        self.processor.append(self._ended[1] - worked)
        return Switch(self._ended[0] - began, stolen_ticks() > stolen)


class SearchBeside:
    """A search that goes on while something is timed; `None` of a page is none at all."""

    def __init__(self, window: MainWindow, page: SearchPage | None) -> None:
        self._window, self._page = window, page
        self.n_starts = self.n_visits = self.n_again = 0
        self._last = 0

    def go_on(self) -> None:
        """Return with the search under way."""
        page = self._page
        if page is None:
            return
        if not page.running.is_running:
            self._window.actions_by_id["search.run"].trigger()
            wait_until(lambda: page.running.is_running and len(page.visits) > 100)
            self.n_starts, self._last = self.n_starts + 1, len(page.visits)
        self.n_visits, self._last = self.n_visits + len(page.visits) - self._last, len(page.visits)

    def time(self, painted: Painted, act: Callable[[], object], prepare: Callable[[], object]) -> Switch:
        """The time of an act all through which the search went on."""
        while True:
            self.go_on()
            prepare()
            if self._page is not None and not self._page.running.is_running:
                continue
            taken = painted.time(act)
            if self._page is None or self._page.running.is_running:
                return taken
            painted.processor.pop()
            self.n_again += 1

    def say(self) -> str:
        if self._page is None:
            return "nothing else goes on"
        return (
            f"the search was alive in all of it, begun {counted(self.n_starts, 'time')}, {self.n_visits:,} DAGs "
            f"meanwhile; {counted(self.n_again, 'click')} timed again because it ended"
        )


def open_alarm(window: MainWindow) -> SearchPage:
    """The window on the Search page with data of Alarm and the PAG of the reference."""
    from latconf_core.score.scorer import warm_up

    window.opener.open_path(REFERENCE / "data" / f"{CASE}.csv")
    wait_until(lambda: window.document.dataset is not None and not window.runs.texts)
    assert window.document.dataset is not None
    warm_up()
    graph = read_graph(REFERENCE / "pags" / "tetrad-2019" / f"{CASE}_gfci.txt", nodes=window.document.dataset.names)
    window.page(PagPage).introduce(graph, "Import", origin="GFCI")
    wait_until(lambda: window.document.pag is not None)
    window.show_page("Search")
    return window.page(SearchPage)


def search(window: MainWindow, page: SearchPage, n_visits: int) -> SearchResult:
    """A search of so many DAGs, light so that it does not take long."""
    options = SearchOptions(max_bidirected=12, max_candidates=1_000_000, workers=2, vbem=VbemOptions(restarts=1))
    page.form.show_options("ilc-v", options)
    page.preflight.stop()
    window.actions_by_id["search.run"].trigger()
    wait_until(lambda: len(page.visits) >= n_visits or not page.running.is_running, seconds=1_800)
    window.actions_by_id["search.stop"].trigger()
    wait_until(lambda: not page.running.is_running)
    result = window.document.result
    assert isinstance(result, SearchResult)
    return result


def add_visits(page: ComparePage, result: SearchResult, numbers: Sequence[int]) -> None:
    page.candidates.clear()
    for number in numbers:
        page.add(f"DAG {number}", result.history.dag(number))


def click_row(page: ComparePage, row: int) -> None:
    """Click a graph in the list."""
    spot = page.panel.list.visualRect(page.candidates.index(row)).center()
    QTest.mouseClick(page.panel.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)


def measure(page: ComparePage, result: SearchResult, limits: tuple[float, float], beside: SearchBeside) -> bool:
    """Add any visit to any other, click one of ten in the list, and open the matrix of ten."""
    rng = np.random.default_rng(0)
    adding, clicking = (Painted(page.overlay.canvas.view.viewport()) for _ in range(2))
    opening = Painted(page.matrix.viewport())

    def draw(count: int) -> list[int]:
        return [int(number) for number in rng.choice(len(result.history), count, replace=False)]

    def show_first(number: int) -> None:
        add_visits(page, result, [number])
        wait(0.3)  # nobody clicks again before the first picture is there

    def leave_matrix() -> None:
        page.tabs.setCurrentWidget(page.overlay)
        wait(0.1)

    leave_matrix()
    added, clicked, opened = [], [], []
    for _ in range(N_PAIRS):
        first, second = draw(2)
        dag = result.history.dag(second)
        added.append(beside.time(adding, lambda dag=dag: page.add("B", dag), lambda first=first: show_first(first)))
    for _ in range(N_MATRICES):
        add_visits(page, result, draw(N_COLUMNS))
        for row in rng.permutation(np.arange(1, N_COLUMNS - 1))[: N_PAIRS // N_MATRICES]:
            clicked.append(beside.time(clicking, lambda row=row: click_row(page, int(row)), lambda: wait(0.1)))
        opened.append(beside.time(opening, lambda: page.tabs.setCurrentWidget(page.matrix), leave_matrix))
        leave_matrix()
    is_within = True
    for what, times, painted, limit in (
        ("a visit added", added, adding, limits[0]),
        ("a graph clicked", clicked, clicking, limits[0]),
        (f"matrix of {N_COLUMNS}", opened, opening, limits[1]),
    ):
        sentence, slowest = said_of(times)
        worked = f"{ms(float(np.median(painted.processor)))}, at most {ms(max(painted.processor))}"
        print(f"  {what}: {sentence} (limit {ms(limit)}); work of the window's thread {worked}", flush=True)
        is_within &= slowest <= limit
    print(f"  {beside.say()}; load of the machine {os.getloadavg()[0]:.1f}", flush=True)
    return is_within


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=20_000)
    args = parser.parse_args()
    window = make_program(Path(tempfile.mkdtemp()))
    window.resize(1280, 800)
    window.show()
    searching = open_alarm(window)
    result = search(window, searching, args.visits)
    window.show_page("Compare")
    page = window.page(ComparePage)
    print(f"{len(result.history):,} DAGs visited, {len(result.history.nodes)} variables; at rest", flush=True)
    is_within = measure(page, result, AT_REST, SearchBeside(window, None))
    print("with a search beside it", flush=True)
    is_within &= measure(page, result, SEARCHING, SearchBeside(window, searching))
    searching.stop()
    page.stop()
    window.close_at_once()
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main())
