"""The best DAG without hidden causes (P*): hill-climbing and search over orders on the scores of families."""

from __future__ import annotations

from collections.abc import Generator

from latconf_core.control import RunControl, StopReason
from latconf_core.model.bit_dag import BitDag
from latconf_core.search.outcome.events import LevelStarted, Search, SearchEvent
from latconf_core.search.references import best_different
from latconf_core.search.run import SearchRun
from latconf_core.structure.best_dag import FoundDag


def no_latents(run: SearchRun) -> Search:
    """Visit the DAGs without latents that the search for the best one reaches."""
    yield from find_reference(run, control=run.control)
    run.is_judged = True
    return StopReason.FINISHED


def find_reference(
    run: SearchRun, *, control: RunControl, keep: list[FoundDag] | None = None
) -> Generator[SearchEvent, None, list[FoundDag]]:
    """Visit the DAGs without latents that the search for the best one reaches; the best different, best first.

    keep : gets every one that is reached, so that a stop loses none
    """
    yield LevelStarted(0, None)
    found: list[FoundDag] = [] if keep is None else keep
    began = run.control.seconds()
    for one in run.references.reach(run.own_scorer, run.options, control=control):
        found.append(one)
        run.reference_seconds = run.control.seconds() - began
        candidate = BitDag(one.parents)
        run.set_reference(candidate, one.score)
        yield run.record(candidate, one.score, level=0)
    return best_different(found)
