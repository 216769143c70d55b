"""Auto refines from several seeds: the best is the result, and it says how many agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from support.hidden_causes import confounded_data

from latconf_core.control import RunControl, StopReason
from latconf_core.graph.mixed import empty_graph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search import references
from latconf_core.search.algorithms.restarting import seed_of
from latconf_core.search.outcome.restarts import Restarts
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.refining.judging import Judge
from latconf_core.search.runner import run_search
from latconf_core.structure.best_dag import FoundDag

OPTIONS = SearchOptions(seed=7, max_states=2, time_limit=None)


def auto(options: SearchOptions = OPTIONS, control: RunControl | None = None) -> SearchResult:
    data = confounded_data(0)
    return run_search(data, empty_graph(data.names), "auto", options=options, control=control)


def claims_of(result: SearchResult) -> set[tuple[str, ...]]:
    return {
        latent_evidence.latent.children for latent_evidence in result.evidence if latent_evidence.support == "strong"
    }


@pytest.mark.slow
def test_that_the_best_of_the_restarts_is_the_result() -> None:
    """Beside as many runs of their own from the same seeds."""
    whole = auto()
    alone = [auto(replace(OPTIONS, seed=seed_of(7, number), restarts=1)) for number in range(3)]
    scores = [scored.score for scored in alone if scored.score is not None]
    assert whole.score == pytest.approx(max(scores), abs=1e-6)
    assert whole.posterior is not None
    assert whole.posterior.score == pytest.approx(whole.score, abs=1e-6)
    agreeing = sum(claims_of(one) == claims_of(whole) for one in alone)
    assert whole.restarts == Restarts(3, 3, agreeing)
    assert claims_of(whole) == {("A", "B", "C", "D")}
    assert whole.seed == 7


def test_that_every_restart_has_its_own_seed_and_the_first_that_of_the_run() -> None:
    assert [seed_of(5, 0), seed_of(6, 0)] == [5, 6]
    assert len({seed_of(seed, number) for seed in range(50) for number in range(1, 10)}) == 450


def test_that_a_work_limit_ends_at_the_same_dag_with_any_workers_and_leaves_out_restarts() -> None:
    whole = auto(replace(OPTIONS, restarts=1))
    limited = replace(OPTIONS, work_limit=len(whole.history) // 2)
    one, two = auto(limited), auto(replace(limited, workers=2))
    assert one.stop_reason is StopReason.WORK_LIMIT
    assert one.history == two.history
    assert (one.best, one.evidence) == (two.best, two.evidence)
    assert one.restarts == Restarts(3, 1, 1)
    assert f"the work limit of {limited.work_limit} DAGs ended the search" in one.cuts
    assert "limits left room for 1 of 3 restarts" in one.cuts


@pytest.mark.parametrize("search", ["refine", "no-latents", "hc"])
def test_that_a_work_limit_binds_other_searches_too(search: str) -> None:
    data = confounded_data(0)
    result = run_search(data, empty_graph(data.names), search, options=SearchOptions(work_limit=2, time_limit=None))
    n_searched = 2 if search != "refine" else len(result.history)  # judging visits what it chooses
    assert len(result.history) == n_searched
    assert result.stop_reason is StopReason.WORK_LIMIT
    assert "the work limit of 2 DAGs ended the search" in result.cuts


@pytest.mark.slow
def test_that_a_run_that_is_stopped_in_a_restart_keeps_what_the_first_found() -> None:
    first = auto(replace(OPTIONS, restarts=1))
    asked = count()
    auto(replace(OPTIONS, restarts=1), RunControl(lambda: next(asked) < 0))
    n_checkpoints = next(asked)
    later = count()
    stopped = auto(control=RunControl(lambda: next(later) > n_checkpoints + 500))
    assert stopped.stop_reason is StopReason.CANCELLED
    assert claims_of(stopped) == claims_of(first)
    assert stopped.restarts is not None
    assert stopped.restarts.made < 3


@pytest.mark.slow
def test_that_the_best_is_judged_again_by_a_better_dag_that_a_later_restart_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first restart is left with the edgeless DAG and judges without looking for better ones."""
    data = confounded_data(0)
    original = references.reach_best_by

    def reach(scorer: Scorer, *, seed: int, **more: Any) -> Iterator[FoundDag]:
        if seed != OPTIONS.seed:
            return original(scorer, seed=seed, **more)
        n_variables = scorer.n_variables
        return iter([FoundDag((0,) * n_variables, sum(scorer.family_score(v, 0) for v in range(n_variables)))])

    monkeypatch.setattr(references, "reach_best_by", reach)
    monkeypatch.setattr(Judge, "look_for_better", lambda judge, model: None)
    judges: list[Judge] = []
    against = Judge.against
    monkeypatch.setattr(Judge, "against", lambda judge, dag: judges.append(against(judge, dag)) or judges[-1])
    alone = auto(replace(OPTIONS, restarts=1))
    result = auto(replace(OPTIONS, restarts=2))
    best = run_search(data, empty_graph(data.names), "no-latents", options=replace(OPTIONS, seed=1))
    assert alone.reference is not None
    assert result.reference is not None
    assert best.score is not None
    assert alone.reference.score < best.score - 3
    assert result.reference.score == pytest.approx(best.score)
    assert [judge.reference.score for judge in judges] == pytest.approx([best.score])
    assert claims_of(result) == {("A", "B", "C", "D")}
