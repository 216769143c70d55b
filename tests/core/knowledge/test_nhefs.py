"""The walk of an epidemiologist: NHEFS, 17 columns, tiers by time. Nothing runs against time anywhere."""

from __future__ import annotations

from html import unescape
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from support.knowledge_runs import pag_against, said_against

from latconf_core import write_report
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.runner import run_search
from latconf_core.stability.stability_run import StabilityFinished, start_stability
from latconf_core.wording.verdicts import verdict

EARLY = ("sex", "age", "race")
IN_1971 = (
    *("income", "marital", "education", "ht", "wt71", "smokeyrs", "asthma", "hbp"),
    *("alcoholfreq", "active", "exercise"),
)
LATER = ("qsmk", "wt82", "death")
TIERS = Knowledge(tiers=(EARLY, IN_1971, LATER))
MOST_STATES = 6  # with more, a column is cut at its thirds


@pytest.fixture(scope="module")
def nhefs() -> Dataset:
    """The columns as states: numbers at their thirds, missing cells as a state of their own."""
    causaldata = pytest.importorskip("causaldata", reason="the table is in the test extra causaldata")
    table = causaldata.nhefs.load_pandas().data
    columns, states = [], []
    for name in (*EARLY, *IN_1971, *LATER):
        values = table[name].to_numpy(dtype=float)
        if len(np.unique(values[~np.isnan(values)])) > MOST_STATES:
            known = values[~np.isnan(values)]
            values = np.where(np.isnan(values), np.nan, np.searchsorted(np.quantile(known, [1 / 3, 2 / 3]), values))
        seen, codes = np.unique(np.where(np.isnan(values), -1.0, values), return_inverse=True)
        columns.append(codes)
        states.append(["missing" if value < 0 else f"{value:g}" for value in seen])
    return Dataset((*EARLY, *IN_1971, *LATER), states, np.stack(columns, axis=1))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fci", "gfci", "boss-fci"])
def test_that_no_mark_of_a_pag_runs_against_time(nhefs: Dataset, method: str) -> None:
    graph = run_learner(nhefs, PagOptions(method=method), knowledge=TIERS).graph
    assert nhefs.n_variables == 17
    assert graph.n_edges > 5
    assert pag_against(TIERS, graph) == []


@pytest.mark.slow
@pytest.mark.parametrize("search", ["no-latents", "hc", "glsl"])
def test_that_no_visit_of_a_search_runs_against_time(nhefs: Dataset, search: str) -> None:
    options = SearchOptions(seed=1, time_limit=60)
    table = Dataset(nhefs.names, nhefs.states, nhefs.codes[:: 3 if search == "glsl" else 1])  # a third of its time
    result = run_search(table, empty_graph(nhefs.names), search, options=options, knowledge=TIERS)
    assert len(result.history) > (20 if search == "glsl" else 0)
    assert all(said_against(TIERS, result.history.dag(visit.index)) == [] for visit in result.history)


@pytest.mark.exhaustive
@pytest.mark.parametrize("search", ["auto", "refine", "ilc-v", "hclc-v"])
def test_that_model_and_report_keep_to_time_and_the_verdict_says_what_the_tiers_changed(
    nhefs: Dataset, search: str, tmp_path: Path
) -> None:
    pag: MixedGraph = empty_graph(nhefs.names)
    if SEARCHES[search].needs_pag:
        pag = run_learner(nhefs, PagOptions(method="gfci"), knowledge=TIERS).graph
    result = run_search(nhefs, pag, search, options=SearchOptions(seed=1, time_limit=300), knowledge=TIERS)
    assert result.best is not None
    assert all(said_against(TIERS, result.history.dag(visit.index)) == [] for visit in result.history)
    assert said_against(TIERS, result.best) == []
    assert pag_against(TIERS, result.pag) == []
    assert result.determined_pag is not None
    backwards = [pair for pair in permutations(nhefs.names, 2) if TIERS.forbids_ancestor(*pair)]
    edges = {str(result.determined_pag.edge(*pair)) for pair in backwards if result.determined_pag.is_adjacent(*pair)}
    assert [edge for edge in edges if " --> " in edge] == []  # circles stay: it tells of the data alone
    assert result.knowledge_effect is not None, "17 variables, and the best DAG has death above age"
    assert "Without your tiers" in verdict(result)
    write_report(result, tmp_path / "report.html", data=nhefs)
    said = unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "Without your tiers" in said
    assert [
        text for late, early in backwards for text in (f"{late} → {early}", f"{late} --> {early}") if text in said
    ] == []


@pytest.mark.exhaustive
def test_that_no_sample_runs_against_time(nhefs: Dataset) -> None:
    options = StabilityOptions(
        samples=3, learner=PagOptions(method="gfci"), search="hclc-v", search_options=SearchOptions(time_limit=60)
    )
    *_, last = start_stability(nhefs, options, knowledge=TIERS)
    assert isinstance(last, StabilityFinished)
    outcomes = last.stability.outcomes
    assert len(outcomes) == 3
    for outcome in outcomes:
        assert outcome.dag is not None, outcome.failure
        assert said_against(TIERS, outcome.dag) == []
