"""How strongly a latent goes with each observed variable, by its posterior over the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import FloatArray
from latconf_core.score.posterior import Posterior


@dataclass(frozen=True)
class Association:
    """A latent and a variable, each row counted by the posterior of its latent state.

    mutual_information : in nats
    cramers_v : from 0, no association, to 1, one tells the other
    is_child : whether the latent is a parent of the variable
    """

    variable: str
    mutual_information: float
    cramers_v: float
    is_child: bool


def associations(posterior: Posterior, latent: str) -> tuple[Association, ...]:
    """The association of a latent with every observed variable, the strongest first."""
    data = posterior.dataset
    rows, shares = posterior.latents[latent].weighted_rows(data)
    pairs = []
    for name in data.names:
        column = data.index[name]
        table = expected_table(shares, rows[:, column], data.n_states[column])
        is_child = latent in posterior.dag.parents_with_latents[name]
        pairs.append(Association(name, mutual_information(table), cramers_v(table), is_child))
    return tuple(sorted(pairs, key=lambda pair: -pair.cramers_v))


def expected_table(shares: FloatArray, codes: npt.NDArray[np.integer], n_states: int) -> FloatArray:
    """How many rows are expected in each latent state and state of a variable, (n_latent_states, n_states).

    shares : (n_rows, n_latent_states) posterior of each row
    """
    columns = [np.bincount(codes, weights=shares[:, k], minlength=n_states) for k in range(shares.shape[1])]
    return np.stack(columns)


def mutual_information(table: FloatArray) -> float:
    """Of the two sides of a table of counts, in nats."""
    joint = table / table.sum()
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return max(float((joint[seen] * np.log(joint[seen] / apart[seen])).sum()), 0.0)


def cramers_v(table: FloatArray) -> float:
    """Cramér's V of a table of counts; rows and columns that hold nothing are left out."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    smaller = min(table.shape) - 1
    if smaller < 1:
        return 0.0
    total = table.sum()
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / total
    chi_square = float(((table - expected) ** 2 / expected).sum())
    return min(float(np.sqrt(chi_square / (total * smaller))), 1.0)
