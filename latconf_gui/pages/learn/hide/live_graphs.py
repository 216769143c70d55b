"""MAG and PAG of a DAG that is being drawn: at once where it is small, beside the window where it is large."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.editing.changes import Consequence, follow_change
from latconf_gui.background.latest_job import LatestJob

MOST_AT_ONCE = 12  # nodes: the graphs of so many are there before anybody sees a delay


class LiveGraphs(QObject):
    """`ready` carries a Consequence whose graphs are computed, within `follow` or soon after.

    The sentence of a change that is overtaken by the next one is lost: that one begins where the last answer ended.
    """

    ready = Signal(object)
    failed = Signal(object)

    def __init__(self, dag: DrawnDag, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown = dag  # the last one whose graphs are known
        self._job = LatestJob(self)
        self._job.answered.connect(self._on_answered)
        self._job.failed.connect(self.failed)

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy

    def follow(self, act: str, dag: DrawnDag) -> bool:
        """Compute the graphs of a DAG that has come about by an act; "" where there is nothing to say about it.

        Whether they are there already.
        """
        before, is_small = self._shown, len(dag.nodes) <= MOST_AT_ONCE
        if is_small:
            self._job.forget()
            self._on_answered(follow_change(act, before, dag))
        else:
            self._job.ask(lambda _: follow_change(act, before, dag))
        return is_small

    def _on_answered(self, consequence: Consequence) -> None:
        self._shown = consequence.dag
        self.ready.emit(consequence)

    def stop(self) -> None:
        """End what runs."""
        self._job.stop()
