"""The run that the current PAG comes from, replayed beside the window so that it can be asked why."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QObject, Signal

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.formats.projects.kept_items import KeptPag, is_of
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.events import EdgeRemoved, PagEvent, PagLearned
from latconf_core.pag.replay import Replay
from latconf_core.pag.weak_tests import WeakTests, find_weak_tests, last_removals
from latconf_core.wording.mark_reasons import MarkReason, explain_mark
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.drawing.content.graph_drawing import Pair
from latconf_gui.look.colours import Highlight

NOT_LEARNED = "This PAG was not learned here, so its marks have no recorded reasons. Learn one from the data."
NOTHING_LIT: Mapping[Pair, Highlight] = MappingProxyType({})


class LearnedRun(QObject):
    """`changed` when another run can be asked, or none; `failed` where what was kept of it makes no sense."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.replay: Replay | None = None
        self.weak: WeakTests | None = None  # tests of the run, where the data are those that it was learned from
        self._events: tuple[PagEvent, ...] = ()
        self._data: Dataset | None = None
        self._job = LatestJob(self)
        self._job.answered.connect(self._on_answered)
        self._job.failed.connect(self.failed)

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy

    def stop(self) -> None:
        """End what runs in the background."""
        self._job.stop()

    def follow(self, kept: KeptPag | None, data: Dataset | None) -> None:
        """Ask the run of another PAG; an edit of the same PAG changes nothing."""
        events = () if kept is None else kept.events
        learned_from = data if kept is not None and is_of(kept.data, data) else None
        if events is self._events and learned_from is self._data:
            return
        self._events, self._data, self.replay, self.weak = events, learned_from, None, None
        if kept is not None and events:
            nodes = None if isinstance(events[-1], PagLearned) else kept.graph.nodes

            def look(control: RunControl) -> tuple[tuple[PagEvent, ...], Replay, WeakTests | None]:
                removed = last_removals(events)
                weak = None if learned_from is None else find_weak_tests(removed, learned_from, control=control)
                return events, Replay(events, nodes), weak

            self._job.ask(look)
        else:
            self._job.forget()
        self.changed.emit()

    def _on_answered(self, answer: tuple[tuple[PagEvent, ...], Replay, WeakTests | None]) -> None:
        events, replay, weak = answer
        if events is self._events:
            self.replay, self.weak = replay, weak
            self.changed.emit()

    def why_not(self) -> str:
        """Why nothing can be asked, or ""."""
        return "" if self._events else NOT_LEARNED

    def explain(self, graph: MixedGraph, node: str, other: str) -> MarkReason | None:
        """Why the mark at a node is there, or the pair has no edge; None where nobody knows."""
        return None if self.replay is None else explain_mark(self.replay, graph, node, other)

    def removed(self, graph: MixedGraph | None) -> list[EdgeRemoved]:
        """What separated each pair that has no edge in the graph."""
        if self.replay is None or graph is None:
            return []
        removals = (self.replay.events[step] for step in self.replay.removals.values())
        removed = (event for event in removals if isinstance(event, EdgeRemoved))
        at = graph.index
        known = (event for event in removed if event.x in at and event.y in at)
        return [event for event in known if not graph.marks[at[event.x], at[event.y]]]


def highlight_reason(reason: MarkReason | None, graph: MixedGraph, chosen: Pair) -> Mapping[Pair, Highlight]:
    """The edges that a reason speaks of, where they are still there, apart from the chosen one."""
    if reason is None:
        return NOTHING_LIT
    pairs = [frozenset(edge) for edge in reason.edges if graph.is_adjacent(*edge)]
    return {pair: Highlight.PATH for pair in pairs if pair != chosen}
