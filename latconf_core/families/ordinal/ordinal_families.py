"""Scores of families of ordered variables: cumulative logits (proportional odds) in the place of tables.

A table knows no order: where a variable was cut from a number, each of its parent configurations pays for a
distribution of its own, and a hidden cause with a few states may stand in for them cheaply. A cumulative logit says
with one number per parent what the table says with many.

Parents enter as factors, a number per state but one, or ordered parents as scores, one number each. The marginal
likelihood is that of Laplace. The prior: every distribution of the child is equally likely where the parents are at
their average, and what a state of a parent adds is Gaussian with standard deviation 2.5 (on the scale of logits).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import lgamma, log, pi

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.counts.families import counting_table
from latconf_core.data.column_order import LEAST_STATES
from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import bits

SPREAD = 2.5  # standard deviation of what a state adds: most odds ratios between neighbours below e^5; chosen
FORM_PRICE = log(2)  # a cumulative logit instead of a table; scores instead of factors
MOST_CELLS = 1 << 22  # of parents' configurations times states; above, a family is not tried
LEAST_COUNT = 1e-9  # of a state that is taken to occur


@dataclass(frozen=True, eq=False)
class OrdinalFit:
    """A cumulative logit at its maximum.

    score : the log marginal likelihood by Laplace, the form paid for
    parameters : thresholds, then coefficients
    basis, first_level : what each state of each parent adds, see the kernels
    seen : (n_seen,) the states of the child that occur
    """

    score: float
    log_likelihood: float
    parameters: FloatArray
    basis: FloatArray
    first_level: IntArray
    seen: IntArray

    def log_probabilities(self, levels: IntArray) -> FloatArray:
        """Of every state that occurs, in some configurations of the parents, (n_configurations, n_seen)."""
        from latconf_core.families.ordinal.kernels import log_probabilities

        return log_probabilities(levels, self.first_level, self.basis, len(self.seen), self.parameters)


class OrdinalFamilies:
    """Cumulative logits of the ordered variables of one dataset, each fitted once. Safe from several threads."""

    def __init__(self, dataset: Dataset, *, price: Callable[[int], float] = lambda _n_parents: 0.0) -> None:
        """`price` is what a number of observed parents costs, as with tables."""
        self.dataset = dataset
        self._price = price
        codes, weights = counting_table(dataset)
        self._codes = codes
        self._weights: FloatArray = (weights if len(weights) else np.ones(len(codes))).astype(np.float64)
        self._scores: dict[tuple[int, int], float] = {}

    @property
    def is_any(self) -> bool:
        """Whether some variable is ordered."""
        return any(self.dataset.is_ordered)

    def log_score(self, child: int, parents: int) -> float:
        """The score of a family without latents; −∞ where the child is not ordered, or has no parents."""
        found = self._scores.get((child, parents))
        if found is None:
            found = -np.inf
            if self.dataset.is_ordered[child] and parents:
                fit = self.fit(child, parents)
                found = -np.inf if fit is None else fit.score
            self._scores[child, parents] = found
        return found

    def fit(
        self, child: int, parents: int, *, mass: FloatArray | None = None, latent_states: Sequence[int] = ()
    ) -> OrdinalFit | None:
        """The better of both forms of a family; None where it is too large, or fewer than three states occur.

        mass : (n_rows, n_joint) the weight of every counted row in each joint state of latent parents
        latent_states : how many states each of those has
        """
        columns = list(bits(parents))
        cards = [self.dataset.n_states[column] for column in columns]
        counted = self._count(child, columns, cards, mass, latent_states)
        if counted is None:
            return None
        counts, levels = counted
        seen = np.flatnonzero(counts.sum(axis=0) > LEAST_COUNT)
        if len(seen) < LEAST_STATES:
            return None
        counts = np.ascontiguousarray(counts[:, seen])
        states = [*cards, *latent_states]
        are_scores = [self.dataset.is_ordered[column] for column in columns] + [False] * len(latent_states)
        forms = [[False] * len(states)] + ([are_scores] if any(are_scores) else [])
        fits = [self._fit_form(counts, levels, states, form, seen=seen, n_forms=len(forms)) for form in forms]
        best = max(fits, key=lambda fit: fit.score)
        price = self._price(len(columns))
        return OrdinalFit(best.score - price, best.log_likelihood, best.parameters, best.basis, best.first_level, seen)

    def _fit_form(
        self,
        counts: FloatArray,
        levels: IntArray,
        states: Sequence[int],
        are_scores: Sequence[bool],
        *,
        seen: IntArray,
        n_forms: int,
    ) -> OrdinalFit:
        from latconf_core.families.ordinal.kernels import fit_cumulative_logit

        basis, first_level = design(states, are_scores)
        n_thresholds, n_coefficients = counts.shape[1] - 1, basis.shape[1]
        parameters = np.concatenate([_marginal_thresholds(counts), np.zeros(n_coefficients)])
        precision = SPREAD**-2
        value, log_determinant = fit_cumulative_logit(counts, levels, first_level, basis, precision, True, parameters)
        score = value + lgamma(counts.shape[1]) + 0.5 * n_coefficients * log(precision / (2 * pi))
        score += 0.5 * (n_thresholds + n_coefficients) * log(2 * pi) - 0.5 * log_determinant
        return OrdinalFit(score - n_forms * FORM_PRICE, value, parameters, basis, first_level, seen)

    def _count(
        self,
        child: int,
        columns: Sequence[int],
        cards: Sequence[int],
        mass: FloatArray | None,
        latent_states: Sequence[int],
    ) -> tuple[FloatArray, IntArray] | None:
        """How often each state occurs in each seen configuration, and the configurations by the parents' states."""
        n_states = self.dataset.n_states[child]
        size = n_states
        for card in cards:
            size *= card
        if size * max(1, int(np.prod(latent_states))) > MOST_CELLS:
            return None
        keys = np.zeros(len(self._codes), dtype=np.int64)
        for column, card in zip(columns, cards):
            keys *= card
            keys += self._codes[:, column]
        keys *= n_states
        keys += self._codes[:, child]
        masses = [self._weights] if mass is None else list(mass.T)
        parts = [np.bincount(keys, weights=own, minlength=size).reshape(-1, n_states) for own in masses]
        table = np.stack(parts, axis=1).reshape(-1, n_states)
        kept = np.flatnonzero(table.any(axis=1))
        shape = (*cards, *latent_states)
        levels = np.stack(np.unravel_index(kept, shape), axis=1) if shape else np.zeros((len(kept), 0))
        return np.ascontiguousarray(table[kept]), np.ascontiguousarray(levels, dtype=np.int64)


