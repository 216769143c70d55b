"""Discretisation against hand-made cuts, exhaustive search and scikit-free truths."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latconf_core.data.preparing.discretise import Discretisation, bin_labels, bins_of
from latconf_core.errors import OptionError


def fit(rule: Discretisation, numbers: list[float]) -> tuple[float, ...]:
    values, counts = np.unique(np.array(numbers, dtype=float), return_counts=True)
    return rule.fit(values, counts)


def within_bins(numbers: np.ndarray, points: tuple[float, ...]) -> float:
    """The sum of squared distances to the means of the bins."""
    bins = bins_of(numbers, points)
    return sum(float(((numbers[bins == b] - numbers[bins == b].mean()) ** 2).sum()) for b in np.unique(bins))


def test_that_equal_width_cuts_the_range_evenly() -> None:
    assert fit(Discretisation("equal width", 4), [0, 1, 2, 8]) == (2, 4, 6)


def test_that_equal_frequency_puts_as_many_values_in_each_bin() -> None:
    points = fit(Discretisation("equal frequency", 4), list(range(100)))
    assert np.bincount(bins_of(np.arange(100.0), points)).tolist() == [25, 25, 25, 25]


def test_that_equal_frequency_keeps_equal_values_together() -> None:
    points = fit(Discretisation("equal frequency", 3), [1] * 90 + [2, 3, 4])
    assert points == (1.5,)


def test_that_k_means_finds_separated_clusters() -> None:
    numbers = [1.0, 1.1, 1.2] * 10 + [5.0, 5.1] + [9.0] * 40
    assert fit(Discretisation("k-means", 3), numbers) == pytest.approx((3.1, 7.05))


@given(st.lists(st.integers(-50, 50), min_size=4, max_size=12, unique=True))
def test_that_k_means_settles_where_no_value_is_nearer_to_another_mean(numbers: list[int]) -> None:
    values = np.sort(np.array(numbers, dtype=float))
    points = fit(Discretisation("k-means", 3), numbers)
    bins = bins_of(values, points)
    means = np.array([values[bins == b].mean() for b in np.unique(bins)])
    distance = np.abs(values[:, None] - means)
    assert np.all(distance[np.arange(len(values)), bins] <= distance.min(axis=1) + 1e-9)


def test_that_k_means_comes_near_the_best_split_of_all() -> None:
    rng = np.random.default_rng(3)
    ratios = []
    for _ in range(30):
        values = np.sort(rng.normal(size=12))
        best = min(
            within_bins(values, (values[i] + 1e-9, values[j] + 1e-9)) for i, j in itertools.combinations(range(11), 2)
        )
        ratios.append(within_bins(values, fit(Discretisation("k-means", 3), list(values))) / best)
    assert min(ratios) >= 1 - 1e-9
    assert np.median(ratios) < 1.2  # Lloyd's rounds may stop in a local optimum, but seldom far off


def test_that_a_value_on_a_cut_point_belongs_below_it() -> None:
    assert bins_of(np.array([0.5, 1.0, 1.5, 2.0, 2.5]), (1.0, 2.0)).tolist() == [0, 0, 1, 1, 2]


def test_that_labels_say_the_bins_and_differ() -> None:
    assert bin_labels((1.0, 2.5)) == ["<=1", "1 to 2.5", ">2.5"]
    close = bin_labels((1.000001, 1.000002, 1.000003))
    assert len(set(close)) == 4
    assert bin_labels(()) == ["all"]


@pytest.mark.parametrize("method", ["equal width", "equal frequency", "k-means"])
@given(numbers=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), n_bins=st.integers(2, 8))
def test_that_cut_points_ascend_and_lie_within_the_values(method: str, numbers: list[float], n_bins: int) -> None:
    points = fit(Discretisation(method, n_bins), numbers)  # type: ignore[arg-type]
    assert len(points) < n_bins
    assert all(a < b for a, b in itertools.pairwise(points))
    assert all(min(numbers) <= point <= max(numbers) for point in points)


@pytest.mark.parametrize(
    "rule",
    [Discretisation("equal width", 5), Discretisation("k-means", 2), Discretisation("cut points", cut_points=(0.1, 7))],
)
def test_that_a_rule_survives_json(rule: Discretisation) -> None:
    again = Discretisation.from_json(json.loads(json.dumps(rule.to_json())))
    assert again == rule
    assert hash(again) == hash(rule)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"method": "by eye"}, "choose one of"),
        ({"n_bins": 1}, "from 2 to 50"),
        ({"n_bins": 51}, "from 2 to 50"),
        ({"method": "cut points"}, "at least one"),
        ({"method": "cut points", "cut_points": (2, 1)}, "ascend"),
        ({"method": "cut points", "cut_points": (1, 1)}, "ascend"),
        ({"method": "cut points", "cut_points": (float("nan"),)}, "finite"),
        ({"cut_points": (1,)}, "go with the method"),
    ],
)
def test_that_a_rule_out_of_range_is_refused(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Discretisation(**arguments)  # type: ignore[arg-type]


def test_that_unknown_entries_are_refused() -> None:
    with pytest.raises(OptionError, match="'bins'"):
        Discretisation.from_json({"method": "k-means", "bins": 3})
