"""Scores of families at expected counts: the states of latents are given by their posterior, which is held fixed.

The sum over a model's families, with the entropy of the posteriors, is a lower bound of its evidence: moves that raise
it raise what a fit would reach, at a hundredth of the price of a fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from math import lgamma, prod

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.counts.families import counting_table
from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import bits
from latconf_core.score.log_gamma import gammaln
from latconf_core.score.prior import Priors
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.local_tables import local_score

MAX_CELLS = 200_000  # of one table at expected counts
MAX_MASSES, MAX_SCORES = 16, 300_000  # kept at a time
_numbers = count()


@dataclass(frozen=True, eq=False)
class SoftLatent:
    """A latent whose states are known by a posterior.

    children : the variables below it, as bits
    q : (n_rows, n_states) of the rows that are counted on
    """

    children: int
    q: FloatArray
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def n_states(self) -> int:
        return int(self.q.shape[1])

    @property
    def place(self) -> tuple[tuple[int, ...], int]:
        """Where it stands among the latents of a DAG."""
        return tuple(bits(self.children)), self.n_states


class SoftScores:
    """Family scores on one dataset, exact without latents, at expected counts with them; each computed once."""

    def __init__(self, scorer: Scorer) -> None:
        dataset = scorer.dataset
        self.dataset: Dataset = dataset
        self._scorer = scorer
        self._priors: Priors = scorer.priors
        self.codes, weights = counting_table(dataset)
        self.weights: FloatArray = (weights if len(weights) else np.ones(len(self.codes))).astype(np.float64)
        self.columns = np.ascontiguousarray(self.codes.T, dtype=np.int64)
        self._cards = np.array(dataset.n_states)
        self._masses: dict[tuple[int, ...], FloatArray] = {}
        self._soft: dict[tuple[object, ...], float] = {}

    def may_share(self, children: int) -> bool:
        """Whether some variables may have a hidden cause in common."""
        return True

    def allows_ancestors(self, parents: Sequence[int]) -> bool:
        """Whether every variable may have an effect on those below it."""
        return True

    def plain(self, child: int, parents: int) -> float:
        """The exact score of a family without latents."""
        return self._scorer.family_score(child, parents)

    def family(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        """The score of a family, latents among its parents at their posteriors; −∞ for a table too large."""
        if not latents:
            return self.plain(child, parents)
        key = (child, parents, *(one.number for one in latents))
        found = self._soft.get(key)
        if found is None:
            if len(self._soft) >= MAX_SCORES:
                self._soft.clear()
            found = self._soft[key] = self._soft_score(child, parents, latents)
        return found

    def local(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        """The score of a family whose table may have local structure."""
        family = [*bits(parents), child]
        cards = [self.dataset.n_states[column] for column in family]
        mass = self._mass(latents) if latents else self.weights[:, None]
        if prod(cards) * mass.shape[1] > MAX_CELLS:
            return -np.inf
        keys = np.ravel_multi_index(tuple(self.columns[column] for column in family), cards)
        tables = [np.bincount(keys, weights=mass[:, k], minlength=prod(cards)) for k in range(mass.shape[1])]
        counts: FloatArray = np.stack([table.reshape(cards) for table in tables]).astype(np.float64)
        states = [*cards[:-1], *(one.n_states for one in latents)]
        found = local_score(np.moveaxis(counts, 0, -2), self._priors.observed(child, states))
        return found - self._priors.prices.of_family(len(family) - 1)

    def own(self, latent: SoftLatent) -> float:
        """What a latent adds itself: its prior at expected counts, its entropy, −log(states!) and its price."""
        n_states = latent.n_states
        counts = self.weights @ latent.q
        prior = self._priors.latent(n_states, ())
        score = _log_evidence(counts[None, :], prior)
        price = self._priors.prices.of_latent(latent.children.bit_count())
        safe = np.where(latent.q > 0, latent.q, 1.0)
        return score - float(self.weights @ (latent.q * np.log(safe)).sum(axis=1)) - lgamma(n_states + 1) - price

    def _soft_score(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        from latconf_core.search.refining.kernels import soft_score

        family = [*bits(parents), child]
        cards = [self.dataset.n_states[column] for column in family]
        mass = self._mass(latents)
        if prod(cards) * mass.shape[1] > MAX_CELLS:
            return -np.inf
        states = [*cards[:-1], *(one.n_states for one in latents)]
        prior = self._priors.observed(child, states)
        found = float(soft_score(self.columns, np.array(family), self._cards, mass, prior))
        return found - self._priors.prices.of_family(len(family) - 1)

    def _mass(self, latents: Sequence[SoftLatent]) -> FloatArray:
        """The weight of every row in each joint state of some latents."""
        key = tuple(one.number for one in latents)
        found = self._masses.get(key)
        if found is None:
            mass = self.weights[:, None] * latents[0].q
            for other in latents[1:]:
                mass = (mass[:, :, None] * other.q[:, None, :]).reshape(len(mass), -1)
            if len(self._masses) >= MAX_MASSES:
                self._masses.clear()
            found = self._masses[key] = np.ascontiguousarray(mass)
        return found


def warm_up() -> None:
    """Compile the loop, or load it where that was done before."""
    from latconf_core.search.refining.kernels import soft_score

    column = np.zeros((1, 1), dtype=np.int64)
    soft_score(column, np.array([0]), np.array([1]), np.ones((1, 1)), np.ones(1))


def _log_evidence(counts: FloatArray, prior: FloatArray) -> float:
    """Dirichlet-multinomial of counts (n_configurations, n_states) that need not be whole."""
    seen = counts.sum(axis=1)
    counts = counts[seen > 0]
    mass = float(prior.sum())
    totals = seen[seen > 0]
    cells = gammaln(counts + prior).sum() - len(counts) * gammaln(prior).sum()
    return float(cells - gammaln(totals + mass).sum() + len(counts) * gammaln(mass))
