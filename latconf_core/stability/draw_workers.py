"""Who works on draws: this thread, processes beside it, or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from latconf_core.cluster.connection import Cluster, connect
from latconf_core.cluster.on_worker import check_versions, task_control
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.cluster.versions import Versions
from latconf_core.control import RunControl, StopRequested
from latconf_core.search.scoring_port import InThread
from latconf_core.stability.null_draw import NullDraw, NullSearch, run_draw
from latconf_core.stability.sample_workers import LostWorkerError
from latconf_core.worker_processes import WorkerProcesses, take_result

POLL_SECONDS = 0.05  # between two looks at the control


class DrawWorkers(Protocol):
    """Works on draws; the figures never depend on who does, or on how many work."""

    n_workers: int

    def submit(self, worker: int, number: int, /) -> Future[NullDraw | None]:
        """Begin the draw of this number by a worker that is free, from 0; None comes of one that was given up."""

    def close(self) -> None:
        """Give up what is under way; nothing runs any more."""


MakeDrawWorkers = Callable[[NullSearch, int, RunControl], DrawWorkers]


class InThisThread:
    """Works on each draw at once, in the thread that asks for it."""

    n_workers = 1

    def __init__(self, work: NullSearch, control: RunControl) -> None:
        self._thread = InThread(_begin(work, control))

    def submit(self, worker: int, number: int) -> Future[NullDraw | None]:
        return self._thread.submit(number)

    def close(self) -> None:
        """Nothing is ever under way."""


class InProcesses:
    """Works on several draws at a time, each in a process of its own."""

    def __init__(self, work: NullSearch, n_workers: int) -> None:
        self.n_workers = n_workers
        self._processes: WorkerProcesses[int, NullDraw | None] = WorkerProcesses(
            n_workers, partial(_begin, work), lost=LostWorkerError
        )

    def submit(self, worker: int, number: int) -> Future[NullDraw | None]:
        return self._processes.submit(worker, number)

    def close(self) -> None:
        """Every process leaves its draw at the next checkpoint and ends."""
        self._processes.close()


class OnCluster:
    """As many draws at a time as the cluster has threads."""

    def __init__(self, cluster: Cluster, work: NullSearch) -> None:
        self.n_workers = max(1, cluster.n_threads)
        self._cluster, self._work = cluster, work
        self._under_way: dict[int, Future[NullDraw | None]] = {}

    def submit(self, worker: int, number: int) -> Future[NullDraw | None]:
        future = self._cluster.submit(run_draw_there, self._work, number, self._cluster.versions)
        self._under_way[worker] = future
        return future

    def close(self) -> None:
        """Every worker leaves its draw at the next checkpoint."""
        self._cluster.give_up(self._under_way.values())


def make_draw_workers(work: NullSearch, n_workers: int, control: RunControl) -> DrawWorkers:
    """So many processes; this thread where that is one."""
    return InThisThread(work, control) if n_workers == 1 else InProcesses(work, n_workers)


@contextmanager
def open_draw_workers(scheduler: Scheduler | None) -> Iterator[MakeDrawWorkers]:
    """What `start_calibration` takes as its `workers`; a connection is closed in the end."""
    if scheduler is None:
        yield make_draw_workers
        return
    with connect(scheduler) as cluster:
        yield lambda work, _n_workers, _control: OnCluster(cluster, work)


def work_on_draws(workers: DrawWorkers, n_draws: int, control: RunControl) -> Iterator[NullDraw]:
    """Every draw as it is done; StopRequested where the control ends it."""
    under_way: dict[Future[NullDraw | None], int] = {}
    free, numbers = list(range(workers.n_workers)), iter(range(1, n_draws + 1))
    try:
        while True:
            while free and (number := next(numbers, None)) is not None:
                control.checkpoint()
                worker = free.pop(0)
                under_way[workers.submit(worker, number)] = worker
            if not under_way:
                return
            for future in wait(under_way, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED).done:
                free.append(under_way.pop(future))
                yield take_result(future, control, lost=LostWorkerError)
            control.checkpoint()
    finally:  # also where nobody asks for more
        workers.close()


def run_draw_there(work: NullSearch, number: int, expected: Versions) -> NullDraw | None:
    """What comes of a draw, on a worker; None where it is given up."""
    check_versions(expected)
    return _begin(work, task_control())(number)


def _begin(work: NullSearch, control: RunControl) -> Callable[[int], NullDraw | None]:
    """What works on the draw of a number, here or in another process; None where it is stopped."""

    def run(number: int) -> NullDraw | None:
        try:
            return run_draw(work, number, control=control.child())
        except StopRequested:
            return None

    return run
