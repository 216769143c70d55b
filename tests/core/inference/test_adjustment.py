from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from support.adjustment_truth import AdjustmentTruth, all_sets, minimal
from support.ancestral_truth import random_latent_dag
from support.builders import mixed
from support.joint_truth import joint_table

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import graph_of_dag, mag_of_dag
from latconf_core.effects.routes import identify_effect
from latconf_core.errors import GraphError, OptionError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.adjustment import adjust_in_dag, is_adjustment_set
from latconf_core.inference.adjustment_in_pag import adjust_in_pag, is_adjustment_set_in_pag
from latconf_core.mag.listing import enumerate_mags
from latconf_core.pag.validity import pag_of_mag
from latconf_core.wording.adjustment_sentences import adjustment_sentences


@pytest.mark.parametrize("seed", range(12))
def test_that_the_sets_of_a_dag_with_latents_are_those_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dag = random_latent_dag(rng, 5, int(rng.integers(0, 3)), 0.4)
    truth = AdjustmentTruth(graph_of_dag(dag), is_dag=True)
    for cause, effect in permutations(dag.nodes, 2):
        wanted = truth.sets(cause, effect, all_sets(dag.nodes))
        adjust = adjust_in_dag(dag, cause, effect)
        assert not adjust.truncated
        assert {frozenset(own) for own in adjust.sets} == minimal(wanted), (dag, cause, effect)
        others = [name for name in dag.nodes if name not in (cause, effect)]
        for mask in range(1 << len(others)):
            chosen = frozenset(name for i, name in enumerate(others) if mask >> i & 1)
            assert is_adjustment_set(dag, cause, effect, chosen) == (chosen in wanted)


