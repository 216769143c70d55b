from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.independence.base import Budget
from latconf_core.independence.oracle import DSeparationOracle


def random_dag(seed: int) -> LatentDag:
    rng = np.random.default_rng(seed)
    names = list("ABCDEF")
    order = rng.permutation(6)
    edges = [(names[a], names[b]) for a, b in combinations(order, 2) if rng.random() < 0.35]
    latents = [Latent(f"L{i}", 2, tuple(rng.choice(names, size=2 + i, replace=False))) for i in range(2)]
    return LatentDag(names, edges, latents)


@pytest.mark.parametrize("seed", range(12))
def test_that_answers_are_those_of_networkx(seed: int) -> None:
    dag = random_dag(seed)
    oracle, graph = DSeparationOracle(dag), dag.to_networkx()
    for x, y in combinations(range(6), 2):
        others = [v for v in range(6) if v not in (x, y)]
        for size in range(5):
            for given in combinations(others, size):
                truth = nx.is_d_separator(graph, dag.nodes[x], dag.nodes[y], {dag.nodes[v] for v in given})
                assert oracle.is_independent(x, y, given) is truth
                assert oracle.p_value(y, x, given) == float(truth)


def test_that_separating_sets_come_in_order_and_known_ones_do_not() -> None:
    dag = LatentDag("ABCD", [("A", "B"), ("B", "C"), ("C", "D")])
    oracle = DSeparationOracle(dag)
    separations = oracle.separations((0, 3), [1, 2], size=1, budget=Budget(), control=RunControl())
    assert [one.given for one in separations] == [(1,), (2,)]
    separations = oracle.separations((0, 3), [1, 2], size=1, known=[1 << 1], budget=Budget(), control=RunControl())
    assert [one.given for one in separations] == [(2,)]


def test_that_a_question_counts_once() -> None:
    oracle = DSeparationOracle(LatentDag("AB", [("A", "B")]))
    assert not oracle.is_independent(0, 1, ())
    assert not oracle.is_independent(1, 0, ())
    assert oracle.n_tests == 1
