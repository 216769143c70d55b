"""Searches on this computer or on a cluster, by where one is asked to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from latconf_core.cluster.scheduler import Scheduler
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.search.outcome.events import SearchEvent


def start_search_on(
    scheduler: Scheduler | None, dataset: Dataset, pag: MixedGraph, algorithm: str, **known: Any
) -> Iterator[SearchEvent]:
    """The events of `start_search` with the same arguments, its fits computed by a scheduler's workers if one is given.

    The connection is made with the first event and closed with the last; ClusterError where it cannot be made.
    """
    from latconf_core.search.runner import start_search

    if scheduler is None:
        yield from start_search(dataset, pag, algorithm, **known)
        return
    from latconf_core.cluster.batched_scoring import scoring_of
    from latconf_core.cluster.connection import connect

    with connect(scheduler) as cluster:
        yield from start_search(dataset, pag, algorithm, scoring=scoring_of(cluster), **known)
