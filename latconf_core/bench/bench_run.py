"""Runs the cells of a bench that are not finished yet, some at a time, and tells of each."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace

from latconf_core.bench.bench_plan import BenchPlan
from latconf_core.bench.cell import Cell, CellResult
from latconf_core.bench.cell_store import CellStore
from latconf_core.bench.lanes import Lanes, Task
from latconf_core.bench.processes import LostLaneError
from latconf_core.bench.shared_work import Known, known_of
from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.worker_processes import take_result

POLL_SECONDS = 0.05  # between two looks at the control
TELL_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class BenchStarted:
    """How many cells there are."""

    plan: BenchPlan


@dataclass(frozen=True)
class CellStarted:
    """A cell is being run."""

    cell: Cell


@dataclass(frozen=True)
class StillRunning:
    """Nothing has happened for a second; whoever shows the time left shows it anew."""


@dataclass(frozen=True, eq=False)
class CellFinished:
    """A cell has its result.

    is_kept : it was finished before, by another run
    """

    cell: Cell
    result: CellResult
    is_kept: bool = False


@dataclass(frozen=True)
class BenchFinished:
    """The end: FINISHED where every cell has its result, else why it was stopped, with a sentence where one is due."""

    stop_reason: StopReason
    sentence: str = ""


BenchEvent = BenchStarted | CellStarted | StillRunning | CellFinished | BenchFinished


def run_bench(plan: BenchPlan, lanes: Lanes, *, store: CellStore, control: RunControl) -> Iterator[BenchEvent]:
    """The events of a bench; the last is BenchFinished, also where `control` ends it. The lanes are closed then."""
    yield BenchStarted(plan)
    assignment = _Assignment(plan, lanes.n_workers)
    end = BenchFinished(StopReason.FINISHED)
    try:
        yield from _take_kept(assignment, plan, store, control)
        yield from _run_rest(assignment, lanes, store, control)
        end = replace(end, sentence=store.problem)
    except StopRequested as stop:
        end = BenchFinished(stop.reason, stop.sentence)
    finally:
        lanes.close()
    yield end


def _take_kept(assignment: _Assignment, plan: BenchPlan, store: CellStore, control: RunControl) -> Iterator[BenchEvent]:
    for cell in plan.cells:
        control.checkpoint()
        kept = store.load(cell)
        if kept is not None:
            assignment.take(cell, kept)
            yield CellFinished(cell, kept, is_kept=True)


def _run_rest(assignment: _Assignment, lanes: Lanes, store: CellStore, control: RunControl) -> Iterator[BenchEvent]:
    under_way: dict[Future[CellResult | None], tuple[int, Cell]] = {}
    free = list(range(lanes.n_workers))
    told = control.seconds()
    while True:
        while free and (cell := assignment.next_cell(free[0])) is not None:
            lane = free.pop(0)
            yield CellStarted(cell)
            control.checkpoint()
            under_way[lanes.submit(lane, assignment.task(cell))] = lane, cell
        if not under_way:
            return
        done = wait(under_way, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED).done
        for future in done:
            lane, cell = under_way.pop(future)
            result = take_result(future, control, lost=LostLaneError)
            free.append(lane)
            store.save(cell, result)
            assignment.take(cell, result)
            yield CellFinished(cell, result)
        control.checkpoint()
        if control.seconds() - told > TELL_SECONDS:
            told = control.seconds()
            yield StillRunning()


class _Assignment:
    """Which cell a lane runs next: one on the data that it knows, else on data that no lane has, else it helps out."""

    def __init__(self, plan: BenchPlan, n_lanes: int) -> None:
        self._plan = plan
        sizes = {entry.name: entry.dataset.codes.size for entry in plan.data}
        # The largest first: what is left for the end is short.
        self._left: dict[str, list[Cell]] = {name: [] for name in sorted(sizes, key=lambda name: -sizes[name])}
        for cell in plan.cells:
            self._left[cell.data].append(cell)
        self._data_of: list[str | None] = [None] * n_lanes
        self._found: dict[str, list[tuple[Cell, CellResult]]] = {}

    def take(self, cell: Cell, result: CellResult) -> None:
        """Note the result of a cell, which need not be run any more."""
        if cell in self._left[cell.data]:
            self._left[cell.data].remove(cell)
        self._found.setdefault(cell.digest, []).append((cell, result))

    def next_cell(self, lane: int) -> Cell | None:
        """The next cell of a lane; None where nothing is left."""
        name = self._data_of[lane]
        if name is not None and self._left[name]:
            return self._left[name].pop(0)
        fresh = [value for value, cells in self._left.items() if cells and value not in self._data_of]
        if fresh:
            self._data_of[lane] = fresh[0]
            return self._left[fresh[0]].pop(0)
        most = max(self._left, key=lambda name: len(self._left[name]))
        return self._left[most].pop() if self._left[most] else None

    def task(self, cell: Cell) -> Task:
        """The cell with what finished cells on the same data have found for it."""
        pag, reference = None, None
        for other, result in self._found.get(cell.digest, ()):
            known = known_of(result, other, of=cell)
            pag, reference = pag or known.pag, reference or known.reference
        return Task(cell, self._plan.find(cell.data).dataset, Known(pag, reference))
