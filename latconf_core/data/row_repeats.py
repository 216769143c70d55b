"""Rows that repeat as no sample does: copies, and designs in which every combination occurs equally often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import log, prod

import numpy as np

from latconf_core.data.dataset import Dataset

MOST_COMPUTED = 2  # variables of a design that others determine, such as its class
LEAST_FACTORS = 3  # variables of a design …
LEAST_COMBINATIONS = 16  # … and its combinations: fewer occur equally often by chance
MOST_VARIABLES = 40  # beside which a design cannot be full
SURE = 1000  # 1 in so many tables has such a divisor by chance


def is_design(dataset: Dataset) -> bool:
    """Whether every combination of some variables occurs equally often, and these determine all others."""
    if not dataset.is_complete or dataset.n_variables > MOST_VARIABLES or not dataset.has_whole_rows:
        return False
    n_distinct = len(dataset.distinct.counts)
    if n_distinct < LEAST_COMBINATIONS:
        return False
    seen = [int(np.count_nonzero(dataset.counts(name))) for name in dataset.names]
    everything = range(dataset.n_variables)
    for n_computed in range(MOST_COMPUTED + 1):
        for computed in combinations(everything, n_computed):
            factors = [v for v in everything if v not in computed]
            is_full = len(factors) >= LEAST_FACTORS and prod(seen[v] for v in factors) == n_distinct
            if is_full and _are_equally_often(dataset, factors, n_distinct):
                return True
    return False


def _are_equally_often(dataset: Dataset, factors: Sequence[int], n_combinations: int) -> bool:
    part = dataset.select([dataset.names[v] for v in factors]).distinct
    return len(part.counts) == n_combinations and len(set(part.counts.tolist())) == 1


def common_divisor(dataset: Dataset) -> int:
    """What the counts of all different rows can be divided by; 1 where chance may do that."""
    if not dataset.has_whole_rows or not dataset.n_rows or not dataset.n_variables:
        return 1
    counts = np.asarray(dataset.distinct.counts, dtype=np.int64)
    divisor = int(np.gcd.reduce(counts))
    return divisor if divisor > 1 and len(counts) * log(divisor) >= log(SURE) else 1
