"""Scores at expected counts, against closed forms and against fits."""

from __future__ import annotations

import numpy as np
import pytest
from support.hidden_causes import confounded_data

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.local_climb import Surroundings, climb_around
from latconf_core.search.refining.soft_model import SoftModel, is_acyclic
from latconf_core.search.refining.soft_scores import SoftScores


def certain(column: np.ndarray, n_states: int) -> np.ndarray:
    """The posterior of a latent whose state is known in every row."""
    return np.eye(n_states)[column]


def fitting_on(data: Dataset) -> Fitting:
    return Fitting(Scorer(data, VbemOptions()), max_states=4, checkpoint=RunControl().checkpoint)


def test_that_a_latent_known_for_certain_scores_as_a_column_of_the_data_does() -> None:
    data = confounded_data(3, n_rows=700)
    scorer = Scorer(data, VbemOptions())
    soft = SoftScores(scorer)
    codes, _ = soft.codes, soft.weights
    for index in range(2):
        latent = SoftLatent(0b11100, certain(codes[:, index].astype(int), data.n_states[index]))
        for child, parents in ((2, 0), (3, 0b100), (4, 0b1100)):
            alone = soft.family(child, parents, [latent])
            assert alone == pytest.approx(soft.plain(child, parents | 1 << index), abs=1e-6)


def test_that_the_bound_of_a_fitted_model_is_its_score() -> None:
    data = confounded_data(1)
    fitting = fitting_on(data)
    for n_states in (2, 3):
        latent = fitting.start((0,) * data.n_variables, 0b1111, n_states=n_states, n_starts=8)
        fitted = fitting.refit(SoftModel((0, 0, 0, 0, 0b1, 0b10), (latent,)), most=2000)
        # A fit ends when its rise to come is estimated below 0.02 nats.
        assert fitted.model.bound(fitting.soft) == pytest.approx(fitted.score, abs=0.05)


def test_that_a_posterior_that_is_held_gives_a_lower_bound() -> None:
    data = confounded_data(2)
    fitting = fitting_on(data)
    rng = np.random.default_rng(0)
    for _ in range(5):
        q = rng.dirichlet([1.0, 1.0], size=len(fitting.soft.weights))
        model = SoftModel((0,) * data.n_variables, (SoftLatent(0b111, q),))
        assert model.bound(fitting.soft) <= fitting.refit(model).score + 1e-6


def single_changes(model: SoftModel) -> list[SoftModel]:
    """Every model that differs in one edge, or in one child of the only latent."""
    n = len(model.parents)
    changes = []
    for a in range(n):
        for b in range(n):
            if a == b:
                continue
            parents = list(model.parents)
            parents[b] ^= 1 << a
            if is_acyclic(parents, [b]):
                changes.append(SoftModel(tuple(parents), model.latents))
    latent = model.latents[0]
    for v in range(n):
        children = latent.children ^ 1 << v
        if children.bit_count() >= 2:
            changes.append(SoftModel(model.parents, (SoftLatent(children, latent.q),)))
    return changes


def test_that_a_climb_ends_where_no_single_change_raises_the_bound() -> None:
    data = confounded_data(4)
    fitting = fitting_on(data)
    everything = (1 << data.n_variables) - 1
    bare = (0,) * data.n_variables
    latent = fitting.start(bare, 0b1111, n_states=2, n_starts=8)
    model = SoftModel(bare, (latent,))
    climbed = climb_around(model, fitting.soft, Surroundings(everything, everything, 0))
    reached = climbed.bound(fitting.soft)
    assert reached > model.bound(fitting.soft)
    for other in single_changes(climbed):
        assert other.bound(fitting.soft) <= reached + 1e-5


def test_that_two_latents_over_one_child_are_scored_in_any_order() -> None:
    data = confounded_data(5)
    soft = SoftScores(Scorer(data, VbemOptions()))
    rng = np.random.default_rng(1)
    one, other = (SoftLatent(0b111, rng.dirichlet([1.0] * k, size=len(soft.weights))) for k in (2, 3))
    assert soft.family(2, 0b1, [one, other]) == pytest.approx(soft.family(2, 0b1, [other, one]), abs=1e-8)
