"""What the Model page needs to know about a DAG, computed beside the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.search.outcome.model_facts import ModelFacts, facts_of
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.background.run_thread import RunThread

MAX_KEPT = 12  # DAGs whose facts stay at hand


class ModelFitting(QObject):
    """`fitted(ModelFacts)` twice for each DAG asked for: with the tables, then with all about its latents."""

    fitted = Signal(object)
    failed = Signal(object)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: RunThread | None = None
        self._next: tuple[Dataset, SearchResult, LatentDag] | None = None
        self._known: dict[tuple[SearchResult, LatentDag], ModelFacts] = {}

    @property
    def is_busy(self) -> bool:
        return self._thread is not None

    def ask(self, data: Dataset, result: SearchResult, dag: LatentDag) -> None:
        """Fit a DAG of a result; what was asked before is given up."""
        known = self._known.get((result, dag))
        if known is not None:
            self.forget()
            self.fitted.emit(known)
            return
        self._next = (data, result, dag)
        if self._thread is None:
            self._begin()
        else:
            self._thread.cancel()

    def forget(self) -> None:
        """Want no answer any more."""
        self._next = None
        if self._thread is not None:
            self._thread.cancel()

    def stop(self) -> None:
        """Want no answer, and return when nothing runs."""
        self._next = None
        if self._thread is not None:
            self._thread.stop()

    def _begin(self) -> None:
        asked, self._next = self._next, None
        if asked is None:
            self.changed.emit()
            return
        data, result, dag = asked
        thread = RunThread(lambda control: facts_of(data, result, dag, control=control), parent=self)
        thread.events.connect(lambda events: self._on_events(thread, (result, dag), events))
        thread.failed.connect(lambda error: None if thread.is_cancelled else self.failed.emit(error))
        thread.ended.connect(self._on_ended)
        self._thread = thread
        thread.start()
        self.changed.emit()

    def _on_events(self, thread: RunThread, key: tuple[SearchResult, LatentDag], events: list[object]) -> None:
        if thread.is_cancelled:
            return
        for event in events:
            if isinstance(event, ModelFacts):
                if event.is_complete:
                    self._keep(key, event)
                self.fitted.emit(event)

    def _keep(self, key: tuple[SearchResult, LatentDag], facts: ModelFacts) -> None:
        while len(self._known) >= MAX_KEPT:
            self._known.pop(next(iter(self._known)))
        self._known[key] = facts

    def _on_ended(self) -> None:
        if self._thread is not None:
            self._thread.deleteLater()
        self._thread = None
        self._begin()
