"""The learning run of the PAG page: started, followed, cancelled; its graph is handed on when it is done."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal

from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.inference.completing.learned_rows import learn_from_rows
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import PagEvent, PagLearned
from latconf_core.pag.learners.catalogue import find_learner
from latconf_gui.application.document import Document
from latconf_gui.background.run_thread import RunThread
from latconf_gui.background.runs import Report, Runs

WHERE = "Learning the PAG"


class PagLearning(QObject):
    """At most one run at a time. `changed` when one begins or ends, `progressed(Progress)`, `learned(LearnedPag)`."""

    changed = Signal()
    progressed = Signal(object)
    learned = Signal(object)
    cancelled = Signal()

    def __init__(self, document: Document, runs: Runs, *, report: Report, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._runs = runs
        self._report = report
        self._thread: RunThread | None = None
        self._data: Dataset | None = None
        self.knowledge = NO_KNOWLEDGE  # that the last run began with
        self.events: tuple[PagEvent, ...] = ()  # what the learner of the last PAG told, but for its progress
        self._told: list[PagEvent] = []
        document.dataset_changed.connect(self.cancel)

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    def busy_reason(self) -> str:
        """Why the PAG cannot be edited now, or ""."""
        if not self.is_running:
            return ""
        return "The PAG is being learned and cannot be edited; wait until it finishes, or cancel learning."

    def why_not(self) -> str:
        """Why learning cannot start now, or "": the state of everything that offers it."""
        if self.is_running:
            return "A PAG is already being learned; wait until it finishes, or cancel it."
        return self._document.held_reason or self.why_not_from_data()

    def why_not_from_data(self) -> str:
        """What is in the way on the Data page, or ""."""
        data, obstacle = self._document.dataset, self._document.state.obstacle
        if data is None and obstacle:
            return f"{obstacle[:1].upper()}{obstacle[1:]}."
        if data is None:
            return "There are no data; open a file or an example first."
        if data.n_variables < 2:
            return "The data have one variable; a PAG needs at least two. Include more columns."
        return ""

    def start(self, options: PagOptions) -> None:
        """Learn from the document's data with its background knowledge."""
        data, reason = self._document.dataset, self.why_not()
        if data is None or reason:
            self._report(reason, WHERE)
        else:
            self._begin(data, options, self._document.knowledge)

    def _begin(self, data: Dataset, options: PagOptions, knowledge: Knowledge) -> None:
        self._data, self._told, self.knowledge = data, [], knowledge
        thread = RunThread(lambda control: _events(data, options, knowledge, control))
        thread.events.connect(self._on_events)
        thread.ended.connect(lambda: self._on_ended(thread))
        self._thread = thread
        self._runs.start(thread, f"Learning the PAG with {find_learner(options.method).title}")
        self.changed.emit()

    def cancel(self) -> None:
        """End the run; the PAG stays as it is."""
        if self._thread is not None:
            self._thread.cancel()

    def _on_events(self, events: list[PagEvent]) -> None:
        if self._thread is None or self._thread.is_cancelled:
            return
        self._told += [event for event in events if not isinstance(event, Progress)]
        for event in events:
            if isinstance(event, PagLearned) and self._document.dataset is self._data:
                self._thread = None  # from here on the PAG may be changed, first of all by this result
                self.events = tuple(self._told)
                self.learned.emit(event.result)
                self.changed.emit()
                return
        steps = [event for event in events if isinstance(event, Progress)]
        if steps:
            self.progressed.emit(steps[-1])

    def _on_ended(self, thread: RunThread) -> None:
        if self._thread is not thread:  # it has handed over its PAG, and another may be under way
            return
        self._thread = None
        if thread.is_cancelled:
            self.cancelled.emit()
        self.changed.emit()


def _events(data: Dataset, options: PagOptions, knowledge: Knowledge, control: RunControl) -> Iterator[object]:
    """What a run tells, on its own thread."""
    yield from learn_from_rows(data, options, knowledge=knowledge, control=control)
