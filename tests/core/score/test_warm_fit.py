"""Fits with less trouble than a full one, against the full one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.hidden_causes import confounded_data

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.model.bit_dag import Hidden
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.naming import split
from latconf_core.score.read_back import Fitted, marginals
from latconf_core.score.scorer import Scorer
from latconf_core.score.warm_fit import fit_from, fit_lightly

DAG = LatentDag("ABCDEF", [("A", "E"), ("B", "F")], [Latent("L1", 2, ("A", "B", "C", "D"))])


def component_of(scorer: Scorer) -> Component:
    (component,) = split(DAG, scorer.dataset).components
    assert component.latents == (Hidden(0b1111),)
    return component


def test_that_a_light_fit_is_a_lower_bound_that_comes_near_the_full_one() -> None:
    for seed in range(5):
        scorer = Scorer(confounded_data(seed), VbemOptions())
        component = component_of(scorer)
        full = scorer.fit(component)
        light = fit_lightly(scorer.layout(component), scorer.options, n_starts=8, seed=seed, control=RunControl())
        assert full.elbo - 0.5 < light.elbo <= full.elbo + 0.01  # one clear optimum, left at 0.02 nats


def test_that_a_fit_from_the_posterior_of_another_stays_where_that_ended() -> None:
    scorer = Scorer(confounded_data(0), VbemOptions())
    component = component_of(scorer)
    full, layout = scorer.fit(component), scorer.layout(component)
    (q,) = marginals(Fitted(component, ("L1",), layout, full))
    again = fit_from(layout, np.ascontiguousarray(q), most=50, control=RunControl())
    assert again.elbo == pytest.approx(full.elbo, abs=0.02)


def test_that_the_better_of_two_fits_is_kept_and_scores_the_dag() -> None:
    scorer = Scorer(confounded_data(0), VbemOptions())
    component = component_of(scorer)
    look = scorer.fit(component)
    worse, better = replace(look, elbo=look.elbo - 1), replace(look, elbo=look.elbo + 1, p_elbo=look.p_elbo + 1)
    before = scorer.score(DAG).p_elbo
    assert scorer.keep_better(component, worse) is look
    assert scorer.keep_better(component, better) is better
    assert scorer.score(DAG).p_elbo == pytest.approx(before + 1)
