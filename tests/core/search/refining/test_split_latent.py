"""One latent with many states that stands for two hidden causes."""

from __future__ import annotations

import numpy as np
import pytest

from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.search.refining.split_latent import split_latent

APART = (0,) * 6


def make_fitting() -> Fitting:
    """Six variables: one hidden cause of A, B, C and D, another of C, D, E and F."""
    rng = np.random.default_rng(0)
    one, other = rng.integers(2, size=(2, 4000))
    columns = [2 * one, 2 * one, one + 2 * other, 2 * one + other, 2 * other, 2 * other]
    noisy = [np.where(rng.random(4000) < 0.75, column, rng.integers(4, size=4000)) for column in columns]
    data = Dataset("ABCDEF", [["0", "1", "2", "3"]] * 6, np.stack(noisy, axis=1))
    return Fitting(Scorer(data, VbemOptions(seed=1)), max_states=4, checkpoint=lambda: None)


def begin(fitting: Fitting, n_states: int) -> Scored:
    latent = fitting.start(APART, 0b111111, n_states=n_states, n_starts=32, by_moves=True)
    return fitting.refit(SoftModel(APART, (latent,)))


def test_that_two_hidden_causes_come_of_one_with_four_states() -> None:
    fitting = make_fitting()
    scored = begin(fitting, 4)
    split = split_latent(fitting, scored, 0)
    assert {latent.children for latent in split.model.latents} == {0b001111, 0b111100}
    assert split.score > scored.score + 50
    assert split.score == pytest.approx(fitting.refit(split.model).score)


def test_that_a_latent_with_two_states_stays() -> None:
    fitting = make_fitting()
    one = begin(fitting, 2)
    assert split_latent(fitting, one, 0) is one
