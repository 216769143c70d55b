"""The Dirichlet priors of a score."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from latconf_core.counts.families import count_family
from latconf_core.data.dataset import Dataset
from latconf_core.options import VbemOptions

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


class Priors:
    """Dirichlet parameters of every parent configuration of a family, fixed by the data and the options."""

    def __init__(self, dataset: Dataset, options: VbemOptions) -> None:
        self._dataset = dataset
        self._options = options
        self._counts: dict[int, IntArray] = {}
        self._ranks: dict[int, IntArray] = {}

    def observed(self, child: int, parent_states: Sequence[int]) -> FloatArray:
        """The parameters for column `child`, (n_states,); `parent_states` are its parents' numbers of states."""
        n_states = self._dataset.n_states[child]
        if self._options.prior == "empirical":
            counts = self.counts(child)
            # (n_k + 1) / (N + K): the mass is one whatever the data.
            prior: FloatArray = (counts + 1.0) / (self._dataset.n_rows + n_states)
            return prior
        return self._flat(n_states, parent_states)

    def latent(self, n_states: int, parent_states: Sequence[int]) -> FloatArray:
        """The parameters for a latent variable, (n_states,)."""
        if self._options.prior == "empirical":
            return np.ones(n_states)
        return self._flat(n_states, parent_states)

    def of_family(self, child: int, parents: Sequence[int]) -> FloatArray:
        """The parameters for a family of observed columns."""
        return self.observed(child, [self._dataset.n_states[parent] for parent in parents])

    def _flat(self, n_states: int, parent_states: Sequence[int]) -> FloatArray:
        if self._options.prior == "uniform":
            return np.ones(n_states)
        return np.full(n_states, self._options.ess / (n_states * prod(parent_states)))

    def counts(self, column: int) -> IntArray:
        """How often each state of a column occurs."""
        found = self._counts.get(column)
        if found is None:
            found = self._counts[column] = count_family(self._dataset, column, ()).sum(axis=0)
        return found

    def rank(self, column: int) -> IntArray:
        """The place of each state of a column when states stand by falling count; ties keep their order."""
        found = self._ranks.get(column)
        if found is None:
            order = np.argsort(-self.counts(column), kind="stable")
            found = np.empty(len(order), dtype=np.int64)
            found[order] = np.arange(len(order))
            self._ranks[column] = found
        return found
