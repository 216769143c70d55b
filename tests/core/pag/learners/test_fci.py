"""FCI, cFCI and mFCI with an oracle against brute force, and what holds of every run."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from support.pag_cases import chosen_dags, random_dags
from support.pag_truth import random_latent_dag, true_pag

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import EdgeRemoved, MarkChanged
from latconf_core.pag.learners.catalogue import learn_pag, run_learner

METHODS: tuple[str, ...] = ("fci", "cfci", "mfci")
N_RANDOM = 300


def assert_all_find(dag: LatentDag, truth: MixedGraph) -> None:
    for method in METHODS:
        result = run_learner(DSeparationOracle(dag), PagOptions(method=method))
        assert result.graph == truth, (method, dag)
        assert not result.truncated
        assert not result.conflicts
        assert not result.ambiguous  # an oracle never contradicts itself


def fired(dag: LatentDag) -> Counter[str]:
    """How often each rule changed a mark, and possible-d-sep removed an edge."""
    count: Counter[str] = Counter()
    for event in learn_pag(DSeparationOracle(dag)):
        if isinstance(event, MarkChanged):
            count[event.rule] += 1
        elif isinstance(event, EdgeRemoved):
            count[event.phase] += 1
    return count


@pytest.mark.slow
@pytest.mark.parametrize("dag", chosen_dags())
def test_that_graphs_chosen_for_rare_rules_are_found(dag: LatentDag) -> None:
    assert_all_find(dag, true_pag(dag))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, N_RANDOM, 25))
def test_that_random_graphs_are_found(start: int) -> None:
    for dag in random_dags(start, start + 25):
        assert_all_find(dag, true_pag(dag))


def test_that_every_rule_and_possible_dsep_fire_in_the_graphs_compared() -> None:
    dags = [*chosen_dags(), *random_dags(0, N_RANDOM)]
    total = sum((fired(dag) for dag in dags), Counter())
    least = {"possible-d-sep": 12, "R1": 60, "R2": 5, "R3": 3, "R4": 10, "R8": 2, "R9": 10, "R10": 8}
    assert {rule: total[rule] >= count for rule, count in least.items()} == dict.fromkeys(least, True), total


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", range(0, 1000, 100))
def test_that_a_thousand_six_node_graphs_are_found(start: int) -> None:
    for seed in range(start, start + 100):
        dag = random_latent_dag(seed, 6, density=0.15, n_latents=2)
        assert_all_find(dag, true_pag(dag))


def test_that_without_possible_dsep_the_graphs_that_need_it_keep_an_edge_too_many() -> None:
    dag = chosen_dags()[0]
    with_it = run_learner(DSeparationOracle(dag)).graph
    without = run_learner(DSeparationOracle(dag), PagOptions(possible_dsep=False)).graph
    assert without.n_edges == with_it.n_edges + 1


@pytest.mark.parametrize("method", [*METHODS, "rfci"])
def test_that_the_order_of_columns_changes_nothing_with_an_oracle(method: str) -> None:
    rng = np.random.default_rng(1)
    for dag in [*chosen_dags()[:16], *random_dags(0, 15)]:
        names = [str(name) for name in rng.permutation(dag.nodes)]
        permuted = LatentDag(names, dag.edges, dag.latents)
        options = PagOptions(method=method)
        graph = run_learner(DSeparationOracle(dag), options).graph
        assert run_learner(DSeparationOracle(permuted), options).graph.reordered(dag.nodes) == graph


def test_that_the_rules_r8_to_r10_can_be_left_out() -> None:
    dag = chosen_dags()[12]
    rules = {
        e.rule
        for e in learn_pag(DSeparationOracle(dag), PagOptions(complete_rules=False))
        if isinstance(e, MarkChanged)
    }
    assert rules
    assert rules <= {"R1", "R2", "R3", "R4"}


def test_that_a_separating_set_is_kept_for_every_pair_without_an_edge() -> None:
    for dag in chosen_dags()[:4]:
        oracle = DSeparationOracle(dag)
        result = run_learner(oracle)
        at = result.graph.index
        n = len(dag.nodes)
        assert len(result.sepsets) == n * (n - 1) // 2 - result.graph.n_edges
        for (a, c), given in result.sepsets.items():
            assert oracle.is_independent(at[a], at[c], [at[name] for name in given])
