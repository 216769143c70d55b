"""What can be undone within an activity that draws: DAGs, the newest last."""

from __future__ import annotations

from latconf_core.teaching.drawn_dag import DrawnDag

MOST_STEPS = 200


class EditHistory:
    """The DAG that is shown, those before it, and those that were undone."""

    def __init__(self, dag: DrawnDag) -> None:
        self._past: list[DrawnDag] = []
        self._future: list[DrawnDag] = []
        self.dag = dag

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def put(self, dag: DrawnDag) -> None:
        """Go on with another DAG; what had been undone is gone."""
        self._past = [*self._past, self.dag][-MOST_STEPS:]
        self._future.clear()
        self.dag = dag

    def undo(self) -> None:
        """The DAG before, where there is one."""
        if self._past:
            self._future.append(self.dag)
            self.dag = self._past.pop()

    def redo(self) -> None:
        """The DAG that was undone last, where there is one."""
        if self._future:
            self._past.append(self.dag)
            self.dag = self._future.pop()
