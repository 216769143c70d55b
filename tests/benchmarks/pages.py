"""Measures page switches on a fitted model, and how the window answers while a large project is saved and opened.

    python tests/benchmarks/pages.py

The Alarm example is taken from its data to its model first; the project has a million rows and forty columns.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from program import make_program
from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.formats.example_choice import default_choice
from latconf_core.formats.projects.project_state import ProjectState, prepare_state
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.page import Page
from latconf_gui.window.example_tour import ExamplePath
from latconf_gui.window.main_window import MainWindow

SWITCH_LIMIT, ROUNDS = 0.1, 5
LATENCY_P95, LATENCY_WORST = 0.05, 0.2
N_ROWS, N_COLUMNS = 1_000_000, 40
BEAT_MILLISECONDS = 5


def wait_for(claim: Callable[[], bool]) -> list[float]:
    """Let the window work until the claim holds; by how much each beat of a timer came late, in seconds."""
    loop, late = QEventLoop(), []
    last = time.perf_counter()

    def beat() -> None:
        nonlocal last
        now = time.perf_counter()
        late.append(max(now - last - BEAT_MILLISECONDS / 1000, 0.0))
        last = now
        if claim():
            loop.quit()

    timer = QTimer(interval=BEAT_MILLISECONDS)
    timer.timeout.connect(beat)
    timer.start()
    loop.exec()
    return late


def measure_switches(window: MainWindow) -> bool:
    """Milliseconds from the click on a page to its paint, each page from each other one."""
    ExamplePath(window).start(default_choice("alarm"))
    page = window.page(ModelPage)
    wait_for(lambda: page.facts is not None and page.facts.is_complete and not window.runs.texts)
    titles = [each.title for each in window.pages]
    window.show_page(titles[0])
    for each in reversed(window.pages):  # the first visit of a page may build what it shows
        assert paints(window, each), f"opening {each.title} paints nothing"
    seconds: dict[str, list[float]] = {title: [] for title in titles}
    for _ in range(ROUNDS):
        for before, after in itertools.permutations(window.pages, 2):
            window.show_page(before.title)
            QApplication.processEvents()
            seconds[after.title].append(seconds_to_paint(window, after))
    for title, own in seconds.items():
        print(f"switch to {title}: median {np.median(own) * 1e3:.0f} ms, worst {max(own) * 1e3:.0f} ms (limit 100 ms)")
    return all(max(own) <= SWITCH_LIMIT for own in seconds.values())


def seconds_to_paint(window: MainWindow, page: Page) -> float:
    """Open a page and handle all that is due then, which paints it."""
    began = time.perf_counter()
    window.show_page(page.title)
    QApplication.processEvents()
    return time.perf_counter() - began


def paints(window: MainWindow, page: Page) -> bool:
    """Whether opening a page paints it as `seconds_to_paint` handles events."""
    painted = Painted()
    for widget in page.findChildren(QWidget):
        widget.installEventFilter(painted)
    seconds_to_paint(window, page)
    for widget in page.findChildren(QWidget):
        widget.removeEventFilter(painted)
    return painted.is_seen


class Painted(QObject):
    """Sees a widget that it watches painted."""

    is_seen = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.is_seen |= event.type() == QEvent.Type.Paint
        return False


def measure_project(window: MainWindow, folder: Path) -> bool:
    """Seconds to save and open a large project, and the latency of the event loop meanwhile."""
    rng = np.random.default_rng(0)
    columns = tuple(RawColumn(rng.integers(4, size=N_ROWS), [f"state {k}" for k in range(4)]) for _ in range(N_COLUMNS))
    raw = RawTable(tuple(f"V{i}" for i in range(N_COLUMNS)), columns)
    window.document.open_state(prepare_state(ProjectState(name="large", raw=raw), Preparation()), "Open")
    path = folder / "large.latconf"
    window.project.save_to(path)
    began = time.perf_counter()
    fine = is_quick("saving", wait_for(lambda: not window.runs.texts), time.perf_counter() - began)
    opened: list[object] = []
    window.opener.project_opened.connect(opened.append)
    began = time.perf_counter()
    window.opener.open_path(path)
    late = wait_for(lambda: bool(opened) and not window.runs.texts)
    return is_quick("opening", late, time.perf_counter() - began) and fine


def is_quick(what: str, late: list[float], seconds: float) -> bool:
    p95, worst = float(np.percentile(late, 95)), max(late)
    print(
        f"{what} {N_ROWS:,} rows x {N_COLUMNS} columns: {seconds:.1f} s; the event loop is late by "
        f"{p95 * 1e3:.0f} ms at the 95th percentile, {worst * 1e3:.0f} ms at worst (limits 50 and 200 ms)"
    )
    return p95 <= LATENCY_P95 and worst <= LATENCY_WORST


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        window = make_program(Path(folder))
        window.resize(1280, 800)
        window.show()
        window.load_pages()
        results = [measure_switches(window), measure_project(window, Path(folder))]
        window.close_at_once()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
