from __future__ import annotations

import numpy as np
import pytest

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner

CHAIN = LatentDag("ABC", [("A", "B"), ("B", "C")])


def found(dag: LatentDag, knowledge: Knowledge, method: str = "fci") -> set[str]:
    result = run_learner(DSeparationOracle(dag), PagOptions(method=method), knowledge=knowledge)
    return {str(edge) for edge in result.graph.edges()}


def independent_data(n_rows: int = 500) -> Dataset:
    codes = np.random.default_rng(0).integers(2, size=(n_rows, 3))
    return Dataset("ABC", [["0", "1"]] * 3, codes)


@pytest.mark.parametrize("method", ["fci", "rfci", "cfci", "mfci"])
def test_that_a_tier_puts_an_arrowhead_and_the_rules_go_on_from_it(method: str) -> None:
    # B after A is an arrowhead at B; R1 then makes B --> C. No tail comes from the tier itself.
    assert found(CHAIN, Knowledge(tiers=(("A",), ("B",))), method) == {"A o-> B", "B --> C"}


def test_that_a_tier_never_plants_a_tail() -> None:
    pair = LatentDag("AB", [("A", "B")])
    assert found(pair, Knowledge(tiers=(("A",), ("B",)))) == {"A o-> B"}


def test_that_a_closed_tier_leaves_only_hidden_causes_inside() -> None:
    pair = LatentDag("AB", [("A", "B")])
    assert found(pair, Knowledge(tiers=(("A", "B"),), closed_tiers=frozenset([0]))) == {"A <-> B"}


def test_that_a_cause_forbidden_also_through_others_is_an_arrowhead() -> None:
    pair = LatentDag("AB", [("A", "B")])
    assert found(pair, Knowledge(forbidden_indirect=(("A", "B"),))) == {"A <-o B"}


def test_that_a_forbidden_edge_is_no_arrowhead_for_there_may_be_others_between() -> None:
    pair = LatentDag("AB", [("A", "B")])
    assert found(pair, Knowledge(forbidden=(("A", "B"),))) == {"A o-o B"}


def test_that_an_exogenous_variable_is_a_cause_of_its_neighbours() -> None:
    assert found(CHAIN, Knowledge(exogenous=("A",))) == {"A --> B", "B --> C"}


def test_that_a_required_cause_is_an_arrow() -> None:
    assert found(CHAIN, Knowledge(required=(("B", "A"),))) == {"A <-- B", "B o-o C"}


@pytest.mark.parametrize("method", ["fci", "rfci", "cfci", "mfci", "gfci"])
def test_that_a_required_edge_stays_whatever_the_tests_say(method: str) -> None:
    knowledge = Knowledge(required=(("A", "B"),))
    graph = run_learner(independent_data(), PagOptions(method=method), knowledge=knowledge).graph
    assert [str(edge) for edge in graph.edges()] == ["A --> B"]


def test_that_a_collider_against_a_required_cause_is_reported_not_made() -> None:
    collider = LatentDag("ABC", [("A", "B"), ("C", "B")])
    result = run_learner(DSeparationOracle(collider), knowledge=Knowledge(required=(("B", "A"),)))
    assert {str(edge) for edge in result.graph.edges()} == {"A <-- B", "B <-o C"}
    assert result.conflicts == ("A *-> B <-* C contradicts the required B --> A",)


def test_that_true_knowledge_only_adds_to_what_is_found() -> None:
    rng = np.random.default_rng(0)
    from support.pag_cases import random_dags

    for dag in random_dags(0, 40):
        plain = run_learner(DSeparationOracle(dag)).graph
        order = [name for name in dag.topological_order if name in dag.nodes]
        cut = int(rng.integers(1, len(order)))
        tiers = Knowledge(tiers=(tuple(order[:cut]), tuple(order[cut:])))
        informed = run_learner(DSeparationOracle(dag), knowledge=tiers).graph
        assert_refines(informed, plain)


def assert_refines(informed: MixedGraph, plain: MixedGraph) -> None:
    kept = plain.marks != 1
    assert (informed.marks[kept] == plain.marks[kept]).all()
    assert ((informed.marks > 0) == (plain.marks > 0)).all()


def test_that_names_missing_in_the_data_are_said_and_do_not_bind() -> None:
    result = run_learner(DSeparationOracle(CHAIN), knowledge=Knowledge(forbidden_indirect=(("Z", "A"), ("A", "B"))))
    assert result.notes == ("The knowledge names 'Z', which is not in the data: its statements about it are ignored.",)
    assert {str(edge) for edge in result.graph.edges()} == {"A <-o B", "B o-o C"}
