"""Data given by rows and how often each occurs, and samples of data drawn as such counts.

A sample of a million rows that holds a thousand different ones is a thousand counts: nothing is copied row by row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from latconf_core.arrays import CodeArray, IntArray
from latconf_core.control import RunControl
from latconf_core.data.column_order import ColumnOrder, keep_known
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.options.resampling import Resampling

LEAST_ROWS = 2  # of data that are resampled


class CountedDataset(Dataset):
    """The same as the data with every row written out as often as it occurs; those are made only when asked for."""

    def __init__(
        self,
        names: Sequence[str],
        states: Sequence[Sequence[str]],
        codes: CodeArray,
        weights: IntArray,
        *,
        ordered: Mapping[str, ColumnOrder] | None = None,
    ) -> None:
        """The data of some rows.

        codes : (n_given, n_variables); rows may be equal
        weights : (n_given,) how often each occurs; rows that never do are left out
        """
        if weights.shape != codes.shape[:1] or (weights.size and int(weights.min()) < 0):
            raise ValueError(f"{len(codes)} rows need as many counts from 0 up")
        occurs = weights > 0
        rows = Dataset(names, states, codes[occurs])
        counts = weights[occurs].astype(np.int64)
        counts.setflags(write=False)
        self.names, self.states = rows.names, rows.states
        self.ordered = keep_known(ordered, self.names, self.states)
        self._counted = rows.codes, counts

    @property
    def counted_rows(self) -> tuple[CodeArray, IntArray]:
        """Rows with how often each occurs."""
        return self._counted

    def __getattr__(self, name: str) -> Any:
        if name != "codes":
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        codes, weights = self._counted
        self.codes = np.asfortranarray(np.repeat(codes, weights, axis=0))
        self.codes.setflags(write=False)
        return self.codes

    @property
    def n_rows(self) -> int:
        return int(self._counted[1].sum())

    def counts(self, name: str) -> IntArray:
        """How often each state of a variable occurs."""
        if name not in self.index:
            raise DataError(f"there is no variable {name!r} in the data")
        (codes, weights), column = self._counted, self.index[name]
        found = np.bincount(codes[:, column], weights=weights, minlength=self.n_states[column])
        return np.rint(found).astype(np.int64)

    def select(self, names: Sequence[str]) -> CountedDataset:
        """The data with these variables only, in this order."""
        codes, weights = self._counted
        part = Dataset(self.names, self.states, codes).select(names)
        return CountedDataset(part.names, part.states, part.codes, weights, ordered=self.ordered)

    def _compute_digest(self, control: RunControl | None) -> str:
        """As that of the rows written out: equal data have equal fingerprints."""
        codes, weights = self._counted
        shape = self.n_rows, self.n_variables
        content = hashlib.sha256(repr((self.names, self.states, shape)).encode() + self._order_content)
        for column in codes.T:
            if control is not None:
                control.checkpoint()
            content.update(np.repeat(column.astype(np.uint16), weights).tobytes())
        return content.hexdigest()

    def __reduce__(self) -> tuple[object, ...]:
        return partial(CountedDataset, ordered=self.ordered), (self.names, self.states, *self._counted)


def count_rows(dataset: Dataset, *, control: RunControl | None = None) -> CountedDataset:
    """The data by their different rows, in lexicographic order: what samples are drawn from, whatever the order."""
    dataset.find_distinct(control or RunControl())
    distinct = dataset.distinct
    return CountedDataset(dataset.names, dataset.states, distinct.codes, distinct.counts, ordered=dataset.ordered)


def resample(source: CountedDataset, kind: Resampling, *, rng: np.random.Generator) -> CountedDataset:
    """A sample of the rows: as many with replacement (bootstrap), or half of them without."""
    codes, weights = source.counted_rows
    n_rows = source.n_rows
    if n_rows < LEAST_ROWS:
        raise DataError(f"the data have {n_rows} rows; samples can be drawn of {LEAST_ROWS} or more")
    if kind == "bootstrap":
        drawn = rng.multinomial(n_rows, weights / n_rows)
    else:
        drawn = rng.multivariate_hypergeometric(weights, n_rows // 2, method="marginals")
    return CountedDataset(source.names, source.states, codes, drawn.astype(np.int64), ordered=source.ordered)
