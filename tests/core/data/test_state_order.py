"""States stand in the order of what they mean: numbers, intervals, then texts."""

from __future__ import annotations

import random

import pytest

from latconf_core.data.preparing.discretise import bin_labels
from latconf_core.data.state_order import as_interval, decimal_of_texts, order_states


@pytest.mark.parametrize(
    "states",
    [
        bin_labels([-1.5, 2, 10, 100]),
        ["<=5", "5 to 10", "10 to 100", ">100"],
        ["< 18", "18-24", "25-34", "100+"],
        ["under 18", "18 to 65", "over 65"],
        ["(-inf,-3]", "(-3,5]", "(5,10]", "(10,inf)"],
        ["[0, 9)", "[9, 10)", "[10, 20)"],
        ["0–4 years", "5–9 years", "10–14 years", "85+ years"],
        ["≤ 1.5", "1.5 … 2", "> 2"],
        ["unter 5", "5 bis 10", "über 10"],
        ["0", "1-2", "3", "4-9", "10 or more"],
        ["1", "2", "3+", "other"],
    ],
    ids=lambda states: " | ".join(states),
)
def test_that_intervals_are_sorted_by_their_numbers(states: list[str]) -> None:
    mixed = list(states)
    for seed in range(5):
        random.Random(seed).shuffle(mixed)
        assert order_states(mixed) == states


@pytest.mark.parametrize("text", ["2020-01", "absent", "bis", "1-2-3", "to 5", "overweight", "<", "x 5-6", "5 - ", ""])
def test_that_other_texts_are_no_intervals(text: str) -> None:
    assert as_interval(text) is None


def test_that_decimal_commas_are_sorted_as_numbers_whatever_the_table_says() -> None:
    assert order_states(["10,5", "9,25", "-1,5", "9,5", "NA"]) == ["-1,5", "9,25", "9,5", "10,5", "NA"]
    assert order_states(["10.5", "9.25", "-1.5", "9.5"], ",") == ["-1.5", "9.25", "9.5", "10.5"]


@pytest.mark.parametrize(
    ("texts", "default", "expected"),
    [
        (["1,5", "2", "NA"], ".", ","),
        (["1,5", "2.5"], ".", "."),
        (["1.5", "2", ""], ",", "."),
        (["1,000", "12,500"], ".", "."),
        (["a,b", "c"], ".", "."),
    ],
    ids=["comma", "both", "point", "thousands", "words"],
)
def test_that_a_column_has_its_own_decimal_mark(texts: list[str], default: str, expected: str) -> None:
    assert decimal_of_texts(texts, default) == expected
