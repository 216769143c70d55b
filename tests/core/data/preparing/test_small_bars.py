from __future__ import annotations

from itertools import pairwise

import numpy as np
from support.tables import raw_table

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import plan_columns


def test_that_many_numbers_are_drawn_as_a_histogram_of_all_their_values() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(50, 10, size=400).round(1)
    (plan,) = plan_columns(raw_table(x=[f"{value}" for value in values]), Preparation())
    edges = np.linspace(values.min(), values.max(), 25)
    counts = [int(((values >= a) & (values < b)).sum()) for a, b in pairwise(edges[:-1])]
    counts.append(int((values >= edges[-2]).sum()))
    assert plan.bars.tolist() == counts


def test_that_few_states_are_drawn_one_bar_each_and_many_words_by_the_most_frequent() -> None:
    (few,) = plan_columns(raw_table(x=["a", "b", "b"]), Preparation())
    assert few.bars.tolist() == [1, 2]
    words = [f"w{i}" for i in range(40) for _ in range(i + 1)]
    (many,) = plan_columns(raw_table(x=words), Preparation())
    assert many.bars.tolist() == list(range(40, 16, -1))


def test_that_a_column_used_against_a_rule_says_which_and_one_of_many_states_is_flagged() -> None:
    columns = {"age": [str(20 + i % 49) for i in range(98)], "weight": [str(i % 70) for i in range(98)]}
    age, weight = plan_columns(raw_table(**columns), Preparation(include=frozenset({"weight"})))
    assert (age.overruled, age.has_many_states) == ("", True)
    assert weight.overruled == "it has 70 states, more than 50"
    assert weight.is_used


def test_that_an_identifier_written_with_decimals_is_not_offered_to_be_cut() -> None:
    columns = {"id": [f"{233 + i}.0" for i in range(30)], "weight": [f"{50 + i}.{i % 10}" for i in range(30)]}
    identifier, weight = plan_columns(raw_table(**columns), Preparation())
    assert not identifier.asks_for_bins
    assert weight.asks_for_bins
