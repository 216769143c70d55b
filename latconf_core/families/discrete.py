"""Families of discrete variables: a table with a row of its own for every configuration of parents."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from math import lgamma, prod
from threading import local

import numpy as np

from latconf_core.arrays import CodeArray, FloatArray, IntArray, WeightArray
from latconf_core.counts.families import NARROW_CELLS, count_family_in, counting_table, family_log_score, group_rows
from latconf_core.counts.gaps import Gaps, find_gaps
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.data.dataset import Dataset
from latconf_core.families.local_tables import local_score
from latconf_core.families.log_gamma import gammaln
from latconf_core.families.priors import Priors
from latconf_core.graph.bits import bits
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import VbemOptions

MAX_CELLS = 200_000  # of one table at expected counts: chosen, 1.6 MB
MAX_MASSES = 16  # kept at a time: a climb asks for a few groups of latents again and again
MOST_NARROW_ROWS = 1 << 31  # whose counts 32 bits hold


class DiscreteFamilies:
    """The family model of discrete data: Dirichlet priors by the options, each score computed when it is asked for."""

    def __init__(self, dataset: Dataset, options: VbemOptions) -> None:
        self.dataset = dataset
        self.priors = Priors(dataset, options)
        self._n_states: Sequence[int] = dataset.n_states
        self._masses: dict[tuple[int, ...], FloatArray] = {}
        self._scratch = local()

    @cached_property
    def _table(self) -> tuple[CodeArray, WeightArray]:
        return counting_table(self.dataset)

    @cached_property
    def _gaps(self) -> Gaps | None:
        data = self.dataset
        return find_gaps(data) if isinstance(data, CompletedDataset) and data.source.has_whole_rows else None

    @cached_property
    def _weights(self) -> FloatArray:
        codes, weights = self._table
        return (weights if len(weights) else np.ones(len(codes))).astype(np.float64)

    @cached_property
    def _columns(self) -> IntArray:
        return np.ascontiguousarray(self._table[0].T, dtype=np.int64)

    def log_score(self, child: int, parents: int) -> float:
        """The exact log marginal likelihood of a family without latents, less its price."""
        columns = list(bits(parents))
        prior = self.priors.observed(child, [self._n_states[column] for column in columns])
        return self._log_marginal(child, columns, prior) - self._price(columns)

    @property
    def counts_together(self) -> bool:
        """Whether families with one parent more are counted together; rows with gaps are shared out one by one."""
        return self._gaps is None

    def log_scores(self, child: int, parents: int, candidates: IntArray) -> FloatArray:
        """The same with each of some other variables as one parent more, to the last digit, counted together.

        candidates : rising, neither parents nor the child
        """
        from latconf_core.counts import kernels

        codes, weights = self._table
        columns = list(bits(parents))
        cards = np.array(self._n_states)
        n_cells = prod([self._n_states[column] for column in (*columns, child)]) * cards[candidates]
        scores = np.empty(len(candidates))
        is_small = (n_cells <= NARROW_CELLS) & (self.dataset.n_rows < MOST_NARROW_ROWS) & self.counts_together
        for index in np.flatnonzero(~is_small):
            scores[index] = self.log_score(child, parents | 1 << int(candidates[index]))
        small = np.flatnonzero(is_small)
        if not len(small):
            return scores
        small_scores: FloatArray = np.empty(len(small))
        scratch = self._scratch_space()
        kernels.family_scores(
            codes,
            weights,
            cards,
            child,
            np.array(columns, dtype=np.int64),
            candidates[small],
            self._priors_with(child, columns, cards[candidates[small]]),
            scratch.pair,
            scratch.counts,
            small_scores,
        )
        n_observed = self.dataset.n_variables
        n_priced = sum(column < n_observed for column in columns)
        prices = np.array([self.priors.prices.of_family(n_priced), self.priors.prices.of_family(n_priced + 1)])
        scores[small] = small_scores - prices[(candidates[small] < n_observed).astype(np.int64)]
        return scores

    def _priors_with(self, child: int, columns: Sequence[int], cards: IntArray) -> FloatArray:
        """The Dirichlet of the child with a parent more, by the numbers of states of that parent; one per row."""
        states = [self._n_states[column] for column in columns]
        different, places = np.unique(cards, return_inverse=True)
        priors = [self.priors.observed(child, [*states, int(card)]) for card in different]
        return np.ascontiguousarray(np.stack(priors)[places])

    def expected_score(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        """The Dirichlet-multinomial at expected counts, less its price; −∞ for a table too large."""
        from latconf_core.families.kernels import soft_score

        parent_columns, mass = list(bits(parents)), self._mass(latents)
        family = [*parent_columns, child]
        cards = [self._n_states[column] for column in family]
        if prod(cards) * mass.shape[1] > MAX_CELLS:
            return -np.inf
        prior = self.priors.observed(child, [*cards[:-1], *(latent.n_states for latent in latents)])
        score = soft_score(self._columns, np.array(family), np.array(self._n_states), mass, prior)
        return float(score) - self._price(parent_columns)

    def compact_score(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        """The score of a table with local structure, less its price; −∞ where it is too large to look for one."""
        parent_columns = list(bits(parents))
        family = [*parent_columns, child]
        cards = [self._n_states[column] for column in family]
        mass = self._mass(latents) if latents else self._weights[:, None]
        if prod(cards) * mass.shape[1] > MAX_CELLS:
            return -np.inf
        keys = np.ravel_multi_index(tuple(self._columns[column] for column in family), cards)
        tables = [np.bincount(keys, weights=mass[:, k], minlength=prod(cards)) for k in range(mass.shape[1])]
        counts: FloatArray = np.stack([table.reshape(cards) for table in tables]).astype(np.float64)
        prior = self.priors.observed(child, [*cards[:-1], *(latent.n_states for latent in latents)])
        return local_score(np.moveaxis(counts, 0, -2), prior) - self._price(parent_columns)

    def latent_score(self, latent: SoftLatent) -> float:
        """What a latent adds itself: its prior at expected counts, its entropy, −log(states!) and its price."""
        counts = self._weights @ latent.q
        prior = self.priors.latent(latent.n_states, ())
        mass = prior.sum()
        score = float((gammaln(counts + prior) - gammaln(prior)).sum() + gammaln(mass) - gammaln(counts.sum() + mass))
        safe = np.where(latent.q > 0, latent.q, 1.0)
        entropy = -float(self._weights @ (latent.q * np.log(safe)).sum(axis=1))
        price = self.priors.prices.of_latent(latent.children.bit_count())
        return score + entropy - lgamma(latent.n_states + 1) - price

    def completed(self, codes: CodeArray, n_states: Sequence[int]) -> DiscreteFamilies:
        """The families on the same rows with more columns: those behind the data's are latents filled in, unpriced."""
        if len(codes) != len(self._table[0]):
            raise ValueError("latents are filled in on the rows that are counted on")
        wider = copy(self)
        wider._n_states = n_states
        wider.__dict__["_table"] = codes, self._table[1]
        wider.__dict__["_gaps"] = None
        wider._scratch = local()
        wider._scratch = local()
        wider.__dict__.pop("_columns", None)
        wider._masses = {}
        return wider

    def table(self, child: int, parents: Sequence[int]) -> FloatArray:
        """Dirichlet parameters of a table after the data, one axis per parent in the order given, the child last."""
        columns = [*parents, child]
        rows = group_rows(self.dataset, columns)
        prior = self.priors.of_family(child, parents)
        table = np.broadcast_to(prior, [self.dataset.n_states[column] for column in columns]).copy()
        table[tuple(rows.codes.T)] += rows.counts
        return table

    def n_parameters(self, child: int, parents: Sequence[int], latent_states: Sequence[int] = ()) -> int:
        """K − 1 for every parent configuration, seen or not."""
        rows = prod([*(self.dataset.n_states[parent] for parent in parents), *latent_states])
        return rows * (self.dataset.n_states[child] - 1)

    def _price(self, parents: Sequence[int]) -> float:
        n_observed = self.dataset.n_variables
        return self.priors.prices.of_family(sum(column < n_observed for column in parents))

    def _log_marginal(self, child: int, parents: Sequence[int], prior: FloatArray) -> float:
        """Small tables are counted and scored in one compiled call."""
        from latconf_core.counts import kernels

        codes, weights = self._table
        n_cells = prod([self._n_states[column] for column in (*parents, child)])
        if n_cells > NARROW_CELLS or self.dataset.n_rows >= MOST_NARROW_ROWS:
            return family_log_score(count_family_in(self._table, self._n_states, child, parents), prior)
        cards, columns, scratch = np.array(self._n_states), np.array(parents, dtype=np.int64), self._scratch_space()
        if self._gaps is not None:
            codes, weights = self._gaps.codes, self._gaps.weights
        family = codes, weights, cards, child, columns, prior, scratch.keys, scratch.counts
        if self._gaps is None:
            return float(kernels.family_score(*family))
        gaps, completions = self._gaps.missing, self._gaps.completions
        return float(kernels.completed_family_score(*family, gaps, completions, scratch.fractions))

    def _scratch_space(self) -> local:
        """What counting writes over, of every thread its own."""
        scratch = self._scratch
        if not hasattr(scratch, "pair"):
            codes, weights = self._table if self._gaps is None else (self._gaps.codes, self._gaps.weights)
            scratch.pair = np.empty((2, len(codes)), dtype=np.uint16)
            scratch.keys = scratch.pair[0]
            is_whole = np.issubdtype(weights.dtype, np.integer)
            scratch.counts = np.empty(NARROW_CELLS, dtype=np.int32 if is_whole else np.float64)
            scratch.fractions = np.empty(0 if self._gaps is None else NARROW_CELLS)
        return scratch

    def _mass(self, latents: Sequence[SoftLatent]) -> FloatArray:
        """The weight of every row in each joint state of some latents."""
        key = tuple(latent.number for latent in latents)
        mass = self._masses.get(key)
        if mass is None:
            mass = self._weights[:, None] * latents[0].q
            for other in latents[1:]:
                mass = (mass[:, :, None] * other.q[:, None, :]).reshape(len(mass), -1)
            if len(self._masses) >= MAX_MASSES:
                self._masses.clear()
            mass = self._masses[key] = np.ascontiguousarray(mass)
        return mass


def warm_up() -> None:
    """Compile the loops over expected counts, or load them where that was done before."""
    from latconf_core.families.kernels import soft_score

    column = np.zeros((1, 1), dtype=np.int64)
    soft_score(column, np.array([0]), np.array([1]), np.ones((1, 1)), np.ones(1))
    gammaln(1.0)
