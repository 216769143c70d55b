"""How well a latent agrees with a column that the search was not given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.data.preparing.held_columns import HeldColumn
from latconf_core.score.posterior import Posterior


@dataclass(frozen=True)
class Agreement:
    """A latent read as a column: each of its states stands for the state of the column that most of its rows have.

    share : of the rows in which the most probable state of the latent stands for the row's state of the column
    guess : the share that is right without the latent, by the most frequent state of the column
    n_rows : rows whose cell is not missing
    stands_for : per state of the latent the state of the column; "" where it is the most probable one of no row
    """

    column: str
    share: float
    guess: float
    n_rows: int
    stands_for: tuple[str, ...]

    @property
    def tells_apart(self) -> bool:
        """Whether its states stand for different states of the column."""
        return len(set(self.stands_for) - {""}) > 1


def measure_agreements(posterior: Posterior, latent: str, held: Sequence[HeldColumn]) -> tuple[Agreement, ...]:
    """The agreement of a latent with each of these columns of the same rows of which some cell is known."""
    if not held:
        return ()
    shares = posterior.responsibilities(latent)
    measured = [_measure(shares, column) for column in held if (column.codes >= 0).any()]
    return tuple(sorted(measured, key=lambda agreement: agreement.guess - agreement.share))


def _measure(shares: FloatArray, column: HeldColumn) -> Agreement:
    states, codes = column.states, column.codes
    if len(shares) != len(codes):
        raise ValueError(f"{len(codes)} cells of {column.name!r} do not fit {len(shares)} rows")
    is_known = codes >= 0
    n_rows = int(np.count_nonzero(is_known))
    n_latent_states = shares.shape[1]
    most_probable = shares[is_known].argmax(axis=1)
    counts = np.bincount(most_probable * len(states) + codes[is_known], minlength=n_latent_states * len(states))
    table = counts.reshape(n_latent_states, len(states))
    stands_for = tuple(states[int(row.argmax())] if row.any() else "" for row in table)
    share = float(table.max(axis=1).sum() / n_rows)
    return Agreement(column.name, share, float(table.sum(axis=0).max() / n_rows), n_rows, stands_for)
