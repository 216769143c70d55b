"""RFCI against its definition written down again, and against what its graph claims."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest
from support.pag_cases import NEED_POSSIBLE_DSEP, chosen_dags, drawn, random_dags
from support.rfci_definition import SlowRfci

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.marks import Mark
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import LearnedPag
from latconf_core.pag.learners.catalogue import run_learner

RFCI = PagOptions(method="rfci")


def by_definition(dag: LatentDag) -> set[str]:
    oracle = DSeparationOracle(dag)
    at = {name: i for i, name in enumerate(dag.nodes)}
    slow = SlowRfci("".join(dag.nodes), lambda a, b, given: oracle.is_independent(at[a], at[b], [at[v] for v in given]))
    return slow.edges()


@pytest.mark.parametrize("dags", [chosen_dags(), random_dags(0, 150), random_dags(150, 300)], ids=["chosen", "a", "b"])
def test_that_rfci_finds_what_its_definition_gives(dags: list[LatentDag]) -> None:
    for dag in dags:
        assert {str(edge) for edge in run_learner(DSeparationOracle(dag), RFCI).graph.edges()} == by_definition(dag), (
            dag
        )


def test_that_rfci_keeps_edges_that_only_possible_dsep_removes() -> None:
    kept = 0
    for text in NEED_POSSIBLE_DSEP:
        oracle = DSeparationOracle(drawn(text))
        kept += run_learner(oracle, RFCI).graph.n_edges - run_learner(oracle).graph.n_edges
    assert kept > 0


@pytest.mark.parametrize("dag", chosen_dags())
def test_that_every_claim_of_an_rfci_graph_is_true(dag: LatentDag) -> None:
    result = run_learner(DSeparationOracle(dag), RFCI)
    _assert_absent_edges_are_separated(result, dag)
    _assert_edges_survive_their_neighbours(result, dag)
    truth = dag.to_networkx()
    for edge in result.graph.edges():
        for one in (edge, edge.reversed()):
            if one.at_second is Mark.ARROW:
                assert not nx.has_path(truth, one.second, one.first)
            elif one.at_second is Mark.TAIL:
                assert nx.has_path(truth, one.second, one.first)


def _assert_absent_edges_are_separated(result: LearnedPag, dag: LatentDag) -> None:
    for a, c in combinations(dag.nodes, 2):
        if not result.graph.is_adjacent(a, c):
            assert nx.is_d_separator(dag.to_networkx(), a, c, set(result.sepsets[a, c]))


def _assert_edges_survive_their_neighbours(result: LearnedPag, dag: LatentDag) -> None:
    graph, truth = result.graph, dag.to_networkx()
    for edge in graph.edges():
        for x, y in ((edge.first, edge.second), (edge.second, edge.first)):
            pool = [v for v in dag.nodes if v not in (x, y) and graph.is_adjacent(x, v)]
            for size in range(len(pool) + 1):
                for given in combinations(pool, size):
                    assert not nx.is_d_separator(truth, x, y, set(given))
