"""States of a latent that are split, and orders that are searched with its posterior held."""

from __future__ import annotations

import numpy as np
import pytest
from support.hidden_causes import confounded_data

from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting, split_state
from latconf_core.search.refining.reordering import reorder
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.search.refining.soft_scores import SoftLatent

APART = (0, 0, 0, 0)


def rare_state_data(n_rows: int = 4000) -> Dataset:
    """Four variables of a hidden cause whose third state, in one row of thirty, gives all of them their last value."""
    rng = np.random.default_rng(0)
    hidden = rng.choice(3, size=n_rows, p=[0.55, 0.42, 0.03])
    columns = [np.where(rng.random(n_rows) < 0.85, hidden, rng.integers(2, size=n_rows)) for _ in range(4)]
    return Dataset("ABCD", [["0", "1", "2"]] * 4, np.stack(columns, axis=1))


def make_fitting(data: Dataset, max_states: int = 3) -> Fitting:
    return Fitting(Scorer(data, VbemOptions(seed=1)), max_states=max_states, checkpoint=lambda: None)


def begin(fitting: Fitting, parents: tuple[int, ...] = APART, n_states: int = 2) -> Scored:
    latent = fitting.start(parents, 0b1111, n_states=n_states, n_starts=8)
    return fitting.refit(SoftModel(parents, (latent,)))


def test_that_a_rare_state_is_found_by_splitting() -> None:
    fitting = make_fitting(rare_state_data())
    split = fitting.split_states(begin(fitting), 0, may_change=False)
    (latent,) = split.model.latents
    assert latent.n_states == 3
    full = fitting.refit(split.model, is_full=True)  # the scorer's own fit with all its starts, or better
    assert split.score == pytest.approx(full.score, abs=0.5)
    shares = sorted(fitting.soft.weights @ latent.q / fitting.soft.weights.sum())
    assert shares[0] == pytest.approx(0.03, abs=0.01)


def test_that_a_split_parts_one_state_and_leaves_the_others() -> None:
    q = np.array([[0.2, 0.8], [1.0, 0.0]])
    split = split_state(SoftLatent(0b11, q), 1, np.array([0.25, 0.5]))
    assert split.children == 0b11
    assert split.q == pytest.approx(np.array([[0.2, 0.6, 0.2], [1.0, 0.0, 0.0]]))


def test_that_more_orders_lead_never_lower() -> None:
    data = confounded_data(0)
    fitting = make_fitting(data)
    backwards = (0b10, 0b100, 0b1000, 0, 0b1, 0b10)
    start = begin(fitting, backwards)
    once, more = reorder(fitting, start.model), reorder(fitting, start.model, n_more=3)
    assert more.model.bound(fitting.soft) >= once.model.bound(fitting.soft) - 0.5
    assert reorder(fitting, start.model, n_more=3).model.parents == more.model.parents
