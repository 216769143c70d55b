from __future__ import annotations

import math

import numpy as np
import pytest
from support.joint_truth import marginals_by_summing, random_network

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import OptionError
from latconf_core.formats.examples import load_example
from latconf_core.inference.asking import InferenceEngine, ask_network
from latconf_core.inference.junction_tree import ImpossibleEvidenceError
from latconf_core.inference.question import parse_evidence

EXACT = 1e-9  # both sides are exact: what is left is rounding of some hundred products


def random_question(rng: np.random.Generator, network: BayesNet) -> tuple[dict[str, int], dict[str, int]]:
    names = list(rng.permutation(np.array(network.variables, dtype=object)))
    codes = {name: int(rng.integers(len(network.states(name)))) for name in names}
    n_seen, n_set = int(rng.integers(3)), int(rng.integers(3))
    seen = names[:n_seen]
    settable = [name for name in names[n_seen:] if name not in network.latents]
    return {name: codes[name] for name in seen}, {name: codes[name] for name in settable[:n_set]}


def in_words(network: BayesNet, codes: dict[str, int]) -> dict[str, str]:
    return {name: network.states(name)[code] for name, code in codes.items()}


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_that_two_hundred_random_networks_answer_as_their_joint_tables_do(first: int) -> None:
    impossible = 0
    for seed in range(first, first + 50):
        rng = np.random.default_rng(seed)
        network = random_network(
            rng, int(rng.integers(3, 6)), int(rng.integers(1, 3)), zeros=0.3 if seed % 5 == 0 else 0.0
        )
        engine = InferenceEngine(network)
        for _ in range(4):
            see, do = random_question(rng, network)
            wanted, probability = marginals_by_summing(network, see, do)
            if probability == 0:
                impossible += 1
                with pytest.raises(ImpossibleEvidenceError):
                    engine.ask(in_words(network, see), in_words(network, do))
                continue
            answer = engine.ask(in_words(network, see), in_words(network, do))
            assert answer.probability == pytest.approx(probability, rel=EXACT)
            for name in network.variables:
                np.testing.assert_allclose(answer.probabilities[name], wanted[name], atol=EXACT)
            plain, _ = marginals_by_summing(network, {}, {})
            for name in network.variables:
                np.testing.assert_allclose(answer.before[name], plain[name], atol=EXACT)
    assert impossible > 0  # so that the refusal was tried too


def test_that_an_engine_answers_the_same_whatever_it_was_asked_before() -> None:
    network = random_network(np.random.default_rng(3), 4, 1)
    name = next(one for one in network.variables if one not in network.latents)
    state = network.states(name)[0]
    engine = InferenceEngine(network)
    first = engine.ask({name: state}).probabilities
    engine.ask({}, {name: state})
    engine.ask()
    again = engine.ask({name: state}).probabilities
    for variable in network.variables:
        np.testing.assert_allclose(first[variable], again[variable], atol=1e-14)  # sums may be taken in another order


def test_that_setting_a_variable_tells_nothing_of_its_causes_and_seeing_it_does() -> None:
    asia = load_example("asia")
    before = ask_network(asia)["smoke"]["yes"]
    assert ask_network(asia, do={"lung": "yes"})["smoke"]["yes"] == pytest.approx(before, abs=EXACT)
    assert ask_network(asia, see={"lung": "yes"})["smoke"]["yes"] > before + 0.3


def test_that_what_cannot_be_seen_together_is_named_and_nothing_else() -> None:
    asia = load_example("asia")
    with pytest.raises(ImpossibleEvidenceError) as raised:
        ask_network(asia, {"dysp": "yes", "either": "no", "lung": "yes", "xray": "no"})
    assert str(raised.value) == (
        "either = no and lung = yes cannot be observed together in this model: their probability is 0; "
        "remove one of them"
    )
    with pytest.raises(ImpossibleEvidenceError, match=r"either = no cannot be observed after setting lung = yes"):
        ask_network(asia, {"either": "no", "dysp": "yes"}, {"lung": "yes"})


def test_that_evidence_too_rare_for_a_double_keeps_its_logarithm() -> None:
    n = 340  # 0.1 to this power is no double any more
    cpts = [Cpt("x0", "ab", (), [0.5, 0.5])]
    cpts += [Cpt(f"x{i}", "ab", (f"x{i - 1}",), [[0.9, 0.1], [0.1, 0.9]]) for i in range(1, n)]
    answer = ask_network(BayesNet(cpts), {f"x{i}": "ab"[i % 2] for i in range(n - 1)})
    assert answer.log_probability == pytest.approx(math.log(0.5) + (n - 2) * math.log(0.1), rel=1e-9)
    assert answer.probability == 0.0
    assert answer[f"x{n - 1}"]["a"] == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("see", "do", "message"),
    [
        ({"smok": "yes"}, {}, "there is no variable 'smok'; did you mean 'smoke'"),
        ({"smoke": "maybe"}, {}, "'smoke' has no state 'maybe'; it has 'yes', 'no'"),
        ({"smoke": "yes"}, {"smoke": "no"}, "'smoke' is both observed and set; choose one"),
    ],
)
def test_that_a_question_that_makes_no_sense_is_refused(see: dict[str, str], do: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        ask_network(load_example("asia"), see, do)


def test_that_a_latent_can_be_seen_but_not_set() -> None:
    asia = load_example("asia")
    network = BayesNet(asia.cpts.values(), latents=["smoke"])
    assert ask_network(network, {"smoke": "yes"})["lung"]["yes"] == pytest.approx(0.1)
    with pytest.raises(OptionError, match="'smoke' is hidden and cannot be set"):
        ask_network(network, {}, {"smoke": "yes"})


def test_that_names_and_states_with_equals_signs_are_understood() -> None:
    network = BayesNet([Cpt("a=b", ["c=d", "e"], (), [0.2, 0.8]), Cpt("a", ["x", "y"], (), [0.5, 0.5])])
    assert parse_evidence(["a=b=c=d", "a=y"], network) == {"a=b": "c=d", "a": "y"}
    with pytest.raises(OptionError, match="is not a state"):
        parse_evidence(["a"], network)
    with pytest.raises(OptionError, match="'a' is given two states, 'x' and 'y'"):
        parse_evidence(["a=x", "a=y"], network)
    ambiguous = BayesNet([Cpt("a", ["b=c", "d"], (), [0.5, 0.5]), Cpt("a=b", ["c", "d"], (), [0.5, 0.5])])
    with pytest.raises(OptionError, match="two ways"):
        parse_evidence(["a=b=c"], ambiguous)


def test_that_a_network_too_entangled_for_an_exact_answer_is_refused() -> None:
    rng = np.random.default_rng(0)
    roots = [Cpt(f"r{i}", [str(k) for k in range(8)], (), np.full(8, 0.125)) for i in range(12)]
    pairs = [
        Cpt(f"c{i}{j}", "ab", (f"r{i}", f"r{j}"), rng.dirichlet([1, 1], size=(8, 8)))
        for i in range(12)
        for j in range(i)
    ]
    with pytest.raises(OptionError, match="an exact answer would need a table of"):
        ask_network(BayesNet([*roots, *pairs]))


@pytest.mark.parametrize("text", ["=" * 400_000, "x" * 400_000, "smoke=" + "=" * 400_000, "a=" * 200_000])
def test_that_long_evidence_is_refused_with_a_short_sentence(text: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_evidence([text], load_example("asia"))
    assert len(str(caught.value)) < 1000
