"""HCLC-V step by step on small cases whose scores are made up."""

from __future__ import annotations

import pytest
from support.builders import mixed
from support.search_runs import made_up_run, written

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import GraphError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.search.algorithms.hclc import hclc_v
from latconf_core.search.outcome.events import LevelStarted, SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_to_end

NO_STATES = SearchOptions(max_states=2)


def searched(
    pag: MixedGraph, scores: dict[str, float], options: SearchOptions = NO_STATES
) -> tuple[SearchResult, list[str], list[LevelStarted]]:
    """The result, the visited DAGs in order, and the levels; a DAG without a score of its own has -100."""

    def score_of(dag: LatentDag) -> float:
        return scores.get(written(dag), -100.0)

    run = made_up_run(pag, score_of, options=options)
    events = list(run_to_end(hclc_v(run), run))
    assert isinstance(events[-1], SearchFinished)
    result = events[-1].result
    visited = [written(result.history.dag(visit.index)) for visit in result.history]
    return result, visited, [event for event in events if isinstance(event, LevelStarted)]


def test_that_the_edges_with_two_circles_are_oriented_best_first() -> None:
    pag = mixed("A o-o B", "B o-o C")
    scores = {"B>C |": 5.0, "A>B |": 4.0, "B>A B>C |": 6.0, "A>B B>C |": 3.0}
    _, visited, levels = searched(pag, scores, SearchOptions(max_bidirected=0))
    assert visited[:4] == ["A>B |", "B>A |", "B>C |", "C>B |"]  # all four ways; B>C is fixed
    assert visited[4:6] == ["A>B B>C |", "B>A B>C |"]
    assert (levels[0].level, levels[0].n_candidates) == (0, 6)


def test_that_an_orientation_that_closes_a_cycle_is_not_tried() -> None:
    pag = mixed("A --> B", "B --> C", "A o-o C")
    _, visited, _ = searched(pag, {}, SearchOptions(max_bidirected=0, max_states=2, invalid_pag="as-given"))
    assert visited == ["A>B A>C B>C |"]


def test_that_rounds_keep_the_best_bidirected_edge_and_stop_at_a_local_maximum() -> None:
    pag = mixed("A o-> C", "B o-> C", "D o-> C")
    scores = {
        "A>C B>C D>C |": 1.0,
        "B>C D>C | AC": 2.0,
        "A>C D>C | BC": 4.0,  # the best of the first round, neither the first nor the last
        "A>C B>C | CD": 3.0,
        "D>C | AC BC": 3.5,
        "A>C | BC CD": 3.9,
    }
    result, visited, levels = searched(pag, scores)
    assert visited[:4] == ["A>C B>C D>C |", "B>C D>C | AC", "A>C D>C | BC", "A>C B>C | CD"]
    assert visited[4:] == ["D>C | AC BC", "A>C | BC CD"]
    assert [(level.level, level.n_candidates) for level in levels] == [(0, 1), (1, 3), (2, 2)]
    assert result.stop_reason is StopReason.LOCAL_MAXIMUM
    assert result.best is not None
    assert written(result.best) == "A>C D>C | BC"
    assert result.gain == 3.0


def test_that_the_first_round_always_runs_and_the_best_with_latents_is_reported() -> None:
    result, _, _ = searched(mixed("A o-> C", "B o-> C"), {"A>C B>C |": 9.0, "B>C | AC": 8.0, "A>C | BC": 7.0})
    assert (result.best_without_latents, result.best_with_latents) == (9.0, 8.0)
    assert result.best is not None
    assert not result.best.latents


def test_that_open_edges_alone_may_become_bidirected() -> None:
    pag = mixed("A o-> B", "C o-> B", "B --> D")
    _, visited, _ = searched(pag, {})
    assert not any("BD" in one for one in visited)


def test_that_the_maximum_ends_the_rounds() -> None:
    pag = mixed("A o-> C", "B o-> C", "D o-> C")
    scores = {"A>C B>C D>C |": 1.0, "B>C D>C | AC": 2.0}
    result, visited, _ = searched(pag, scores, SearchOptions(max_bidirected=1, max_states=2))
    assert len(visited) == 4
    assert result.stop_reason is StopReason.MAX_BIDIRECTED


def test_that_bidirected_edges_that_are_no_mag_are_covered_by_cliques() -> None:
    # B is an ancestor of D and their spouse: one latent for the clique B, C, D.
    pag = mixed("B <-> C", "C <-> D", "B <-> D", "B o-> E", "E --> D")
    _, visited, _ = searched(pag, {}, SearchOptions(max_bidirected=0, max_states=2, invalid_pag="as-given"))
    assert visited == ["E>D B>E | BCD"]


def test_that_a_graph_of_which_nothing_can_be_scored_is_refused_with_a_sentence() -> None:
    pag = mixed("A --> B", "B --> C", "C --> A", "C o-o D")
    with pytest.raises(GraphError, match="the graph as given allows no DAG"):
        searched(pag, {}, SearchOptions(invalid_pag="as-given"))
