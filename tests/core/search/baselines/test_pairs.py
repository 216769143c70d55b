"""Mutual information of columns against its definition, and the order of pairs."""

from __future__ import annotations

from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latconf_core.counts.families import NO_WEIGHTS
from latconf_core.search.baselines.pairs import PairsByInformation, mutual_information

rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=40)


@given(rows)
def test_that_it_is_the_sum_of_its_definition(table: list[tuple[int, int, int]]) -> None:
    first, second, weights = (np.array(column) for column in zip(*table))
    whole = [(a, b) for a, b, times in table for _ in range(times)]
    n = len(whole)
    joint, left, right = Counter(whole), Counter(a for a, _ in whole), Counter(b for _, b in whole)
    wanted = sum(value / n * log(value * n / (left[a] * right[b])) for (a, b), value in joint.items())
    assert mutual_information(first, second, weights) == pytest.approx(wanted, abs=1e-12)
    expanded = np.repeat(first, weights), np.repeat(second, weights)
    assert mutual_information(*expanded, NO_WEIGHTS) == pytest.approx(wanted, abs=1e-12)


def test_that_equal_pairs_keep_their_order_and_a_new_column_is_heeded() -> None:
    pairs = PairsByInformation(NO_WEIGHTS, lambda: None)
    bit = np.array([0, 1] * 10)
    for node, column in enumerate((bit, 1 - bit, bit, np.zeros(20, dtype=int))):
        pairs.put(node, column)
    assert pairs.best([0, 1, 2, 3], 4) == [(0, 1), (0, 2), (1, 2), (0, 3)]
    pairs.put(1, np.zeros(20, dtype=int))
    assert pairs.best([0, 1, 2, 3], 1) == [(0, 2)]
