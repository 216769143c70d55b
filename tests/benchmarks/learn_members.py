"""The members tree of the Lessons page: a PAG with 15,000 MAGs is opened, scrolled through and flipped through.

    python tests/benchmarks/learn_members.py

Opening is timed from the choice of the PAG until its first members are painted; scrolling and flipping key by key
until the window is painted, while members are still being listed and after. On a busy machine the window's own work
tells more than the time that passes.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from program import make_program
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from search_page import ms, wait_until

from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.learn.members.members_activity import MembersActivity

OPEN_LIMIT, PAUSE_LIMIT = 0.2, 0.1
N_NODES = 15  # of a zig-zag, on which every o-> may be --> or <->
CHAIN = 3  # nodes of a chain of o-o beside it
N_PAGES, N_FLIPS = 120, 100
Times = tuple[float, float]  # seconds that a person waits, and seconds that the window's thread works


def large_pag() -> MixedGraph:
    """A zig-zag of o-> and a chain of o-o: as many members as the product of both."""
    names = [f"N{i:02}" for i in range(N_NODES)]
    links = [f"C{i}" for i in range(CHAIN)]
    edges = [f"{a} o-o {b}" for a, b in pairwise(links)]
    edges += [f"{a} {'o->' if i % 2 == 0 else '<-o'} {b}" for i, (a, b) in enumerate(pairwise(names))]
    return MixedGraph.from_edges([*names, *links], map(Edge.parse, edges))


def times_of(act: Callable[[], object]) -> Times:
    """Until everything that is due is painted."""
    began, worked = time.perf_counter(), time.thread_time()
    act()
    QApplication.processEvents()
    return time.perf_counter() - began, time.thread_time() - worked


def report(what: str, times: list[Times], limit: float) -> None:
    waited, worked = zip(*times)
    p95 = float(np.percentile(waited, 95))
    verdict = "within" if p95 <= limit else "ABOVE"
    said = f"median {ms(float(np.median(waited)))}, p95 {ms(p95)}, worst {ms(max(waited))} ({verdict} {ms(limit)})"
    print(f"{what}: {said}; the window's own work: median {ms(float(np.median(worked)))}, worst {ms(max(worked))}")


def open_pag(activity: MembersActivity, source: SourceGraph) -> None:
    """Until the first members have rows."""
    activity.show_source(source)
    wait_until(lambda: activity.model.n_known > 0)


def page_down(activity: MembersActivity) -> list[Times]:
    return [times_of(lambda: QTest.keyClick(activity.tree, Qt.Key.Key_PageDown)) for _ in range(N_PAGES)]


def main() -> int:
    window = make_program(Path(tempfile.mkdtemp()))
    window.resize(1280, 800)
    window.show()
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity("members")
    assert isinstance(activity, MembersActivity)
    wait_until(lambda: not activity.is_busy)
    source = SourceGraph.of_pag("large", large_pag(), {})
    opened = []
    for _ in range(10):
        wait_until(lambda: not activity.is_busy)
        opened.append(times_of(lambda: open_pag(activity, source)))
    report("opening", opened, OPEN_LIMIT)
    model, tree = activity.model, activity.tree
    began = time.perf_counter()
    report("scrolling while listing", page_down(activity), PAUSE_LIMIT)
    wait_until(lambda: model.is_complete)
    print(f"all {model.n_listed:,} listed and counted after {time.perf_counter() - began:.1f} s")
    wait_until(lambda: not activity.is_busy)
    for row in range(model.rowCount(model.pag_index())):
        tree.expand(model.index(row, 0, model.pag_index()))
    tree.go_to(model.pag_index())
    n_before = tree.verticalScrollBar().maximum()
    report("scrolling, every level open", page_down(activity), PAUSE_LIMIT)
    print(f"rows grew from {n_before:,} to {tree.verticalScrollBar().maximum():,}")
    report("flipping", [times_of(lambda: activity.flip(1)) for _ in range(N_FLIPS)], PAUSE_LIMIT)
    wait_until(lambda: not activity.is_busy)
    window.close_at_once()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
