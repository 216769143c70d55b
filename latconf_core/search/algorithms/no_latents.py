"""The best DAG without hidden causes (P*): hill-climbing and search over orders on the scores of families."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.control import RunControl, StopReason
from latconf_core.model.bit_dag import BitDag
from latconf_core.search.outcome.events import LevelStarted, Search, SearchEvent
from latconf_core.search.run import SearchRun
from latconf_core.structure.best_dag import FoundDag


def no_latents(run: SearchRun) -> Search:
    """Visit the DAGs without latents that the search for the best one reaches."""
    yield from visit_references(run, control=run.control, keep=[])
    return StopReason.FINISHED


def visit_references(run: SearchRun, *, control: RunControl, keep: list[FoundDag]) -> Iterator[SearchEvent]:
    """Visit the DAGs without latents that the search for the best one reaches.

    keep : gets every one that is reached, so that a stop loses none
    """
    yield LevelStarted(0, None)
    for reached in run.reach_references(run.own_scorer, control):
        is_known = reached.is_exact and any(
            reached == kept_dag for kept_dag in keep
        )  # which the last step has proved the best
        keep.append(reached)
        if not is_known:
            yield run.record(BitDag(reached.parents), reached.score, level=0)
