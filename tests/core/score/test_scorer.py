from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from math import lgamma, log

import numpy as np
import pytest
from support.builders import random_dataset
from support.score_models import CHAINED, CONFOUNDED, NAMES, hidden_cause_data

from latconf_core.control import RunControl, StopRequested
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError, GraphError
from latconf_core.options.scoring import VbemOptions
from latconf_core.score import fit as vbem
from latconf_core.score.naming import split
from latconf_core.score.scorer import Scorer


def prior_of(dataset: Dataset, name: str, options: VbemOptions, n_configurations: int) -> np.ndarray:
    counts = dataset.counts(name)
    if options.prior == "empirical":
        return (counts + 1) / (dataset.n_rows + len(counts))
    return np.full(len(counts), 1.0 if options.prior == "uniform" else options.ess / (n_configurations * len(counts)))


def predictive(rows: np.ndarray, prior: np.ndarray) -> float:
    """Log probability of states (n,) one after the other, each given those before."""
    mass = prior.copy()
    total = 0.0
    for state in rows:
        total += log(mass[state] / mass.sum())
        mass[state] += 1
    return total


def log_marginal(dataset: Dataset, dag: LatentDag, options: VbemOptions) -> float:
    total = 0.0
    for name, parents in dag.parents.items():
        codes = [dataset.column(parent) for parent in parents]
        n_configurations = int(np.prod([len(dataset.states[dataset.index[parent]]) for parent in parents], dtype=int))
        prior = prior_of(dataset, name, options, n_configurations)
        keys = np.array([tuple(int(code[row]) for code in codes) for row in range(dataset.n_rows)]).reshape(
            dataset.n_rows, -1
        )
        for key in {tuple(key) for key in keys}:
            total += predictive(dataset.column(name)[(keys == key).all(axis=1)], prior)
    return total


@pytest.mark.parametrize("prior", ["empirical", "uniform", "bdeu"])
def test_that_without_latents_the_score_is_the_exact_marginal_likelihood(prior: str) -> None:
    dataset = random_dataset(np.random.default_rng(0), 60, [2, 3, 2, 4])
    dag = LatentDag(dataset.names, [("A", "B"), ("C", "B"), ("B", "D")])
    options = VbemOptions(prior=prior, ess=2.5)  # type: ignore[arg-type]
    score = Scorer(dataset, options).score(dag)
    assert score.p_elbo == score.elbo == pytest.approx(log_marginal(dataset, dag, options), abs=1e-9)


def log_evidence(dataset: Dataset, dag: LatentDag) -> float:
    """Exact, by summing over every completion of one root latent's states."""
    latent = dag.latents[0]
    terms = []
    for completion in itertools.product(range(latent.n_states), repeat=dataset.n_rows):
        hidden = np.array(completion)
        total = predictive(hidden, np.ones(latent.n_states))
        for name in dag.nodes:
            prior = prior_of(dataset, name, VbemOptions(), 1)
            keys = hidden if name in latent.children else np.zeros_like(hidden)
            total += sum(predictive(dataset.column(name)[keys == key], prior) for key in np.unique(keys))
        terms.append(total)
    return float(np.logaddexp.reduce(terms))


@pytest.mark.parametrize("seed", range(4))
def test_that_the_bound_lies_little_below_the_sum_over_all_completions(seed: int) -> None:
    dataset = random_dataset(np.random.default_rng(seed), 9, [2, 2, 2])
    dag = LatentDag(dataset.names, [], [Latent("L1", 2, ("A", "B", "C"))])
    exact = log_evidence(dataset, dag)
    for posterior in ("joint", "factorised"):
        score = Scorer(dataset, VbemOptions(posterior=posterior)).score(dag)  # type: ignore[arg-type]
        assert exact - 4 < score.elbo < exact
        assert score.p_elbo == pytest.approx(score.elbo - log(2), abs=1e-12)


@pytest.mark.parametrize("dag", [CONFOUNDED, CHAINED])
def test_that_the_order_of_rows_changes_nothing(dag: LatentDag) -> None:
    dataset = hidden_cause_data(400)
    shuffled = Dataset(dataset.names, dataset.states, np.random.default_rng(5).permutation(dataset.codes))
    scores = [Scorer(data, VbemOptions()).score(dag).p_elbo for data in (dataset, shuffled)]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("dag", [CONFOUNDED, CHAINED])
