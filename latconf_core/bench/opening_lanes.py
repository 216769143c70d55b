"""Lanes by where a bench is to be run: on cores of this computer, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from latconf_core.bench.bench_plan import BenchPlan
from latconf_core.bench.lanes import Lanes
from latconf_core.bench.processes import make_lanes
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.control import RunControl


@contextmanager
def open_lanes(workers: int | Scheduler, plan: BenchPlan, control: RunControl) -> Iterator[Lanes]:
    """The lanes for a bench; a connection to a cluster is closed in the end. ClusterError where it cannot be made.

    workers : how many cores of this computer, or the scheduler of a cluster
    """
    if isinstance(workers, int):
        yield make_lanes(workers, len(plan.data), control)
        return
    from latconf_core.bench.cluster_lanes import ClusterLanes
    from latconf_core.cluster.connection import connect

    with connect(workers) as cluster:
        yield ClusterLanes(cluster, len(plan.cells))
