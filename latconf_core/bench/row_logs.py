"""Log probabilities of the same rows by several models: differences paired by row, and ranks that call ties ties."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from latconf_core.arrays import FloatArray

TIED_WITHIN = 2.0  # standard errors of a difference
STORED_AS = np.dtype("<f4")  # to about a millionth of a nat per row, in half of the room


@dataclass(frozen=True)
class RowLogs:
    """The log probability of every row of a table, in the order of its rows, as text that a JSON file can hold."""

    encoded: str

    @classmethod
    def of(cls, logs: FloatArray) -> RowLogs:
        """The text of some log probabilities, (n_rows,)."""
        return cls(base64.b64encode(logs.astype(STORED_AS).tobytes()).decode("ascii"))

    @cached_property
    def values(self) -> FloatArray:
        """The log probabilities, (n_rows,)."""
        return np.frombuffer(base64.b64decode(self.encoded), dtype=STORED_AS).astype(np.float64)


@dataclass(frozen=True)
class RowMean:
    """What a model says of some rows, in nats per row.

    standard_error : of the mean over rows; None where it is not known
    logs : of the single rows; None where the model gives only their mean
    """

    per_row: float
    standard_error: float | None = None
    logs: RowLogs | None = None


@dataclass(frozen=True)
class Difference:
    """Nats per row that one model is above another, with the standard error; None where that is not known."""

    per_row: float
    standard_error: float | None

    @property
    def is_tie(self) -> bool:
        """Whether it lies within two standard errors; without one, only no difference at all is a tie."""
        return abs(self.per_row) <= TIED_WITHIN * (self.standard_error or 0.0)


@dataclass(frozen=True)
class Standing:
    """Where a model stands among others on the same rows.

    difference : to the model with the highest mean, never above 0
    rank : the place of the best of those that it is tied with, 1 is the first
    mean_place : the mean of the places of these
    """

    difference: Difference
    rank: int
    mean_place: float


def subtract(first: RowMean, second: RowMean) -> Difference:
    """How far the first is above the second: paired by row where both have rows, else by two standard errors."""
    if first.logs is not None and second.logs is not None:
        differences = first.logs.values - second.logs.values
        n_rows = len(differences)
        error = float(differences.std(ddof=1)) / sqrt(n_rows) if n_rows > 1 else None
        return Difference(float(differences.mean()), error)
    errors = first.standard_error, second.standard_error
    error = None if None in errors else sqrt(sum(error**2 for error in errors if error is not None))
    return Difference(first.per_row - second.per_row, error)


def rank_with_ties(means: Mapping[str, RowMean]) -> dict[str, Standing]:
    """The standing of each by falling mean: whatever is tied with the best that is left shares its rank."""
    ordered = sorted(means, key=lambda name: -means[name].per_row)
    groups: list[list[str]] = []
    for name in ordered:
        if groups and subtract(means[name], means[groups[-1][0]]).is_tie:
            groups[-1].append(name)
        else:
            groups.append([name])
    standings, n_before = {}, 0
    for group in groups:
        for name in group:
            difference = subtract(means[name], means[ordered[0]])
            standings[name] = Standing(difference, n_before + 1, n_before + (len(group) + 1) / 2)
        n_before += len(group)
    return standings
