"""Lanes on a cluster: whole cells go to its workers.

Fits alone would not do: of a cell's time a third to two thirds are fits, the rest (tests of independence, listing,
counting) would stay on this computer. A cell takes a second or more, so that the journey does not matter.
"""

from __future__ import annotations

from concurrent.futures import Future
from functools import cache
from threading import local

from latconf_core.bench.cell import Cell, CellResult
from latconf_core.bench.lanes import LaneMemory, Task
from latconf_core.bench.processes import warm_up
from latconf_core.bench.shared_work import Known
from latconf_core.cluster.connection import Cluster
from latconf_core.cluster.on_worker import check_versions, task_control
from latconf_core.cluster.versions import Versions
from latconf_core.data.dataset import Dataset


class ClusterLanes:
    """As many lanes as the cluster has threads; a cell of a lost worker is run by another."""

    def __init__(self, cluster: Cluster, n_cells: int) -> None:
        self.n_workers = max(1, min(cluster.n_threads, n_cells))
        self._cluster = cluster
        self._under_way: dict[int, Future[CellResult | None]] = {}

    def submit(self, lane: int, task: Task) -> Future[CellResult | None]:
        future = self._cluster.submit(run_cell_there, task.dataset, task.cell, task.known, self._cluster.versions)
        self._under_way[lane] = future
        return future

    def close(self) -> None:
        """Every worker leaves its cell at the next checkpoint."""
        self._cluster.give_up(self._under_way.values())


def run_cell_there(dataset: Dataset, cell: Cell, known: Known, expected: Versions) -> CellResult | None:
    """The result of a cell, on a worker; None where it is given up."""
    check_versions(expected)
    _get_ready()
    return _own_memory().run(Task(cell, dataset, known), control=task_control(), workers=1)


@cache
def _get_ready() -> None:
    warm_up()


@cache
def _memories() -> local:
    return local()


def _own_memory() -> LaneMemory:
    """What this thread of the worker remembers of the data that it saw last."""
    memories = _memories()
    if not hasattr(memories, "own"):
        memories.own = LaneMemory()
    memory: LaneMemory = memories.own
    return memory
