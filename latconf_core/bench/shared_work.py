"""What cells on one data set share: the split of its rows, fresh rows, its PAGs, its best DAG without latents."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from latconf_core.bench.cell import Cell, CellResult, FoundReference, LearnedGraph, Split
from latconf_core.bench.fresh_rows import FreshRows
from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.inference.completing.learned_rows import learned_from_rows
from latconf_core.options.learning import PagOptions
from latconf_core.search.references import References

LEAST_ROWS = 10  # below that, a part of the rows says nothing about the others


@dataclass(frozen=True)
class Known:
    """What finished cells on the same data have found, for one cell that is to be run; small enough to be sent."""

    pag: LearnedGraph | None = None
    reference: FoundReference | None = None


NOTHING_KNOWN = Known()


@dataclass(eq=False)
class SharedWork:
    """The memory of whoever runs cells on a data set, one after the other."""

    dataset: Dataset
    references: References = field(default_factory=References)
    reference_seconds: float = 0.0
    _pags: dict[tuple[Split | None, PagOptions], LearnedGraph] = field(default_factory=dict)
    _splits: dict[Split, tuple[Dataset, Dataset] | None] = field(default_factory=dict)
    _fresh: dict[FreshRows, Dataset] = field(default_factory=dict)

    def seen_by(self, cell: Cell) -> Dataset:
        """The rows that the method of a cell may see: the training rows, or all where none are held out."""
        parts = None if cell.split is None else self.split(cell.split)
        return self.dataset if parts is None else parts[0]

    def take_over(self, cell: Cell, known: Known) -> None:
        """Keep what others have found."""
        if known.pag is not None and cell.pag is not None:
            self._pags.setdefault((cell.split, cell.pag), known.pag)
        bound = cell.knowledge.bind(self.dataset.names)
        if known.reference is not None and not self.references.knows(self.seen_by(cell), cell.options, known=bound):
            self.references.remember(self.seen_by(cell), cell.options, known.reference.found, known=bound)
            self.reference_seconds = known.reference.seconds

    def learn(self, cell: Cell, options: PagOptions, *, control: RunControl) -> LearnedGraph:
        """The PAG of the rows that a cell may see; learned once."""
        key = cell.split, options
        if key not in self._pags:
            learned = learned_from_rows(self.seen_by(cell), options, knowledge=cell.knowledge, control=control)
            self._pags[key] = LearnedGraph(learned.graph, learned.seconds)
        return self._pags[key]

    def fresh(self, source: FreshRows) -> Dataset:
        """Fresh rows; drawn once."""
        if source not in self._fresh:
            self._fresh[source] = source.draw()
        return self._fresh[source]

    def split(self, split: Split) -> tuple[Dataset, Dataset] | None:
        """The training rows and those that are held out; None where there are too few."""
        if split not in self._splits:
            self._splits[split] = split_rows(self.dataset, split)
        return self._splits[split]


def split_rows(dataset: Dataset, split: Split) -> tuple[Dataset, Dataset] | None:
    """Two parts of a table, by a seed; both declare all states. None where there are fewer than ten rows."""
    if dataset.n_rows < LEAST_ROWS:
        return None
    n_test = min(max(round(split.test_share * dataset.n_rows), 1), dataset.n_rows - 1)
    order = np.random.default_rng(split.seed).permutation(dataset.n_rows)
    parts = np.sort(order[n_test:]), np.sort(order[:n_test])
    names, states, ordered = dataset.names, dataset.states, dataset.ordered
    train, test = (Dataset(names, states, dataset.codes[rows], ordered=ordered) for rows in parts)
    return train, test


def known_of(result: CellResult, cell: Cell, *, of: Cell) -> Known:
    """What the result of a cell on the same data holds for another cell."""
    if cell.split != of.split:  # other rows
        return NOTHING_KNOWN
    same_pag = cell.pag is not None and cell.pag == of.pag
    return Known(result.pag if same_pag else None, result.reference)
