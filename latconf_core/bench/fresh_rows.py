"""Rows drawn anew from the network that a table comes from: what no method has seen, as many as one likes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample

N_FRESH = 20_000  # the standard error of a difference is then some thousandths of a nat
STREAM = 20_261  # so that no seed of a bench gives the rows that the same seed of an example gives


@dataclass(frozen=True)
class FreshRows:
    """Which network rows are drawn from, how many, and with which seed; two are equal where they give the same rows.

    network : what the data lack is hidden in it
    digest : a fingerprint of the network
    """

    network: BayesNet = field(compare=False, repr=False)
    digest: str
    n_rows: int = N_FRESH
    seed: int = 0

    def draw(self) -> Dataset:
        """The rows, without what is hidden."""
        return sample(self.network, self.n_rows, rng=np.random.default_rng((STREAM, self.seed))).dataset


def fresh_rows(network: BayesNet, dataset: Dataset, *, n_rows: int = N_FRESH, seed: int = 0) -> FreshRows:
    """Fresh rows of the variables of some data; every other variable of the network is hidden."""
    hidden = set(network.variables) - set(dataset.names)
    return FreshRows(
        BayesNet(network.cpts.values(), name=network.name, latents=hidden), _digest(network, dataset), n_rows, seed
    )


def gives_states_of(network: BayesNet, dataset: Dataset) -> bool:
    """Whether the network has every column of the data with every state that occurs in it."""
    if not set(dataset.names) <= set(network.variables):
        return False
    return all(set(states) <= set(network.states(name)) for name, states in zip(dataset.names, dataset.states))


def _digest(network: BayesNet, dataset: Dataset) -> str:
    text = hashlib.sha256(repr(dataset.names).encode())
    for name, cpt in network.cpts.items():
        text.update(repr((name, cpt.states, cpt.parents)).encode())
        text.update(np.ascontiguousarray(cpt.table).tobytes())
    return text.hexdigest()
