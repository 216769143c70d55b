"""Tables with local structure, against every partition and every tree of small ones."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np
import pytest
from scipy.special import gammaln

from latconf_core.families.local_tables import local_score, merged_score, n_partitions, tree_score


def dirichlet_multinomial(rows: np.ndarray, prior: np.ndarray) -> float:
    total = 0.0
    for row in rows.reshape(-1, len(prior)):
        total += gammaln(prior.sum()) - gammaln(prior.sum() + row.sum())
        total += (gammaln(prior + row) - gammaln(prior)).sum()
    return total


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    first, *rest = items
    for parts in partitions(rest):
        yield [[first], *parts]
        for k, part in enumerate(parts):
            yield [*parts[:k], [first, *part], *parts[k + 1 :]]


def test_that_partitions_are_counted_as_they_are_listed() -> None:
    assert [n_partitions(n) for n in range(7)] == [len(list(partitions(list(range(n))))) for n in range(7)]


def test_that_merged_states_of_one_parent_come_to_the_best_partition() -> None:
    prior = np.array([0.5, 0.5])
    for seed in range(10):
        rng = np.random.default_rng(seed)
        rates = rng.choice([0.1, 0.8], size=4)
        counts = np.array([rng.multinomial(200, [p, 1 - p]) for p in rates], dtype=float)
        best = max(
            dirichlet_multinomial(np.array([counts[part].sum(axis=0) for part in parts]), prior)
            for parts in partitions([0, 1, 2, 3])
        )
        assert merged_score(counts, prior) == pytest.approx(best - log(15))


def test_that_a_table_whose_rows_differ_gains_nothing_by_local_structure() -> None:
    prior = np.array([0.5, 0.5])
    counts = np.array([[900.0, 100], [500, 500], [100, 900]])
    assert local_score(counts, prior) < dirichlet_multinomial(counts, prior)


def test_that_a_table_whose_rows_repeat_gains_by_local_structure() -> None:
    rng = np.random.default_rng(0)
    prior = np.array([0.5, 0.5])
    counts = np.array([[rng.multinomial(60, [0.9, 0.1] if a == 2 else [0.2, 0.8]) for _ in range(4)] for a in range(3)])
    assert local_score(counts.astype(float), prior) > dirichlet_multinomial(counts, prior) + 5


def test_that_a_tree_of_one_binary_parent_is_paid_for() -> None:
    prior = np.array([0.5, 0.5])
    apart, alike = np.array([[90.0, 10], [10, 90]]), np.array([[50.0, 50], [50, 50]])
    assert tree_score(apart, prior) == pytest.approx(dirichlet_multinomial(apart, prior) - 3 * log(2))
    assert tree_score(alike, prior) == pytest.approx(dirichlet_multinomial(alike.sum(axis=0), prior) - log(2))


def test_that_a_table_too_large_is_left_as_it_is() -> None:
    assert local_score(np.zeros((50, 50, 2)), np.array([0.5, 0.5])) == -np.inf
