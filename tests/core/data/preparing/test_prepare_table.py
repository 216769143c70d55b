"""A table with its choices: data, or a sentence that says what stands in their way."""

from __future__ import annotations

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare_table import prepare_table, table_of_dataset
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.errors import DataError


def column(cells: list[str]) -> RawColumn:
    texts = sorted(set(cells))
    return RawColumn.sorted(np.array([texts.index(cell) for cell in cells]), texts)


MISSING = RawTable(("a", "b"), (column(["x", "y"] * 4), column(["1", "NA", "2", "1"] * 2)))
CONSTANT = RawTable(("a",), (column(["x"] * 4),))


def test_that_missing_cells_are_kept_until_they_are_dropped() -> None:
    kept = prepare_table(MISSING, Preparation(), must_give_data=True)
    assert kept.prepared is not None
    assert not kept.prepared.dataset.is_complete
    assert [plan.name for plan in kept.plans] == ["a", "b"]
    done = prepare_table(MISSING, Preparation(missing="drop rows"))
    assert done.prepared is not None
    assert (done.prepared.dataset.n_rows, done.obstacle) == (6, "")


def test_that_a_table_that_gives_no_data_is_explained_or_refused_as_asked() -> None:
    assert prepare_table(CONSTANT, Preparation()).obstacle
    with pytest.raises(DataError):
        prepare_table(CONSTANT, Preparation(), must_give_data=True)


def test_that_data_as_a_table_are_the_same_data() -> None:
    data = random_dataset(np.random.default_rng(0), 50, [2, 3, 4])
    done = prepare_table(table_of_dataset(data), Preparation(missing_marks=()))
    assert done.prepared is not None
    assert done.prepared.dataset == data
