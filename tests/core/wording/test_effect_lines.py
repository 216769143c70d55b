"""What is said of an effect: the way, the ranges, what it rests on, and how strong a hidden cause would have to be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.effect_truth import random_network

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.sampling import sample
from latconf_core.effects.class_range import range_over_class
from latconf_core.effects.effect import answer_effect
from latconf_core.effects.effect_question import EffectQuestion
from latconf_core.effects.routes import Route, identify_effect
from latconf_core.effects.strength import HiddenStrength, Strength
from latconf_core.inference.asking import InferenceEngine
from latconf_core.wording.effect_ranges import effect_range_sentence, range_sentence
from latconf_core.wording.effect_texts import effect_lines, identification_sentence, strength_sentence

QUESTION = EffectQuestion("x", "s1", "s0", "y", "s1")
CHAIN = LatentDag(["x", "y"], [("x", "y")])
BACK_DOOR = LatentDag(["x", "y", "z"], [("x", "y"), ("z", "x"), ("z", "y")])
FRONT_DOOR = LatentDag(["x", "m", "y"], [("x", "m"), ("m", "y")], [Latent("L", 2, ("x", "y"))])
BOW = LatentDag(["x", "y"], [("x", "y")], [Latent("L", 2, ("x", "y"))])


def network(dag: LatentDag):
    return random_network(np.random.default_rng(3), dag, most_states=2)


def lines_of(dag: LatentDag, n_rows: int = 0, n_draws: int = 0) -> dict[str, str]:
    model = network(dag)
    data = None
    if n_rows:
        data = sample(model, n_rows, rng=np.random.default_rng(1), hide=list(model.latents)).dataset
    return dict(effect_lines(answer_effect(InferenceEngine(model), QUESTION, data=data, n_draws=n_draws)))


@pytest.mark.parametrize(
    ("dag", "route", "said"),
    [
        (CHAIN, Route.AS_SEEN, "needs no adjustment"),
        (BACK_DOOR, Route.BACK_DOOR, "by adjusting for z"),
        (FRONT_DOOR, Route.FRONT_DOOR, "through m"),
        (BOW, Route.NOT_IDENTIFIED, "cannot be computed from the measured variables in this DAG"),
        (LatentDag(["x", "y"], [("y", "x")]), Route.NO_EFFECT, "no effect"),
    ],
)
def test_that_every_way_has_its_sentence(dag: LatentDag, route: Route, said: str) -> None:
    effect = identify_effect(dag, "x", "y")
    assert effect.route is route
    assert said in identification_sentence(effect)


def test_that_only_an_effect_without_a_formula_rests_on_a_fitted_latent() -> None:
    assert "Assumptions" not in lines_of(FRONT_DOOR)
    bow = lines_of(BOW)
    assert "depends on the fitted L: its states, its tables, and no further hidden cause" in bow["Assumptions"]
    assert "Formula" not in bow


def test_that_intervals_are_said_of_what_they_are_of() -> None:
    assert "95 % interval" in lines_of(FRONT_DOOR, 400, 60)["Estimate from the rows"]
    assert "95 % interval" in lines_of(BOW, 400, 60)["In this DAG"]
    without = lines_of(FRONT_DOOR, 400)
    assert "95 % interval" not in " ".join(without.values())


def test_that_the_pag_is_said_to_rely_on_no_latent() -> None:
    for dag in (CHAIN, BACK_DOOR, FRONT_DOOR, BOW):
        assert lines_of(dag)["Over the PAG"].endswith("This relies on no latent.")


def test_that_the_strength_is_said_in_the_measure_of_the_bounding_factor() -> None:
    strength = Strength(1.47, ("z",), (HiddenStrength("L1", 3.1, 1.7),))
    assert strength_sentence(strength) == (
        "The risk ratio, adjusted for z, is 1.47: to explain it away a hidden cause needs a bounding factor of 1.47 "
        "(both ratios 2.3); L1 has 3.1 and 1.7, a factor of 1.39."
    )


def test_that_a_range_says_whether_all_agree() -> None:
    engine = InferenceEngine(network(CHAIN))
    turned = range_over_class(engine, {}, {"x": "s1"})
    assert "depending on which of the equally good DAGs is true" in effect_range_sentence(turned, "y")
    assert "differ by up to" in range_sentence(turned)
    collider = LatentDag(["x", "y", "z"], [("x", "y"), ("z", "y")])
    same = range_over_class(InferenceEngine(network(collider)), {}, {"x": "s1"})
    assert range_sentence(same) == "The same in every equally good DAG."
    assert "same in every equally good DAG" in effect_range_sentence(same, "y")


def test_that_mags_that_were_not_looked_at_are_told() -> None:
    answer = answer_effect(InferenceEngine(network(BACK_DOOR)), QUESTION)
    ways = replace(answer.over_pag.ways, is_complete=False)
    said = dict(effect_lines(replace(answer, over_pag=replace(answer.over_pag, ways=ways))))["Over the PAG"]
    assert "has more MAGs" in said