def design(states: Sequence[int], are_scores: Sequence[bool]) -> tuple[FloatArray, IntArray]:
    """What each state of each parent adds per coefficient, and where the states of each parent begin.

    Of every parent the mean over its states is 0 and the mean square of what they add has the expectation of one
    coefficient's square, so that the prior is of the same width for factors and scores, and no state stands out.
    """
    parts = [_scores(n) if is_score else _contrasts(n) for n, is_score in zip(states, are_scores)]
    basis = np.zeros((sum(states), sum(part.shape[1] for part in parts)))
    first_level = np.cumsum([0, *states])[:-1].astype(np.int64)
    column = 0
    for first, part in zip(first_level, parts):
        basis[first : first + len(part), column : column + part.shape[1]] = part
        column += part.shape[1]
    return basis, first_level


@lru_cache(maxsize=256)
def _scores(n_states: int) -> FloatArray:
    """Equal steps from state to state."""
    steps = np.arange(n_states) - (n_states - 1) / 2
    scores: FloatArray = (steps / max(np.sqrt((steps**2).mean()), 1e-300))[:, None]
    return scores


@lru_cache(maxsize=256)
def _contrasts(n_states: int) -> FloatArray:
    """An orthogonal basis of what adds up to nothing over the states."""
    found = np.zeros((n_states, n_states - 1))
    for k in range(1, n_states):
        found[:k, k - 1] = 1.0
        found[k, k - 1] = -k
    contrasts: FloatArray = found * np.sqrt(n_states / max(n_states - 1, 1)) / np.sqrt((found**2).sum(axis=0))
    return contrasts


def _marginal_thresholds(counts: FloatArray) -> FloatArray:
    """The thresholds that fit the child alone."""
    share = counts.sum(axis=0) + 0.5
    below = np.cumsum(share)[:-1] / share.sum()
    thresholds: FloatArray = np.log(below) - np.log1p(-below)
    return thresholds
