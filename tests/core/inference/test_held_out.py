"""Held-out log-likelihood against brute force over latent states, a closed form and the scorer's own figure."""

from __future__ import annotations

from itertools import product
from math import log

import numpy as np
import pytest
from support.builders import random_dataset
from support.score_models import CHAINED, CONFOUNDED, NAMES, hidden_cause_data

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_groups import latent_groups
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError, GraphError
from latconf_core.inference import held_out as module
from latconf_core.inference.held_out import declare_states, held_out, measure, row_log_likelihoods
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

BELOW_LATENT = LatentDag(
    NAMES, [("A", "D")], [Latent("L1", 2, ("A", "L2")), Latent("L2", 3, ("B", "C", "E"), parent="L1")]
)
BELOW_OBSERVED = LatentDag(NAMES, [("A", "E")], [Latent("L1", 3, ("B", "C", "E"), parent="D")])
TWO_GROUPS = LatentDag(NAMES, [("A", "C")], [Latent("L1", 2, ("A", "B")), Latent("L2", 3, ("D", "E"))])
DAGS = [CONFOUNDED, CHAINED, BELOW_LATENT, BELOW_OBSERVED, TWO_GROUPS]


def network_of(dag: LatentDag, states: dict[str, int], rng: np.random.Generator) -> BayesNet:
    """Random tables on a DAG, latents with parents included."""
    states = {**states, **{latent.name: latent.n_states for latent in dag.latents}}
    cpts = []
    for name, parents in dag.parents_with_latents.items():
        shape = [states[parent] for parent in parents]
        table = rng.dirichlet(np.ones(states[name]), size=shape or None)
        cpts.append(Cpt(name, [f"s{k}" for k in range(states[name])], parents, table))
    return BayesNet(cpts, latents=[latent.name for latent in dag.latents])


def by_brute_force(network: BayesNet, row: dict[str, int]) -> float:
    """The log of the sum over every joint state of the latents of the product of all tables."""
    hidden = sorted(network.latents)
    total = 0.0
    for states in product(*(range(len(network.states(name))) for name in hidden)):
        full = {**row, **dict(zip(hidden, states))}
        total += np.prod(
            [cpt.table[tuple(full[index] for index in (*cpt.parents, name))] for name, cpt in network.cpts.items()]
        )
    return log(total)