def test_that_names_and_order_of_states_change_nothing(dag: LatentDag) -> None:
    dataset = hidden_cause_data(400)
    orders = [[1, 0], [1, 0], [2, 0, 1], [1, 2, 0], [1, 0]]
    codes = np.stack([np.array(order)[dataset.codes[:, i]] for i, order in enumerate(orders)], axis=1)
    relabelled = Dataset(dataset.names, [[f"x{k}" for k in order] for order in orders], codes)
    scores = [Scorer(data, VbemOptions()).score(dag).p_elbo for data in (dataset, relabelled)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-9)  # plain families are summed in another order


def test_that_the_order_of_variables_in_the_dag_changes_nothing() -> None:
    dataset = hidden_cause_data(300)
    backwards = LatentDag(NAMES[::-1], CONFOUNDED.edges, CONFOUNDED.latents)
    scorer = Scorer(dataset, VbemOptions())
    assert scorer.with_empty_cache().score(backwards).p_elbo == pytest.approx(scorer.score(CONFOUNDED).p_elbo, abs=1e-9)


def test_that_a_row_listed_twice_is_that_row_with_count_two() -> None:
    dataset = hidden_cause_data(120)
    doubled = Dataset(dataset.names, dataset.states, np.repeat(dataset.codes, 2, axis=0))
    in_blocks = Dataset(dataset.names, dataset.states, np.concatenate([dataset.codes, dataset.codes]))
    scores = [Scorer(data, VbemOptions()).score(CONFOUNDED).p_elbo for data in (doubled, in_blocks)]
    assert scores[0] == scores[1]


def candidate_dags() -> list[LatentDag]:
    dags = [CONFOUNDED, CHAINED]
    for pair in itertools.combinations(NAMES[:4], 2):
        dags.append(LatentDag(NAMES, [("D", "E")] if "D" not in pair else [], [Latent("L1", 2, pair)]))
    return dags


def test_that_neither_order_nor_number_of_workers_changes_a_score() -> None:
    dataset = hidden_cause_data(300)
    dags = candidate_dags()
    alone = [Scorer(dataset, VbemOptions()).score(dag).p_elbo for dag in dags]
    shared = Scorer(dataset, VbemOptions())
    backwards = [shared.score(dag).p_elbo for dag in reversed(dags)][::-1]
    parallel = Scorer(dataset, VbemOptions())
    with ThreadPoolExecutor(4) as pool:
        together = [score.p_elbo for score in pool.map(parallel.score, dags * 2)]
    assert alone == backwards
    assert together == alone * 2


def test_that_a_component_is_computed_once() -> None:
    scorer = Scorer(hidden_cause_data(300), VbemOptions())
    first = scorer.score(CONFOUNDED)
    again = scorer.score(LatentDag(NAMES, [("A", "D")], CONFOUNDED.latents))
    component = split(CONFOUNDED, scorer.dataset).components[0]
    assert scorer.fit(component) is scorer.fit(component)
    assert again.iterations == first.iterations
    assert again.elbo < first.elbo  # without D --> E


def test_that_a_superfluous_state_costs_little_more_than_its_penalty() -> None:
    """A state that dies leaves the smaller model: log Γ of the weights' mass and log K! are all it costs."""
    dataset = hidden_cause_data(1000)
    scores = [
        Scorer(dataset, VbemOptions())
        .score(LatentDag(NAMES, [("A", "D")], [Latent("L1", n_states, ("A", "B", "C"))]))
        .p_elbo
        for n_states in (2, 3)
    ]
    cost = log((1000 + 2) / 2) + lgamma(4) - lgamma(3)
    assert scores[1] > scores[0] - cost - 0.5


def test_that_joint_is_at_least_as_good_as_factorised() -> None:
    dataset = hidden_cause_data(500)
    joint = Scorer(dataset, VbemOptions()).score(CHAINED)
    factorised = Scorer(dataset, VbemOptions(posterior="factorised")).score(CHAINED)
    assert joint.p_elbo >= factorised.p_elbo - 1e-6
    assert factorised.note == ""


def test_that_too_many_joint_states_fall_back_to_the_factorised_posterior() -> None:
    dataset = hidden_cause_data(200)
    limited = Scorer(dataset, VbemOptions(max_joint_states=3)).score(CHAINED)
    factorised = Scorer(dataset, VbemOptions(posterior="factorised")).score(CHAINED)
    assert limited.p_elbo == factorised.p_elbo
    assert "4 joint states" in limited.note
    assert "factorised" in limited.note


