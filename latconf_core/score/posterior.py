"""What the data say about every table and every latent of a DAG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import TYPE_CHECKING

import numpy as np

from latconf_core.arrays import CodeArray, FloatArray, IntArray
from latconf_core.control import RunControl
from latconf_core.counts.families import row_places
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.frames import make_frame
from latconf_core.options.scoring import VbemOptions

if TYPE_CHECKING:
    import pandas as pd

    from latconf_core.score.table_intervals import TableInterval

SMALL_WEIGHT = 0.01


@dataclass(frozen=True, eq=False)
class LatentPosterior:
    """One latent: states stand by falling weight.

    weights : (n_states,) share of the rows that each state is expected to hold
    of_distinct : (n_distinct, n_states) posterior of each distinct row over `columns`
    distinct : (n_distinct, n_columns) these rows, in the data's codes
    """

    name: str
    weights: FloatArray
    columns: tuple[int, ...]
    distinct: IntArray
    of_distinct: FloatArray

    @property
    def entropy(self) -> float:
        """Of the weights, in nats."""
        positive = self.weights[self.weights > 0]
        return float(-(positive * np.log(positive)).sum())

    @property
    def effective_states(self) -> float:
        """The number of equally heavy states with the same entropy."""
        return float(np.exp(self.entropy))

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence for every state that holds almost nothing."""
        return tuple(
            f"state {number + 1} of {self.name} holds {100 * weight:.2g} % of the rows; fewer states may suffice"
            for number, weight in enumerate(self.weights)
            if weight < SMALL_WEIGHT
        )

    def responsibilities(self, dataset: Dataset) -> FloatArray:
        """The posterior over states of every row of the data, (n_rows, n_states)."""
        shares = self.of_distinct[row_places(dataset, self.columns, self.distinct)]
        return dataset.average(shares) if isinstance(dataset, CompletedDataset) else shares

    def weighted_rows(self, dataset: Dataset) -> tuple[CodeArray, FloatArray]:
        """Rows of the data with their weight in each state, (n_rows, n_states): completions where cells are missing."""
        shares = self.of_distinct[row_places(dataset, self.columns, self.distinct)]
        if dataset.weights is None or dataset.has_whole_rows:
            return dataset.codes, shares
        return dataset.rows, shares * np.asarray(dataset.weights)[:, None]


@dataclass(frozen=True, eq=False)
class Posterior:
    """A DAG fitted to data.

    cpts : the table of every variable, observed ones in the order of the DAG, then latents
    elbo, p_elbo, score : as in its Score
    trace : the bound along the last run of each component
    spread : the bounds that the finalists of each component reached, best first
    log_likelihood : of the data at the mean parameters; None where the joint states of a component are too many
    n_parameters : free numbers of all tables, as the families say; None where they were not asked
    """

    dag: LatentDag
    dataset: Dataset
    cpts: Mapping[str, Cpt]
    latents: Mapping[str, LatentPosterior]
    elbo: float
    p_elbo: float
    converged: bool
    trace: tuple[FloatArray, ...]
    spread: tuple[FloatArray, ...]
    log_likelihood: float | None
    note: str = ""
    price: float = 0.0
    n_parameters: int | None = None

    @property
    def score(self) -> float:
        """What a search maximises."""
        return self.p_elbo - self.price

    def responsibilities(self, latent: str) -> FloatArray:
        """The posterior over a latent's states of every row of the data, (n_rows, n_states)."""
        return self.latents[latent].responsibilities(self.dataset)

    def rows_to_pandas(self) -> pd.DataFrame:
        """A row per row of the data, a column per state of each latent: how likely it is there."""
        columns: dict[str, FloatArray] = {}
        for name in self.latents:
            shares = self.responsibilities(name)
            columns |= {f"{name}={state}": shares[:, k] for k, state in enumerate(self.cpts[name].states)}
        return make_frame(columns)

    def intervals(
        self,
        options: VbemOptions | None = None,
        *,
        level: float = 0.95,
        seed: int = 0,
        control: RunControl | None = None,
    ) -> dict[str, TableInterval]:
        """The interval of every table that has one, by its variable; around latents drawn, which takes seconds.

        options : those of the fit; the default ones unless given
        """
        from latconf_core.score.table_intervals import table_intervals

        return table_intervals(self, options or VbemOptions(), level=level, seed=seed, control=control)

    def _repr_svg_(self) -> str | None:
        return self.dag._repr_svg_()

    def network(self) -> BayesNet:
        """The Bayesian network of posterior means."""
        return BayesNet(self.cpts.values(), latents=self.latents)

    @cached_property
    def n_free_parameters(self) -> int:
        """Of all tables; K − 1 for every parent configuration, seen or not, where the families did not say."""
        if self.n_parameters is not None:
            return self.n_parameters
        return sum(cpt.n_free_parameters for cpt in self.cpts.values())

    @property
    def bic(self) -> float | None:
        """log-likelihood − ½ · free parameters · log(rows): higher is better."""
        if self.log_likelihood is None:
            return None
        return self.log_likelihood - 0.5 * self.n_free_parameters * log(self.dataset.n_rows)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know before trusting the model."""
        texts = [text for latent in self.latents.values() for text in latent.warnings]
        if not self.converged:
            texts.append("the variational posterior had not converged when its iteration limit was reached")
        return (*texts, *([self.note] if self.note else []))


def latent_states(n_states: int) -> tuple[str, ...]:
    """The names of a latent's states."""
    return tuple(f"s{number}" for number in range(n_states))


def in_order(table: FloatArray, names: Sequence[str], wanted: Sequence[str]) -> FloatArray:
    """A table whose axes are called `names`, with its axes in the wanted order."""
    return np.transpose(table, [names.index(name) for name in wanted])
