"""The heights of a small bar chart of a column: its states, or a histogram where it has more than an eye can tell."""

from __future__ import annotations

import numpy as np

from latconf_core.arrays import FloatArray, IntArray

MOST_BARS = 24


def state_bars(counts: IntArray) -> IntArray:
    """The counts of the states as they stand; of many states the most frequent ones, in falling order."""
    if len(counts) <= MOST_BARS:
        return counts
    most: IntArray = np.sort(counts)[::-1][:MOST_BARS]
    return most


def number_bars(values: FloatArray, counts: IntArray) -> IntArray:
    """How many cells lie in each of MOST_BARS equal intervals between the smallest and the largest number."""
    weights = np.histogram(values, bins=MOST_BARS, weights=counts)[0]
    heights: IntArray = np.rint(weights).astype(np.int64)
    return heights
