"""Refine, Auto and the search without hidden causes, on data whose hidden cause is known."""

from __future__ import annotations

import threading
from functools import cache
from itertools import count

import numpy as np
import pytest
from support.builders import mixed
from support.hidden_causes import confounded_data

from latconf_core.control import RunControl, StopReason
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search

HIDDEN = ("A", "B", "C", "D")
N_STOPS = 12


def no_pag() -> MixedGraph:
    names = confounded_data(0).names
    return MixedGraph(names, np.zeros((len(names), len(names)), dtype=np.uint8))


@cache
def result_of(search: str = "refine", *, seed: int = 0, workers: int = 1, is_confounded: bool = True) -> SearchResult:
    data = confounded_data(seed, is_confounded=is_confounded)
    return run_search(data, no_pag(), search, options=SearchOptions(workers=workers, seed=1))


@pytest.mark.parametrize("seed", range(3))
def test_that_the_children_of_a_hidden_cause_are_found(seed: int) -> None:
    result = result_of(seed=seed)
    assert result.best is not None
    assert [latent.children for latent in result.best.latents] == [HIDDEN]
    (evidence,) = result.evidence
    assert evidence.support == "strong"
    assert evidence.density is not None
    assert evidence.density >= 3


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("search", ["refine", "auto"])
def test_that_nothing_is_claimed_where_nothing_is_hidden(search: str, seed: int) -> None:
    result = result_of(search, seed=seed, is_confounded=False)
    assert result.best is not None
    assert result.best.latents == ()
    assert result.evidence == ()


def test_that_the_result_is_not_below_the_best_dag_without_latents() -> None:
    for seed in range(3):
        for is_confounded in (True, False):
            alone = result_of("no-latents", seed=seed, is_confounded=is_confounded)
            refined = result_of(seed=seed, is_confounded=is_confounded)
            assert alone.reference is not None
            assert refined.reference is not None
            assert alone.p_elbo == pytest.approx(alone.reference.p_elbo)
            assert refined.reference.p_elbo >= alone.reference.p_elbo
            assert refined.p_elbo is not None
            assert refined.p_elbo >= refined.reference.p_elbo - 1e-6


@pytest.mark.parametrize("workers", [2, 4])
def test_that_the_number_of_workers_changes_nothing(workers: int) -> None:
    one, several = result_of(), result_of(workers=workers)
    assert several.history == one.history
    assert several.best == one.best
    assert several.evidence == one.evidence


def test_that_the_score_of_the_result_is_that_of_its_posterior_and_at_least_that_of_a_full_fit() -> None:
    result = result_of()
    assert result.posterior is not None
    assert result.best is not None
    assert result.p_elbo == pytest.approx(result.posterior.p_elbo, abs=1e-6)
    alone = Scorer(confounded_data(0), result.options.vbem).score(result.best)
    assert result.p_elbo >= alone.p_elbo - 0.01


def test_that_trials_are_told_from_what_was_fitted_fully() -> None:
    result = result_of()
    scorer = Scorer(confounded_data(0), result.options.vbem)
    assert result.history.chosen is not None
    assert result.history[result.history.chosen].effort == "full"
    assert {visit.effort for visit in result.history if visit.n_latents} == {"light", "full"}
    for index in range(0, len(result.history), 7):
        visit = result.history[index]
        if visit.effort == "full":
            assert visit.p_elbo >= scorer.score(result.history.dag(index)).score - 0.01


def test_that_a_stop_at_any_checkpoint_keeps_what_was_reached() -> None:
    times_asked = count()
    data = confounded_data(0)
    whole = run_search(data, no_pag(), "refine", control=RunControl(lambda: next(times_asked) < 0))
    n_checkpoints = next(times_asked)
    for last in np.random.default_rng(0).integers(n_checkpoints, size=N_STOPS):
        is_over = map(last.__le__, count())
        result = run_search(data, no_pag(), "refine", control=RunControl(is_over.__next__))
        assert result.stop_reason is StopReason.CANCELLED
        visits = list(result.history)
        assert visits == list(whole.history)[: len(visits)]
        if visits:
            assert result.best is not None
            assert result.posterior is not None
            assert result.p_elbo == pytest.approx(result.posterior.p_elbo, abs=1e-6)
        if result.best is not None and result.best.latents:
            assert all(one.latent in result.best.latents for one in result.evidence)


def test_that_a_stop_leaves_no_thread() -> None:
    is_over = map((5000).__le__, count())
    options = SearchOptions(workers=3)
    run_search(confounded_data(0), no_pag(), "refine", options=options, control=RunControl(is_over.__next__))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("latconf-refine")]


def test_that_time_is_kept_back_for_judging() -> None:
    whole, part = count(), count()
    clocks = [RunControl(clock=lambda: next(whole) * 1e-3), RunControl(clock=lambda: next(part) * 1e-3)]
    data = confounded_data(0)
    run_search(data, no_pag(), "refine", options=SearchOptions(time_limit=1e6), control=clocks[0])
    limit = next(whole) * 1e-3 / 2
    result = run_search(data, no_pag(), "refine", options=SearchOptions(time_limit=limit), control=clocks[1])
    assert any("to leave time for the remaining stages" in sentence for sentence in result.cuts)
    assert result.stop_reason is StopReason.TIME_LIMIT
    assert result.best is not None
    assert result.p_elbo is not None


def test_that_json_keeps_the_reference_and_what_each_latent_is_worth() -> None:
    result = result_of("auto")
    content = result.to_json()
    assert content["reference"]["p_elbo"] == result.reference.p_elbo  # type: ignore[union-attr]
    (latent,) = content["latents"]
    assert latent["support"] == "strong"
    assert latent["density"] == result.evidence[0].density
    assert latent["orientation"] in ("requires", "allows", "contradicts")
    again = SearchResult.from_json(content, history=History(result.history.nodes, list(result.history)))
    assert again.reference == result.reference
    assert again.evidence == result.evidence
    assert again.p_elbo == result.p_elbo


def test_that_auto_searches_the_pag_that_is_given() -> None:
    data = confounded_data(0)
    pag = mixed("A <-> B", "B o-> C", nodes=data.names)
    result = run_search(data, pag, "auto", options=SearchOptions(seed=1))
    assert result.pag == pag
    assert [latent.children for latent in result.best.latents] == [HIDDEN]  # type: ignore[union-attr]


def test_that_time_that_is_up_before_the_first_dag_ends_the_search_with_a_sentence() -> None:
    data = confounded_data(0)
    no_pag = MixedGraph.from_edges(data.names, ())
    result = run_search(data, no_pag, "refine", options=SearchOptions(seed=1, time_limit=1e-9))
    assert result.stop_reason is StopReason.TIME_LIMIT
    assert result.best is None or not result.best.latents
