"""Data given by counts of rows are the same as these rows written out, to learners, scores and searches alike."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from support.builders import random_dataset
from support.small_bench import confounded

from latconf_core.counts.families import count_family, counting_table
from latconf_core.data.copies import find_copies
from latconf_core.data.counted_dataset import count_rows, resample
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.search.runner import run_search


def written_out(counted: Dataset) -> Dataset:
    """The same rows by an independent way: one after the other."""
    codes, weights = counted.counted_rows
    rows = [codes[row] for row, weight in enumerate(weights) for _ in range(weight)]
    return Dataset(counted.names, counted.states, np.array(rows))


@pytest.fixture
def drawn() -> Dataset:
    return resample(count_rows(confounded(150, 1)), "bootstrap", rng=np.random.default_rng(5))


def test_that_counted_rows_are_the_rows_written_out(drawn: Dataset) -> None:
    rows = written_out(drawn)
    assert drawn == rows
    assert (drawn.n_rows, drawn.digest) == (rows.n_rows, rows.digest)
    assert [drawn.counts(name).tolist() for name in drawn.names] == [rows.counts(name).tolist() for name in rows.names]
    assert drawn.select("CA") == rows.select("CA")
    assert np.array_equal(count_family(drawn, 0, (1, 3)), count_family(rows, 0, (1, 3)))


def test_that_counting_never_writes_the_rows_out(drawn: Dataset) -> None:
    codes, weights = counting_table(drawn)
    assert len(codes) == len(weights) < drawn.n_rows
    run_learner(drawn, PagOptions(method="gfci"))
    run_search(drawn, run_learner(drawn, PagOptions(method="gfci")).graph, "hclc-v")
    with pytest.raises(AttributeError):
        object.__getattribute__(drawn, "codes")  # the slot is still empty


@pytest.mark.parametrize("method", ["fci", "gfci"])
def test_that_learners_and_searches_find_the_same_in_counted_rows(drawn: Dataset, method: str) -> None:
    rows = written_out(drawn)
    learned, expected = (run_learner(data, PagOptions(method=method)) for data in (drawn, rows))
    assert (learned.graph, learned.n_tests, learned.notes) == (expected.graph, expected.n_tests, expected.notes)
    look, same = (run_search(data, learned.graph, "hclc-v") for data in (drawn, rows))
    assert look.history == same.history
    assert (look.best, look.p_elbo) == (same.best, same.p_elbo)


def test_that_copies_are_told_in_counted_rows() -> None:
    codes = np.array([[0, 1, 0], [1, 0, 0], [1, 0, 1]])
    data = Dataset("ABC", [("0", "1")] * 3, codes, np.array([4, 2, 3]))
    assert find_copies(data) == find_copies(written_out(data)) == {"B": "A"}


def test_that_a_bootstrap_sample_has_as_many_rows_and_a_half_sample_half_of_them() -> None:
    source = count_rows(random_dataset(np.random.default_rng(0), 101, [2, 3, 2]))
    rng = np.random.default_rng(1)
    assert resample(source, "bootstrap", rng=rng).n_rows == 101
    half = resample(source, "half", rng=rng)
    assert half.n_rows == 50
    available = {tuple(row): n for row, n in zip(source.counted_rows[0].tolist(), source.counted_rows[1])}
    taken = {tuple(row): n for row, n in zip(half.counted_rows[0].tolist(), half.counted_rows[1])}
    assert all(taken[row] <= available[row] for row in taken)  # without replacement


def test_that_rows_are_drawn_as_often_as_they_occur() -> None:
    data = Dataset("AB", [("0", "1")] * 2, np.repeat([[0, 0], [0, 1], [1, 1]], [70, 20, 10], axis=0))
    source, rng = count_rows(data), np.random.default_rng(2)
    for kind, spread in (("bootstrap", np.sqrt(100 * 0.7 * 0.3)), ("half", np.sqrt(50 * 0.7 * 0.3 * 50 / 99))):
        size = 100 if kind == "bootstrap" else 50
        counts = [int(resample(source, kind, rng=rng).counts("B")[0]) for _ in range(400)]  # type: ignore[arg-type]
        assert abs(np.mean(counts) - 0.7 * size) < 5 * spread / 20  # five standard errors of the mean of 400
        assert np.std(counts) == pytest.approx(spread, rel=0.2)


def test_that_a_sample_does_not_depend_on_the_order_of_rows() -> None:
    data = confounded(60, 3)
    shuffled = Dataset(data.names, data.states, data.codes[np.random.default_rng(0).permutation(60)])
    one, other = (resample(count_rows(own), "bootstrap", rng=np.random.default_rng(4)) for own in (data, shuffled))
    assert one == other


def test_that_counted_rows_survive_a_pickle(drawn: Dataset) -> None:
    again = pickle.loads(pickle.dumps(drawn))
    assert again.weights is not None
    assert again == drawn


def test_that_nothing_is_drawn_from_one_row() -> None:
    rows = count_rows(Dataset("A", [("0", "1")], [[1]]))
    with pytest.raises(DataError, match="1 rows; samples can be drawn of 2 or more"):
        resample(rows, "bootstrap", rng=np.random.default_rng(0))


def test_that_counts_must_fit_the_rows() -> None:
    with pytest.raises(ValueError, match="as many weights"):
        Dataset("A", [("0", "1")], np.array([[0], [1]]), np.array([1]))
