"""A table of counts gives what its rows written out give, to the last digit, in every learner and search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from support.small_bench import confounded

from latconf_core.counts.families import counting_table
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import empty_graph
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import LEARNERS, run_learner
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.runner import run_search


def as_counts(rows: Dataset, *, rng: np.random.Generator) -> Dataset:
    """The different rows in any order, each with how often it occurs."""
    seen, counts = np.unique(rows.codes, axis=0, return_counts=True)
    order = rng.permutation(len(seen))
    return Dataset(rows.names, rows.states, seen[order], counts[order])


def written_out(data: Dataset) -> Dataset:
    """The rows one after the other, by an independent way."""
    assert data.weights is not None
    rows = [row for row, weight in zip(data.rows.tolist(), data.weights.tolist()) for _ in range(weight)]
    return Dataset(data.names, data.states, np.array(rows))


def tables(n_rows: int) -> tuple[Dataset, Dataset]:
    """The same data by counts and written out."""
    counted = as_counts(confounded(n_rows, 3), rng=np.random.default_rng(4))
    return counted, written_out(counted)


@pytest.mark.parametrize("n_rows", [20, 300])  # nearly all rows different; few different rows
def test_that_counts_are_counted_on_as_the_rows_written_out_are(n_rows: int) -> None:
    counted, rows = tables(n_rows)
    assert (counted.n_rows, counted.digest) == (rows.n_rows, rows.digest)
    assert counted == rows
    for own, expected in zip(counting_table(counted), counting_table(rows)):
        assert np.array_equal(own, expected)
        assert own.dtype == expected.dtype


@pytest.mark.parametrize("method", LEARNERS)
def test_that_every_learner_gives_the_same_from_counts(method: str) -> None:
    first, second = (run_learner(data, PagOptions(method=method)) for data in tables(300))
    assert (first.graph, first.n_tests, first.sepsets) == (second.graph, second.n_tests, second.sepsets)


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [20, 300])
@pytest.mark.parametrize("search", SEARCHES)
def test_that_every_search_gives_the_same_from_counts(search: str, n_rows: int) -> None:
    counted, rows = tables(n_rows)
    graph = (
        run_learner(rows, PagOptions(method="gfci")).graph if SEARCHES[search].needs_pag else empty_graph(rows.names)
    )
    results = [run_search(data, graph, search, options=SearchOptions(seed=1)) for data in (counted, rows)]
    first, second = results
    assert first.history == second.history
    assert (first.best, first.p_elbo, first.evidence) == (second.best, second.p_elbo, second.evidence)
    assert first.reference == second.reference


def test_that_rows_that_never_occur_are_left_out() -> None:
    data = Dataset("AB", [("0", "1")] * 2, [[0, 0], [1, 1], [0, 1]], [3, 0, 2])
    assert data.n_rows == 5
    assert data.codes.tolist() == [[0, 0]] * 3 + [[0, 1]] * 2


@pytest.mark.parametrize("weights", [[1.0, -0.5], [np.nan, 1.0], [1]])
def test_that_weights_are_one_number_from_0_up_per_row(weights: Sequence[float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        Dataset("AB", [("0", "1")] * 2, [[0, 0], [1, 1]], weights)


def test_that_fractions_of_rows_are_part_of_the_fingerprint() -> None:
    halves, thirds = (Dataset("A", [("0", "1")], [[0], [1]], [share, 1 - share]) for share in (1 / 2, 1 / 3))
    assert halves.n_rows == thirds.n_rows == 1
    assert halves.digest != thirds.digest
    assert halves != thirds
