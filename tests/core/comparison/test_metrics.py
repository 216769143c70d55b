"""Comparison with a known truth, counted by hand."""

from __future__ import annotations

import pytest
from support.builders import mixed

from latconf_core.comparison.metrics import Agreement, compare_dags, compare_graphs
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import GraphError


def test_that_adjacencies_arrowheads_and_differing_pairs_are_counted() -> None:
    truth = mixed("A --> B", "B --> C", "C <-> D", nodes=list("ABCD"))
    found = mixed("A --> B", "B o-> C", "A --> D", nodes=list("DCBA"))
    result = compare_graphs(found, truth)
    assert result.adjacency == Agreement(right=2, wrong=1, missed=1)
    assert result.arrowhead == Agreement(right=2, wrong=1, missed=2)
    assert result.shd == 3  # B - C in a mark, C - D missing, A - D too much
    assert result.adjacency.precision == pytest.approx(2 / 3)
    assert result.arrowhead.recall == pytest.approx(1 / 2)
    assert result.adjacency.f1 == pytest.approx(2 / 3)


def test_that_a_graph_equals_itself() -> None:
    graph = mixed("A o-> B", "B <-> C")
    result = compare_graphs(graph, graph)
    assert (result.shd, result.adjacency.precision, result.arrowhead.recall) == (0, 1.0, 1.0)


def test_that_nothing_found_or_nothing_there_has_no_share() -> None:
    empty, graph = mixed(nodes=["A", "B"]), mixed("A --> B")
    assert compare_graphs(empty, graph).adjacency.precision is None
    assert compare_graphs(graph, empty).adjacency.recall is None
    assert compare_graphs(empty, empty).adjacency.f1 is None


def test_that_graphs_of_other_variables_are_refused() -> None:
    with pytest.raises(GraphError, match="C is in only one"):
        compare_graphs(mixed("A --> B"), mixed("A --> B", nodes=["A", "B", "C"]))


def test_that_dags_are_compared_by_their_mags_and_latents_by_children() -> None:
    truth = LatentDag("ABCDE", [("A", "B")], [Latent("H", 2, ("C", "D", "E")), Latent("G", 2, ("A", "C"))])
    latent_dag = LatentDag("ABCDE", [("A", "B")], [Latent("L1", 3, ("C", "D")), Latent("L2", 2, ("B", "E"))])
    result = compare_dags(latent_dag, truth)
    assert [(match.truth, match.found, match.overlap) for match in result.latents] == [
        ("G", None, 0.0),
        ("H", "L1", pytest.approx(2 / 3)),
    ]
    assert result.n_latents_wrong == 1
    assert result.n_latents_exact == 0
    assert result.adjacency == Agreement(right=2, wrong=1, missed=3)
    assert compare_dags(truth, truth).n_latents_exact == 2
    assert compare_dags(truth, truth).shd == 0


def test_that_each_latent_is_matched_once_by_most_in_common() -> None:
    truth = LatentDag("ABCD", [], [Latent("H1", 2, ("A", "B", "C")), Latent("H2", 2, ("A", "B"))])
    latent_dag = LatentDag("ABCD", [], [Latent("L1", 2, ("A", "B"))])
    assert {latent.truth: latent.found for latent in compare_dags(latent_dag, truth).latents} == {
        "H1": None,
        "H2": "L1",
    }
