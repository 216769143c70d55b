"""Who works on samples: this thread, processes beside it, or whoever else takes a number and gives an outcome."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from latconf_core.control import RunControl
from latconf_core.errors import LatconfError
from latconf_core.stability.run_sample import SampleOutcome, SampleWork, run_sample
from latconf_core.worker_processes import WorkerProcesses
from latconf_core.workers_port import OneWorker, Workers, until_stopped

LOST = "a worker process ended unexpectedly, perhaps because memory ran out; try again with fewer workers"


class LostWorkerError(LatconfError):
    """A process ended that was not asked to."""

    def __init__(self) -> None:
        super().__init__(LOST)


MakeWorkers = Callable[[SampleWork, RunControl], Workers[int, SampleOutcome]]


def make_workers(work: SampleWork, control: RunControl) -> Workers[int, SampleOutcome]:
    """As many processes as the options say, and no more than there are samples; this thread where that is one."""
    n_workers, begin = min(work.options.workers, work.options.samples), partial(begin_samples, work)
    return OneWorker(begin, control) if n_workers == 1 else WorkerProcesses(n_workers, begin, lost=LostWorkerError)


def begin_samples(work: SampleWork, control: RunControl) -> Callable[[int], SampleOutcome | None]:
    """What works on the sample of a number, here or elsewhere; the data are sent with the work, once."""
    return until_stopped(lambda number, sample_control: run_sample(work, number, control=sample_control), control)
