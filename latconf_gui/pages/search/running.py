"""The search that runs: started, paused, stopped and followed; what it found is handed on when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from latconf_core.cluster.scheduler import Scheduler
from latconf_core.cluster.search_place import start_search_on
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import score_title
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.search.catalogue import SEARCHES, search_title
from latconf_core.search.outcome.events import CandidateScored, SearchFinished, StatesTried
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.progress import SearchProgress
from latconf_core.search.references import References
from latconf_core.search.setup import choose_objective
from latconf_gui.application.document import Document
from latconf_gui.application.settings import Settings
from latconf_gui.background.run_thread import RunThread
from latconf_gui.background.runs import Report, Runs

WITHOUT_PAG = "learn, import or draw one on the PAG page first, or choose a search that needs none, such as Auto."
WHERE = "Search"
HELD = "A search is running on these data and this PAG; stop it first (the best DAG is kept)."
PROGRESS_MILLISECONDS = 200


class SearchRunning(QObject):
    """At most one search at a time; while it runs, the document keeps its data and its PAG.

    `changed` when it begins, pauses, goes on or ends; `visited` when `visits` has grown; `progressed` a few times
    a second; `finished(SearchResult)` or `failed` at the end.
    """

    changed = Signal()
    visited = Signal()
    progressed = Signal()
    finished = Signal(object)
    failed = Signal()

    def __init__(
        self, document: Document, runs: Runs, settings: Settings, *, report: Report, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._settings = settings
        self._runs = runs
        self._report = report
        self._thread: RunThread | None = None
        self._references = References()
        self.visits = History()
        self.progress = SearchProgress()
        self._timer = QTimer(self, interval=PROGRESS_MILLISECONDS)
        self._timer.timeout.connect(self._on_time)

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    @property
    def is_paused(self) -> bool:
        return self._thread is not None and self._thread.is_paused

    def start(self, algorithm: str, options: SearchOptions, *, from_dag: LatentDag | None = None) -> None:
        """Search the document's data and PAG, from a model too where one is given."""
        data, pag = self._document.dataset, self._document.pag
        if self.is_running:
            self._report("A search is already running; stop it first (the best DAG is kept).", WHERE)
        elif data is None:
            reason = self._document.state.obstacle
            self._report(reason or "There are no data to search; open a file or an example first.", WHERE)
        elif pag is None and SEARCHES[algorithm].needs_pag:
            self._report(f"{search_title(algorithm)} needs a PAG; {WITHOUT_PAG}", WHERE)
        else:
            self._begin(data, pag or MixedGraph.from_edges(data.names, ()), algorithm, options, from_dag)

    def _begin(
        self, data: Dataset, pag: MixedGraph, algorithm: str, options: SearchOptions, from_dag: LatentDag | None
    ) -> None:
        name = SEARCHES[algorithm].level_name
        title = score_title(choose_objective(options, SEARCHES[algorithm]).vbem)
        self.visits, self.progress = History(data.names, level_name=name, score_title=title), SearchProgress()
        shared, scheduler, knowledge = self._references, self._settings.scheduler, self._document.knowledge
        thread = RunThread(
            lambda control: _events(
                data,
                pag,
                algorithm,
                options=options,
                control=control,
                references=shared,
                start=from_dag,
                knowledge=knowledge,
                scheduler=scheduler,
            )
        )
        thread.events.connect(self._on_events)
        thread.ended.connect(lambda: self._on_ended(thread))
        self._thread = thread
        self._document.hold(HELD)
        self._timer.start()
        where = "" if scheduler is None else f" on the cluster at {scheduler.address}"
        self._runs.start(thread, f"Searching with {search_title(algorithm)}{where}")
        self.changed.emit()

    def pause(self) -> None:
        """Wait at the next checkpoint; the time does not count."""
        if self._thread is not None:
            self._thread.pause()
            self.progress.pause()
            self.changed.emit()

    def resume(self) -> None:
        """Go on after a pause."""
        if self._thread is not None:
            self._thread.resume()
            self.progress.resume()
            self.changed.emit()

    def stop(self) -> None:
        """End the search; the best so far is kept."""
        if self._thread is not None:
            self._thread.cancel()

    def _on_events(self, events: list[object]) -> None:
        self.progress.see(events)
        new = [event for event in events if isinstance(event, CandidateScored | StatesTried)]
        if new:
            self.visits.extend(new)
            self.visited.emit()
        for event in events:
            if isinstance(event, SearchFinished):
                self._let_go()
                self.finished.emit(event.result)
                self.changed.emit()

    def _on_time(self) -> None:
        if self._thread is not None:
            self._thread.post(self.progress.step())
            self.progressed.emit()

    def _on_ended(self, thread: RunThread) -> None:
        if self._thread is thread:  # without a result: the search failed, which the runs report
            self._let_go()
            self.failed.emit()
            self.changed.emit()

    def _let_go(self) -> None:
        self._thread = None
        self._timer.stop()
        self._document.release()


def _events(
    data: Dataset, pag: MixedGraph, algorithm: str, *, scheduler: Scheduler | None, **known: Any
) -> Iterator[object]:
    """The events of a search, on the run's own thread."""
    yield from start_search_on(scheduler, data, pag, algorithm, **known)
