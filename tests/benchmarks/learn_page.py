"""How soon MAG and PAG of a DAG with 12 nodes are on the screen after an edit of "Hide it".

    QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.learn_page [--edits 500] [--seed 1]

An edit hides, shows, connects or disconnects at random. The time is that from the edit until the three canvases have
been painted: graphs, sentence and pictures. The aim is 50 ms at the 95th percentile. On a busy machine the time of the
processor says more than the clock.
"""

from __future__ import annotations

import argparse
import tempfile
import time

import numpy as np
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from latconf_core.teaching.editing import dag_edits
from latconf_gui.application.settings import Settings
from latconf_gui.look.theme import Theme
from latconf_gui.pages.learn.hide.hide_it import HideIt
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.window.main_window import MainWindow

N_NODES, N_ARROWS = 12, 18


def edit(activity: HideIt, rng: np.random.Generator) -> None:
    """One change at random; a refused one, such as a cycle, is an edit too."""
    dag = activity.dag
    kind = int(rng.integers(3))
    if kind == 0:
        activity.toggle(str(rng.choice(dag.nodes)))
    elif kind == 1 and len(dag.edges) > N_ARROWS - 6:
        a, b = dag.edges[int(rng.integers(len(dag.edges)))]
        activity.scene.select_edge(a, b)
        activity.delete_chosen()
    else:
        first, second = rng.choice(dag.nodes, size=2, replace=False)
        activity.draw_arrow(str(first), str(second))


def measure(activity: HideIt, n_edits: int, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Milliseconds of each edit until everything is painted, by the clock and of the processor."""
    spent = []
    for _ in range(n_edits):
        start, work = time.perf_counter(), time.process_time()
        edit(activity, rng)
        for _ in range(2):  # the fit that a change asks for, then the paint
            QApplication.processEvents()
        spent.append((1e3 * (time.perf_counter() - start), 1e3 * (time.process_time() - work)))
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
    app = QApplication([])
    settings = Settings()
    window = MainWindow(settings, Theme(app, settings))
    window.resize(1600, 1000)
    window.show()
    window.load_pages()
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity("hide")
    assert isinstance(activity, HideIt)
    rng = np.random.default_rng(chosen.seed)
    activity.show_dag(dag_edits.random_dag(rng, N_NODES, n_arrows=N_ARROWS))
    app.processEvents()
    measure(activity, 20, rng)  # the first ones import and compile
    print(f"{chosen.edits} edits of {N_NODES} nodes")
    for called, spent in zip(("clock", "processor"), zip(*measure(activity, chosen.edits, rng))):
        median, p95, worst = np.percentile(spent, [50, 95, 100])
        print(f"{called:>10}: median {median:.1f} ms, p95 {p95:.1f} ms, worst {worst:.1f} ms")
    activity.stop()
    window.close_at_once()


if __name__ == "__main__":
    main()
