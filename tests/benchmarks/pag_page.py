"""How the window answers while a PAG is learned, and how soon Cancel ends it.

python tests/benchmarks/pag_page.py [--rows 10000] [--repeats 5]

The largest network among the examples, all variables measured. A timer beats every 5 ms; how late each beat
comes is how long the event loop was busy. Target: p95 under 50 ms, Cancel within 0.3 s.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from PySide6.QtCore import QElapsedTimer, QSettings, Qt, QTimer
from PySide6.QtWidgets import QApplication
from support.pag_acts import Host, put_data

from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import example_names, load_example
from latconf_core.options.learning import PAG_PRESETS

BEAT = 5  # milliseconds
TARGET_P95, TARGET_CANCEL = 50.0, 0.3


class Heartbeat:
    """How late, in milliseconds, each beat of a timer came."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self._clock = QElapsedTimer()
        self._timer = QTimer(interval=BEAT, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_beat)

    def start(self) -> None:
        self.late.clear()
        self._clock.start()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _on_beat(self) -> None:
        self.late.append(max(self._clock.nsecsElapsed() / 1e6 - BEAT, 0.0))
        self._clock.restart()


def largest_data(n_rows: int) -> tuple[str, Dataset]:
    """Rows of the example with most variables."""
    networks = {name: load_example(name) for name in example_names()}
    name = max(networks, key=lambda network: len(networks[network].variables))
    return name, sample(networks[name], n_rows, rng=np.random.default_rng(0)).dataset


def run_until(claim: Callable[[], bool], seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not claim() and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.0005)


def beats_while_learning(host: Host, method: str) -> tuple[list[float], float]:
    """How late beats came during one run from click to drawn graph, and how long it took."""
    panel = host.page.learn_panel
    panel.show_options(PAG_PRESETS["default"])
    panel.method.setCurrentIndex(panel.method.findData(method))
    before, heart, began = host.document.pag, Heartbeat(), time.monotonic()
    heart.start()
    panel.learn.click()
    run_until(lambda: host.document.pag is not before and not host.page.legality.is_busy)
    heart.stop()
    return heart.late, time.monotonic() - began


def cancel_seconds(host: Host, after: float) -> float:
    """From the click on Cancel to the end of the run."""
    host.page.learn_panel.learn.click()
    begin = time.monotonic()
    run_until(lambda: time.monotonic() - begin > after or not host.page.is_learning)
    clicked = time.monotonic()
    host.page.learn_panel.cancel.click()
    run_until(lambda: not host.page.is_learning)
    return time.monotonic() - clicked


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
    QApplication([])
    host = Host()
    host.show()
    name, data = largest_data(args.rows)
    put_data(host, data)
    print(f"{name}: {data.n_variables} variables, {data.n_rows} rows")
    for method in ("fci", "fci", "rfci", "cfci", "mfci", "gfci"):
        late, seconds = beats_while_learning(host, method)
        p95 = float(np.percentile(late, 95))
        print(
            f"{method:5} {seconds:6.2f} s, {len(late):5} beats: p50 {np.median(late):5.1f} ms, p95 {p95:5.1f} ms "
            f"({p95 / TARGET_P95:.2f} of the target), worst {max(late):6.1f} ms"
        )
        host.document.undo_stack.undo()
    worst = 0.0
    for method in ("fci", "rfci", "cfci", "mfci", "gfci"):
        host.page.learn_panel.method.setCurrentIndex(host.page.learn_panel.method.findData(method))
        for part in range(args.repeats):
            worst = max(worst, cancel_seconds(host, 0.05 + 0.15 * part))
    print(f"Cancel: worst {worst:.3f} s ({worst / TARGET_CANCEL:.2f} of the target)")
    print(f"problems reported: {host.problems}")
    host.page.stop()
    host.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
