"""Samples on a cluster: each is worked on by one of its workers, the data are sent once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from latconf_core.cluster.connection import Cluster, connect
from latconf_core.cluster.on_worker import check_versions, task_control
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.cluster.versions import Versions
from latconf_core.control import RunControl, StopRequested
from latconf_core.stability.run_sample import SampleOutcome, SampleWork, run_sample
from latconf_core.stability.sample_workers import MakeWorkers, make_workers


class OnCluster:
    """As many samples at a time as the cluster has threads; that of a lost worker is worked on by another."""

    def __init__(self, cluster: Cluster, work: SampleWork) -> None:
        self.n_workers = max(1, min(cluster.n_threads, work.options.samples))
        self._cluster, self._work = cluster, work
        self._under_way: dict[int, Future[SampleOutcome | None]] = {}

    def submit(self, worker: int, number: int) -> Future[SampleOutcome | None]:
        future = self._cluster.submit(run_sample_there, self._work, number, self._cluster.versions)
        self._under_way[worker] = future
        return future

    def close(self) -> None:
        """Every worker leaves its sample at the next checkpoint."""
        self._cluster.give_up(self._under_way.values())


@contextmanager
def open_workers(scheduler: Scheduler | None) -> Iterator[MakeWorkers]:
    """What `start_stability` takes as its `workers`: those of a scheduler, or of this computer where there is none.

    A connection is closed in the end; ClusterError where it cannot be made.
    """
    if scheduler is None:
        yield make_workers
        return
    with connect(scheduler) as cluster:

        def make(work: SampleWork, _control: RunControl) -> OnCluster:
            return OnCluster(cluster, work)

        yield make


def run_sample_there(work: SampleWork, number: int, expected: Versions) -> SampleOutcome | None:
    """What comes of a sample, on a worker; None where it is given up."""
    check_versions(expected)
    try:
        return run_sample(work, number, control=task_control())
    except StopRequested:
        return None
