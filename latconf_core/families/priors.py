"""The Dirichlet priors of a score, and what it asks for structure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod

import numpy as np

from latconf_core.arrays import FloatArray, IntArray, WeightArray
from latconf_core.counts.canonical_order import CanonicalOrder, canonical_order
from latconf_core.counts.families import count_columns
from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import Prices
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions


class Priors:
    """Dirichlet parameters of every parent configuration of a family, fixed by the data and the options."""

    def __init__(self, dataset: Dataset, options: VbemOptions) -> None:
        self._dataset = dataset
        self._options = options
        self.prices = Prices(options.prices, dataset.n_variables)

    @cached_property
    def counts(self) -> list[WeightArray]:
        """How often each state of every column occurs; of completed rows, in the cells that were observed."""
        observed = self._dataset.observed_counts
        return count_columns(self._dataset) if observed is None else list(observed)

    @cached_property
    def order(self) -> CanonicalOrder:
        """The order of columns, and of the states of each, by their content."""
        return canonical_order(self._dataset, self.counts)

    @cached_property
    def ranks(self) -> list[IntArray]:
        """The place of each state of every column when states stand by falling count."""
        return [np.argsort(order) for order in self.order.states]

    @cached_property
    def _empirical(self) -> list[FloatArray]:
        """(n_k + 1) / (N + K): the mass is one whatever the data."""
        return [(counts + 1.0) / (counts.sum() + len(counts)) for counts in self.counts]

    @cached_property
    def _ranked(self) -> list[FloatArray]:
        return [empirical[order] for empirical, order in zip(self._empirical, self.order.states)]

    def observed(self, child: int, parent_states: Sequence[int]) -> FloatArray:
        """The parameters for column `child`, (n_states,); `parent_states` are its parents' numbers of states."""
        if self._options.prior == "empirical":
            return self._empirical[child]
        return self._flat(self._dataset.n_states[child], parent_states)

    def ranked(self, child: int, parent_states: Sequence[int]) -> FloatArray:
        """The same, the states by falling count."""
        if self._options.prior == "empirical":
            return self._ranked[child]
        return self._flat(self._dataset.n_states[child], parent_states)

    def latent(self, n_states: int, parent_states: Sequence[int]) -> FloatArray:
        """The parameters for a latent variable, (n_states,)."""
        if self._options.prior in ("empirical", "flat"):
            return np.ones(n_states)
        return self._flat(n_states, parent_states)

    def of_family(self, child: int, parents: Sequence[int]) -> FloatArray:
        """The parameters for a family of observed columns."""
        return self.observed(child, [self._dataset.n_states[parent] for parent in parents])

    def price(self, component: Component) -> float:
        """What the edges into a component's observed children and its latents cost."""
        return self.prices.of_structure(component.parents, [latent.children for latent in component.latents])

    def _flat(self, n_states: int, parent_states: Sequence[int]) -> FloatArray:
        if self._options.prior == "uniform":
            return np.ones(n_states)
        if self._options.prior == "flat":
            return np.full(n_states, self._options.ess / n_states)
        return np.full(n_states, self._options.ess / (n_states * prod(parent_states)))
