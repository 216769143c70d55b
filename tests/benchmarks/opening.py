"""Measures how the window answers while a CSV of a million rows is opened, and how fast a cancel is.

    python tests/benchmarks/opening.py [ROWS] [COLUMNS]   (default 1000000 40; the file goes to a temporary folder)

Goals: 50 ms late at the 95th percentile and 200 ms at worst, progress and cancel on the screen from the beginning to
the end, and a cancel that ends it within 0.3 s and changes nothing. The
first cancel comes in a fresh process, where kernels are still being loaded.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from loading import write_table
from pages import LATENCY_P95, LATENCY_WORST, wait_for
from program import make_program

from latconf_gui.window.main_window import MainWindow
from latconf_gui.window.status_bar import StatusBar

CANCEL_LIMIT = 0.3  # seconds
READING, COUNTING = "reading", "counting states"
CANCELS = [(READING, 0.2), (READING, 0.5), (READING, 0.8), *((COUNTING, 0.1 * tenths) for tenths in range(10))]


def measure_opening(window: MainWindow, path: Path) -> bool:
    bar = window.statusBar()
    assert isinstance(bar, StatusBar)
    beats: list[tuple[bool, bool, str]] = []

    def is_open() -> bool:
        beats.append((bar.progress.isVisible(), bar.cancel.isVisible(), bar.run.text()))
        return window.document.dataset is not None and not window.runs.texts

    began = time.perf_counter()
    window.opener.open_path(path)
    late = np.array(wait_for(is_open))
    seconds = time.perf_counter() - began
    p95, worst = float(np.percentile(late, 95)), float(late.max())
    n_shown = sum(progress and cancel for progress, cancel, _ in beats)
    print(
        f"opening {path.stat().st_size / 1e6:,.0f} MB: {seconds:.1f} s, {len(late)} beats, "
        f"late by p95 {p95 * 1e3:.0f} ms, worst {worst * 1e3:.0f} ms; progress and cancel shown at {n_shown} beats, "
        f"{len({text for *_, text in beats})} different texts"
    )
    return p95 <= LATENCY_P95 and worst <= LATENCY_WORST and n_shown >= len(beats) - 5


def measure_cancel(window: MainWindow, path: Path, step: str, after: float) -> bool:
    """Cancel so many seconds after a step of the work has begun."""
    bar, state = window.statusBar(), window.document.state
    assert isinstance(bar, StatusBar)
    window.opener.open_path(path)
    wait_for(lambda: step in bar.run.text() or not window.runs.texts)
    began = time.perf_counter()
    wait_for(lambda: time.perf_counter() - began > after)
    is_running = bool(window.runs.texts)
    began = time.perf_counter()
    bar.cancel.click()
    wait_for(lambda: not window.runs.texts)
    seconds = time.perf_counter() - began
    is_unchanged = window.document.state is state
    if not is_running:
        print(f"{step}, cancel after {after:.1f} s: it was open already")
        return True
    print(f"{step}, cancel after {after:.1f} s: over {seconds:.2f} s later, nothing changed: {is_unchanged}")
    return is_unchanged and seconds <= CANCEL_LIMIT


def main(n_rows: int = 1_000_000, n_columns: int = 40) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        write_table(path, n_rows, n_columns, kind="words")
        window = make_program(Path(folder))
        window.show()
        wait_for(lambda: len(window.pages) > 4)
        results = [measure_cancel(window, path, READING, 1.0), measure_opening(window, path)]
        results += [measure_cancel(window, path, *when) for when in CANCELS]
        window.close_at_once()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
