"""What a difference is worth: the parts add up, and speak of the variables that differ."""

from __future__ import annotations

import numpy as np
import pytest
from support.ancestral_truth import random_latent_dag

from latconf_core.comparison.compare import compare_pair
from latconf_core.comparison.parts import compare_parts, score_parts
from latconf_core.comparison.subject import Subject
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

QUICK = VbemOptions(restarts=2)


@pytest.fixture(scope="module")
def asia() -> Dataset:
    return sample(load_example("asia"), 800, rng=np.random.default_rng(1), hide=["smoke"]).dataset


def over_asia(asia: Dataset, rng: np.random.Generator) -> LatentDag:
    """A random DAG with up to three latents on the variables of the data."""
    drawn = random_latent_dag(rng, asia.n_variables, int(rng.integers(4)), 0.25)
    names = dict(zip(drawn.nodes, asia.names))
    latents = [
        Latent(latent.name, latent.n_states, tuple(names[c] for c in latent.children)) for latent in drawn.latents
    ]
    return LatentDag(asia.names, [(names[a], names[b]) for a, b in drawn.edges], latents)


@pytest.mark.slow
def test_that_the_differences_of_the_blocks_add_up_to_the_difference_of_the_scores(asia: Dataset) -> None:
    rng, scorer = np.random.default_rng(2), Scorer(asia, QUICK)
    for _ in range(500):
        a, b = over_asia(asia, rng), over_asia(asia, rng)
        blocks = compare_parts(a, b, scorer)
        total = scorer.score(b).p_elbo - scorer.score(a).p_elbo
        assert sum(block.difference for block in blocks) == pytest.approx(total, abs=1e-6)
        said = [name for block in blocks for name in block.variables]
        assert len(said) == len(set(said))


def test_that_every_variable_is_in_one_part_and_the_parts_add_up(asia: Dataset) -> None:
    rng, scorer = np.random.default_rng(3), Scorer(asia, QUICK)
    for _ in range(20):
        dag = over_asia(asia, rng)
        parts = score_parts(dag, scorer)
        assert sorted(name for part in parts for name in part.variables) == sorted(asia.names)
        assert sum(part.score for part in parts) == pytest.approx(scorer.score(dag).p_elbo, abs=1e-6)


def test_that_only_what_differs_is_listed(asia: Dataset) -> None:
    scorer = Scorer(asia, QUICK)
    a = LatentDag(asia.names, [("lung", "bronc"), ("asia", "tub")])
    b = LatentDag(asia.names, [("asia", "tub")], [Latent("L1", 2, ("lung", "bronc"))])
    (block,) = compare_parts(a, b, scorer)
    assert set(block.variables) == {"lung", "bronc"}
    assert compare_parts(a, a, scorer) == ()


def test_that_graphs_that_are_no_dags_have_no_worth(asia: Dataset) -> None:
    from latconf_core.graph.marks import Edge
    from latconf_core.graph.mixed import MixedGraph

    graph = MixedGraph.from_edges(asia.names, [Edge.parse("lung o-> bronc")])
    dag = LatentDag(asia.names, [("lung", "bronc")])
    pair = compare_pair(Subject("A", dag), Subject("B", graph), scorer=Scorer(asia, QUICK))
    assert (pair.view, pair.parts, pair.p_elbo_difference) == ("PAG", None, None)
