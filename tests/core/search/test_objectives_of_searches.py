"""What searches maximise, under which objective latents are judged, and how stored results say so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.hidden_causes import confounded_data

from latconf_core.errors import OptionError
from latconf_core.families.objectives import OBJECTIVES
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.score.naming import price_of
from latconf_core.score.scorer import Scorer
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_core.search.setup import choose_objective

DATA = confounded_data(0)
PAPER = {"ilc-v", "hclc-v", "cil", "glsl", "glsl+cil"}


def no_pag() -> MixedGraph:
    return empty_graph(DATA.names)


def test_that_the_published_searches_maximise_p_elbo_and_ours_the_calibrated_score() -> None:
    chosen = {name: choose_objective(SearchOptions(), method).objective for name, method in SEARCHES.items()}
    assert {name for name, objective in chosen.items() if objective == "paper"} == PAPER
    assert set(chosen.values()) == {"paper", "calibrated"}


def test_that_a_prior_chosen_by_itself_names_no_objective() -> None:
    options = SearchOptions(vbem=VbemOptions(prior="uniform"))
    assert choose_objective(options, SEARCHES["refine"]) == options


@pytest.mark.parametrize("search", ["refine", "auto"])
def test_that_a_search_that_judges_as_it_goes_refuses_the_papers_objective(search: str) -> None:
    with pytest.raises(OptionError, match="omit the objective"):
        run_search(DATA, no_pag(), search, options=SearchOptions(objective="paper"))


@pytest.mark.parametrize("objective", ["paper", "calibrated"])
def test_that_the_score_of_a_result_is_its_p_elbo_less_the_price(objective: str) -> None:
    result = run_search(DATA, no_pag(), "hc", options=SearchOptions(objective=objective))  # type: ignore[arg-type]
    assert result.best is not None
    assert result.score is not None
    vbem = OBJECTIVES[objective].apply(VbemOptions())  # type: ignore[index]
    again = Scorer(DATA, vbem).score(result.best)
    assert (result.score, result.p_elbo) == pytest.approx((again.score, again.p_elbo), abs=1e-6)
    assert result.p_elbo == pytest.approx(result.score + price_of(result.best, vbem), abs=1e-9)
    told = result.to_json()
    assert (told["objective"], told["score"], told["p_elbo"]) == (objective, result.score, result.p_elbo)


def test_that_latents_of_a_published_search_are_judged_under_the_calibrated_objective() -> None:
    result = run_search(DATA, no_pag(), "glsl", options=SearchOptions(seed=1))
    assert result.objective is OBJECTIVES["paper"]
    assert result.judged_under == "calibrated"
    assert result.reference is not None
    calibrated = Scorer(DATA, OBJECTIVES["calibrated"].apply(VbemOptions()))
    assert result.reference.score == pytest.approx(calibrated.score(result.reference.dag).score, abs=1e-6)
    paper = Scorer(DATA, VbemOptions()).score(result.reference.dag).score
    assert result.reference_score == pytest.approx(paper, abs=1e-6)


def test_that_a_result_of_the_last_version_opens_as_the_papers_judged_by_the_older_rule() -> None:
    result = run_search(DATA, no_pag(), "glsl", options=SearchOptions(seed=1))
    content = result.to_json()
    for key in ("objective", "objective_version", "score", "judged_under"):
        del content[key]
    for key in ("objective", "score", "search_score"):
        del content["reference"][key]
    del content["options"]["objective"], content["options"]["vbem"]["prices"]
    back = SearchResult.from_json({**content, "version": 2}, history=result.history)
    assert (back.objective, back.judged_under) == (OBJECTIVES["paper"], "paper")
    assert back.score == result.score
    assert back.reference is not None
    assert (back.reference.objective, back.reference.score) == ("paper", back.reference.p_elbo)


def test_that_the_objective_survives_json() -> None:
    options = replace(SearchOptions(), objective="calibrated")
    assert SearchOptions.from_json(options.to_json()) == options
