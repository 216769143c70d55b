"""Every search says what its latents are worth against the best DAG without any, within its time and when stopped."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from support.builders import mixed
from support.hidden_causes import confounded_data
from support.small_runs import GRAPH, OPTIONS, confounded

from latconf_core.control import RunControl, StopReason
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.judgement import judge_dag
from latconf_core.search.outcome.events import SearchFinished, StageStarted
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.reference import Reference
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.references import References
from latconf_core.search.runner import run_search, start_search

HIDDEN = ("A", "B", "C", "D")
CLIQUE = mixed(*(f"{a} o-o {b}" for k, a in enumerate(HIDDEN) for b in HIDDEN[k + 1 :]), "A o-o E", "B o-o F")
N_STOPS = 50


def result_of(search: str, pag: MixedGraph = CLIQUE, **more: object) -> SearchResult:
    options = SearchOptions(seed=1, max_bidirected=1, max_states=2)
    events = start_search(confounded_data(0), pag, search, options=options, **more)  # type: ignore[arg-type]
    *_, last = events
    assert isinstance(last, SearchFinished)
    return last.result


@pytest.mark.parametrize("search", ["ilc-v", "hclc-v"])
def test_that_every_latent_of_a_search_is_judged_over_the_best_dag_without_any(search: str) -> None:
    result = result_of(search)
    alone = result_of("no-latents")
    assert result.reference is not None
    assert alone.reference is not None
    assert result.reference.p_elbo >= alone.reference.p_elbo
    assert result.evidence
    for latent_evidence in result.evidence:
        assert latent_evidence.support is not None
        assert latent_evidence.density is not None
        assert latent_evidence.over_local is not None
        assert latent_evidence.verdict == "allows"
    assert result.reference_seconds is not None
    assert result.evidence_seconds is not None


def evidence_for(dag: LatentDag) -> tuple[LatentEvidence, ...]:
    data = confounded_data(0)
    reference = result_of("no-latents").reference
    assert reference is not None
    *_, evidence = judge_dag(
        Scorer(data, SearchOptions().vbem), dag, CLIQUE, reference.to_bits(), max_states=None, control=RunControl()
    )
    return evidence


def test_that_the_true_cause_is_supported_and_a_made_up_one_is_not() -> None:
    names = confounded_data(0).names
    true, false = Latent("L1", 2, HIDDEN), Latent("L1", 2, ("E", "F"))
    (latent_evidence,) = evidence_for(LatentDag(names, [("A", "E"), ("B", "F")], [true]))
    assert latent_evidence.support == "strong"
    (latent_evidence,) = evidence_for(LatentDag(names, [("A", "B"), ("A", "C"), ("A", "D")], [false]))
    assert latent_evidence.support == "none"
    assert latent_evidence.density is not None
    assert latent_evidence.density < 0


def test_that_of_two_latents_over_the_same_children_one_is_worth_nothing() -> None:
    names = confounded_data(0).names
    twice = [Latent("L1", 2, HIDDEN), Latent("L2", 2, HIDDEN[:3])]
    evidence = evidence_for(LatentDag(names, [("A", "E"), ("B", "F")], twice))
    assert (
        min(latent_evidence.density for latent_evidence in evidence if latent_evidence.density is not None) < 3
    )  # the loss on removal counts


def test_that_a_latent_below_another_is_not_judged() -> None:
    names = confounded_data(0).names
    stacked = [Latent("L1", 2, ("A", "L2")), Latent("L2", 2, ("B", "C"))]
    assert [latent_evidence.support for latent_evidence in evidence_for(LatentDag(names, [], stacked))] == [None, None]


@pytest.mark.parametrize("search", ["ilc-v", "hclc-v", "refine", "auto"])
@pytest.mark.parametrize("workers", [2, 4])
def test_that_the_number_of_workers_changes_nothing(search: str, workers: int) -> None:
    data, options = confounded(), SearchOptions(max_bidirected=2, seed=7)
    one = run_search(data, GRAPH, search, options=options)
    several = run_search(data, GRAPH, search, options=SearchOptions(max_bidirected=2, seed=7, workers=workers))
    assert several.history == one.history
    assert (several.best, several.evidence, several.reference) == (one.best, one.evidence, one.reference)
    assert (several.history.chosen, several.other) == (one.history.chosen, one.other)


@pytest.mark.parametrize("search", ["ilc-v", "hclc-v", "refine", "auto"])
def test_that_a_stop_at_any_checkpoint_keeps_the_best_and_the_evidence_so_far(search: str) -> None:
    data = confounded()
    asked = count()
    options = replace(OPTIONS, restarts=1)
    whole = run_search(data, GRAPH, search, options=options, control=RunControl(lambda: next(asked) < 0))
    n_checkpoints = next(asked)
    known = {one.latent: (one, replace(one, held_out=None).graded()) for one in whole.evidence}
    for last in np.random.default_rng(0).integers(n_checkpoints, size=N_STOPS):
        is_over = map(last.__le__, count())
        result = run_search(data, GRAPH, search, options=options, control=RunControl(is_over.__next__))
        assert result.stop_reason is StopReason.CANCELLED
        visits = list(result.history)
        assert visits == list(whole.history)[: len(visits)]
        assert (result.best is None) == (not visits)
        for latent_evidence in result.evidence:
            judged = replace(latent_evidence, limits=()).graded()
            assert latent_evidence.support is None or judged in known.get(
                latent_evidence.latent, (judged,)
            )  # rows left out are asked last
            assert (
                latent_evidence.support != "strong"
                or not result.is_cut_short
                or "cut short" not in latent_evidence.limits
            )
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("latconf-")]


def test_that_a_stop_while_judging_keeps_what_the_search_found() -> None:
    stop = threading.Event()
    events = []
    for event in start_search(confounded(), GRAPH, "hclc-v", options=OPTIONS, control=RunControl(stop.is_set)):
        events.append(event)
        if isinstance(event, StageStarted) and event.number == 3:
            stop.set()
    (result,) = (event.result for event in events if isinstance(event, SearchFinished))
    assert result.stop_reason is StopReason.CANCELLED
    assert result.best is not None
    assert result.reference is not None  # it was looked for before
    assert [latent_evidence.support for latent_evidence in result.evidence] == [None]
    assert result.to_json()["latents"][0]["support"] is None


def test_that_time_is_kept_back_for_judging() -> None:
    """The search of a PAG with very many MAGs ends in time for a verdict; the clock ticks at every look."""
    ticks = count()
    control = RunControl(clock=lambda: next(ticks) * 1e-3)
    options = SearchOptions(seed=1, max_states=2, time_limit=20.0)
    result = run_search(confounded_data(0), CLIQUE, "ilc-v", options=options, control=control)
    assert result.reference is not None
    assert result.seconds <= 20.0


def test_that_a_time_limit_before_the_first_dag_is_said_and_not_taken_for_a_bad_graph() -> None:
    ticks = count()
    control = RunControl(clock=lambda: float(next(ticks)))
    options = SearchOptions(seed=1, time_limit=1.0)
    result = run_search(confounded_data(0), CLIQUE, "ilc-v", options=options, control=control)
    assert result.best is None
    assert result.stop_reason is StopReason.TIME_LIMIT
    assert result.cuts[0] == "the search stopped at the time limit of 1 s"


def test_that_the_best_dag_without_latents_is_looked_for_once_per_data_and_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from latconf_core.search import references as module

    n_searches = count()
    original = module.reach_best_by

    def counted(*args: object, **known: object) -> object:
        next(n_searches)
        return original(*args, **known)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "reach_best_by", counted)
    shared = References()
    results = [result_of(search, references=shared) for search in ("hclc-v", "ilc-v", "no-latents")]
    assert next(n_searches) == 1
    fresh = result_of("no-latents")
    assert fresh.history == results[-1].history  # remembered or not, the same visits
    assert isinstance(results[0].reference, Reference)


def test_that_a_search_can_be_run_without_evidence() -> None:
    result = result_of("hclc-v", with_evidence=False)
    assert result.reference is None
    assert all(latent_evidence.support is None for latent_evidence in result.evidence)
