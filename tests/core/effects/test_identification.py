"""Identification against an independent implementation (y0) and against do() on the exact joint distribution."""

from __future__ import annotations

import numpy as np
import pytest
from support.class_truth import random_dag
from support.effect_truth import after_do, joint_of, marginal, random_network

from latconf_core.arrays import FloatArray
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import latent_projection
from latconf_core.effects.expressions import Evaluation, Expression, formula_text
from latconf_core.effects.identification import identify
from latconf_core.effects.routes import Route, identify_effect

BOW = LatentDag(["x", "y"], [("x", "y")], [Latent("L", 2, ("x", "y"))])
FRONT_DOOR = LatentDag(["x", "m", "y"], [("x", "m"), ("m", "y")], [Latent("L", 2, ("x", "y"))])
NAPKIN = LatentDag(
    ["w", "z", "x", "y"],
    [("w", "z"), ("z", "x"), ("x", "y")],
    [Latent("L1", 2, ("w", "x")), Latent("L2", 2, ("w", "y"))],
)
VERMA = LatentDag(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d")], [Latent("L", 2, ("b", "d"))])


class Exact:
    """The distribution of the measured variables of a network."""

    def __init__(self, joint: FloatArray, axes: tuple[str, ...]) -> None:
        self.joint, self.axes = joint, axes

    def marginal(self, names: tuple[str, ...]) -> FloatArray:
        return marginal(self.joint, self.axes, names)


def formula(dag: LatentDag, cause: str, effect: str) -> Expression | None:
    graph = latent_projection(dag)
    return identify(graph, graph.nodes.index(cause), graph.nodes.index(effect))


def check_value(dag: LatentDag, cause: str, effect: str, expression: Expression, rng: np.random.Generator) -> None:
    network = random_network(rng, dag, most_states=2)
    joint, axes = joint_of(network), network.variables
    parents = {name: cpt.parents for name, cpt in network.cpts.items()}
    values = Evaluation(Exact(joint, axes)).table(expression, (cause, effect))
    for state in range(len(network.states(cause))):
        truth = marginal(after_do(joint, axes, parents, {cause: state}), axes, [effect])
        row = values[min(state, values.shape[0] - 1)]
        np.testing.assert_allclose(row, truth, atol=1e-9)


def y0_identifies(dag: LatentDag, cause: str, effect: str) -> bool:
    identify_module = pytest.importorskip("y0.algorithm.identify", reason="y0 is not installed")
    from y0.dsl import Variable
    from y0.graph import NxMixedGraph

    graph = latent_projection(dag)
    theirs = NxMixedGraph.from_edges(
        nodes=[Variable(name) for name in graph.nodes],
        directed=[(Variable(graph.nodes[a]), Variable(graph.nodes[b])) for a, b in graph.directed()],
        undirected=[(Variable(graph.nodes[a]), Variable(graph.nodes[b])) for a, b in graph.bidirected()],
    )
    identify_outcomes = identify_module.identify_outcomes(
        theirs, treatments={Variable(cause)}, outcomes={Variable(effect)}
    )
    return identify_outcomes is not None


def check(rng: np.random.Generator) -> tuple[bool, Route]:
    n = int(rng.integers(3, 6))
    dag = random_dag(rng, n, int(rng.integers(1, 4)))
    dag = LatentDag(dag.nodes, dag.edges, [Latent(latent.name, 2, latent.children[:3]) for latent in dag.latents])
    cause, effect = (str(name) for name in rng.permutation(dag.nodes)[:2])
    expression = formula(dag, cause, effect)
    assert (expression is not None) == y0_identifies(dag, cause, effect), (dag, cause, effect)
    if expression is not None:
        check_value(dag, cause, effect, expression, rng)
    named = identify_effect(dag, cause, effect)
    assert named.is_identified == (expression is not None), (dag, cause, effect)
    if named.expression is not None:
        check_value(dag, cause, effect, named.expression, rng)
    return expression is not None, named.route


def test_that_effects_are_identified_where_y0_says_so_and_the_formula_is_right() -> None:
    rng = np.random.default_rng(1)
    seen = [check(rng) for _ in range(60)]
    assert {identified for identified, _ in seen} == {True, False}


@pytest.mark.exhaustive
def test_that_1000_effects_are_identified_where_y0_says_so() -> None:
    rng = np.random.default_rng(2)
    seen = [check(rng) for _ in range(1000)]
    assert {route for _, route in seen} >= set(Route) - {Route.FRONT_DOOR}


@pytest.mark.parametrize(
    ("dag", "ends", "text"),
    [
        (FRONT_DOOR, ("x", "y"), "P(m | x)"),
        (NAPKIN, ("x", "y"), "/"),
        (VERMA, ("c", "d"), "P("),
    ],
)
def test_that_known_graphs_have_formulas(dag: LatentDag, ends: tuple[str, str], text: str) -> None:
    expression = formula(dag, *ends)
    assert expression is not None
    assert text in formula_text(expression)
    for seed in range(5):
        check_value(dag, *ends, expression, np.random.default_rng(seed))


def test_that_a_bow_is_not_identified() -> None:
    assert formula(BOW, "x", "y") is None
    assert formula(BOW, "y", "x") is not None  # no effect: P(x)


def test_that_a_variable_summed_inside_is_primed() -> None:
    expression = formula(FRONT_DOOR, "x", "y")
    assert expression is not None
    assert formula_text(expression) == "Σ_{m} P(m | x) (Σ_{x'} P(x') P(y | x', m))"


@pytest.mark.parametrize(
    ("dag", "ends", "route", "by"),
    [
        (BOW, ("x", "y"), Route.NOT_IDENTIFIED, ()),
        (BOW, ("y", "x"), Route.NO_EFFECT, ()),
        (FRONT_DOOR, ("x", "y"), Route.FRONT_DOOR, ("m",)),
        (FRONT_DOOR, ("m", "y"), Route.BACK_DOOR, ("x",)),
        (FRONT_DOOR, ("x", "m"), Route.AS_SEEN, ()),
        (NAPKIN, ("x", "y"), Route.GENERAL, ()),
    ],
)
def test_that_the_way_is_named(dag: LatentDag, ends: tuple[str, str], route: Route, by: tuple[str, ...]) -> None:
    effect = identify_effect(dag, *ends)
    assert (effect.route, effect.by) == (route, by)
    if effect.expression is not None:
        check_value(dag, *ends, effect.expression, np.random.default_rng(3))
    assert bool(effect.formula) == (route is not Route.NOT_IDENTIFIED)
