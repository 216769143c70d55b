"""Who works on draws: this thread, processes beside it, or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from latconf_core.cluster.cluster_workers import ClusterWorkers, connect_if_asked
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.control import RunControl
from latconf_core.stability.null_draw import NullDraw, NullSearch, run_draw
from latconf_core.stability.sample_workers import LostWorkerError
from latconf_core.worker_processes import WorkerProcesses
from latconf_core.workers_port import OneWorker, Workers, until_stopped

MakeDrawWorkers = Callable[[NullSearch, int, RunControl], Workers[int, NullDraw]]


def make_draw_workers(work: NullSearch, n_workers: int, control: RunControl) -> Workers[int, NullDraw]:
    """So many processes; this thread where that is one."""
    begin = partial(begin_draws, work)
    return OneWorker(begin, control) if n_workers == 1 else WorkerProcesses(n_workers, begin, lost=LostWorkerError)


@contextmanager
def open_draw_workers(scheduler: Scheduler | None) -> Iterator[MakeDrawWorkers]:
    """What `start_calibration` takes as its `workers`: those of a scheduler, else of this computer."""
    with connect_if_asked(scheduler) as cluster:
        if cluster is None:
            yield make_draw_workers
        else:
            threads = cluster.n_threads
            yield lambda work, _n_workers, _control: ClusterWorkers(cluster, partial(begin_draws, work), threads)


def begin_draws(work: NullSearch, control: RunControl) -> Callable[[int], NullDraw | None]:
    """What works on the draw of a number, here or elsewhere."""
    return until_stopped(lambda number, draw_control: run_draw(work, number, control=draw_control), control)
