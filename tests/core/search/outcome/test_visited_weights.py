"""Weights over visited DAGs against sums made DAG by DAG."""

from __future__ import annotations

import json
from math import exp

import numpy as np
import pytest

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
    best: dict[LatentDag, float] = {}
    for dag, score in visits:
        best[dag] = max(score, best.get(dag, -np.inf))
    total = sum(exp(score + 100) for score in best.values())
    found = visited_weights(history_of(*visits))
    assert found.n_visits == len(best)
    for i, parent in enumerate(NODES):
        for child in NODES[i + 1 :]:
            expected = sum(exp(score + 100) for dag, score in best.items() if (parent, child) in dag.edges) / total
            assert found.of_edge(parent, child) == pytest.approx(expected, abs=1e-9)
    expected = sum(exp(score + 100) for dag, score in best.items() if dag.latents) / total
    assert found.of_latent(("B", "C")) == pytest.approx(expected, abs=1e-9)  # two and three states together
    assert found.any_latent == pytest.approx(expected, abs=1e-9)


def test_that_dags_far_below_weigh_nothing_and_nothing_overflows() -> None:
    plain, hidden = LatentDag(NODES, [("A", "B")]), LatentDag(NODES, (), [Latent("L1", 2, ("A", "B"))])
    found = visited_weights(history_of((plain, -90_000.0), (hidden, -80_000.0)))
    assert (found.of_edge("A", "B"), found.of_latent(("A", "B")), found.any_latent) == (0.0, 1.0, 1.0)
    assert visited_weights(History(NODES)).n_visits == 0


def test_that_json_says_what_they_are() -> None:
    told = visited_weights(history_of((LatentDag(NODES, [("A", "B")]), -1.0))).to_json()
    assert json.loads(json.dumps(told)) == told
    assert told["edges"] == [["A", "B", 1.0]]
    assert "no probabilities over all graphs" in told["meaning"]


def test_that_weights_are_said_as_a_person_reads_them() -> None:
    assert [weight_text(own) for own in (1.0, 0.934, 0.051, 0.0)] == [
        "more than 99.9%",
        "93%",
        "5.1%",
        "less than 0.1%",
    ]
    assert weight_sentence(0.5, 1) == "50% of the weight of the 1 DAG visited has it"
