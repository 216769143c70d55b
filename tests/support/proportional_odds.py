"""A kind of family that the program lacks: an ordered child whose odds its parents shift (proportional odds).

Logits of the child's cumulative probabilities are thresholds less an effect of every parent's state; all numbers have a
normal prior, the marginal likelihood is Laplace's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import inf, log, pi

import numpy as np
from scipy.optimize import minimize

from latconf_core.counts.families import counting_table
from latconf_core.data.dataset import Dataset
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.families.priors import Priors
from latconf_core.graph.bits import bits
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import VbemOptions

SPREAD = 3.0  # of the normal prior
STEP = 1e-4  # of the numerical curvature


class ProportionalOdds:
    """Proportional odds for children of three and more states, tables for the others and below latents in a fit."""

    def __init__(self, dataset: Dataset, options: VbemOptions) -> None:
        self._dataset = dataset
        self._tables = DiscreteFamilies(dataset, options)
        self._codes, weights = counting_table(dataset)
        self._weights = weights if len(weights) else np.ones(len(self._codes))
        self._n_states: Sequence[int] = dataset.n_states

    @property
    def priors(self) -> Priors:
        return self._tables.priors

    def log_score(self, child: int, parents: int) -> float:
        if self._dataset.n_states[child] < 3:
            return self._tables.log_score(child, parents)
        return self._odds(child, parents, [])

    def expected_score(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        if self._dataset.n_states[child] < 3:
            return self._tables.expected_score(child, parents, latents)
        return self._odds(child, parents, latents)

    def compact_score(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        return -inf if self._dataset.n_states[child] > 2 else self._tables.compact_score(child, parents, latents)

    def latent_score(self, latent: SoftLatent) -> float:
        return self._tables.latent_score(latent)

    def completed(self, codes: np.ndarray, n_states: Sequence[int]) -> ProportionalOdds:
        wider = ProportionalOdds.__new__(ProportionalOdds)
        wider.__dict__ |= self.__dict__
        wider._tables, wider._codes, wider._n_states = self._tables.completed(codes, n_states), codes, n_states
        return wider

    def table(self, child: int, parents: Sequence[int]) -> np.ndarray:
        if self._dataset.n_states[child] < 3:
            return self._tables.table(child, parents)
        counts = self._counts(child, list(parents), [])
        effects, best = self._fit(counts)
        shares = probabilities(best, effects, counts.shape[-1])
        return (shares * (counts.sum(axis=-1, keepdims=True).reshape(-1, 1) + 1.0)).reshape(counts.shape)

    def n_parameters(self, child: int, parents: Sequence[int], latent_states: Sequence[int] = ()) -> int:
        if self._dataset.n_states[child] < 3 or latent_states:
            return self._tables.n_parameters(child, parents, latent_states)
        return self._dataset.n_states[child] - 1 + sum(self._dataset.n_states[parent] - 1 for parent in parents)

    def _odds(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        columns = list(bits(parents))
        counts = self._counts(child, columns, latents)
        effects, best = self._fit(counts)
        n_observed = sum(column < self._dataset.n_variables for column in columns)
        return laplace(counts, effects, best) - self.priors.prices.of_family(n_observed)

    def _counts(self, child: int, parents: list[int], latents: Sequence[SoftLatent]) -> np.ndarray:
        """Expected counts, one axis for each parent and latent, the child last."""
        shape = [self._n_states[parent] for parent in parents]
        states = [latent.n_states for latent in latents]
        counts = np.zeros((*shape, *states, self._n_states[child]))
        above = tuple(self._codes[:, parent].astype(int) for parent in parents)
        own = self._codes[:, child].astype(int)
        for joint in product(*map(range, states)):
            mass = self._weights * np.prod([latent.q[:, k] for latent, k in zip(latents, joint)], axis=0)
            np.add.at(counts, (*above, *(np.full(len(own), k) for k in joint), own), mass)
        return counts

    def _fit(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The effects that each configuration has, (n_configurations, n_effects), and the best numbers."""
        configurations = list(np.ndindex(counts.shape[:-1]))
        effects = np.array(
            [
                [float(state == k) for state, size in zip(configuration, counts.shape) for k in range(1, size)]
                for configuration in configurations
            ]
        ).reshape(len(configurations), -1)
        begin = np.concatenate([[-1.0], np.zeros(counts.shape[-1] - 2 + effects.shape[1])])
        found = minimize(lambda numbers: loss(numbers, counts, effects), begin, method="BFGS", options={"gtol": 1e-4})
        return effects, found.x


def probabilities(numbers: np.ndarray, effects: np.ndarray, n_states: int) -> np.ndarray:
    """(n_configurations, n_states); the numbers are the first threshold, log steps to the others, and effects."""
    thresholds = numbers[0] + np.concatenate([[0.0], np.cumsum(np.exp(numbers[1 : n_states - 1]))])
    cumulative = 1.0 / (1.0 + np.exp(-(thresholds[None, :] - (effects @ numbers[n_states - 1 :])[:, None])))
    edges = np.ones((len(effects), 1))
    return np.maximum(np.diff(np.concatenate([0.0 * edges, cumulative, edges], axis=1), axis=1), 1e-12)


def loss(numbers: np.ndarray, counts: np.ndarray, effects: np.ndarray) -> float:
    """Minus the log of likelihood times prior."""
    shares = probabilities(numbers, effects, counts.shape[-1])
    fit = (counts.reshape(len(effects), -1) * np.log(shares)).sum()
    prior = -0.5 * (numbers @ numbers) / SPREAD**2 - 0.5 * len(numbers) * log(2 * pi * SPREAD**2)
    return -float(fit + prior)


def laplace(counts: np.ndarray, effects: np.ndarray, best: np.ndarray) -> float:
    """The log marginal likelihood by a normal curve around the best numbers."""
    n = len(best)
    steps = STEP * np.eye(n)
    curvature = np.array(
        [
            [
                sum(
                    a * b * loss(best + a * steps[i] + b * steps[j], counts, effects)
                    for a, b in product((1, -1), repeat=2)
                )
                / (4 * STEP**2)
                for j in range(n)
            ]
            for i in range(n)
        ]
    )
    return -loss(best, counts, effects) + 0.5 * n * log(2 * pi) - 0.5 * float(np.linalg.slogdet(curvature)[1])
