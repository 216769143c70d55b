"""The bench that runs: data are read, cells run and rows worked out beside the window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from latconf_core.bench.bench_plan import BenchOptions, make_plan
from latconf_core.bench.bench_row import BenchRow
from latconf_core.bench.bench_run import BenchFinished, BenchStarted, CellFinished, CellStarted, StillRunning, run_bench
from latconf_core.bench.bench_table import BenchTable
from latconf_core.bench.cell import Cell
from latconf_core.bench.cell_store import CellStore
from latconf_core.bench.opening_lanes import open_lanes
from latconf_core.bench.time_left import TimeLeft
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.control import Progress, RunControl, StopReason
from latconf_gui.background.run_thread import RunThread
from latconf_gui.background.runs import Runs
from latconf_gui.pages.compare.bench.bench_sources import Source, load_sources

TEXT = "Running the benchmark"


@dataclass(frozen=True, eq=False)
class TableFilled:
    """All rows that are known, worked out on the run's own thread."""

    rows: dict[Cell, BenchRow]


class BenchRunning(QObject):
    """At most one bench at a time. Finished cells are remembered: the next bench runs only what is new.

    `began(BenchTable)`, then `filled(rows)` and `progressed(Progress)` as it goes, `ended` in the end.
    """

    began = Signal(object)
    filled = Signal(object)
    progressed = Signal(object)
    running_changed = Signal(object)
    ended = Signal()

    def __init__(self, runs: Runs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs = runs
        self._store = CellStore(None)
        self._thread: RunThread | None = None
        self._under_way: set[Cell] = set()
        self.stop_reason: StopReason | None = None
        self.stop_sentence = ""

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    def start(
        self, sources: Sequence[Source], options: BenchOptions, *, workers: int, scheduler: Scheduler | None = None
    ) -> None:
        """Run what is not known yet of a bench, on some cores of this computer or on a cluster."""
        if self.is_running:
            return
        chosen, store, work_place = tuple(sources), self._store, scheduler or workers
        thread = RunThread(lambda control: _events(chosen, options, store, control=control, place=work_place))
        thread.events.connect(self._on_events)
        thread.ended.connect(self._on_ended)
        self._thread, self.stop_reason, self.stop_sentence = thread, None, ""
        self._under_way = set()
        self._runs.start(thread, TEXT)

    def stop(self) -> None:
        """End it; finished cells are kept."""
        if self._thread is not None:
            self._thread.cancel()

    def _on_events(self, events: list[object]) -> None:
        for event in events:
            if isinstance(event, BenchTable):
                self.began.emit(event)
            elif isinstance(event, CellStarted):
                self._under_way.add(event.cell)
            elif isinstance(event, CellFinished):
                self._under_way.discard(event.cell)
            elif isinstance(event, BenchFinished):
                self.stop_reason, self.stop_sentence = event.stop_reason, event.sentence
        self._show_last(events)

    def _show_last(self, events: list[object]) -> None:
        """Of many rows and steps only the last are worth showing."""
        self.running_changed.emit(set(self._under_way))
        for kind, signal in ((TableFilled, self.filled), (Progress, self.progressed)):
            last = next((event for event in reversed(events) if isinstance(event, kind)), None)
            if last is not None:
                signal.emit(last.rows if isinstance(last, TableFilled) else last)

    def _on_ended(self) -> None:
        self._thread = None
        self._under_way = set()
        self.running_changed.emit(set())
        self.ended.emit()


def _events(
    sources: Sequence[Source], options: BenchOptions, store: CellStore, *, control: RunControl, place: int | Scheduler
) -> Iterator[object]:
    """The events of a bench with its table, rows and progress, on the run's own thread."""
    yield Progress(0, None, "reading the data")
    plan = make_plan(load_sources(sources), options)
    with open_lanes(place, plan, control) as lanes:
        table, left = BenchTable(plan), TimeLeft(plan, lanes.n_workers)
        for event in run_bench(plan, lanes, store=store, control=control):
            table.see(event)
            left.see(event)
            if isinstance(event, BenchStarted):
                yield table
            elif not isinstance(event, StillRunning):
                yield event
            if isinstance(event, CellFinished):
                yield TableFilled({row.cell: row for row in table.rows()})
            yield left.progress()
