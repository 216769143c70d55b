"""Measures the window: time to its first paint against a bare PySide6 window, and scrolling through a million rows.

    python tests/benchmarks/window.py

Each start is a process of its own; starts of both kinds alternate, and the fastest of each is compared.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
STARTS = 5
LIMIT_SECONDS = 1.0
N_ROWS, N_COLUMNS = 1_000_000, 40
FRAME_LIMIT_SECONDS = 0.05

PAINTED = """
class Painted(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and not seconds:
            seconds.extend((time.perf_counter() - began, time.process_time()))
            QTimer.singleShot(0, app.quit)
        return False
seconds = []
painted = Painted()
window.centralWidget().installEventFilter(painted)
window.show()
app.exec()
print(*seconds)
"""
BARE = """
import time
began = time.perf_counter()
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QTableWidget
app = QApplication([])
window = QMainWindow()
window.setCentralWidget(QTableWidget(50, 10))
window.resize(1280, 800)
"""
OURS = """
import time
began = time.perf_counter()
from PySide6.QtCore import QEvent, QObject, QTimer
from latconf_gui.app import make_application, make_window
from latconf_gui.application.settings import Settings
app = make_application()
window = make_window(app, Settings())
"""


def first_paint(code: str, folder: str) -> tuple[float, float]:
    """Seconds from the first line of Python to the first paint, and seconds of processor time until then."""
    environment = {**os.environ, "XDG_CONFIG_HOME": folder}
    run = subprocess.run(
        [sys.executable, "-c", code + PAINTED], capture_output=True, text=True, check=True, env=environment
    )
    wall, processor = run.stdout.split()[-2:]
    return float(wall), float(processor)


def measure_first_paint() -> bool:
    bare, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(STARTS):
            bare.append(first_paint(BARE, folder))
            ours.append(first_paint(OURS, folder))
    for index, kind in enumerate(("first paint", "processor time until then")):
        fastest = [min(run[index] for run in runs) for runs in (bare, ours)]
        more = fastest[1] - fastest[0]
        print(f"{kind}: bare window {fastest[0]:.2f} s, latconf {fastest[1]:.2f} s: {more:.2f} s more (limit 1 s)")
    return min(run[0] for run in ours) - min(run[0] for run in bare) <= LIMIT_SECONDS


def measure_scrolling() -> bool:
    """Seconds a frame takes while the preview of a large table is scrolled by wheel, by page and by jumps."""
    import numpy as np
    from PySide6.QtWidgets import QApplication

    from latconf_core.data.preparing.choices import Preparation
    from latconf_core.data.raw_table import RawColumn, RawTable
    from latconf_core.formats.projects.project_state import ProjectState, prepare_state
    from latconf_gui.app import make_application
    from latconf_gui.application.settings import Settings
    from latconf_gui.look.theme import Theme
    from latconf_gui.pages.data.preview_panel import PreviewPanel

    app = make_application()
    theme = Theme(app, Settings())
    rng = np.random.default_rng(0)
    states = [[f"state {k}" for k in range(card)] for card in rng.integers(2, 7, N_COLUMNS)]
    columns = tuple(RawColumn(rng.integers(len(state), size=N_ROWS), state) for state in states)
    raw = RawTable(tuple(f"V{i}" for i in range(N_COLUMNS)), columns)
    panel = PreviewPanel()
    panel.resize(1280, 700)
    panel.show()
    panel.show_state(prepare_state(ProjectState(raw=raw), Preparation()))
    bar = panel.table.verticalScrollBar()
    places = [*range(0, 300, 3), *range(0, N_ROWS, N_ROWS // 100), *rng.integers(0, N_ROWS, 100).tolist()]
    frames = []
    for index in places:
        began = time.perf_counter()
        bar.setValue(index)
        panel.table.viewport().repaint()
        QApplication.processEvents()
        frames.append(time.perf_counter() - began)
    theme.deleteLater()
    p95, worst = np.percentile(frames, 95), max(frames)
    print(
        f"scrolling {N_ROWS:,} rows x {N_COLUMNS} columns: {len(frames)} frames, "
        f"median {np.median(frames) * 1e3:.1f} ms, p95 {p95 * 1e3:.1f} ms, worst {worst * 1e3:.1f} ms "
        f"(limit of p95 {FRAME_LIMIT_SECONDS * 1e3:.0f} ms)"
    )
    return bool(p95 <= FRAME_LIMIT_SECONDS)


if __name__ == "__main__":
    results = [measure_first_paint(), measure_scrolling()]
    sys.exit(0 if all(results) else 1)
