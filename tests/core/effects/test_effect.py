"""One effect on one table: formulas against counts by hand, E-values against their closed form, MAGs one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.effect_truth import random_network

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.determined.arrows import DagClass
from latconf_core.effects.distributions import RowShares, align_to_network
from latconf_core.effects.effect import EffectAnswer, answer_effect, pag_of_network
from latconf_core.effects.effect_question import EffectQuestion
from latconf_core.effects.expressions import Probability, Sum
from latconf_core.effects.pag_range import ways_in_pag
from latconf_core.effects.plug_in import plug_in
from latconf_core.effects.refits import Refits, ask_pair, fitted_interval
from latconf_core.effects.routes import Route
from latconf_core.effects.strength import bounding_factor, e_value
from latconf_core.errors import DataError, LatconfError, OptionError
from latconf_core.inference.asking import InferenceEngine

FRONT_DOOR = LatentDag(["x", "m", "y"], [("x", "m"), ("m", "y")], [Latent("L", 2, ("x", "y"))])
BOW = LatentDag(["x", "y"], [("x", "y")], [Latent("L", 2, ("x", "y"))])
THREE = LatentDag(["x", "y", "a", "b"], [("x", "y")], [Latent("L", 2, ("x", "y", "a", "b"))])
QUESTION = EffectQuestion("x", "s1", "s0", "y", "s1")


def binary(dag: LatentDag, seed: int = 0) -> BayesNet:
    return random_network(np.random.default_rng(seed), dag, most_states=2)


def rows_of(network: BayesNet, n_rows: int, seed: int = 0) -> Dataset:
    return sample(network, n_rows, rng=np.random.default_rng(seed), hide=list(network.latents)).dataset


def answer(dag: LatentDag, n_rows: int | None = None, **more: object) -> EffectAnswer:
    network = binary(dag)
    data = None if n_rows is None else rows_of(network, n_rows)
    return answer_effect(InferenceEngine(network), QUESTION, data=data, **more)  # type: ignore[arg-type]


def test_that_a_back_door_value_is_the_sum_made_by_hand() -> None:
    """12 rows: P(y | do x1) = P(z0) P(y | x1, z0) + P(z1) P(y | x1, z1) = 2/3 · 3/4 + 1/3 · 1/2."""
    rows = [(0, 1, 1)] * 3 + [(0, 1, 0)] + [(0, 0, 1)] + [(0, 0, 0)] * 3 + [(1, 1, 1), (1, 1, 0), (1, 0, 0), (1, 0, 0)]
    data = Dataset(["z", "x", "y"], [["s0", "s1"]] * 3, rows)
    formula = Sum(("z",), (Probability(("z",)), Probability(("y",), ("x", "z"))))
    plug = plug_in(formula, QUESTION, data, n_draws=0)
    assert plug.value.first == pytest.approx(2 / 3 * 3 / 4 + 1 / 3 * 1 / 2)
    assert plug.value.second == pytest.approx(2 / 3 * 1 / 4)
    assert (plug.empty, plug.interval) == ((), None)


def test_that_cells_without_rows_are_reported() -> None:
    rows = [(0, 1, 1), (0, 1, 0), (0, 0, 1), (0, 0, 0), (1, 0, 0), (1, 0, 1)]  # no row has x = 1 beside z = 1
    data = Dataset(["z", "x", "y"], [["s0", "s1"]] * 3, rows)
    formula = Sum(("z",), (Probability(("z",)), Probability(("y",), ("x", "z"))))
    plug = plug_in(formula, QUESTION, data, n_draws=0)
    assert plug.missing == pytest.approx((1 / 3, 0.0))
    ((term, n_empty, n_cells),) = plug.empty
    assert (term, n_empty, n_cells) == (Probability(("y",), ("x", "z")), 1, 4)
    nothing = Dataset(["z", "x", "y"], [["s0", "s1"]] * 3, [(0, 0, 1), (1, 0, 0)])
    with pytest.raises(DataError, match="no rows with x = s1"):
        plug_in(formula, QUESTION, nothing, n_draws=0)


def test_that_rows_with_missing_cells_are_left_out_and_weights_count() -> None:
    data = Dataset(["x", "y"], [["s0", "s1"]] * 2, [(0, 0), (1, 1), (1, -1)], weights=[3, 1, 9])
    shares = RowShares.of(data, ("x", "y"))
    np.testing.assert_allclose(shares.marginal(("y", "x")), [[0.75, 0], [0, 0.25]])


def test_that_a_table_in_another_order_of_states_is_aligned_and_another_table_refused() -> None:
    network = binary(BOW)
    data = Dataset(["y", "x"], [["s1", "s0"], ["s0", "s1"]], [(0, 1), (1, 1)])
    aligned = align_to_network(data, network)
    assert list(zip(aligned.names, np.asarray(aligned.codes).T.tolist())) == [("x", [1, 1]), ("y", [1, 0])]
    with pytest.raises(DataError, match="no column 'y'"):
        align_to_network(Dataset(["x"], [["s0", "s1"]], [(0,)]), network)
    with pytest.raises(DataError, match="'odd', which is unknown to the model"):
        align_to_network(Dataset(["x", "y"], [["s0", "odd"]] * 2, [(0, 1)]), network)


@pytest.mark.parametrize("ratio", [1.47, 3.9, 1 / 3.9, 1.0])
def test_that_the_e_value_is_where_both_ratios_make_up_the_risk_ratio(ratio: float) -> None:
    value = e_value(ratio)
    assert bounding_factor(value, value) == pytest.approx(max(ratio, 1 / ratio))
    assert e_value(1.47) == pytest.approx(1.47 + math.sqrt(1.47 * 0.47))
    assert bounding_factor(3.1, 1.7) == pytest.approx(1.387, abs=5e-4)
    assert (e_value(0.0), bounding_factor(math.inf, 2.0)) == (math.inf, 2.0)


def test_that_the_strength_of_a_hidden_cause_is_that_of_its_tables() -> None:
    latent = Cpt("L", ("u0", "u1"), (), [0.5, 0.5])
    cause = Cpt("x", ("s0", "s1"), ("L",), [[0.8, 0.2], [0.4, 0.6]])
    effect = Cpt("y", ("s0", "s1"), ("x", "L"), [[[0.9, 0.1], [0.7, 0.3]], [[0.8, 0.2], [0.5, 0.5]]])
    found = answer_effect(InferenceEngine(BayesNet([latent, cause, effect], latents=["L"])), QUESTION)
    assert found.strength is not None
    (hidden,) = found.strength.latents
    given = {"u0": (0.2 / 0.8, 0.8 / 1.2), "u1": (0.6 / 0.8, 0.4 / 1.2)}  # P(u | x1), P(u | x0)
    assert hidden.on_cause == pytest.approx(max(first / second for first, second in given.values()))
    assert hidden.on_effect == pytest.approx(3.0)  # 0.3 / 0.1 at x0; 2.5 at x1
    assert found.strength.adjusted_for == ()


def test_that_a_front_door_needs_no_hidden_cause_and_a_bow_rests_on_it() -> None:
    front = answer(FRONT_DOOR, 2000, n_draws=40)
    assert (front.identified.route, front.identified.by, front.rests_on) == (Route.FRONT_DOOR, ("m",), ())
    assert front.plug_in is not None
    assert front.plug_in.interval is not None
    assert front.plug_in.value.first == pytest.approx(front.in_dag.first, abs=0.06)
    bow = answer(BOW)
    assert (bow.identified.is_identified, bow.plug_in, bow.rests_on) == (False, None, ("L",))


def test_that_what_rests_on_a_hidden_cause_has_an_interval_from_refits() -> None:
    found = answer(THREE, 400, n_draws=40)
    assert found.plug_in is None
    assert found.interval is not None
    assert 0 <= found.interval.first[0] < found.interval.first[1] <= 1


def test_that_each_mag_of_a_pag_is_asked() -> None:
    """In x o-o y: x --> y (not visible), x <-- y and x <-> y (no effect)."""
    ways = ways_in_pag(DagClass(LatentDag(["x", "y"], [("x", "y")])).pag, "x", "y")
    assert (ways.adjusted, ways.n_without_effect, ways.n_not_identified, ways.is_complete) == ((), 2, 1, True)
    visible = LatentDag(["a", "b", "x", "y"], [("a", "x"), ("b", "x"), ("x", "y")])
    ways = ways_in_pag(DagClass(visible).pag, "x", "y")
    assert [names for names, _ in ways.adjusted] == [()]
    assert (ways.n_without_effect, ways.n_not_identified) == (0, 0)


def test_that_the_pag_of_a_network_is_that_of_its_dag() -> None:
    for dag in (FRONT_DOOR, BOW):
        assert set(pag_of_network(binary(dag)).edges()) == set(DagClass(dag).pag.edges())


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (EffectQuestion("x", "s1", "s1", "y", "s1"), "the same"),
        (EffectQuestion("x", "s1", "s0", "x", "s1"), "cause and effect at once"),
        (EffectQuestion("L", "h1", "h2", "y", "s1"), "is hidden"),
        (EffectQuestion("x", "s1", "s7", "y", "s1"), "no state 's7'"),
        (EffectQuestion("q", "s1", "s0", "y", "s1"), "no variable 'q'"),
    ],
)
def test_that_a_question_without_sense_is_refused(question: EffectQuestion, said: str) -> None:
    with pytest.raises(LatconfError, match=said):
        answer_effect(InferenceEngine(binary(BOW)), question)
    assert issubclass(OptionError, LatconfError)


@pytest.mark.exhaustive
def test_that_intervals_of_what_rests_on_a_hidden_cause_cover_in_200_tables() -> None:
    """The latent has strong effects, as one must have that a search supports."""

    def table(shares: list[float]) -> list[list[float]]:
        return [[1 - share, share] for share in shares]

    two = ("s0", "s1")
    network = BayesNet(
        [
            Cpt("L", two, (), [0.5, 0.5]),
            Cpt("x", two, ("L",), table([0.2, 0.8])),
            Cpt("y", two, ("x", "L"), [table([0.15, 0.5]), table([0.4, 0.85])]),
            Cpt("a", two, ("L",), table([0.1, 0.9])),
            Cpt("b", two, ("L",), table([0.15, 0.85])),
        ],
        latents=["L"],
    )
    truth = ask_pair(network, QUESTION)
    covered = np.zeros(3)
    for seed in range(200):
        data = rows_of(network, 1000, seed=seed)
        fitted = Refits(network, RowShares.of(data, data.names))
        own = fitted.fit(RowShares.of(data, data.names).counts)
        interval = fitted_interval(own, QUESTION, data, seed=seed, n_draws=100)
        assert interval is not None
        covered += [low <= getattr(truth, name) <= high for name, (low, high) in interval._asdict().items()]
    assert np.all((covered >= 180) & (covered <= 196)), covered


@pytest.mark.exhaustive
@pytest.mark.parametrize("dag", [FRONT_DOOR, LatentDag(["z", "x", "y"], [("z", "x"), ("z", "y"), ("x", "y")])])
def test_that_intervals_cover_in_200_tables(dag: LatentDag) -> None:
    """The share of 200 intervals of 95 % that hold the truth: 90 to 98 % is within three standard errors."""
    network = binary(dag, seed=4)
    engine = InferenceEngine(network)
    truth = answer_effect(engine, QUESTION).in_dag
    expression = answer_effect(engine, QUESTION).identified.expression
    assert expression is not None
    covered = np.zeros(3)
    for seed in range(200):
        interval = plug_in(expression, QUESTION, rows_of(network, 1000, seed=seed), seed=seed).interval
        assert interval is not None
        covered += [low <= getattr(truth, name) <= high for name, (low, high) in interval._asdict().items()]
    assert np.all((covered >= 180) & (covered <= 196)), covered
