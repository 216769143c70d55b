"""Stability, bench and draws with nothing hidden: nothing runs against the tiers in any of their tables."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.knowledge_runs import pag_against, said_against
from support.small_bench import confounded, fill, small_plan

from latconf_core.bench.bench_plan import make_plan
from latconf_core.control import RunControl
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.search.runner import run_search
from latconf_core.stability.null_draw import NullSearch, draw_table
from latconf_core.stability.search_again import search_again, search_of
from latconf_core.stability.stability_run import StabilityFinished, start_stability

BACKWARDS = Knowledge(tiers=(("D",), ("C",), ("B",), ("A",)), no_hidden_cause=(("A", "B"),))
N_ROWS = 300
GFCI = PagOptions(method="gfci")


def test_that_no_sample_runs_against_the_tiers() -> None:
    options = StabilityOptions(samples=3, learner=GFCI, search="hclc-v", search_options=SearchOptions(seed=1))
    *_, last = start_stability(confounded(N_ROWS, 1), options, knowledge=BACKWARDS)
    assert isinstance(last, StabilityFinished)
    outcomes = last.stability.outcomes
    assert len(outcomes) == 3
    for outcome in outcomes:
        assert outcome.pag is not None
        assert outcome.dag is not None
        assert outcome.dag.edges
        assert said_against(BACKWARDS, outcome.dag) == []
        assert pag_against(BACKWARDS, MixedGraph.from_edges(outcome.dag.nodes, outcome.pag)) == []


def test_that_no_draw_of_a_calibration_runs_against_the_tiers_of_its_run() -> None:
    data = confounded(N_ROWS, 1)
    pag = run_learner(data, GFCI, knowledge=BACKWARDS).graph
    result = run_search(data, pag, "hclc-v", options=SearchOptions(seed=1), knowledge=BACKWARDS)
    assert result.posterior is not None
    again = search_of(result, None, GFCI)
    work = NullSearch(result.posterior.network(), N_ROWS, again)
    for number in range(2):
        drawn = search_again(again, draw_table(work, number), seed=number, control=RunControl())
        assert drawn.knowledge == BACKWARDS
        assert pag_against(BACKWARDS, drawn.pag) == []
        assert all(said_against(BACKWARDS, drawn.history.dag(visit.index)) == [] for visit in drawn.history)


@pytest.mark.parametrize("learner", ["fci", "gfci"])
def test_that_no_cell_of_a_bench_runs_against_the_tiers(learner: str) -> None:
    free = small_plan("hclc-v", "no-latents", "hc", learners=(learner,), n_rows=N_ROWS)
    plan = make_plan(free.data, replace(free.options, knowledge=BACKWARDS))
    rows = [row for row in fill(plan)[0].rows() if not row.cell.is_truth]
    assert len(rows) == 6
    for row in rows:
        assert row.result.dag is not None, row.result.notes
        assert said_against(BACKWARDS, row.result.dag) == []
