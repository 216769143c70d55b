"""The best DAG without hidden causes (P*): hill-climbing and search over orders on the scores of families."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from latconf_core.control import RunControl, StopReason
from latconf_core.score.scorer import Scorer
from latconf_core.search.candidate import Candidate
from latconf_core.search.outcome.events import LevelStarted, Search, SearchEvent
from latconf_core.search.outcome.reference import Reference
from latconf_core.search.run import SearchRun
from latconf_core.structure.best_dag import MAX_PARENTS, FoundDag, choose_best, search_best_dag
from latconf_core.structure.family_table import FamilyTable

N_KEPT = 3  # different ones, from which a search for hidden causes may start


def no_latents(run: SearchRun) -> Search:
    """Visit the DAGs without latents that the search for the best one reaches."""
    yield from find_reference(run, control=run.control)
    run.is_judged = True
    return StopReason.FINISHED


def find_reference(
    run: SearchRun, *, control: RunControl, keep: list[FoundDag] | None = None
) -> Generator[SearchEvent, None, list[FoundDag]]:
    """The best different DAGs without latents, best first; the run's reference is the best of them so far.

    keep : gets every one that is reached, so that a stop loses none
    """
    scorer = scorer_of(run)
    yield LevelStarted(0, None)
    table = FamilyTable(run.dataset.n_variables, scorer.family_score, max_parents=MAX_PARENTS)
    found: list[FoundDag] = [] if keep is None else keep
    rng = np.random.default_rng(run.options.seed)
    for one in search_best_dag(table, rng=rng, checkpoint=control.checkpoint):
        found.append(one)
        candidate = Candidate(one.parents)
        set_reference(run, candidate, one.score)
        yield run.record(candidate, one.score, n_bidirected=0)
    return best_different(found)


def best_different(found: list[FoundDag]) -> list[FoundDag]:
    """The best of those that were reached."""
    return list(choose_best(iter(found), N_KEPT))


def set_reference(run: SearchRun, candidate: Candidate, p_elbo: float) -> None:
    """Keep a DAG without latents as the reference where it is the best so far."""
    if run.reference is None or p_elbo > run.reference.p_elbo:
        run.reference = Reference(candidate.to_dag(run.dataset.names), p_elbo)


def scorer_of(run: SearchRun) -> Scorer:
    """The scorer of a run on data."""
    if run.scorer is None:
        raise ValueError("this search scores families and posteriors itself; a run with made-up scores has none")
    return run.scorer
