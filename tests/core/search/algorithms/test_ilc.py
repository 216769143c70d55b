"""ILC-V visits the DAGs of every MAG of a level, and stops where a level brings nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.builders import mixed
from support.search_runs import made_up_run, written

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.options.searching import SearchOptions
from latconf_core.search.algorithms.ilc import ilc_v
from latconf_core.search.outcome.events import CandidateScored, LevelStarted, SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_to_end

CHAIN = mixed("A o-o B", "B o-o C")
COLLIDER = mixed("A o-> B", "C o-> B")


def result_of(
    pag: object, score_of: Callable[[LatentDag], float], options: SearchOptions | None = None
) -> tuple[SearchResult, list[object]]:
    run = made_up_run(pag, score_of, options=options)  # type: ignore[arg-type]
    events = list(run_to_end(ilc_v(run), run))
    assert isinstance(events[-1], SearchFinished)
    return events[-1].result, list(events)


def candidates(result: SearchResult) -> list[str]:
    return [written(result.history.dag(visit.index)) for visit in result.history if visit.kind == "candidate"]


def test_that_the_class_of_a_chain_is_scored_dag_by_dag() -> None:
    # By hand: three DAGs without a collider at B, and two MAGs with one <-> at an end.
    result, _ = result_of(CHAIN, lambda dag: 0.0)
    found = candidates(result)
    assert sorted(found[:3]) == ["A>B B>C |", "B>A B>C |", "B>A C>B |"]
    assert sorted(found[3:]) == ["B>A | BC", "B>C | AB"]
    assert result.history.per_level() == {0: 3, 1: 2}


def test_that_the_class_of_a_collider_is_scored_up_to_both_edges_bidirected() -> None:
    result, _ = result_of(COLLIDER, lambda dag: float(len(dag.latents)), SearchOptions(max_states=2))
    assert candidates(result) == ["A>B C>B |", "C>B | AB", "A>B | BC", "| AB BC"]
    assert result.stop_reason is StopReason.FINISHED  # level 3 has no MAG at all
    assert result.best is not None
    assert written(result.best) == "| AB BC"


def test_that_the_search_stops_after_a_level_that_brings_nothing() -> None:
    result, _ = result_of(COLLIDER, lambda dag: -float(len(dag.latents)))
    assert result.history.per_level() == {0: 1, 1: 2}
    assert result.stop_reason is StopReason.NO_IMPROVEMENT
    assert result.best_without_latents == 0
    assert result.best_with_latents == -1
    assert result.gain == -1


def test_that_the_largest_number_of_bidirected_edges_ends_it() -> None:
    result, _ = result_of(COLLIDER, lambda dag: float(len(dag.latents)), SearchOptions(max_bidirected=1, max_states=2))
    assert result.history.per_level() == {0: 1, 1: 2}
    assert result.stop_reason is StopReason.MAX_BIDIRECTED


def test_that_invariant_bidirected_edges_are_searched_even_above_the_maximum() -> None:
    pag = mixed("A o-> B", "B <-> C", "D o-> C")
    result, _ = result_of(pag, lambda dag: 0.0, SearchOptions(max_bidirected=0))
    assert result.history.per_level() == {1: 1}
    assert candidates(result) == ["A>B D>C | BC"]


def test_that_every_level_says_how_many_candidates_it_has() -> None:
    _, events = result_of(COLLIDER, lambda dag: float(len(dag.latents)), SearchOptions(max_states=2))
    started = [(event.level, event.n_candidates) for event in events if isinstance(event, LevelStarted)]
    assert started == [(0, 1), (1, 2), (2, 1), (3, 0)]


def test_that_a_cap_cuts_a_level_in_listing_order_and_says_so() -> None:
    whole, _ = result_of(CHAIN, lambda dag: 0.0)
    cut, events = result_of(CHAIN, lambda dag: 0.0, SearchOptions(max_candidates=2))
    assert candidates(cut)[:2] == candidates(whole)[:2]
    assert cut.history.per_level() == {0: 2, 1: 2}
    assert cut.cuts == ("only the first 2 MAGs with 0 bidirected edges were scored",)
    assert cut.truncated
    assert not whole.truncated
    assert [event.n_candidates for event in events if isinstance(event, LevelStarted)] == [2, 2]


def test_that_is_best_marks_each_new_best() -> None:
    values = iter([1.0, 3.0, 2.0, 3.0, 4.0])
    _, events = result_of(CHAIN, lambda dag: next(values, 0.0), SearchOptions(max_states=2))
    assert [event.is_best for event in events if isinstance(event, CandidateScored)] == [True, True, False, False, True]


def test_that_a_graph_that_is_no_pag_is_searched_as_given_or_repaired() -> None:
    # A <-> B with A --> C --> B: an almost directed cycle in every graph of the lowest level.
    pag = mixed("A <-> B", "A --> C", "C --> B")
    repaired, _ = result_of(pag, lambda dag: 0.0)
    assert repaired.pag_handling.kind == "repaired"
    as_given, _ = result_of(pag, lambda dag: 0.0, SearchOptions(invalid_pag="as-given"))
    assert as_given.pag_handling.kind == "as given"
    assert candidates(as_given) == ["C>B A>C | AB"]  # no MAG, still a proper DAG: one latent per <->


def test_that_a_graph_without_any_dag_is_refused_with_the_remedy() -> None:
    from latconf_core.errors import GraphError

    cycle = mixed("A --> B", "B --> C", "C --> A")
    with pytest.raises(GraphError, match="repair it first"):
        result_of(cycle, lambda dag: 0.0, SearchOptions(invalid_pag="as-given"))
    repaired, _ = result_of(cycle, lambda dag: 0.0)
    assert repaired.best is not None