@pytest.mark.parametrize("dag", DAGS, ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_that_it_equals_brute_force_over_latent_states(dag: LatentDag, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cards = [2, 3, 2, 4, 2]
    data = random_dataset(rng, 80, cards)
    network = network_of(dag, dict(zip(NAMES, cards)), rng)
    logs = row_log_likelihoods(network, data)
    for codes, value in zip(data.distinct.codes, logs):
        assert value == pytest.approx(by_brute_force(network, dict(zip(NAMES, map(int, codes)))), abs=1e-10)


def test_that_a_chain_of_many_latents_is_summed_without_their_joint_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty latents in a chain have 2³⁰ joint states; the probabilities of all rows still sum to one."""
    n = 30
    names = ("A", "B", "C")
    cpts = [Cpt("L0", "01", [], [0.3, 0.7])]
    cpts += [Cpt(f"L{k}", "01", [f"L{k - 1}"], [[0.9, 0.1], [0.2, 0.8]]) for k in range(1, n)]
    cpts += [
        Cpt(name, "01", [f"L{k}"], [[0.6, 0.4], [0.1, 0.9]]) for name, k in zip(names, (0, n // 2, n - 1), strict=True)
    ]
    network = BayesNet(cpts, latents=[f"L{k}" for k in range(n)])
    data = Dataset(names, [("0", "1")] * 3, np.array(list(product((0, 1), repeat=3))))
    assert np.exp(row_log_likelihoods(network, data)).sum() == pytest.approx(1.0, abs=1e-12)
    monkeypatch.setattr(module, "NUMBERS_AT_ONCE", 4)  # one row at a time
    assert np.exp(row_log_likelihoods(network, data)).sum() == pytest.approx(1.0, abs=1e-12)


def test_that_a_group_too_wide_to_sum_is_refused_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PER_ROW", 5)
    network = network_of(CHAINED, dict.fromkeys(NAMES, 3), np.random.default_rng(0))
    data = random_dataset(np.random.default_rng(0), 5, [3] * 5)
    row_log_likelihoods(network, data)  # two latents of two states
    monkeypatch.setattr(module, "MOST_PER_ROW", 3)
    with pytest.raises(GraphError, match="remove some latents"):
        row_log_likelihoods(network, data)


def test_that_the_empty_dag_has_the_closed_form() -> None:
    """Each column on its own: the log of (n_k + its prior) / (n + 1), with the prior (n_k + 1) / (n + K)."""
    rng = np.random.default_rng(4)
    train, test = random_dataset(rng, 50, [2, 4, 3]), random_dataset(rng, 30, [2, 4, 3])
    expected = 0.0
    for name, n_states in zip(train.names, train.n_states):
        counts = train.counts(name)
        probability = (counts + (counts + 1) / (train.n_rows + n_states)) / (train.n_rows + 1)
        expected += float(test.counts(name) @ np.log(probability))
    out = held_out(LatentDag(train.names), train, test, options=VbemOptions())
    assert out.total == pytest.approx(expected, abs=1e-9)
    assert out.per_row == pytest.approx(expected / 30, abs=1e-9)


@pytest.mark.parametrize("dag", DAGS, ids=repr)
def test_that_on_the_fitted_rows_it_is_the_scorers_log_likelihood(dag: LatentDag) -> None:
    data = hidden_cause_data(400)
    posterior = Scorer(data, VbemOptions(restarts=4)).posterior(dag)
    assert posterior.log_likelihood is not None
    assert measure(posterior.network(), data).total == pytest.approx(posterior.log_likelihood, abs=1e-6)


def test_that_states_and_configurations_never_seen_in_training_are_finite() -> None:
    """C is 2 in the other rows alone; with it a parent configuration of D is new too."""
    data = hidden_cause_data(300)
    seen = data.codes[:, 2] != 2
    train = Dataset(NAMES, [state if i != 2 else state[:2] for i, state in enumerate(data.states)], data.codes[seen])
    test = Dataset(NAMES, data.states, data.codes[~seen])
    dag = LatentDag(NAMES, [("C", "D")], [Latent("L1", 2, ("A", "B", "C"))])
    out = held_out(dag, train, test, options=VbemOptions(restarts=2))
    assert np.isfinite(out.total)
    alone = held_out(LatentDag(NAMES), train, test, options=VbemOptions())
    unseen = (1 / (train.n_rows + 3)) / (train.n_rows + 1)  # its prior mean over the mass of rows and prior
    others = held_out(LatentDag(NAMES[:2]), train.select(NAMES[:2]), test.select(NAMES[:2]), options=VbemOptions())
    rest = held_out(LatentDag(NAMES[3:]), train.select(NAMES[3:]), test.select(NAMES[3:]), options=VbemOptions())
    assert alone.total == pytest.approx(others.total + rest.total + test.n_rows * log(unseen), abs=1e-9)


def test_that_order_of_columns_and_of_states_do_not_matter() -> None:
    data = hidden_cause_data(200)
    network = Scorer(data, VbemOptions(restarts=2)).posterior(CONFOUNDED).network()
    codes = np.array([len(state) - 1 for state in data.states]) - data.codes.astype(int)
    turned = Dataset(data.names[::-1], [state[::-1] for state in data.states[::-1]], codes[:, ::-1])
    assert measure(network, turned).total == pytest.approx(measure(network, data).total, abs=1e-9)


def test_that_the_standard_error_is_that_of_a_mean() -> None:
    data = hidden_cause_data(250)
    network = Scorer(data, VbemOptions(restarts=2)).posterior(CONFOUNDED).network()
    rows = row_log_likelihoods(network, data)[data.distinct.of_row]
    assert measure(network, data).standard_error == pytest.approx(rows.std(ddof=1) / np.sqrt(250), abs=1e-12)
    dataset = Dataset(data.names, data.states, data.codes[:1])
    assert measure(network, dataset).standard_error is None


def test_that_a_table_without_a_variable_or_with_an_unknown_state_is_refused() -> None:
    data = hidden_cause_data(50)
    network = Scorer(data, VbemOptions(restarts=1)).posterior(LatentDag(NAMES)).network()
    with pytest.raises(DataError, match="no column 'C'"):
        measure(network, data.select(["A", "B", "D", "E"]))
    other = Dataset(NAMES, [("0", "9"), *data.states[1:]], data.codes)
    with pytest.raises(DataError, match="state '9'"):
        measure(network, other)
    with pytest.raises(DataError, match="no column"):
        declare_states(data, data.select(["A"]))
    with pytest.raises(DataError, match="no rows"):
        measure(network, Dataset(NAMES, data.states, data.codes[:0]))


def test_that_latents_are_grouped_by_the_families_they_share() -> None:
    rng = np.random.default_rng(0)
    states = dict.fromkeys(NAMES, 2)
    assert [latents for latents, _ in latent_groups(network_of(TWO_GROUPS, states, rng))] == [("L1",), ("L2",)]
    assert [latents for latents, _ in latent_groups(network_of(CHAINED, states, rng))] == [("L1", "L2")]
    assert [latents for latents, _ in latent_groups(network_of(BELOW_LATENT, states, rng))] == [("L1", "L2")]


def test_that_it_can_be_stopped() -> None:
    data = hidden_cause_data(100)
    network = Scorer(data, VbemOptions(restarts=1)).posterior(CONFOUNDED).network()
    with pytest.raises(StopRequested) as stop:
        row_log_likelihoods(network, data, control=RunControl(lambda: True))
    assert stop.value.reason is StopReason.CANCELLED
