"""Objectives: their prices, and that they belong to a Markov class."""

from __future__ import annotations

from itertools import combinations
from math import comb, log

import numpy as np
import pytest

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import OBJECTIVES, Prices, objective_of
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

NAMES = ("A", "B", "C", "D")
CALIBRATED = OBJECTIVES["calibrated"].apply(VbemOptions())


def draw(n_rows: int, seed: int) -> Dataset:
    codes = np.random.default_rng(seed).integers(0, 3, size=(n_rows, len(NAMES)))
    return Dataset(NAMES, [["a", "b", "c"]] * len(NAMES), codes)


def test_that_a_price_is_the_log_of_the_number_of_choices() -> None:
    prices = Prices("structure", 6)
    assert prices.of_family(2) == pytest.approx(log(len(list(combinations(range(5), 2)))))
    assert prices.of_latent(3) == pytest.approx(log(comb(6, 3)) + log(5))
    assert Prices("none", 6).of_structure([0b11, 0b1], [0b111]) == 0


def test_that_turning_a_covered_edge_keeps_the_price() -> None:
    prices = Prices("structure", 4)
    before = [0, 0b0001, 0b0011, 0b0111]  # A -> B -> C -> D, complete: B -> C is covered
    after = [0, 0b0101, 0b0001, 0b0111]
    assert prices.of_structure(before, ()) == pytest.approx(prices.of_structure(after, ()))


def test_that_the_paper_charges_nothing_and_names_itself() -> None:
    assert objective_of(VbemOptions()) is OBJECTIVES["paper"]
    assert objective_of(CALIBRATED) is OBJECTIVES["calibrated"]
    assert objective_of(VbemOptions(prior="bdeu")) is None


def test_that_a_calibrated_score_without_latents_is_the_closed_form_less_its_price() -> None:
    from scipy.special import gammaln

    data = draw(60, 1)
    dag = LatentDag(NAMES, [("A", "B")])
    table = np.zeros((3, 3))
    np.add.at(table, (data.codes[:, 0], data.codes[:, 1]), 1)
    rows = gammaln(1.0) - gammaln(table.sum(axis=1) + 1.0) + (gammaln(table + 1 / 3) - gammaln(1 / 3)).sum(axis=1)
    expected = float(rows.sum()) - log(3)
    for column in (0, 2, 3):
        counts = np.bincount(data.codes[:, column], minlength=3)
        expected += float(gammaln(1.0) - gammaln(61.0) + (gammaln(counts + 1 / 3) - gammaln(1 / 3)).sum())
    assert Scorer(data, CALIBRATED).score(dag).score == pytest.approx(expected, abs=1e-9)


def test_that_score_and_p_elbo_differ_by_the_price_alone() -> None:
    data = draw(80, 2)
    dag = LatentDag(NAMES, [("A", "B")], [Latent("L1", 2, ("B", "C", "D"))])
    score = Scorer(data, CALIBRATED).score(dag)
    assert score.p_elbo - score.score == pytest.approx(log(3) + log(comb(4, 3)) + log(3), abs=1e-9)
    assert score.elbo - score.p_elbo == pytest.approx(log(2), abs=1e-9)


def test_that_an_irrelevant_skewed_parent_does_not_raise_the_calibrated_score() -> None:
    rng = np.random.default_rng(3)
    gains = []
    for _ in range(60):
        codes = rng.choice(3, size=(1000, 2), p=[0.98, 0.01, 0.01])
        data = Dataset(("X", "Y"), [["a", "b", "c"]] * 2, codes)
        scorer = Scorer(data, CALIBRATED)
        gains.append(scorer.family_score(1, 0b01) - scorer.family_score(1, 0))
    assert sum(gain > 0 for gain in gains) <= 3  # two in three under the empirical prior
