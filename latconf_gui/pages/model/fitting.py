"""What the Model page needs to know about a DAG, computed beside the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.search.model_facts import ModelFacts, facts_of
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.background.latest_job import LatestJob

MAX_KEPT = 12  # DAGs whose facts stay at hand


class ModelFitting(QObject):
    """`fitted(ModelFacts)` twice for each DAG asked for: with the tables, then with all about its latents."""

    fitted = Signal(object)
    failed = Signal(object)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job = LatestJob(self)
        self._job.answered.connect(self._on_answer)
        self._job.failed.connect(self.failed)
        self._job.changed.connect(self.changed)
        self._asked: tuple[SearchResult, LatentDag] | None = None
        self._known: dict[tuple[SearchResult, LatentDag], ModelFacts] = {}
        self._data: Dataset | None = None  # that they are about

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy

    def ask(self, state: ProjectState, result: SearchResult, dag: LatentDag) -> None:
        """Fit a DAG of a result to the data; what was asked before is given up."""
        data = state.dataset
        assert data is not None
        self._asked = result, dag
        if data is not self._data:  # what is known of a document that was closed would hold all its data
            self._known.clear()
            self._data = data
        known = self._known.get(self._asked)
        if known is not None:
            self._job.forget()
            self.fitted.emit(known)
        else:
            self._job.ask_for_answers(
                lambda control: facts_of(data, result, dag, control=control, held=state.held_columns)
            )

    def forget(self) -> None:
        """Want no answer any more."""
        self._job.forget()

    def stop(self) -> None:
        """Want no answer, and return when nothing runs."""
        self._job.stop()

    def _on_answer(self, facts: ModelFacts) -> None:
        if facts.is_complete and self._asked is not None:
            while len(self._known) >= MAX_KEPT:
                self._known.pop(next(iter(self._known)))
            self._known[self._asked] = facts
        self.fitted.emit(facts)
