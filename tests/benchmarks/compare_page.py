"""The Compare page on Alarm: any two of 20,000 visited DAGs after a click, ten candidates in the matrix.

    python tests/benchmarks/compare_page.py [--searching]

With --searching a search runs beside it. A click is timed until the window is painted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from program import make_program
from PySide6.QtWidgets import QApplication
from search_page import ms, open_alarm, wait_until

from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

N_CLICKS, N_COLUMNS = 40, 10
CLICK_LIMIT, MATRIX_LIMIT = 0.15, 0.3


def search(window: MainWindow, page: SearchPage, n_visits: int) -> SearchResult:
    """A search of so many DAGs, light so that it does not take long."""
    options = SearchOptions(max_bidirected=12, max_candidates=1_000_000, vbem=VbemOptions(restarts=1))
    page.form.show_options("ilc-v", replace(options, workers=2))
    page.preflight.stop()
    window.actions_by_id["search.run"].trigger()
    wait_until(lambda: len(page.visits) >= n_visits or not page.running.is_running)
    window.actions_by_id["search.stop"].trigger()
    wait_until(lambda: not page.running.is_running)
    result = window.document.result
    assert isinstance(result, SearchResult)
    return result


def until_painted(window: MainWindow, act: Callable[[], object]) -> float:
    """The seconds that a person waits."""
    began = time.perf_counter()
    act()
    QApplication.processEvents()
    return time.perf_counter() - began


def measure(window: MainWindow, page: ComparePage, result: SearchResult) -> None:
    rng, history = np.random.default_rng(0), result.history
    seconds = []
    for _ in range(N_CLICKS):
        page.candidates.clear()
        first, second = (history.dag(int(number)) for number in rng.choice(len(history), 2, replace=False))
        page.add("A", first)
        seconds.append(until_painted(window, lambda second=second: page.add("B", second)))
        QApplication.processEvents()
    print(f"{len(history):,} DAGs visited")
    print(f"overlay: median {ms(float(np.median(seconds)))}, worst {ms(max(seconds))} (limit {ms(CLICK_LIMIT)})")
    page.candidates.clear()
    for number in rng.choice(len(history), N_COLUMNS, replace=False):
        page.add(f"DAG {number}", history.dag(int(number)))
    page.tabs.setCurrentWidget(page.overlay)
    matrix = until_painted(window, lambda: page.tabs.setCurrentWidget(page.matrix))
    print(f"matrix of {N_COLUMNS}: {ms(matrix)} (limit {ms(MATRIX_LIMIT)})")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=20_000)
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--searching", action="store_true", help="with a search beside it")
    args = parser.parse_args()
    window = make_program(Path(tempfile.mkdtemp()))
    window.resize(1280, 800)
    window.show()
    searching = open_alarm(window, args.rows)
    result = search(window, searching, args.visits)
    if args.searching:
        window.actions_by_id["search.run"].trigger()
    window.show_page("Compare")
    page = window.page(ComparePage)
    measure(window, page, result)
    searching.stop()
    page.stop()
    window.close_at_once()
    return 0


if __name__ == "__main__":
    sys.exit(main())
