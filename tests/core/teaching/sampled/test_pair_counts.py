"""Counts of two variables."""

from __future__ import annotations

import numpy as np
import pytest

from latconf_core.data.dataset import Dataset
from latconf_core.teaching.sampled.pair_counts import count_pair


def test_that_counts_are_those_of_the_rows_and_the_sentence_says_what_they_mean() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(2, size=1000)
    b = np.where(rng.random(1000) < 0.9, a, 1 - a)
    c = rng.integers(3, size=1000)
    data = Dataset("ABC", [("no", "yes"), ("no", "yes"), ("0", "1", "2")], np.stack([a, b, c], axis=1))
    pair = count_pair(data, "A", "C")
    assert pair.counts.shape == (2, 3)
    assert all(pair.counts[i, j] == ((a == i) & (c == j)).sum() for i in range(2) for j in range(3))
    dependent = count_pair(data, "B", "A")
    assert dependent.counts.tolist() == count_pair(data, "A", "B").counts.T.tolist()
    assert dependent.p_value == pytest.approx(0.0, abs=1e-12)
    assert dependent.sentence(0.05) == "B and A are significantly dependent on their own (p < 0.001)."
    assert "are not significantly dependent on their own" in pair.sentence(min(pair.p_value / 2, 0.05))
