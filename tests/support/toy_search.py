"""A search that scores one DAG: what it takes to add one."""

from __future__ import annotations

from latconf_core.control import StopReason
from latconf_core.model.bit_dag import BitDag
from latconf_core.search.catalogue import SearchMethod
from latconf_core.search.outcome.events import LevelStarted, Search
from latconf_core.search.run import SearchRun


def no_edges(run: SearchRun) -> Search:
    """Score the DAG without any edge."""
    yield LevelStarted(0, 1)
    yield from run.visit([BitDag((0,) * run.dataset.n_variables)], level=0)
    return StopReason.FINISHED


TOY = SearchMethod(
    "toy", "Toy", "Scores the DAG without edges.", "support.toy_search:no_edges", options=("seed",), needs_pag=False
)
