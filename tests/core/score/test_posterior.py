from __future__ import annotations

import itertools
from math import log

import numpy as np
import pytest
from support.score_models import CHAINED, CONFOUNDED, NAMES, hidden_cause_data

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

PARENTED = LatentDag(NAMES, [("D", "E")], [Latent("L1", 2, ("A", "B", "C"), parent="D")])


def joint_probabilities(network: BayesNet, row: dict[str, int]) -> dict[tuple[int, ...], float]:
    """P(row, latent states) by multiplying table entries."""
    hidden = sorted(network.latents)
    probabilities = {}
    for states in itertools.product(*(range(len(network.states(name))) for name in hidden)):
        full = row | dict(zip(hidden, states))
        probabilities[states] = float(
            np.prod([cpt.table[(*(full[p] for p in cpt.parents), full[name])] for name, cpt in network.cpts.items()])
        )
    return probabilities


@pytest.mark.parametrize("dag", [CONFOUNDED, CHAINED, PARENTED])
@pytest.mark.parametrize("form", ["joint", "factorised"])
def test_that_the_log_likelihood_is_that_of_the_network_handed_out(dag: LatentDag, form: str) -> None:
    dataset = hidden_cause_data(150)
    posterior = Scorer(dataset, VbemOptions(posterior=form)).posterior(dag)  # type: ignore[arg-type]
    network = posterior.network()
    by_hand = sum(
        log(sum(joint_probabilities(network, dict(zip(NAMES, map(int, row)))).values())) for row in dataset.codes
    )
    assert posterior.log_likelihood == pytest.approx(by_hand, abs=1e-8)
    assert posterior.n_free_parameters == network.n_free_parameters
    assert posterior.bic == pytest.approx(by_hand - 0.5 * network.n_free_parameters * log(150), abs=1e-8)


def test_that_tables_have_the_parents_and_states_of_the_dag() -> None:
    dataset = hidden_cause_data(200)
    posterior = Scorer(dataset, VbemOptions()).posterior(CONFOUNDED)
    assert list(posterior.cpts) == [*NAMES, "L1"]
    for name, cpt in posterior.cpts.items():
        assert cpt.parents == CONFOUNDED.parents_with_latents[name]
    assert posterior.cpts["C"].states == ("0", "1", "2")
    assert posterior.cpts["C"].table.shape == (3, 3)


def test_that_plain_tables_are_prior_plus_counts() -> None:
    dataset = hidden_cause_data(200)
    cpt = Scorer(dataset, VbemOptions(prior="uniform")).posterior(CONFOUNDED).cpts["E"]
    counts = np.ones((3, 2))
    np.add.at(counts, (dataset.column("D"), dataset.column("E")), 1)
    assert cpt.dirichlet is not None
    np.testing.assert_allclose(cpt.dirichlet, counts)


def test_that_expected_counts_add_up_to_the_rows() -> None:
    dataset = hidden_cause_data(200)
    posterior = Scorer(dataset, VbemOptions(prior="uniform")).posterior(CHAINED)
    for name in ("A", "B", "C", "L1", "L2"):
        dirichlet = posterior.cpts[name].dirichlet
        assert dirichlet is not None
        assert dirichlet.sum() - dirichlet.size == pytest.approx(200, abs=1e-6)


def test_that_responsibilities_belong_to_their_rows() -> None:
    """The posterior of a row, computed from the tables handed out, is close to the variational one."""
    dataset = hidden_cause_data(2000)
    posterior = Scorer(dataset, VbemOptions()).posterior(LatentDag(NAMES, [], [Latent("L1", 2, ("A", "B", "C"))]))
    given = posterior.responsibilities("L1")
    network = posterior.network()
    assert given.shape == (2000, 2)
    np.testing.assert_allclose(given.sum(axis=1), 1)
    for row in range(0, 2000, 97):
        joint = joint_probabilities(network, dict(zip(NAMES, map(int, dataset.codes[row]))))
        exact = np.array([joint[(0,)], joint[(1,)]])
        np.testing.assert_allclose(given[row], exact / exact.sum(), atol=0.02)


def test_that_states_stand_by_falling_weight_and_empty_ones_are_warned_of() -> None:
    posterior = Scorer(hidden_cause_data(1000), VbemOptions()).posterior(
        LatentDag(NAMES, [], [Latent("L1", 4, ("A", "B", "C"))])
    )
    latent = posterior.latents["L1"]
    assert list(latent.weights) == sorted(latent.weights, reverse=True)
    assert latent.weights.sum() == pytest.approx(1)
    assert latent.effective_states < 2.6
    assert latent.entropy == pytest.approx(log(latent.effective_states))
    assert any("state 4 of L1" in text for text in posterior.warnings)
    np.testing.assert_allclose(posterior.cpts["L1"].table, latent.weights, atol=0.01)


def test_that_the_posterior_agrees_with_the_score() -> None:
    scorer = Scorer(hidden_cause_data(300), VbemOptions())
    score, posterior = scorer.score(CHAINED), scorer.posterior(CHAINED)
    assert (posterior.elbo, posterior.p_elbo) == (score.elbo, score.p_elbo)
    assert posterior.trace[0][-1] == pytest.approx(scorer.fit(next(iter(scorer.known.components))).elbo)
    assert posterior.spread[0][0] <= posterior.trace[0][-1] + 1e-9


def test_that_credible_intervals_hold_the_mean() -> None:
    cpt = Scorer(hidden_cause_data(300), VbemOptions()).posterior(CONFOUNDED).cpts["D"]
    lower, upper = cpt.credible_interval()
    assert np.all(lower <= upper)
    np.testing.assert_array_less(lower[cpt.table > 0.05], cpt.table[cpt.table > 0.05])
    np.testing.assert_array_less(cpt.table[cpt.table < 0.95], upper[cpt.table < 0.95])


def test_that_a_million_configurations_of_which_few_are_seen_are_read_back() -> None:
    rng = np.random.default_rng(0)
    dataset = Dataset(list("ABCDEFGH"), [list("0123456789")] * 8, rng.integers(10, size=(40, 8)))
    dag = LatentDag(dataset.names, [(parent, "A") for parent in "CDEF"], [Latent("L", 2, ("A", "B"))])
    posterior = Scorer(dataset, VbemOptions(restarts=1)).posterior(dag)
    assert posterior.cpts["A"].table.shape == (10, 10, 10, 10, 2, 10)
