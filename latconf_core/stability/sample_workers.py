"""Who works on samples: this thread, processes beside it, or whoever else takes a number and gives an outcome."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Protocol

from latconf_core.control import RunControl, StopRequested
from latconf_core.errors import LatconfError
from latconf_core.search.scoring_port import InThread
from latconf_core.stability.run_sample import SampleOutcome, SampleWork, run_sample
from latconf_core.worker_processes import WorkerProcesses

LOST = "a process that worked on a sample has ended by itself, perhaps for want of memory; try again with fewer workers"


class LostWorkerError(LatconfError):
    """A process ended that was not asked to."""

    def __init__(self) -> None:
        super().__init__(LOST)


class SampleWorkers(Protocol):
    """Works on samples; what comes out never depends on which implementation does, or on how many work."""

    n_workers: int  # samples that are worked on at a time

    def submit(self, worker: int, number: int, /) -> Future[SampleOutcome | None]:
        """Begin the sample of this number by a worker that is free, from 0; None comes of one that was given up."""

    def close(self) -> None:
        """Give up what is under way; nothing runs any more."""


MakeWorkers = Callable[[SampleWork, RunControl], SampleWorkers]


class InThisThread:
    """Works on each sample at once, in the thread that asks for it."""

    n_workers = 1

    def __init__(self, work: SampleWork, control: RunControl) -> None:
        self._thread = InThread(_begin(work, control))

    def submit(self, worker: int, number: int) -> Future[SampleOutcome | None]:
        return self._thread.submit(number)

    def close(self) -> None:
        """Nothing is ever under way."""


class InProcesses:
    """Works on several samples at a time, each in a process of its own; the data are sent to each once."""

    def __init__(self, work: SampleWork, n_workers: int) -> None:
        self.n_workers = n_workers
        self._processes: WorkerProcesses[int, SampleOutcome | None] = WorkerProcesses(
            n_workers, partial(_begin, work), lost=LostWorkerError
        )

    def submit(self, worker: int, number: int) -> Future[SampleOutcome | None]:
        return self._processes.submit(worker, number)

    def close(self) -> None:
        """Every process leaves its sample at the next checkpoint and ends."""
        self._processes.close()


def make_workers(work: SampleWork, control: RunControl) -> SampleWorkers:
    """As many processes as the options say, and no more than there are samples; this thread where that is one."""
    n_workers = min(work.options.workers, work.options.samples)
    return InThisThread(work, control) if n_workers == 1 else InProcesses(work, n_workers)


def _begin(work: SampleWork, control: RunControl) -> Callable[[int], SampleOutcome | None]:
    """What works on the sample of a number, here or in another process; None where it is stopped."""

    def run(number: int) -> SampleOutcome | None:
        try:
            return run_sample(work, number, control=control.child())
        except StopRequested:
            return None

    return run
