"""How late the window is while two threads score: python tests/benchmarks/latency.py [--seconds 10] [--rows 10000].

The real scorer under a RunThread beside the main window, on data drawn from the Alarm network with INTUBATION hidden.
A timer of the event loop asks every 5 ms for the time; what it is late by is the latency a person feels.
"""

from __future__ import annotations

import argparse
import itertools
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from program import make_program
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer, warm_up
from latconf_gui.background.run_thread import RunThread

TICK_MILLISECONDS = 5
WORKERS = 2


def candidates(dataset: Dataset) -> Iterator[LatentDag]:
    """DAGs with one latent over three variables and two observed edges into them, no two alike."""
    for children in itertools.combinations(dataset.names, 3):
        others = [name for name in dataset.names if name not in children]
        yield LatentDag(
            dataset.names,
            [(others[0], children[0]), (others[1], children[1])],
            [Latent("L1", 3, children)],
        )


def scoring(dataset: Dataset, seconds: float, control: RunControl) -> Iterator[object]:
    """Scores, one after the other, from two threads."""
    scorer = Scorer(dataset, VbemOptions(), control=control)
    began = time.monotonic()
    dags = candidates(dataset)
    with ThreadPoolExecutor(WORKERS) as pool:
        while time.monotonic() - began < seconds:
            yield from pool.map(scorer.score, itertools.islice(dags, 20))


def measure(dataset: Dataset, seconds: float, folder: Path) -> tuple[list[float], int]:
    """Milliseconds by which ticks were late, and the number of scores."""
    window = make_program(folder)
    prepared = Prepared(dataset, np.arange(dataset.n_rows))
    window.document.open_state(ProjectState(name="alarm", prepared=prepared), "Open alarm")
    window.show()
    late: list[float] = []
    scores: list[object] = []
    last = time.perf_counter()

    def tick() -> None:
        nonlocal last
        now = time.perf_counter()
        late.append(1000 * (now - last) - TICK_MILLISECONDS)
        last = now
        window.update()

    thread = RunThread(lambda control: scoring(dataset, seconds, control))
    timer = QTimer(interval=TICK_MILLISECONDS)
    timer.timeout.connect(tick)
    thread.events.connect(scores.extend)
    thread.ended.connect(QApplication.quit)
    timer.start()
    thread.start()
    QApplication.exec()
    thread.wait()
    window.deleteLater()
    return late[20:], len(scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rows", type=int, default=10_000)
    args = parser.parse_args()
    warm_up()
    drawn = sample(load_example("alarm"), args.rows, rng=np.random.default_rng(0), hide=["INTUBATION"])
    with tempfile.TemporaryDirectory() as folder:
        late, n_scores = measure(drawn.dataset, args.seconds, Path(folder))
    p50, p95 = np.percentile(late, [50, 95])
    print(f"{n_scores} scores on {WORKERS} threads; {len(late)} ticks")
    print(f"late by p50 {p50:.1f} ms, p95 {p95:.1f} ms, most {max(late):.1f} ms (50 ms at p95 is the limit)")


if __name__ == "__main__":
    main()