def test_that_thirteen_binary_latents_in_one_component_are_scored() -> None:
    rng = np.random.default_rng(1)
    dataset = Dataset([f"V{i}" for i in range(14)], [["0", "1"]] * 14, rng.integers(2, size=(60, 14)))
    latents = [Latent(f"L{i}", 2, (f"V{i}", f"V{i + 1}")) for i in range(13)]
    score = Scorer(dataset, VbemOptions(restarts=1)).score(LatentDag(dataset.names, [], latents))
    assert "8,192 joint states" in score.note
    assert np.isfinite(score.p_elbo)


def test_that_a_latent_below_an_observed_variable_reaches_the_exact_evidence_when_its_children_show_it() -> None:
    """B and C copy a hidden state that depends on A: the bound then almost equals the model in which it is seen."""
    rng = np.random.default_rng(2)
    a = rng.integers(2, size=800)
    hidden = (rng.random(800) < np.where(a, 0.9, 0.3)).astype(int)
    dataset = Dataset(["A", "B", "C"], [["0", "1"]] * 3, np.stack([a, hidden, hidden], axis=1))
    with_parent = LatentDag(dataset.names, [], [Latent("L", 2, ("B", "C"), parent="A")])
    root = LatentDag(dataset.names, [], [Latent("L", 2, ("B", "C"))])
    scorer = Scorer(dataset, VbemOptions())
    seen = predictive(hidden[a == 0], np.ones(2)) + predictive(hidden[a == 1], np.ones(2))
    for name in "BC":
        prior = prior_of(dataset, name, VbemOptions(), 1)
        seen += sum(predictive(hidden[hidden == state], prior) for state in (0, 1))
    seen += predictive(a, prior_of(dataset, "A", VbemOptions(), 1))
    assert scorer.score(with_parent).elbo == pytest.approx(seen, abs=0.01)
    assert scorer.score(with_parent).p_elbo > scorer.score(root).p_elbo + 100


def test_that_a_latent_tree_scores_alike_whichever_of_two_latents_is_the_root() -> None:
    """Uniform priors over two binary latents: only the Dirichlets of the link differ, by little on much data."""
    dataset = hidden_cause_data(800)
    down = [Latent("U", 2, ("A", "B", "V")), Latent("V", 2, ("C", "D"), parent="U")]
    up = [Latent("U", 2, ("A", "B"), parent="V"), Latent("V", 2, ("C", "D", "U"))]
    scorer = Scorer(dataset, VbemOptions())
    values = [scorer.score(LatentDag(NAMES, [], latents)).p_elbo for latents in (down, up)]
    assert values[0] == pytest.approx(values[1], abs=3)


def test_that_a_stop_request_ends_a_score_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vbem, "SLICE_STEPS", 1000)
    calls = []

    def is_cancelled() -> bool:
        calls.append(None)
        return len(calls) > 3

    scorer = Scorer(hidden_cause_data(2000), VbemOptions(), control=RunControl(is_cancelled))
    with pytest.raises(StopRequested):
        scorer.score(CONFOUNDED)


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        ((*NAMES, "X"), [], "'X' that the data lack"),
        (NAMES[:4], [], "'E' that the graph lacks"),
    ],
)
def test_that_a_dag_over_other_variables_is_refused(
    nodes: tuple[str, ...], edges: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(GraphError, match=message):
        Scorer(hidden_cause_data(10), VbemOptions()).score(LatentDag(nodes, edges))


def test_that_a_table_too_large_is_refused_before_it_is_made() -> None:
    dataset = random_dataset(np.random.default_rng(0), 20, [10] * 8)
    dag = LatentDag(dataset.names, [(parent, "A") for parent in dataset.names[1:]])
    with pytest.raises(GraphError, match=r"10,000,000 joint states.*discretise or merge states, such as the 10 of"):
        Scorer(dataset, VbemOptions()).score(dag)


def test_that_data_without_rows_are_refused() -> None:
    with pytest.raises(DataError, match="no rows"):
        Scorer(Dataset(["A"], [["0", "1"]], np.zeros((0, 1), dtype=int)), VbemOptions())
