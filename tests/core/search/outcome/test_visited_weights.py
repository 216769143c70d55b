"""Weights over visited DAGs against sums made DAG by DAG."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import exp

import numpy as np
import pytest
from support.class_truth import colliders, common_edges

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.score.naming import to_bits
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.visited_weights import visited_weights, weight_sentence, weight_text

NODES = tuple("ABCD")


def history_of(*visits: tuple[LatentDag, float]) -> History:
    history = History(NODES)
    for dag, score in visits:
        history.add(to_bits(dag), score, level=0)
    return history


def test_that_weights_are_those_of_all_dags_summed_one_by_one() -> None:
    rng = np.random.default_rng(0)
    visits = []
    for _ in range(200):
        edges = [(NODES[i], NODES[j]) for i in range(4) for j in range(i + 1, 4) if rng.random() < 0.5]
        latents = [Latent("L1", int(rng.integers(2, 4)), ("B", "C"))] if rng.random() < 0.5 else []
        visits.append((LatentDag(NODES, edges, latents), float(rng.normal(-100, 2))))
    best: dict[object, tuple[float, LatentDag]] = {}
    for dag, score in visits:
        edges = frozenset(dag.all_edges())
        states = tuple(latent.n_states for latent in dag.latents)
        key = frozenset(map(frozenset, edges)), colliders(edges), states
        best[key] = max((score, dag), best.get(key, (-np.inf, dag)), key=lambda pair: pair[0])
    total = sum(exp(score + 100) for score, _ in best.values())
    weights = visited_weights(history_of(*visits))
    assert (weights.n_visits, weights.n_classes) == (len({dag for dag, _ in visits}), len(best))

    def share(has: Callable[[LatentDag], bool]) -> float:
        return sum(exp(score + 100) for score, dag in best.values() if has(dag)) / total

    for i, parent in enumerate(NODES):
        for child in NODES[i + 1 :]:
            joined = share(lambda dag: (parent, child) in dag.edges)  # noqa: B023 - called at once
            compelled = share(lambda dag: (parent, child) in compelled_edges(dag))  # noqa: B023
            assert weights.of_pair(child, parent) == pytest.approx(joined, abs=1e-9)
            assert weights.of_edge(parent, child) == pytest.approx(compelled, abs=2e-4)  # light classes count as open
    expected = share(lambda dag: bool(dag.latents))
    assert weights.of_latent(("B", "C")) == pytest.approx(expected, abs=1e-9)  # two and three states together
    assert weights.any_latent == pytest.approx(expected, abs=1e-9)


def compelled_edges(dag: LatentDag) -> frozenset[tuple[str, str]]:
    return common_edges(dag, lambda edge: edge[0] not in dag.nodes)


def test_that_dags_far_below_weigh_nothing_and_nothing_overflows() -> None:
    plain, hidden = LatentDag(NODES, [("A", "B")]), LatentDag(NODES, (), [Latent("L1", 2, ("A", "B"))])
    weights = visited_weights(history_of((plain, -90_000.0), (hidden, -80_000.0)))
    assert (weights.of_edge("A", "B"), weights.of_latent(("A", "B")), weights.any_latent) == (0.0, 1.0, 1.0)
    assert visited_weights(History(NODES)).n_visits == 0


def test_that_json_says_what_they_are() -> None:
    told = visited_weights(history_of((LatentDag(NODES, [("A", "B")]), -1.0))).to_json()
    assert json.loads(json.dumps(told)) == told
    assert told["pairs"] == [["A", "B", 1.0]]
    assert told["edges"] == []  # either way
    assert "not probabilities over all graphs" in told["meaning"]


def test_that_weights_are_said_as_a_person_reads_them() -> None:
    assert [weight_text(own) for own in (1.0, 0.934, 0.051, 0.0)] == [
        "more than 99.9%",
        "93%",
        "5.1%",
        "less than 0.1%",
    ]
    assert weight_sentence(0.5, 1) == "it has 50% of the weight of the 1 visited DAG"
