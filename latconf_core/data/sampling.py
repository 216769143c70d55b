"""Data drawn from a Bayesian network, with some of its variables hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import MAX_STATES, Dataset
from latconf_core.errors import DataError, OptionError

Codes = npt.NDArray[np.uint16]
MAX_CELLS = 200_000_000  # that can be drawn: half a gigabyte


@dataclass(frozen=True)
class Sample:
    """Drawn rows: what a study would see, and what it would not.

    dataset : the visible variables, every declared state kept
    hidden_columns : the hidden variables in the same rows
    network : where the rows come from, its hidden variables named as latents
    """

    dataset: Dataset
    hidden_columns: Dataset
    network: BayesNet

    @property
    def truth(self) -> LatentDag:
        """The DAG over the visible variables, with the hidden common causes as latents."""
        return hidden_truth(self.network, self.network.latents)


def sample(network: BayesNet, n_rows: int, *, rng: np.random.Generator, hide: Iterable[str] = ()) -> Sample:
    """Draw rows from the network; what is hidden changes no drawn value. Its own latents are hidden too."""
    if n_rows < 1:
        raise OptionError(f"the number of rows is {n_rows}; it must be at least 1")
    most = MAX_CELLS // max(len(network.variables), 1)
    if n_rows > most:
        raise OptionError(f"the number of rows is larger than memory allows; draw at most {most:,} of this network")
    hidden = _checked(network, hide)
    codes: dict[str, Codes] = {}
    for name in network.topological_order:
        codes[name] = _draw(network.cpts[name], codes, rng.random(n_rows))
    visible = [name for name in network.variables if name not in hidden]
    unseen = [name for name in network.variables if name in hidden]
    return Sample(
        _dataset(network, visible, codes, n_rows),
        _dataset(network, unseen, codes, n_rows),
        BayesNet(network.cpts.values(), name=network.name, latents=hidden),
    )


def _checked(network: BayesNet, hide: Iterable[str]) -> frozenset[str]:
    hidden = network.latents.union(hide)
    unknown = sorted(hidden - set(network.variables))
    if unknown:
        raise DataError(f"the network has no variable {unknown[0]!r} to hide; it has {', '.join(network.variables)}")
    if len(hidden) == len(network.variables):
        raise DataError("every variable would be hidden; leave at least one visible")
    for name in network.variables:
        if len(network.states(name)) > MAX_STATES:
            raise DataError(f"{name!r} has {len(network.states(name))} states; at most {MAX_STATES} are possible")
    return hidden


def _draw(cpt: Cpt, codes: Mapping[str, Codes], uniform: npt.NDArray[np.float64]) -> Codes:
    """The states that uniform numbers point at, (n_rows,), by the cumulative rows of the table."""
    n_states = len(cpt.states)
    cumulative = np.cumsum(cpt.table.reshape(-1, n_states), axis=1)
    cumulative /= cumulative[:, -1:]  # a state of probability 0 at the end is never reached
    row = np.zeros(len(uniform), dtype=np.intp)
    for parent, size in zip(cpt.parents, cpt.table.shape):
        row *= size
        row += codes[parent]
    drawn = np.zeros(len(uniform), dtype=np.uint16)
    for state in range(n_states - 1):
        drawn += uniform >= cumulative[row, state]
    return drawn


def _dataset(network: BayesNet, names: list[str], codes: Mapping[str, Codes], n_rows: int) -> Dataset:
    table = np.empty((n_rows, len(names)), dtype=np.uint16, order="F")
    for column, name in enumerate(names):
        table[:, column] = codes[name]
    return Dataset(names, [network.states(name) for name in names], table)
