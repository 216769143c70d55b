"""Whole pieces of work on a cluster: what all have in common is sent once, that of a lost worker is done by another."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from latconf_core.cluster.connection import Cluster, connect
from latconf_core.cluster.on_worker import check_versions, task_control
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.cluster.versions import Versions
from latconf_core.workers_port import Begin

Task = TypeVar("Task")
Result = TypeVar("Result")


class ClusterWorkers(Generic[Task, Result]):
    """As many pieces of work at a time as the cluster has threads, at most so many."""

    def __init__(self, cluster: Cluster, begin: Begin[Task, Result], most: int) -> None:
        self.n_workers = max(1, min(cluster.n_threads, most))
        self._cluster, self._begin = cluster, begin
        self._under_way: dict[int, Future[Result | None]] = {}

    def submit(self, worker: int, task: Task) -> Future[Result | None]:
        future: Future[Result | None] = self._cluster.submit(run_there, self._begin, task, self._cluster.versions)
        self._under_way[worker] = future
        return future

    def close(self) -> None:
        """Every worker leaves its task at the next checkpoint."""
        self._cluster.give_up(self._under_way.values())


@contextmanager
def connect_if_asked(scheduler: Scheduler | None) -> Iterator[Cluster | None]:
    """A connection closed in the end; None where no scheduler is named. ClusterError where it cannot be made."""
    if scheduler is None:
        yield None
        return
    with connect(scheduler) as cluster:
        yield cluster


def run_there(begin: Begin[Any, Any], task: Any, expected: Versions) -> Any:
    """What comes of a task, on a worker of the cluster; None where it is given up."""
    check_versions(expected)
    return begin(task_control())(task)
