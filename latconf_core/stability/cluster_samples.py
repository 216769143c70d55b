"""Samples on a cluster: each is worked on by one of its workers, the data are sent once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from latconf_core.cluster.cluster_workers import ClusterWorkers, connect_if_asked
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.stability.sample_workers import MakeWorkers, begin_samples, make_workers


@contextmanager
def open_workers(scheduler: Scheduler | None) -> Iterator[MakeWorkers]:
    """What `start_stability` takes as its `workers`: those of a scheduler, or of this computer where there is none."""
    with connect_if_asked(scheduler) as cluster:
        if cluster is None:
            yield make_workers
        else:
            yield lambda work, _control: ClusterWorkers(cluster, partial(begin_samples, work), work.options.samples)
