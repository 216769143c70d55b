"""Differences of log probabilities paired by row, against closed forms, and ranks in which ties are ties."""

from __future__ import annotations

from math import sqrt
from statistics import fmean, stdev

import numpy as np
import pytest

from latconf_core.bench.row_logs import RowLogs, RowMean, rank_with_ties, subtract


def of_rows(*logs: float) -> RowMean:
    return RowMean(fmean(logs), stdev(logs) / sqrt(len(logs)), RowLogs.of(np.array(logs)))


def test_that_logs_survive_their_text_to_a_millionth() -> None:
    logs = np.random.default_rng(1).normal(-20, 3, 1000)
    assert np.abs(RowLogs.of(logs).values - logs).max() < 2e-6


def test_that_the_standard_error_is_that_of_the_differences_of_rows() -> None:
    first, second = of_rows(-1.0, -4.0, -9.0, -2.0), of_rows(-1.5, -4.25, -10.0, -2.0)
    differences = [0.5, 0.25, 1.0, 0.0]
    found = subtract(first, second)
    assert found.per_row == pytest.approx(fmean(differences), abs=1e-7)
    assert found.standard_error == pytest.approx(stdev(differences) / 2, abs=1e-7)
    assert subtract(second, first).per_row == pytest.approx(-found.per_row)


def test_that_a_difference_of_every_row_alike_is_certain_however_noisy_the_rows() -> None:
    rows = np.random.default_rng(2).normal(-20, 5, 400)
    found = subtract(of_rows(*rows), of_rows(*(rows - 0.125)))
    assert found.per_row == pytest.approx(0.125, abs=1e-6)
    assert found.standard_error == pytest.approx(0, abs=1e-6)
    assert not found.is_tie


def test_that_without_rows_the_errors_of_both_means_add_up() -> None:
    found = subtract(RowMean(-2.0, 0.3), of_rows(-3.0, -3.0))
    assert (found.per_row, found.standard_error) == (pytest.approx(1.0), pytest.approx(0.3))
    assert not found.is_tie
    assert subtract(RowMean(-2.0, 0.3), RowMean(-2.9, 0.4)).standard_error == pytest.approx(0.5)
    assert subtract(RowMean(-2.0), RowMean(-2.1)).standard_error is None
    assert not subtract(RowMean(-2.0), RowMean(-2.1)).is_tie


def test_that_whatever_lies_within_two_standard_errors_of_a_better_one_shares_its_rank() -> None:
    noise = np.array([1.0, -1.0] * 50)  # a standard error of 0.1005 around any mean
    base = np.full(100, -5.0)
    means = {
        "best": of_rows(*base),
        "near": of_rows(*(base - 0.15 + noise)),
        "far": of_rows(*(base - 0.5)),
        "farther": of_rows(*(base - 0.6 + noise)),
        "last": of_rows(*(base - 2.0)),
    }
    standings = rank_with_ties(means)
    assert {name: standing.rank for name, standing in standings.items()} == {
        "best": 1, "near": 1, "far": 3, "farther": 3, "last": 5
    }  # fmt: skip
    assert [standings[name].mean_place for name in means] == [1.5, 1.5, 3.5, 3.5, 5.0]
    assert standings["best"].difference.per_row == 0
    assert standings["last"].difference.per_row == pytest.approx(-2.0)
    assert rank_with_ties({}) == {}
