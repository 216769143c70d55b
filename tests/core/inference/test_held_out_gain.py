"""The gain on rows left out of the fit, against what the network that the rows come from says."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np
import pytest

from latconf_core.arrays import FloatArray
from latconf_core.counts.families import counting_table
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.inference.held_out_gain import HeldOutGain, measure_held_out_gain
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

STATES = ("0", "1")
FLIP = 0.15  # how often a child differs from its hidden cause


@dataclass(frozen=True, eq=False)
class Posterior:
    children: int
    q: FloatArray


@dataclass(frozen=True, eq=False)
class Model:
    parents: tuple[int, ...]
    latents: tuple[Posterior, ...] = field(default=())


def hidden_cause(n_children: int) -> BayesNet:
    table = np.array([[1 - FLIP, FLIP], [FLIP, 1 - FLIP]])
    children = [Cpt(f"x{k}", STATES, ("h",), table) for k in range(n_children)]
    return BayesNet([*children, Cpt("h", STATES, (), np.array([0.5, 0.5]))], latents={"h"})


def total_correlation(n_children: int) -> float:
    """Nats per row that the joint distribution gains over independent children, summed over all cells."""
    total = 0.0
    for cell in product((0, 1), repeat=n_children):
        ones = sum(cell)
        joint = 0.5 * sum(FLIP**k * (1 - FLIP) ** (n_children - k) for k in (ones, n_children - ones))
        total += joint * np.log(joint / 0.5**n_children)
    return float(total)


def rough_posterior(dataset: Dataset) -> FloatArray:
    """The share of rows in state 1 by a vote of the columns; the fit makes it better."""
    share = counting_table(dataset)[0].mean(axis=1)
    return np.stack([1 - share, share], axis=1)


def scorer_of(dataset: Dataset) -> Scorer:
    return Scorer(dataset, VbemOptions(seed=3))


def test_that_a_true_edge_gains_the_mutual_information() -> None:
    table = np.array([[0.8, 0.2], [0.3, 0.7]])
    network = BayesNet([Cpt("a", STATES, (), np.array([0.4, 0.6])), Cpt("b", STATES, ("a",), table)])
    dataset = sample(network, 20_000, rng=np.random.default_rng(5)).dataset
    joint = np.array([[0.4], [0.6]]) * table
    information = float((joint * np.log(table / joint.sum(axis=0))).sum())
    gain = measure_held_out_gain(scorer_of(dataset), Model((0, 1)), Model((0, 0)))
    assert gain is not None
    assert gain.per_row == pytest.approx(information, abs=4 * gain.standard_error)
    assert 0 < gain.standard_error < 0.01


def test_that_a_true_hidden_cause_gains_the_total_correlation() -> None:
    dataset = sample(hidden_cause(4), 20_000, rng=np.random.default_rng(6)).dataset
    scorer = scorer_of(dataset)
    model = Model((0,) * 4, (Posterior(0b1111, rough_posterior(dataset)),))
    gain = measure_held_out_gain(scorer, model, Model((0,) * 4))
    assert gain is not None
    assert gain.per_row == pytest.approx(total_correlation(4), abs=4 * gain.standard_error)


def test_that_a_model_gains_nothing_over_itself() -> None:
    dataset = sample(hidden_cause(3), 500, rng=np.random.default_rng(7)).dataset
    model = Model((0,) * 3, (Posterior(0b111, rough_posterior(dataset)),))
    assert measure_held_out_gain(scorer_of(dataset), model, model) == HeldOutGain(0.0, 0.0)


def test_that_an_edge_between_independent_variables_loses_on_average() -> None:
    rng = np.random.default_rng(8)
    gains = []
    for _ in range(40):
        dataset = Dataset(["a", "b"], [list("01234"), list("01234")], rng.integers(0, 5, size=(200, 2)))
        gain = measure_held_out_gain(scorer_of(dataset), Model((0, 1)), Model((0, 0)))
        assert gain is not None
        gains.append(gain.per_row)
    assert np.mean(gains) < -3 * np.std(gains) / np.sqrt(len(gains))  # 16 parameters more, nothing to gain


def test_that_few_rows_say_nothing() -> None:
    dataset = sample(hidden_cause(3), 9, rng=np.random.default_rng(9)).dataset
    assert measure_held_out_gain(scorer_of(dataset), Model((0, 1, 0)), Model((0,) * 3)) is None


def test_that_the_gain_has_a_json_form() -> None:
    gain = HeldOutGain(0.05, 0.01)
    assert HeldOutGain.from_json(gain.to_json()) == gain