@pytest.mark.parametrize("seed", range(6))
def test_that_a_set_is_right_exactly_where_its_formula_gives_what_setting_does(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    dag = random_latent_dag(rng, 4, 1, 0.5)
    network = _with_random_tables(dag, rng)
    for cause, effect in permutations(dag.nodes, 2):
        others = [name for name in dag.nodes if name not in (cause, effect)]
        for mask in range(1 << len(others)):
            chosen = [name for i, name in enumerate(others) if mask >> i & 1]
            error = _error_of_formula(network, cause, effect, chosen)
            is_right = is_adjustment_set(dag, cause, effect, chosen)
            assert error < 1e-12 if is_right else error > 1e-9, (dag, cause, effect, chosen)


def _with_random_tables(dag: LatentDag, rng: np.random.Generator) -> BayesNet:
    parents = dag.parents_with_latents
    return BayesNet(
        [Cpt(name, "ab", parent, rng.dirichlet([1, 1], size=[2] * len(parent))) for name, parent in parents.items()],
        latents=[latent.name for latent in dag.latents],
    )


def _error_of_formula(network: BayesNet, cause: str, effect: str, chosen: list[str]) -> float:
    """How far the sum over the set of P(effect | cause, set) P(set) is from P(effect | do cause)."""
    axis = {name: i for i, name in enumerate(network.variables)}
    kept = [cause, effect, *chosen]
    joint = joint_table(network)
    order = sorted(kept, key=axis.__getitem__)
    small = joint.sum(axis=tuple(i for name, i in axis.items() if name not in kept))
    small = np.transpose(small, [order.index(name) for name in kept])
    weights = small.sum(axis=(0, 1))
    conditional = small / small.sum(axis=1, keepdims=True)
    adjusted = (conditional * weights).reshape(2, 2, -1).sum(axis=-1)
    rest = tuple(i for i in range(joint.ndim) if i != axis[effect])
    real = np.stack([joint_table(network, {cause: state}).sum(axis=rest) for state in (0, 1)])
    return float(np.abs(adjusted - real).max())


@pytest.mark.parametrize("seed", [*range(9), *(pytest.param(n, marks=pytest.mark.exhaustive) for n in range(9, 60))])
def test_that_the_sets_of_a_pag_are_those_right_in_every_mag_of_it(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    dag = random_latent_dag(rng, 5, int(rng.integers(0, 3)), 0.35)
    _check_pag(pag_of_mag(mag_of_dag(dag)))


@pytest.mark.parametrize("seed", [0, 2, 6, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in range(7, 60))])
def test_that_the_sets_of_a_pag_with_instruments_are_those_right_in_every_mag_of_it(seed: int) -> None:
    """Two causes of their own make an arrow visible, so that many of these PAGs are amenable."""
    rng = np.random.default_rng(300 + seed)
    small = random_latent_dag(rng, 4, 1, 0.5)
    extra = [("I1", "V0"), ("I2", "V0"), ("I1", str(rng.choice(["V1", "V2"])))]
    _check_pag(pag_of_mag(mag_of_dag(LatentDag([*small.nodes, "I1", "I2"], [*small.edges, *extra], small.latents))))


def _check_pag(pag: MixedGraph) -> None:
    truths = [AdjustmentTruth(mag.to_graph(), is_dag=False) for mag in enumerate_mags(pag)]
    for cause, effect in permutations(pag.nodes, 2):
        wanted = set(all_sets(pag.nodes))
        for truth in truths:
            wanted = truth.sets(cause, effect, wanted)
            if not wanted:
                break
        adjust = adjust_in_pag(pag, cause, effect)
        assert {frozenset(own) for own in adjust.sets} == minimal(wanted), (pag, cause, effect)
        assert not (adjust.not_amenable and wanted)
        for chosen in [*wanted, frozenset(set(pag.nodes) - {cause, effect})]:
            assert is_adjustment_set_in_pag(pag, cause, effect, chosen) == (chosen in wanted)


CONFOUNDED = LatentDag("XYZ", [("X", "Y"), ("Z", "X"), ("Z", "Y")], [Latent("L1", 2, ("X", "Y"))])


def test_that_a_hidden_cause_that_would_have_to_be_measured_is_named() -> None:
    adjust = adjust_in_dag(CONFOUNDED, "X", "Y")
    assert adjust.sets == ()
    assert adjustment_sentences(adjust, identify_effect(CONFOUNDED, "X", "Y")) == [
        "The effect cannot be computed from the measured variables in this DAG: L1 would have to be measured."
    ]
    assert adjustment_sentences(adjust) == ["No set of measured variables suffices for adjustment in this DAG."]


def test_that_nothing_has_to_be_measured_where_the_front_door_identifies() -> None:
    dag = LatentDag("XMY", [("X", "M"), ("M", "Y")], [Latent("L1", 2, ("X", "Y"))])
    said = " ".join(adjustment_sentences(adjust_in_dag(dag, "X", "Y"), identify_effect(dag, "X", "Y")))
    assert "through M" in said
    assert "would have to be" not in said


def test_that_two_latents_that_are_both_needed_are_named_together() -> None:
    dag = LatentDag("XY", [("X", "Y")], [Latent("L1", 2, ("X", "Y")), Latent("L2", 3, ("X", "Y"))])
    assert adjust_in_dag(dag, "X", "Y").to_measure == (("L1", "L2"),)
    assert (
        "L1 and L2 would have to be measured"
        in adjustment_sentences(adjust_in_dag(dag, "X", "Y"), identify_effect(dag, "X", "Y"))[0]
    )


def test_that_a_measured_confounder_and_what_comes_after_are_said() -> None:
    dag = LatentDag("XMYZ", [("X", "M"), ("M", "Y"), ("Z", "X"), ("Z", "Y")])
    adjust = adjust_in_dag(dag, "X", "Y")
    assert adjust.sets == (("Z",),)
    assert adjust.forbidden == ("M",)
    said = adjustment_sentences(adjust)
    assert said[0].startswith("This set of measured variables is a minimal adjustment set")
    assert said[1] == "Do not condition on M: it comes downstream of X, on the path to the effect."


def test_that_nothing_is_adjusted_for_where_there_is_no_effect() -> None:
    adjust = adjust_in_dag(CONFOUNDED, "Y", "X")
    assert not adjust.is_cause
    assert "is not a cause of X" in adjustment_sentences(adjust)[0]


def test_that_a_pag_that_is_not_amenable_says_by_which_edge() -> None:
    circles = mixed("A o-o B", "B o-o C")
    adjust = adjust_in_pag(circles, "B", "C")
    assert [str(edge) for edge in adjust.not_amenable] == ["B o-o C"]
    assert adjustment_sentences(adjust)[0].startswith("The PAG is not amenable")
    assert adjustment_sentences(adjust)[1] == "B o-o C leaves open whether B causes C."
    collider = mixed("A o-> C", "B o-> C", "C --> D")
    assert adjust_in_pag(collider, "C", "D").sets == ((),)
    assert [str(edge) for edge in adjust_in_pag(collider, "A", "D").not_amenable] == ["A o-> C"]


def test_that_an_invalid_pag_an_unknown_name_and_one_variable_twice_are_refused() -> None:
    with pytest.raises(GraphError, match="not a valid PAG"):
        adjust_in_pag(mixed("A --> B", "B --> C"), "A", "C")
    with pytest.raises(OptionError, match="there is no variable 'Q'"):
        adjust_in_dag(CONFOUNDED, "Q", "X")
    with pytest.raises(OptionError, match="cannot be cause and effect at once"):
        adjust_in_dag(CONFOUNDED, "X", "X")
    with pytest.raises(OptionError, match="'L1' is hidden"):
        adjust_in_dag(CONFOUNDED, "L1", "X")


def test_that_a_long_list_of_sets_is_cut_and_said_to_be() -> None:
    middle = [(f"A{i}", f"B{i}") for i in range(8)]
    edges = [e for a, b in middle for e in ((a, "X"), (a, b), (b, "Y"))]
    nodes = ["X", "Y", *(name for pair in middle for name in pair)]
    adjust = adjust_in_dag(LatentDag(nodes, [*edges, ("X", "Y")]), "X", "Y")
    assert adjust.truncated
    assert len(adjust.sets) == 50
    assert all(is_adjustment_set(LatentDag(nodes, [*edges, ("X", "Y")]), "X", "Y", own) for own in adjust.sets)
