"""Measures the window while a search emits DAGs by the thousand: event-loop latency, Stop, page switches.

    python tests/benchmarks/search_page.py
    xvfb-run -a -s "-screen 0 1920x1080x24" env QT_QPA_PLATFORM=xcb python tests/benchmarks/search_page.py

A thread posts an event to the window every 5 ms, as a person's clicks would come; its latency is the time until the
window handles it. So a stall counts as often as clicks would fall into it.

On a virtual machine whose host takes the processor away for a while, nothing answers meanwhile: page switches that
this happened in are counted apart.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from program import make_program
from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

P95_LIMIT, WORST_LIMIT, STOP_LIMIT, SWITCH_LIMIT = 0.05, 0.2, 0.3, 0.1
WANTED_RATE = 1000.0
PROBE_SECONDS = 0.005
N_ROUNDS = 3  # through all pages


class Switch(NamedTuple):
    """The seconds until another page was there, and whether the host took the processor away meanwhile."""

    seconds: float
    is_disturbed: bool


class Clicks(QObject):
    """Events from a thread of their own, and how long each waited."""

    made = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.latencies: list[float] = []
        self._ended = threading.Event()
        self.made.connect(self._on_made, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Clicks:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        QApplication.processEvents()

    def _run(self) -> None:
        while not self._ended.wait(PROBE_SECONDS):
            self.made.emit(time.perf_counter())

    def _on_made(self, when: float) -> None:
        self.latencies.append(time.perf_counter() - when)


def wait_until(condition: Callable[[], bool], seconds: float = 300.0) -> float:
    """Let the window run until a condition holds; the seconds that took."""
    began = time.perf_counter()
    loop = QEventLoop()
    poll = QTimer(interval=10)
    poll.timeout.connect(lambda: loop.quit() if condition() else None)
    poll.start()
    QTimer.singleShot(round(seconds * 1000), loop, loop.quit)
    loop.exec()
    if not condition():
        raise TimeoutError("that took too long")
    return time.perf_counter() - began


def wait(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop, loop.quit)
    loop.exec()


def open_alarm(window: MainWindow, n_rows: int) -> SearchPage:
    """The window on the Search page with the data of Alarm and a PAG."""
    from latconf_core.score.scorer import warm_up

    window.opener.open_example(ExampleChoice("alarm", ("LVFAILURE",), n_rows))  # a class that takes long to list
    wait_until(lambda: window.document.dataset is not None and not window.runs.texts)
    assert window.document.dataset is not None
    warm_up()
    window.page(PagPage).introduce(run_learner(window.document.dataset).graph, "Learn", origin="FCI")
    wait_until(lambda: window.document.pag is not None)
    window.show_page("Search")
    return window.page(SearchPage)


def measure(page: SearchPage, window: MainWindow, *, seconds: float, workers: int) -> bool:
    """Search for a while, then switch pages, then stop."""
    options = SearchOptions(max_bidirected=12, max_candidates=1_000_000, workers=workers, vbem=VbemOptions(restarts=1))
    page.form.show_options("ilc-v", options)
    page.preflight.stop()
    with Clicks() as idle:
        wait(3.0)
    print(f"at rest: {said(idle.latencies)}; page switch, {said_of(switches(window))[0]}")
    window.actions_by_id["search.run"].trigger()
    wait_until(lambda: len(page.visits) > 100)
    before, began = len(page.visits), time.perf_counter()
    with Clicks() as clicks:
        wait(seconds)
    rate = (len(page.visits) - before) / (time.perf_counter() - began)
    switched = switches(window)
    if not page.running.is_running:
        raise SystemExit("the search came to its end before it was measured: give fewer --seconds")
    began = time.perf_counter()
    ended: list[float] = []
    window.document.hold_changed.connect(lambda: ended.append(time.perf_counter()))
    window.actions_by_id["search.stop"].trigger()
    wait_until(lambda: bool(ended))
    stop = ended[0] - began
    p95, worst = float(np.quantile(clicks.latencies, 0.95)), max(clicks.latencies)
    print(f"{len(page.visits):,} DAGs visited, {rate:,.0f} a second with {workers} threads (wanted {WANTED_RATE:,.0f})")
    print(f"searching: {said(clicks.latencies)} (limits: p95 {ms(P95_LIMIT)}, worst {ms(WORST_LIMIT)})")
    print(f"stop: {ms(stop)} (limit {ms(STOP_LIMIT)})")
    sentence, slowest = said_of(switched)
    print(f"page switch: {sentence} (limit {ms(SWITCH_LIMIT)})")
    return p95 <= P95_LIMIT and worst <= WORST_LIMIT and stop <= STOP_LIMIT and slowest <= SWITCH_LIMIT


def said(latencies: list[float]) -> str:
    p50, p95, worst = (float(np.quantile(latencies, share)) for share in (0.5, 0.95, 1.0))
    return f"{len(latencies):,} events waited p50 {ms(p50)}, p95 {ms(p95)}, worst {ms(worst)}"


def said_of(switched: list[Switch]) -> tuple[str, float]:
    """The switches in words, and the seconds of the slowest one that nobody disturbed."""
    own = [one.seconds for one in switched if not one.is_disturbed]
    others = [one.seconds for one in switched if one.is_disturbed]
    if not own:
        raise SystemExit("the host took the processor away during every switch: measure again on a quieter machine")
    text = f"median {ms(float(np.median(own)))}, worst {ms(max(own))} of {len(own)}"
    if others:
        text += f"; while the host took the processor away: worst {ms(max(others))} of {len(others)}"
    return text, max(own)


def switches(window: MainWindow) -> list[Switch]:
    """Every page a few times, and in the end back to where the search is."""
    others = [page.title for page in window.pages if page.title != "Search"]
    titles = [title for other in others for title in (other, "Search")]
    return [switch(window, title) for _ in range(N_ROUNDS) for title in titles]


def switch(window: MainWindow, title: str) -> Switch:
    """Open another page, and paint it."""
    stolen, began = stolen_ticks(), time.perf_counter()
    window.show_page(title)
    window.current_page.repaint()
    taken = time.perf_counter() - began
    is_disturbed = stolen_ticks() > stolen
    wait(0.15)
    return Switch(taken, is_disturbed)


def stolen_ticks() -> int:
    """Hundredths of a second that the host of this machine has taken away so far; 0 where nobody counts them."""
    try:
        return int(Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[8])
    except (OSError, IndexError):
        return 0


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    window = make_program(Path(tempfile.mkdtemp()))
    window.resize(1280, 800)
    window.show()
    page = open_alarm(window, args.rows)
    is_good = measure(page, window, seconds=args.seconds, workers=args.workers)
    page.stop()
    window.close()
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
