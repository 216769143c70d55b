"""Models as bits, and their scores by parts, agree with DAGs and the scorer."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from support.builders import random_dataset
from support.graph_strategies import latent_dags

from latconf_core.control import RunControl, StopRequested
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import GraphError
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.naming import to_bits, to_dag
from latconf_core.score.scorer import Scorer
from latconf_core.search.candidate_scores import CandidateScores
from latconf_core.search.outcome.part_scores import known_part_scores


@settings(max_examples=100, deadline=None)
@given(dag=latent_dags())
def test_that_a_model_gives_back_its_dag_but_for_the_names_of_latents(dag: LatentDag) -> None:
    model = to_bits(dag)
    back = to_dag(model, dag.nodes)
    assert back.key == dag.key
    assert to_bits(back) == model


def test_that_a_latent_with_a_parent_comes_back() -> None:
    dag = LatentDag("ABCD", [], [Latent("L1", 2, ("A", "L2")), Latent("L2", 3, ("C", "D"), "L1")])
    assert to_dag(to_bits(dag), "ABCD").key == dag.key


def test_that_scores_by_parts_are_those_of_the_scorer() -> None:
    rng = np.random.default_rng(3)
    dataset = random_dataset(rng, 200, [2, 3, 2, 2, 3])
    options = VbemOptions(restarts=2, seed=5)
    scores, scorer = CandidateScores(Scorer(dataset, options)), Scorer(dataset, options)
    for _ in range(25):
        dag = _random_dag(rng)
        model = to_bits(dag)
        assert scores.p_elbo(model) == pytest.approx(scorer.score(dag).p_elbo, abs=1e-6)
        assert scores.begin(model) == scores.p_elbo(model)


def test_that_latents_above_latents_are_scored_by_parts_in_either_spelling() -> None:
    dataset = random_dataset(np.random.default_rng(3), 200, [2, 3, 2, 2, 3])
    low = Latent("L2", 3, ("B", "C"))
    dags = [
        LatentDag("ABCDE", [("A", "E")], [Latent("L1", 2, ("A", "D", "L2")), low]),
        LatentDag("ABCDE", [("A", "E")], [Latent("L1", 2, ("A", "D")), replace(low, parent="L1")]),
    ]
    assert to_bits(dags[0]) == to_bits(dags[1])
    scorer = Scorer(dataset, VbemOptions(restarts=2))
    p_elbo = CandidateScores(scorer).p_elbo(to_bits(dags[0]))
    assert p_elbo == pytest.approx(scorer.score(dags[1]).p_elbo, abs=1e-9)
    parts = known_part_scores(dags[1], scorer)
    assert [part.variables for part in parts] == [("E",), ("A", "B", "C", "D")]
    assert sum(part.p_elbo for part in parts) == pytest.approx(p_elbo, abs=1e-9)


def _random_dag(rng: np.random.Generator) -> LatentDag:
    order = rng.permutation(list("ABCDE"))
    pairs = [(str(a), str(b)) for i, a in enumerate(order) for b in order[i + 1 :]]
    edges = [pair for pair in pairs if rng.random() < 0.3]
    sets = {tuple(sorted(rng.choice(list("ABCDE"), size=rng.integers(2, 4), replace=False))) for _ in range(2)}
    latents = [Latent(f"L{i}", int(rng.integers(2, 4)), tuple(map(str, own))) for i, own in enumerate(sorted(sets))]
    return LatentDag("ABCDE", edges, latents[: rng.integers(0, 3)])


def test_that_a_stop_is_heeded_between_two_families() -> None:
    dataset = random_dataset(np.random.default_rng(0), 60, [2, 2, 2, 2, 2])
    times_asked = count()
    control = RunControl(lambda: next(times_asked) == 3)
    with pytest.raises(StopRequested):
        CandidateScores(Scorer(dataset, VbemOptions(), control=control)).p_elbo(to_bits(LatentDag("ABCDE", [])))


def test_that_a_table_too_large_is_refused() -> None:
    dataset = random_dataset(np.random.default_rng(0), 60, [60, 60, 60, 60, 2])
    dag = LatentDag("ABCDE", [(name, "E") for name in "ABCD"])
    with pytest.raises(GraphError, match="the parents of 'E'"):
        CandidateScores(Scorer(dataset, VbemOptions())).p_elbo(to_bits(dag))
