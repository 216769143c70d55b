"""How often the states of two variables occur together, and whether that looks like independence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import IntArray
from latconf_core.data.dataset import Dataset
from latconf_core.independence.catalogue import make_test
from latconf_core.options.learning import PagOptions

LEAST_P_VALUE = 0.001  # smaller ones are not read as numbers


@dataclass(frozen=True, eq=False)
class PairCounts:
    """A table of two variables.

    counts : (states of the first, states of the second)
    p_value : of the test whether the two are independent, nothing held fixed
    """

    first: str
    second: str
    states: tuple[tuple[str, ...], tuple[str, ...]]
    counts: IntArray
    p_value: float

    def sentence(self, alpha: float) -> str:
        """What the table says about the two."""
        p = f"p < {LEAST_P_VALUE}" if self.p_value < LEAST_P_VALUE else f"p = {self.p_value:.3f}"
        if self.p_value > alpha:
            return f"{self.first} and {self.second} are not significantly dependent on their own ({p})."
        return f"{self.first} and {self.second} are significantly dependent on their own ({p})."


def count_pair(data: Dataset, first: str, second: str) -> PairCounts:
    """The table of two variables of the data."""
    a, b = data.index[first], data.index[second]
    counts = np.zeros((len(data.states[a]), len(data.states[b])), dtype=np.int64)
    np.add.at(counts, (data.codes[:, a], data.codes[:, b]), 1)
    counts.setflags(write=False)
    p_value = make_test(data, PagOptions()).p_value(a, b, ())
    return PairCounts(first, second, (data.states[a], data.states[b]), counts, p_value)
