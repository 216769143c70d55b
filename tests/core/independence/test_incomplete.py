"""Tests on data with missing cells use the rows complete in their variables, and say how many these were."""

from __future__ import annotations

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.independence.contingency import ContingencyTest
from latconf_core.independence.incomplete import IncompleteTest
from latconf_core.options.learning import DegreesOfFreedom, PagOptions, pag_preset
from latconf_core.pag.learners.catalogue import run_learner


def with_gaps(seed: int, share: float = 0.2, n_rows: int = 300) -> Dataset:
    rng = np.random.default_rng(seed)
    data = random_dataset(rng, n_rows, [2, 3, 2, 2])
    return Dataset(data.names, data.states, np.where(rng.random(data.codes.shape) < share, -1, data.codes.astype(int)))


@pytest.mark.parametrize("freedom", ["adaptive", "full", "full-guard"])
@pytest.mark.parametrize("statistic", ["g-square", "chi-square"])
def test_that_a_test_is_the_one_on_the_rows_complete_in_its_variables(
    statistic: str, freedom: DegreesOfFreedom
) -> None:
    data = with_gaps(1)
    test = IncompleteTest(data, statistic=statistic, degrees_of_freedom=freedom)  # type: ignore[arg-type]
    for x, y, given in ((0, 1, ()), (0, 2, (1,)), (1, 3, (0, 2))):
        columns = [x, y, *given]
        rows = data.codes[(data.codes[:, columns] >= 0).all(axis=1)]
        part = Dataset([data.names[v] for v in columns], [data.states[v] for v in columns], rows[:, columns])
        whole = ContingencyTest(part, statistic=statistic, degrees_of_freedom=freedom)  # type: ignore[arg-type]
        expected = whole.p_value(0, 1, tuple(range(2, len(columns))))
        assert test.p_value(x, y, given) == pytest.approx(expected, rel=1e-12)
    assert test.least_rows is not None
    assert test.most_rows is not None
    assert test.least_rows < test.most_rows < data.n_rows


def test_that_a_test_with_too_few_rows_is_not_done_and_keeps_the_edge() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(2, size=(100, 2))
    codes[5:, 0] = -1
    test = IncompleteTest(Dataset("AB", [("0", "1")] * 2, codes))
    assert not test.is_independent(0, 1, ())
    assert test.n_not_done == 1


def test_that_counts_of_rows_change_nothing() -> None:
    data = with_gaps(2)
    seen, counts = np.unique(data.codes, axis=0, return_counts=True)
    by_counts = Dataset(data.names, data.states, seen, counts)
    for method in ("fci", "rfci"):
        first, second = (run_learner(rows, PagOptions(method=method)) for rows in (data, by_counts))
        assert (first.graph, first.n_tests, first.notes) == (second.graph, second.n_tests, second.notes)


def test_that_the_rows_used_are_reported() -> None:
    learned = run_learner(with_gaps(3), PagOptions(method="fci"))
    assert any("rows complete in its variables" in note for note in learned.notes)


def test_that_presets_of_the_paper_refuse_missing_cells() -> None:
    for name in ("paper-fci", "paper-gfci"):
        with pytest.raises(DataError, match="the paper's settings"):
            run_learner(with_gaps(4), pag_preset(name))


def test_that_a_score_search_asks_for_completed_rows() -> None:
    with pytest.raises(DataError, match="complete rows"):
        run_learner(with_gaps(5), PagOptions(method="gfci"))
