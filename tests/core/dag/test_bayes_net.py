"""Cpt and BayesNet: invariants, intervals against scipy, values, and networkx there and back."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import stats

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import GraphError

RAIN = Cpt("rain", ["no", "yes"], [], [0.8, 0.2])
WET = Cpt("wet", ["dry", "damp", "wet"], ["rain"], [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])


def test_that_tables_are_read_only_and_the_caller_keeps_its_own() -> None:
    table = np.array([0.5, 0.5])
    cpt = Cpt("A", ["x", "y"], [], table)
    table[0] = 0
    assert cpt.table.tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        cpt.table[0] = 1


@pytest.mark.parametrize(
    ("states", "parents", "table", "words"),
    [
        (["x", "x"], [], [0.5, 0.5], "different states"),
        ([], [], [], "different states"),
        (["x", "y"], ["A"], [[0.5, 0.5]], "other than itself"),
        (["x", "y"], ["B", "B"], [[[0.5, 0.5]]], "different parents"),
        (["x", "y"], [], [[0.5, 0.5]], "shape"),
        (["x", "y"], [], [0.2, 0.3, 0.5], "shape"),
        (["x", "y"], [], [0.5, 0.6], "sum to one"),
        (["x", "y"], [], [1.5, -0.5], "not a probability"),
        (["x", "y"], [], [float("nan"), 1], "not a probability"),
    ],
)
def test_that_a_broken_table_is_refused(states: list[str], parents: list[str], table: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Cpt("A", states, parents, table)  # type: ignore[arg-type]


def test_that_learned_tables_are_posterior_means_with_beta_intervals() -> None:
    alpha = np.array([[3.0, 5.0, 2.0], [1.0, 1.0, 8.0]])
    cpt = Cpt.from_dirichlet("wet", ["a", "b", "c"], ["rain"], alpha)
    assert cpt.table == pytest.approx(alpha / 10)
    low, high = cpt.credible_interval(0.9)
    assert low == pytest.approx(stats.beta.ppf(0.05, alpha, 10 - alpha))
    assert high == pytest.approx(stats.beta.ppf(0.95, alpha, 10 - alpha))
    assert cpt.dirichlet is not None
    assert not cpt.dirichlet.flags.writeable


def test_that_a_given_table_has_no_interval() -> None:
    with pytest.raises(ValueError, match="given, not learned"):
        RAIN.credible_interval()


@pytest.mark.parametrize("dirichlet", [[-1.0, 2.0], [float("nan"), 1.0], [float("inf"), 1.0]])
def test_that_dirichlet_parameters_must_be_finite_and_not_negative(dirichlet: list[float]) -> None:
    with pytest.raises(ValueError, match="Dirichlet"):
        Cpt("A", ["x", "y"], [], [0.5, 0.5], dirichlet=dirichlet)


def test_that_dirichlet_parameters_must_fit_the_table() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        Cpt("A", ["x", "y"], [], [0.5, 0.5], dirichlet=[[1.0, 1.0]])


def test_that_tables_are_values() -> None:
    again = pickle.loads(pickle.dumps(WET))
    assert again == WET
    assert hash(again) == hash(WET)
    assert not again.table.flags.writeable
    assert Cpt.from_dirichlet("rain", ["no", "yes"], [], [8, 2]) != RAIN
    assert Cpt("rain", ["no", "yes"], [], [0.7, 0.3]) != RAIN
    assert WET.n_free_parameters == 4


def test_that_a_network_knows_its_edges_order_and_size() -> None:
    net = BayesNet([WET, RAIN], name="weather", latents=["rain"])
    assert net.variables == ("wet", "rain")
    assert net.edges == (("rain", "wet"),)
    assert net.topological_order == ("rain", "wet")
    assert net.n_free_parameters == 5
    assert net.states("wet") == ("dry", "damp", "wet")


def test_that_a_network_survives_pickling_and_networkx() -> None:
    net = BayesNet([WET, RAIN], name="weather", latents=["rain"])
    for again in (pickle.loads(pickle.dumps(net)), BayesNet.from_networkx(net.to_networkx())):
        assert again == net
        assert hash(again) == hash(net)


def test_that_equal_networks_are_equal_keys() -> None:
    assert BayesNet([WET, RAIN]) == BayesNet([WET, RAIN])
    assert hash(BayesNet([WET, RAIN])) == hash(BayesNet([WET, RAIN]))
    assert BayesNet([WET, RAIN]) != BayesNet([RAIN, WET])  # the order of variables is part of the value
    assert BayesNet([RAIN]) != BayesNet([RAIN], latents=["rain"])
    assert BayesNet([RAIN]) != BayesNet([RAIN], name="x")


def test_that_the_tables_of_a_network_cannot_be_exchanged() -> None:
    with pytest.raises(TypeError):
        BayesNet([RAIN]).cpts["rain"] = WET  # type: ignore[index]


@pytest.mark.parametrize(
    ("cpts", "latents", "words"),
    [
        ([WET], [], "'rain', which has no table"),
        ([RAIN, RAIN], [], "two tables"),
        ([Cpt("rain", ["a", "b", "c"], [], [0.2, 0.3, 0.5]), WET], [], "does not fit the states of 'rain'"),
        ([RAIN], ["fog"], "latent 'fog' has no table"),
        (
            [Cpt("a", ["x", "y"], ["b"], np.full((2, 2), 0.5)), Cpt("b", ["x", "y"], ["a"], np.full((2, 2), 0.5))],
            [],
            "directed cycle",
        ),
    ],
)
def test_that_a_broken_network_is_refused(cpts: list[Cpt], latents: list[str], words: str) -> None:
    with pytest.raises(GraphError, match=words):
        BayesNet(cpts, latents=latents)


def test_that_variables_are_called_otherwise_with_the_same_tables() -> None:
    network = BayesNet(
        [Cpt("H", ("0", "1"), (), [0.5, 0.5]), Cpt("A", ("0", "1"), ("H",), [[0.9, 0.1], [0.2, 0.8]])], latents=["H"]
    )
    named = network.with_variable_names({"H": "Smoking"})
    assert named.latents == {"Smoking"}
    assert named.edges == (("Smoking", "A"),)
    assert np.array_equal(named.cpts["A"].table, network.cpts["A"].table)
    assert named.with_variable_names({"Smoking": "H"}) == network
