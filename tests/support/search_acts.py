"""What tests of the Search page share: a page with data and a PAG on it, and searches that a test controls."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from types import MappingProxyType

import numpy as np
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot
from support.builders import mixed

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import add_pag
from latconf_core.graph.mixed import MixedGraph
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.events import CandidateScored, LevelStarted
from latconf_gui.application.document import Document
from latconf_gui.application.messages import explain
from latconf_gui.application.opener import Opener
from latconf_gui.application.settings import Settings
from latconf_gui.background.runs import Runs
from latconf_gui.pages.knowledge.knowledge_command import KnowledgeCommand
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.widgets.actions import Actions

PLACES = {"A": (0.0, 0.0), "B": (200.0, 0.0), "C": (0.0, 150.0), "D": (200.0, 150.0)}


class SearchHost(QMainWindow):
    """A window with the Search page alone; what it reports is kept as sentences."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.document = Document(self)
        self.actions_by_id = Actions(self)
        self.runs = Runs(self.report, parent=self)
        self.document.refused.connect(lambda reason: self.report(reason, "Search"))
        settings = Settings()
        KnowledgeCommand(self.actions_by_id, self.document, settings, report=self.report, window=self)
        opener = Opener(self.document, settings, self.runs, report=self.report, parent=self)
        self.page = SearchPage(PageContext(self.document, self.actions_by_id, settings, self.runs, opener, self.report))
        self.setCentralWidget(self.page)
        self.resize(1100, 760)

    def report(self, problem: BaseException | str, where: str) -> None:
        self.problems.append(explain(problem, where).what)

    def end(self) -> None:
        """Stop everything and go."""
        self.runs.stop_all()
        self.page.stop()
        self.close()
        self.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@cache
def warm() -> None:
    """Compile the kernels before a test waits for a search: after a change of theirs that takes a minute."""
    from latconf_core.score.scorer import warm_up

    warm_up()


def confounded_data(n_rows: int = 800, *, seed: int = 0) -> Dataset:
    """A hidden common cause of B and C, which are also the effects of A and D."""
    rng = np.random.default_rng(seed)
    a, d, hidden = (rng.integers(2, size=n_rows) for _ in range(3))
    b = np.where(rng.random(n_rows) < 0.85, (a + hidden) > 1, rng.integers(2, size=n_rows))
    c = np.where(rng.random(n_rows) < 0.85, (d + hidden) > 1, rng.integers(2, size=n_rows))
    codes = np.stack([a, b, c, d], axis=1).astype(np.int64)
    return Dataset("ABCD", [("no", "yes")] * 4, codes)


def open_pag() -> MixedGraph:
    """A valid PAG whose searches visit a dozen DAGs."""
    return mixed("A o-o B", "B o-o C", "C o-o D")


def put(host: SearchHost, data: Dataset | None, pag: MixedGraph | None) -> None:
    """Data and a PAG as if opened, with nothing to undo."""
    prepared = None if data is None else Prepared(data, np.arange(data.n_rows))
    state = ProjectState(name="data", prepared=prepared, positions=MappingProxyType(PLACES))
    state = state if pag is None else add_pag(state, pag)
    host.document.open_state(state, "Open data")
    host.document.undo_stack.clear()


def quick_options(**changes: object) -> SearchOptions:
    """Options under which a search takes no time."""
    return replace(SearchOptions(max_bidirected=2, max_states=2), **changes)  # type: ignore[arg-type]


def run_to_end(qtbot: QtBot, page: SearchPage, algorithm: str) -> None:
    """Choose a search, run it and wait for its result."""
    page.form.choose(algorithm)
    with qtbot.waitSignal(page.running.finished, timeout=60_000):
        page.context.actions["search.run"].trigger()
    qtbot.waitUntil(lambda: not page.running.is_running and not page.dag.is_busy, timeout=20_000)


def endless(started: threading.Event, *, n_nodes: int = 4) -> object:
    """Events of a search that goes on until it is stopped, and then ends as every search does."""

    def events(
        data: Dataset, pag: MixedGraph, algorithm: str, options: SearchOptions, control: RunControl, **_known: object
    ) -> Iterator[object]:
        from latconf_core.search.runner import prepare_run, run_to_end

        run = prepare_run(data, pag, algorithm, options=options, control=control)
        model = BitDag((0,) * n_nodes, (Hidden(0b0110),))

        def search() -> Iterator[object]:
            yield LevelStarted(1, 1000)
            while True:
                run.control.checkpoint()
                count = len(run.history)
                root = count % n_nodes
                trial = BitDag(tuple(0 if i == root else 1 << root for i in range(n_nodes)))
                candidate, p_elbo = model if count == 7 else trial, -1000.0 + (count == 7)
                run.history.add(candidate, p_elbo, level=1)
                yield CandidateScored(count, 1, candidate, run.history.nodes, p_elbo, count in (0, 7))
                started.set()
                threading.Event().wait(0.002)

        yield from run_to_end(search(), run)  # type: ignore[arg-type]

    return events


def on_chart(page: SearchPage, number: int) -> QPointF:
    """Where a dot stands."""
    return QPointF(page.results.chart.place_of(number))
