"""FGES finds the class with the best BDeu, and GFCI what it should with much data."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy.special import gammaln
from support.network_rows import network_sample

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import OptionError
from latconf_core.formats.examples import load_example
from latconf_core.independence.contingency import ContingencyTest
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import ScoreStep
from latconf_core.pag.learners.catalogue import learn_pag, run_learner
from latconf_core.pag.learners.fges import Bdeu, Fges

GFCI = PagOptions(method="gfci")


def bdeu_by_definition(data: Dataset, child: int, parents: tuple[int, ...], options: PagOptions) -> float:
    """The formula, one configuration at a time."""
    cards = data.n_states
    r, c = int(np.prod([cards[p] for p in parents])), cards[child]
    total = 0.0
    for configuration in product(*(range(cards[p]) for p in parents)):
        rows = np.all(data.codes[:, list(parents)] == np.array(configuration, dtype=int), axis=1)
        counts = np.bincount(data.codes[rows, child], minlength=c)
        a = options.sample_prior / r
        total += gammaln(a) - gammaln(a + counts.sum()) + np.sum(gammaln(a / c + counts) - gammaln(a / c))
    slots = (data.n_rows if options.structure_prior_over == "rows" else data.n_variables) - 1
    if options.structure_prior:
        share = options.structure_prior / slots
        total += len(parents) * np.log(share) + (slots - len(parents)) * np.log(1 - share)
    return float(total)


@pytest.mark.parametrize(
    "options",
    [GFCI, PagOptions(method="gfci", structure_prior_over="rows"), PagOptions(method="gfci", structure_prior=0)],
)
def test_that_local_scores_follow_the_formula(options: PagOptions) -> None:
    data = network_sample(1, [[], [0], [0, 1], [2]], n_rows=300)
    score = Bdeu(data, options)
    for child, parents in [(0, ()), (1, (0,)), (3, (0, 1, 2)), (2, (3,))]:
        mask = sum(1 << p for p in parents)
        truth = bdeu_by_definition(data, child, parents, options)
        assert score.local(child, mask) == pytest.approx(truth, rel=1e-11)


def test_that_tables_too_large_to_hold_score_by_the_same_formula() -> None:
    rng = np.random.default_rng(0)
    cards = [40, 50, 60]
    codes = np.stack([rng.integers(card, size=400) for card in cards], axis=1)
    data = Dataset("ABC", [[str(k) for k in range(card)] for card in cards], codes)
    truth = bdeu_by_definition(data, 0, (1, 2), GFCI)
    assert Bdeu(data, GFCI).local(0, 0b110) == pytest.approx(truth, rel=1e-9)


def best_score(score: Bdeu, n: int) -> float:
    """The best BDeu of any DAG: the best parents of every variable in every order."""
    best = -np.inf
    for order in permutations(range(n)):
        total = 0.0
        for index, child in enumerate(order):
            above = order[:index]
            total += max(
                score.local(child, sum(1 << p for p in chosen))
                for size in range(len(above) + 1)
                for chosen in combinations(above, size)
            )
        best = max(best, total)
    return float(best)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("faithfulness", [True, False])
def test_that_the_greedy_search_reaches_the_best_score_of_all_dags(seed: int, faithfulness: bool) -> None:
    shapes = ([[], [0], [1], [2], [3]], [[], [], [0, 1], [2], [2]], [[], [0], [0], [1, 2], [3]])
    data = network_sample(seed, shapes[seed % 3])
    score = Bdeu(data, GFCI)
    search = Fges(score, data.names, control=RunControl())
    for _ in search.run(faithfulness=faithfulness):
        pass
    # Greedy search is optimal with enough rows (Chickering 2002); here it is checked to be.
    assert score.total(search.graph.extension()) == pytest.approx(best_score(score, 5), abs=1e-6)


def test_that_every_step_gains_what_it_says() -> None:
    data = network_sample(3, [[], [0], [0], [1, 2], [3]])
    score = Bdeu(data, GFCI)
    search = Fges(score, data.names, control=RunControl())
    before = score.total(search.graph.extension())
    for step in search.run(faithfulness=True):
        if not isinstance(step, ScoreStep):
            continue
        after = score.total(search.graph.extension())
        assert after - before == pytest.approx(step.gain, abs=1e-6)
        assert step.gain > 0
        before = after


def test_that_gfci_orients_a_collider_and_what_follows() -> None:
    data = network_sample(7, [[], [], [0, 1], [2]], n_rows=20_000)
    edges = {str(edge) for edge in run_learner(data, GFCI).graph.edges()}
    assert edges == {"A o-> C", "B o-> C", "C --> D"}


def test_that_gfci_separates_what_a_latent_made_the_score_join() -> None:
    # A --> C <-- L --> D <-- B: a DAG without L needs an edge between A and D or B and C.
    full = network_sample(0, [[], [], [], [0, 2], [1, 2]], n_rows=50_000)
    data = full.select(["A", "B", "D", "E"])
    result = run_learner(data, GFCI)
    assert {str(edge) for edge in result.graph.edges()} == {"A o-> D", "B o-> E", "D <-> E"}
    assert any(isinstance(event, ScoreStep) for event in learn_pag(data, GFCI))


def test_that_a_weak_dependence_makes_no_hidden_cause_of_a_common_cause() -> None:
    # KINKEDTUBE and MINVOL seem independent given VENTLUNG alone, but are more so given INTUBATION as well.
    data = sample(load_example("alarm"), 10_000, rng=np.random.default_rng(3), hide=["ERRCAUTER"]).dataset
    test = ContingencyTest(data)
    kinked, minvol, lung, intubation = map(data.names.index, ("KINKEDTUBE", "MINVOL", "VENTLUNG", "INTUBATION"))
    assert 0.05 < test.p_value(kinked, minvol, [lung]) < test.p_value(kinked, minvol, sorted([lung, intubation]))
    graph = run_learner(data, GFCI).graph
    assert [str(edge) for edge in graph.edges() if edge.is_bidirected] == []
    assert str(graph.edge("INTUBATION", "MINVOL")) == "INTUBATION --> MINVOL"
    assert str(graph.edge("INTUBATION", "VENTALV")) == "INTUBATION --> VENTALV"


def test_that_gfci_refuses_an_oracle() -> None:
    with pytest.raises(OptionError, match="needs a score"):
        run_learner(DSeparationOracle(LatentDag("AB", [("A", "B")])), GFCI)


def test_that_two_variables_are_enough() -> None:
    data = network_sample(0, [[], [0]], n_rows=2000)
    assert [str(edge) for edge in run_learner(data, GFCI).graph.edges()] == ["A o-o B"]


def test_that_a_spent_budget_of_moves_ends_the_score_search_with_what_it_has() -> None:
    data = network_sample(3, [[], [0], [0], [1, 2], [3]])
    whole = run_learner(data, GFCI)
    result = run_learner(data, replace(GFCI, score_moves=40))
    assert not whole.truncated
    assert result.truncated
    assert result.notes == ("The score search stopped after 40 moves: it may not have found the best graph.",)
    assert 0 < result.graph.n_edges < whole.graph.n_edges
