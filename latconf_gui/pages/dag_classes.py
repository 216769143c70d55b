"""What the data determine of the DAGs that pages show: at once where a DAG is small, beside the window where not."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.determined.arrows import DagClass
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_gui.application.document import Document
from latconf_gui.background.latest_job import LatestJob

MOST_AT_ONCE = 100  # arrows: 10 ms were the most that any of 120 random DAGs with so many took
MOST_KEPT = 24


Key = tuple[LatentDag, Knowledge]


def shown_knowledge(document: Document) -> Knowledge:
    """What bound the search whose DAG the Model page shows."""
    run = document.shown_run
    return NO_KNOWLEDGE if run is None else run.result.knowledge


class DagClasses(QObject):
    """Of DAGs under what the user knows; `changed` when more is known than `class_of` said, or other knowledge."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._known: dict[Key, DagClass] = {}
        self._wanted: dict[Key, None] = {}  # in the order in which they were asked for
        document.knowledge_changed.connect(self.changed)
        self._job = LatestJob(self)
        self._job.answered.connect(self._on_answered)
        self._job.failed.connect(self.failed)

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy

    def class_of(self, dag: LatentDag, knowledge: Knowledge | None = None) -> DagClass | None:
        """The class of a DAG; None where it is still being computed.

        knowledge : that bound its search, or that of the document
        """
        key = dag, self._document.knowledge if knowledge is None else knowledge
        known = self._known.get(key)
        if known is not None:
            return known
        if len(tuple(dag.all_edges())) <= MOST_AT_ONCE:
            return self._keep(_complete(key))
        if key not in self._wanted:
            self._wanted[key] = None
            while len(self._wanted) > MOST_KEPT:
                self._wanted.pop(next(iter(self._wanted)))
            self._job.ask_for_answers(self._answer)
        return None

    def _answer(self, control: RunControl) -> Iterator[DagClass]:
        for key in reversed(tuple(self._wanted)):  # what was asked for last is looked at now
            control.checkpoint()
            yield _complete(key)

    def _on_answered(self, dag_class: DagClass) -> None:
        self._wanted.pop((dag_class.dag, dag_class.knowledge), None)
        self._keep(dag_class)
        self.changed.emit()

    def _keep(self, dag_class: DagClass) -> DagClass:
        while len(self._known) >= MOST_KEPT:
            self._known.pop(next(iter(self._known)))
        self._known[dag_class.dag, dag_class.knowledge] = dag_class
        return dag_class

    def stop(self) -> None:
        """Want nothing any more, and return when nothing runs."""
        self._wanted.clear()
        self._job.stop()


def _complete(key: Key) -> DagClass:
    """The class with everything computed that pages ask it for."""
    dag_class = DagClass(*key)
    _ = dag_class.arrows, dag_class.pag
    return dag_class
