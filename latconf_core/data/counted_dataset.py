"""Data by their different rows, and samples of data drawn as counts of these.

A sample of a million rows that holds a thousand different ones is a thousand counts: nothing is copied row by row.
"""

from __future__ import annotations

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.options.resampling import Resampling

LEAST_ROWS = 2  # of data that are resampled


def count_rows(dataset: Dataset, *, control: RunControl | None = None) -> Dataset:
    """The data by their different rows, in lexicographic order: what samples are drawn from, whatever the order."""
    dataset.find_distinct(control or RunControl())
    return dataset.with_rows(dataset.distinct.codes, dataset.distinct.counts)


def resample(source: Dataset, kind: Resampling, *, rng: np.random.Generator) -> Dataset:
    """A sample of the rows of data that are given by counts: as many with replacement (bootstrap), or half without."""
    codes, weights = source.rows, np.asarray(source.weights, dtype=np.int64)
    n_rows = source.n_rows
    if n_rows < LEAST_ROWS:
        raise DataError(f"the data have {n_rows} rows; samples can be drawn of {LEAST_ROWS} or more")
    if kind == "bootstrap":
        drawn = rng.multinomial(n_rows, weights / n_rows)
    else:
        drawn = rng.multivariate_hypergeometric(weights, n_rows // 2, method="marginals")
    return source.with_rows(codes, drawn.astype(np.int64))
