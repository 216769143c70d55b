"""Scores of families of ordered variables: cumulative logits (proportional odds) in the place of tables.

A table knows no order: where a variable was cut from a number, each of its parent configurations pays for a
distribution of its own, and a hidden cause with a few states may stand in for them cheaply. A cumulative logit says
with one number per parent what the table says with many.

Parents enter as factors, a number per state but one, or ordered parents as scores, one number each. A variable of two
states, whose cumulative logit is a logistic regression, may have one where a parent is ordered. The marginal
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
        score = self._scores.get((child, parents))
        if score is None:
            score = -np.inf
            if parents and self.takes(child, parents):
                fit = self.fit(child, parents)
                score = -np.inf if fit is None else fit.score
            self._scores[child, parents] = score
        return score

    def takes(self, child: int, parents: int) -> bool:
        """Whether a variable may have a cumulative logit: it is ordered, or has two states and an ordered parent."""
        is_ordered = self.dataset.is_ordered
        return is_ordered[child] or (self.dataset.n_states[child] == 2 and any(is_ordered[v] for v in bits(parents)))

    def fit(
        self,
        child: int,
        parents: int,
        *,
        mass: FloatArray | None = None,
        latent_parts: Sequence[FloatArray] = (),
    ) -> OrdinalFit | None:
        """The better of both forms of a family; None where it is too large, or a single state occurs.

        mass : (n_rows, n_joint) the weight of every counted row in each joint state of latent parents
        latent_parts : of each of those what its states add per coefficient, see `factor_part`
        """
        columns = list(bits(parents))
        cards = [self.dataset.n_states[column] for column in columns]
        counted = self._count(child, columns, cards, mass, [len(part) for part in latent_parts])
        if counted is None:
            return None
        counts, levels = counted
        seen = np.flatnonzero(counts.sum(axis=0) > LEAST_COUNT)
        if len(seen) < 2:
            return None
        counts = np.ascontiguousarray(counts[:, seen])
        are_ordered = [self.dataset.is_ordered[column] for column in columns]
        forms = [[factor_part(card) for card in cards]]
        if any(are_ordered):
            forms.append(
                [score_part(card) if is_ordered else factor_part(card) for card, is_ordered in zip(cards, are_ordered)]
            )
        fits = [self._fit_form(counts, levels, [*form, *latent_parts], seen=seen, n_forms=len(forms)) for form in forms]
        best = max(fits, key=lambda fit: fit.score)
        price = self._price(len(columns))
        return OrdinalFit(best.score - price, best.log_likelihood, best.parameters, best.basis, best.first_level, seen)

    def _fit_form(
        self,
        counts: FloatArray,
        levels: IntArray,
        parts: Sequence[FloatArray],
        *,
        seen: IntArray,
        n_forms: int,
    ) -> OrdinalFit:
        from latconf_core.families.ordinal.kernels import fit_cumulative_logit

        basis, first_level = join_parts(parts)
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
        parts = [np.bincount(keys, weights=mass, minlength=size).reshape(-1, n_states) for mass in masses]
        table = np.stack(parts, axis=1).reshape(-1, n_states)
        kept = np.flatnonzero(table.any(axis=1))
        shape = (*cards, *latent_states)
        levels = np.stack(np.unravel_index(kept, shape), axis=1) if shape else np.zeros((len(kept), 0))
        return np.ascontiguousarray(table[kept]), np.ascontiguousarray(levels, dtype=np.int64)


def join_parts(parts: Sequence[FloatArray]) -> tuple[FloatArray, IntArray]:
    """What each state of each parent adds per coefficient, and where the states of each parent begin."""
    states = [len(part) for part in parts]
    basis = np.zeros((sum(states), sum(part.shape[1] for part in parts)))
    first_level = np.cumsum([0, *states])[:-1].astype(np.int64)
    column = 0
    for first, part in zip(first_level, parts):
        basis[first : first + len(part), column : column + part.shape[1]] = part
        column += part.shape[1]
    return basis, first_level


@lru_cache(maxsize=256)
def score_part(n_states: int) -> FloatArray:
    """Of an ordered parent: equal steps from state to state, (n_states, 1); their mean square is one."""
    steps = np.arange(n_states) - (n_states - 1) / 2
    scores: FloatArray = (steps / max(np.sqrt((steps**2).mean()), 1e-300))[:, None]
    return scores


@lru_cache(maxsize=256)
def factor_part(n_states: int) -> FloatArray:
    """Of any parent: an orthogonal basis of what adds up to nothing over its states, (n_states, n_states − 1).

    What a state adds has the prior of one coefficient, so that it is as wide as with scores, and no state stands out.
    """
    part = np.zeros((n_states, n_states - 1))
    for k in range(1, n_states):
        part[:k, k - 1] = 1.0
        part[k, k - 1] = -k
    contrasts: FloatArray = part * np.sqrt(n_states / max(n_states - 1, 1)) / np.sqrt((part**2).sum(axis=0))
    return contrasts


def _marginal_thresholds(counts: FloatArray) -> FloatArray:
    """The thresholds that fit the child alone."""
    share = counts.sum(axis=0) + 0.5
    below = np.cumsum(share)[:-1] / share.sum()
    thresholds: FloatArray = np.log(below) - np.log1p(-below)
    return thresholds
