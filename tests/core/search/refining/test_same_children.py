"""Latents with the same children become one, whose fit is as good; others stay as they are."""

from __future__ import annotations

import numpy as np
from support.hidden_causes import confounded_data

from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.same_children import merge_same_children
from latconf_core.search.refining.soft_model import Scored, SoftModel


def some_fitting(*, max_states: int) -> Fitting:
    return Fitting(Scorer(confounded_data(1), VbemOptions(seed=1)), max_states=max_states, checkpoint=lambda: None)


def latents_over(fitting: Fitting, *child_sets: int) -> Scored:
    """The model without edges with a binary latent over each set, each from a posterior of its own."""
    rng = np.random.default_rng(0)
    n_rows = len(fitting.soft.weights)
    latents = tuple(SoftLatent(children, rng.dirichlet([1.0, 1.0], size=n_rows)) for children in child_sets)
    return fitting.refit(SoftModel((0,) * fitting.n_variables, latents))


def test_that_latents_with_the_same_children_become_one_that_scores_no_lower() -> None:
    fitting = some_fitting(max_states=4)
    present = latents_over(fitting, 0b1111, 0b110000, 0b1111)
    merged = merge_same_children(fitting, present)
    assert sorted(latent.children for latent in merged.model.latents) == [0b1111, 0b110000]
    assert merged.score >= present.score


def test_that_three_of_them_become_one_of_no_more_states_than_are_allowed() -> None:
    fitting = some_fitting(max_states=3)
    merged = merge_same_children(fitting, latents_over(fitting, 0b111, 0b111, 0b111))
    (latent,) = merged.model.latents
    assert latent.children == 0b111
    assert latent.n_states <= 3


def test_that_a_model_of_different_latents_is_left_alone() -> None:
    fitting = some_fitting(max_states=4)
    present = latents_over(fitting, 0b111, 0b1110)
    assert merge_same_children(fitting, present) is present
