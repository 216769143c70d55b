"""Designs and multiples are told from samples."""

from __future__ import annotations

from itertools import product

import numpy as np
from support.builders import random_dataset

from latconf_core.data.dataset import Dataset
from latconf_core.data.facts import TableFacts
from latconf_core.data.row_repeats import common_divisor, is_design
from latconf_core.data.row_warnings import warn_of_rows


def balance(n_values: int = 3) -> Dataset:
    """Every combination of two weights and two distances, with the side that goes down."""
    rows = [
        (*row, int(np.sign(row[0] * row[1] - row[2] * row[3]) + 1)) for row in product(range(1, n_values + 1), repeat=4)
    ]
    codes = np.array([[*(value - 1 for value in row[:4]), row[4]] for row in rows])
    states = [tuple(map(str, range(n_values)))] * 4
    return Dataset("ABCDE", [*states, ("left", "even", "right")], codes)


def four_times(data: Dataset) -> Dataset:
    return Dataset(data.names, data.states, np.repeat(data.codes, 4, axis=0))


def test_that_a_full_factorial_design_with_a_computed_class_is_one() -> None:
    assert is_design(balance())
    assert is_design(four_times(balance()))
    missing_one = Dataset("ABCDE", balance().states, balance().codes[1:])
    assert not is_design(missing_one)


def test_that_copied_rows_share_a_divisor_and_samples_do_not() -> None:
    for seed in range(20):
        data = random_dataset(np.random.default_rng(seed), 150, [2, 3, 2, 2])
        assert common_divisor(data) == 1
        assert common_divisor(four_times(data)) % 4 == 0
        assert not is_design(data)


def test_that_a_divisor_by_chance_is_none() -> None:
    assert common_divisor(Dataset("A", [("0", "1")], [[0], [0], [1], [1]])) == 1


def test_that_the_warnings_go_where_the_user_knows_better() -> None:
    copied = four_times(random_dataset(np.random.default_rng(1), 80, [2, 3, 2]))
    assert len([*warn_of_rows(copied)]) == 1
    assert not [*warn_of_rows(copied.with_facts(TableFacts(rows_are_real=True)))]
    assert not [*warn_of_rows(copied.with_facts(TableFacts(is_counted=True)))]
    filled = copied.with_facts(TableFacts(filled_in=frozenset(copied.names[:1]), rows_are_real=True))
    assert len([*warn_of_rows(filled)]) == 1


def test_that_dropping_most_rows_is_said_before() -> None:
    data = random_dataset(np.random.default_rng(1), 80, [2, 3, 2])
    assert not [*warn_of_rows(data.with_facts(TableFacts(n_dropped=20)))]
    assert "fewer than half" in next(iter(warn_of_rows(data.with_facts(TableFacts(n_dropped=100)))))
    few = random_dataset(np.random.default_rng(1), 25, [2, 3, 2]).with_facts(TableFacts(n_dropped=5))
    assert "per variable" in next(iter(warn_of_rows(few)))
