"""Where cells are run: lanes, each with one cell at a time and a memory of what cells on its data share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from latconf_core.bench.cell import Cell, CellResult
from latconf_core.bench.run_cell import run_cell
from latconf_core.bench.shared_work import NOTHING_KNOWN, Known, SharedWork
from latconf_core.control import RunControl, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.workers_port import OneWorker, Workers

MOST_REMEMBERED = 2  # data sets of a lane


@dataclass(frozen=True, eq=False)
class Task:
    """A cell with all that running it takes, in this process or in another."""

    cell: Cell
    dataset: Dataset
    known: Known = NOTHING_KNOWN


# Each lane remembers what cells on the same data share; a cell is done in one that is free.
Lanes = Workers[Task, CellResult]


class LaneMemory:
    """What one lane has worked out for the data sets that it saw last."""

    def __init__(self) -> None:
        self._of: dict[str, SharedWork] = {}

    def run(self, task: Task, *, control: RunControl, workers: int) -> CellResult | None:
        """Run a cell with what is remembered of its data; None where it is stopped."""
        shared = self._of.pop(task.cell.digest, None) or SharedWork(task.dataset)
        self._of[task.cell.digest] = shared  # the last that was used
        while len(self._of) > MOST_REMEMBERED:
            self._of.pop(next(iter(self._of)))
        shared.take_over(task.cell, task.known)
        try:
            return run_cell(task.cell, shared, control=control, workers=workers)
        except StopRequested:
            return None


def begin_lane(workers: int, control: RunControl) -> Callable[[Task], CellResult | None]:
    """What runs a cell with so many threads in one lane."""
    memory = LaneMemory()
    return lambda task: memory.run(task, control=control.child(), workers=workers)


class ThisThread(OneWorker[Task, CellResult]):
    """One lane: each cell is run at once, in the thread that hands it in."""

    def __init__(self, control: RunControl, *, workers: int = 1) -> None:
        super().__init__(partial(begin_lane, workers), control)
