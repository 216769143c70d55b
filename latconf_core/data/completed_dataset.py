"""Rows with missing cells, completed: every way to fill them in that counts, each a fraction of its row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import CodeArray, FloatArray, IntArray
from latconf_core.data.dataset import Dataset
from latconf_core.data.distinct_rows import distinct_rows


class CompletedDataset(Dataset):
    """Weighted rows that stand for data with missing cells; priors come from the cells that were observed.

    source : the data with missing cells
    source_of, row_of, share : of every completion the distinct row of the source, the given row it became, and its
        share of that row of the source; the shares of a row sum to one
    """

    source: Dataset
    source_of: IntArray
    row_of: IntArray
    share: FloatArray

    def __init__(self, source: Dataset, codes: CodeArray, source_of: IntArray, share: FloatArray) -> None:
        """The data of some completions.

        codes : (n_completions, n_variables) without missing cells; equal ones become one row
        """
        rows = distinct_rows(np.asfortranarray(codes), source.n_states)
        weights = np.bincount(
            rows.of_row, weights=share * source.distinct.counts[source_of], minlength=len(rows.counts)
        )
        weights = np.maximum(weights, np.finfo(float).tiny)
        super().__init__(source.names, source.states, rows.codes, weights, source.facts, ordered=source.ordered)
        self.source, self.source_of, self.row_of, self.share = source, source_of, rows.of_row.astype(np.int64), share

    @cached_property
    def observed_counts(self) -> tuple[IntArray, ...]:
        """How often each state of every variable was observed."""
        return tuple([self.source.counts(name) for name in self.names])

    @property
    def sources(self) -> IntArray:
        """How often each distinct row of the source occurs."""
        return np.asarray(self.source.distinct.counts, dtype=np.int64)

    def weigh(self, n_of_source: npt.NDArray[np.number]) -> FloatArray:
        """The weights of the given rows where each distinct row of the source occurs so often."""
        shares = self.share * n_of_source[self.source_of]
        return np.asarray(np.bincount(self.row_of, weights=shares, minlength=len(self.rows)), dtype=np.float64)

    def average(self, values: FloatArray) -> FloatArray:
        """Values of the given rows, (n_given, …), as the mean over the completions of each row of the data."""
        columns = values.reshape(len(values), -1).T
        n_sources = len(self.sources)
        means = [np.bincount(self.source_of, self.share * column[self.row_of], n_sources) for column in columns]
        of_source = np.stack(means, axis=1).reshape(n_sources, *values.shape[1:])
        return np.asarray(of_source[self.source.distinct.of_row])

    def select(self, names: Sequence[str]) -> Dataset:
        """The weighted rows of these variables only; they are no completions any more."""
        return Dataset(self.names, self.states, self.rows, self.weights, ordered=self.ordered).select(names)

    def __reduce__(self) -> tuple[type[CompletedDataset], tuple[object, ...]]:
        return CompletedDataset, (self.source, self.rows[self.row_of], self.source_of, self.share)
