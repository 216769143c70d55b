"""Nothing that is forbidden in any visited DAG or result, everything required in all: every search and learner."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.knowledge_runs import check_draw, draw_table
from support.random_knowledge import all_dags, contradictions, draw_knowledge, edges_of
from support.small_runs import confounded

import latconf_core
from latconf_core.control import RunControl
from latconf_core.families.objectives import JUDGING
from latconf_core.graph.mixed import empty_graph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.run import SearchRun
from latconf_core.search.runner import prepare_run
from latconf_core.structure.best_dag import best_of, reach_best

N_ALL = 500


def run_with(knowledge: Knowledge) -> SearchRun:
    data = confounded()
    return prepare_run(
        data, empty_graph(data.names), "hc", options=SearchOptions(), control=RunControl(), knowledge=knowledge
    )


def test_that_whatever_a_search_visits_goes_through_the_knowledge() -> None:
    """A search that forgets to ask does not get a forbidden DAG into its history, by either way in."""
    run = run_with(Knowledge(tiers=(("A",), ("B",)), no_hidden_cause=(("A", "C"),)))
    n = run.dataset.n_variables
    against = [BitDag((0b10, *(0,) * (n - 1))), BitDag((0,) * n, (Hidden(0b101),))]
    allowed = BitDag((0, 0b1, *(0,) * (n - 2)))
    for candidate in against:
        with pytest.raises(ValueError, match="the knowledge rules out"):
            run.record(candidate, 0.0, level=0)
        assert run.score_all([candidate]) == [-float("inf")]
    events = list(run.visit([*against, allowed], level=0))
    assert [event.candidate for event in events] == [allowed]
    assert run.findings.n_excluded == len(against)
    assert [visit.candidate for visit in run.history] == [allowed]


def test_that_only_a_run_writes_its_history() -> None:
    """What adds visits past SearchRun would pass the knowledge by."""
    room = Path(latconf_core.__file__).parent / "search"
    writers = {path.name for path in room.rglob("*.py") if "history.add(" in path.read_text(encoding="utf-8")}
    assert writers == {"run.py"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_that_the_best_dag_of_a_table_is_the_best_of_all_that_the_knowledge_allows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = draw_table(rng)
    knowledge, n = draw_knowledge(rng, table.names), table.n_variables
    score = Scorer(table, JUDGING.apply(VbemOptions())).family_score
    best = best_of(reach_best(n, score, seed=0, checkpoint=lambda: None, known=knowledge.bind(table.names)))
    by_score = sorted(all_dags(n), key=lambda parents: -sum(map(score, range(n), parents)))
    truth = next(p for p in by_score if not contradictions(knowledge, table.names, edges_of(table.names, p), []))
    assert best.is_exact
    assert best.score == pytest.approx(sum(map(score, range(n), truth)), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 61, 133])
def test_that_no_search_or_learner_contradicts_knowledge(seed: int) -> None:
    assert list(check_draw(seed)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, N_ALL, 50))
def test_that_no_search_or_learner_contradicts_any_of_many(first: int) -> None:
    assert [said for seed in range(first, first + 50) for said in check_draw(seed)] == []
