"""A small activity for tests of the Lessons page's frame: it counts, and takes a DAG."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.drawing.content.graph_drawing import drawing_of_graph
from latconf_gui.pages.learn.activities import ActivityEntry
from latconf_gui.pages.learn.activity import Activity, ActivityContext
from latconf_gui.pages.learn.stage import Stage, drawing_of_drawn_dag
from latconf_gui.pages.learn.text_column import TextColumn

FORK = DrawnDag(("A", "H", "B"), (("H", "A"), ("H", "B")), frozenset({"H"})).placed()


class CountingActivity(Activity):
    """Shows a DAG with its MAG and PAG, and a number that can be raised."""

    key, title, takes_dag = "counting", "Counting", True

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.stage, self.column = Stage("DAG", "MAG", "PAG"), TextColumn(self.title, "Counts.")
        self.lay_out(self.stage, self.column)
        self.count, self.dag = 0, FORK
        self.show_dag(FORK)

    def add_one(self) -> None:
        self.count += 1
        self.changed.emit()

    def state(self) -> dict[str, Any]:
        return {"count": self.count}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.count = int(state.get("count", 0))

    def show_dag(self, dag: DrawnDag) -> None:
        self.dag = dag
        drawings = (drawing_of_drawn_dag(dag), drawing_of_graph(dag.mag), drawing_of_graph(dag.pag))
        self.stage.show_drawings(drawings, dag.positions)


class OtherActivity(CountingActivity):
    """The same under another name."""

    key, title = "other", "Other"


ENTRIES = (
    ActivityEntry("counting", "Counting", "Count.", __name__, "CountingActivity"),
    ActivityEntry("other", "Other", "Count too.", __name__, "OtherActivity"),
)
