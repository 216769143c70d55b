from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import contingency, entropy

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.association import associations, cramers_v, expected_table, mutual_information
from latconf_core.score.scorer import Scorer

TABLES = [[[30, 5], [4, 61]], [[10, 20, 30], [7, 1, 50]], [[5, 5], [5, 5]], [[9, 0], [0, 4]]]


@pytest.mark.parametrize("table", TABLES)
def test_that_cramers_v_and_mutual_information_are_those_of_scipy(table: list[list[int]]) -> None:
    counts = np.array(table, dtype=np.float64)
    assert cramers_v(counts) == pytest.approx(contingency.association(np.array(table), method="cramer"), abs=1e-12)
    joint = counts / counts.sum()
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    assert mutual_information(counts) == pytest.approx(entropy(joint.ravel(), apart.ravel()), abs=1e-12)


def test_that_empty_rows_and_columns_change_nothing() -> None:
    counts = np.array([[30.0, 5, 0], [0, 0, 0], [4, 61, 0]])
    assert cramers_v(counts) == pytest.approx(cramers_v(np.array([[30.0, 5], [4, 61]])))
    assert cramers_v(np.array([[3.0, 4.0]])) == 0


def test_that_a_table_counts_every_row_once() -> None:
    shares = np.array([[1.0, 0.0], [0.25, 0.75], [0.5, 0.5]])
    table = expected_table(shares, np.array([0, 2, 2]), 3)
    assert table.tolist() == [[1, 0, 0.75], [0, 0, 1.25]]


def test_that_children_of_a_strong_latent_go_with_it_and_a_stranger_does_not() -> None:
    rng = np.random.default_rng(5)
    hidden = rng.integers(2, size=3000)
    noisy = [(hidden + (rng.random(3000) < 0.05)) % 2 for _ in range(3)]
    codes = np.stack([rng.integers(2, size=3000), *noisy], axis=1)
    data = Dataset("XABC", [("0", "1")] * 4, codes)
    dag = LatentDag(data.names, [], [Latent("L1", 2, ("A", "B", "C"))])
    found = associations(Scorer(data, VbemOptions()).posterior(dag), "L1")
    assert [one.is_child for one in found] == [True, True, True, False]
    assert found[-1].variable == "X"
    assert found[-1].cramers_v < 0.1
    assert all(one.cramers_v > 0.8 for one in found[:3])
    assert all(one.mutual_information > 0.4 for one in found[:3])
