from __future__ import annotations

import itertools
from math import lgamma, log

import numpy as np
import pytest
from builders import random_dataset

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options import VbemOptions
from latconf_core.score.p_elbo import Scorer


def empirical_prior(dataset: Dataset, name: str) -> np.ndarray:
    counts = dataset.counts(name)
    return (counts + 1) / (dataset.n_rows + len(counts))


def predictive(dataset: Dataset, dag: LatentDag) -> float:
    """The log marginal likelihood as a product of predictive probabilities, row after row."""
    total = 0.0
    for name, parents in dag.parents.items():
        prior = empirical_prior(dataset, name)
        seen: dict[tuple[int, ...], np.ndarray] = {}
        for row in range(dataset.n_rows):
            key = tuple(int(dataset.column(parent)[row]) for parent in parents)
            mass = seen.setdefault(key, prior.copy())
            state = dataset.column(name)[row]
            total += log(mass[state] / mass.sum())
            mass[state] += 1
    return total


def test_that_without_latents_the_score_is_the_exact_marginal_likelihood() -> None:
    dataset = random_dataset(np.random.default_rng(0), 60, [2, 3, 2, 4])
    dag = LatentDag(dataset.names, [("A", "B"), ("C", "B"), ("B", "D")])
    score = Scorer(dataset, VbemOptions()).score(dag)
    assert score.p_elbo == score.elbo == pytest.approx(predictive(dataset, dag), abs=1e-9)
