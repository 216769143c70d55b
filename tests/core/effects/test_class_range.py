"""The range of do() over equally good DAGs against all members, each answered by its truncated product."""

from __future__ import annotations

import numpy as np
import pytest
from support.class_truth import members, random_dag
from support.effect_truth import after_do, joint_of, marginal, random_network

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.effects.class_range import AnswerRange, range_over_class
from latconf_core.inference.asking import InferenceEngine
from latconf_core.knowledge.knowledge import Knowledge


def check(dag: LatentDag, rng: np.random.Generator, n_set: int, n_seen: int) -> AnswerRange:
    network = random_network(rng, dag)
    joint, axes = joint_of(network), network.variables
    chosen = [str(name) for name in rng.permutation(dag.nodes)[: n_set + n_seen]]
    do, see = dict.fromkeys(chosen[:n_set], 0), dict.fromkeys(chosen[n_set:], 1)
    over_class = range_over_class(
        InferenceEngine(network),
        {name: f"s{state}" for name, state in see.items()},
        {name: f"s{state}" for name, state in do.items()},
    )
    answers = []
    for edges in members(dag, lambda edge: edge[0] not in dag.nodes):
        parents = {name: {a for a, b in edges if b == name} for name in axes}
        after = after_do(joint, axes, parents, do)
        holds = np.ones_like(after)
        for name, state in see.items():
            index = axes.index(name)
            holds = holds * (np.arange(after.shape[index]) == state).reshape(
                [-1 if i == index else 1 for i in range(after.ndim)]
            )
        given = after * holds / (after * holds).sum()
        answers.append({name: marginal(given, axes, [name]) for name in axes})
    assert over_class.is_complete
    for name in axes:
        listed = np.stack([answer[name] for answer in answers])
        np.testing.assert_allclose(over_class.least[name], listed.min(axis=0), atol=1e-9)
        np.testing.assert_allclose(over_class.greatest[name], listed.max(axis=0), atol=1e-9)
    return over_class


@pytest.mark.parametrize(("n_set", "n_seen"), [(1, 0), (1, 1), (2, 0)])
def test_that_ranges_are_those_of_all_members(n_set: int, n_seen: int) -> None:
    rng = np.random.default_rng(n_set * 10 + n_seen)
    found = [check(random_dag(rng, 4, number % 2), rng, n_set, n_seen) for number in range(12)]
    assert {one.is_same for one in found} == {True, False}


@pytest.mark.exhaustive
def test_that_ranges_are_those_of_all_members_of_many_classes() -> None:
    rng = np.random.default_rng(5)
    for number in range(300):
        check(random_dag(rng, 3 + number % 3, number % 3 if number % 3 < 2 else 2 * (number % 9 == 2)), rng, 1, 0)
        check(random_dag(rng, 4, number % 2), rng, 2, number % 2)


def chain() -> InferenceEngine:
    return InferenceEngine(
        random_network(np.random.default_rng(0), LatentDag(["a", "b", "c"], [("a", "b"), ("b", "c")]))
    )


def test_that_knowledge_narrows_the_range() -> None:
    free = range_over_class(chain(), do={"b": "s0"})
    assert free.width > 0.01
    assert free.n_choices == 3  # a, c or neither above b
    known = range_over_class(chain(), do={"b": "s0"}, knowledge=Knowledge(tiers=(("a",), ("b", "c"))))
    assert known.is_same


def test_that_a_state_that_never_occurs_beside_possible_parents_is_counted() -> None:
    """In b --> a, a = s1 is never with b = s0; where a is the parent of b, do(b = s0) has nothing to go by."""
    b = Cpt("b", ("s0", "s1"), (), [0.4, 0.6])
    a = Cpt("a", ("s0", "s1"), ("b",), [[1.0, 0.0], [0.5, 0.5]])
    over_class = range_over_class(InferenceEngine(BayesNet([b, a])), do={"b": "s0"})
    assert (over_class.n_choices, over_class.n_undefined, over_class.is_same) == (2, 1, False)


def test_that_nothing_set_has_no_range() -> None:
    assert range_over_class(chain(), see={"a": "s0"}).is_same


def test_that_many_choices_are_drawn_and_said_to_be_incomplete() -> None:
    names = [f"v{i}" for i in range(6)]
    dag = LatentDag(names, [(names[i], names[j]) for j in range(6) for i in range(j)])  # 720 orders
    engine = InferenceEngine(random_network(np.random.default_rng(0), dag, most_states=2))
    do = dict.fromkeys(names, "s0")
    first, second = (range_over_class(engine, do=do, seed=1) for _ in range(2))
    assert first.to_json() == second.to_json()
    assert not first.is_complete
    assert 100 < first.n_choices <= 201
    assert range_over_class(engine, do={"v0": "s0"}).is_complete
