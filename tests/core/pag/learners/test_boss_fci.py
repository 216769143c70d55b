"""BOSS-FCI scores at least as high as GFCI's search, tells it edge by edge, and finds what it should with much data."""

from __future__ import annotations

import numpy as np
import pytest
from support.network_rows import network_sample

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import OptionError
from latconf_core.formats.examples import load_example
from latconf_core.graph.cpdag import Cpdag
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import ScoreStep
from latconf_core.pag.learners.catalogue import learn_pag, run_learner
from latconf_core.pag.learners.fges import Bdeu, Fges
from latconf_core.pag.learners.score_search import build
from latconf_core.structure.family_table import FamilyTable

BOSS = PagOptions(method="boss-fci")


def class_of(data: Dataset) -> Cpdag:
    """The equivalence class that the insertions of the score search lead to."""
    graph = Cpdag.empty(data.n_variables)
    for event in learn_pag(data, BOSS):
        if isinstance(event, ScoreStep):
            others = sum(1 << data.index[name] for name in event.others)
            graph = graph.with_insert(data.index[event.x], data.index[event.y], others)
    return graph


def test_that_the_search_over_orders_scores_at_least_as_high_as_the_greedy_one() -> None:
    for name in ("asia", "alarm"):
        data = sample(load_example(name), 2000, rng=np.random.default_rng(0), hide=[]).dataset
        score = Bdeu(data, BOSS)
        greedy = Fges(score, data.names, control=RunControl())
        for _ in greedy.run(faithfulness=True):
            pass
        assert score.total(class_of(data).extension()) >= score.total(greedy.graph.extension()) - 1e-6


@pytest.mark.parametrize("seed", range(20))
def test_that_the_insertions_lead_to_the_class_of_the_dag(seed: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(7)
    parents = [0] * 7
    for index, child in enumerate(order):
        for parent in order[:index]:
            if parents[child].bit_count() < 3 and rng.random() < 0.4:
                parents[child] |= 1 << int(parent)
    table = FamilyTable(7, lambda child, mask: float(hash((seed, child, mask)) % 1000), max_parents=3)
    steps = build(tuple(parents), table, tuple("ABCDEFG"))
    try:
        while True:
            next(steps)
    except StopIteration as end:
        graph = end.value
    truth = Cpdag(parents, [0] * 7).completed()
    assert (graph.parents, graph.undirected) == (truth.parents, truth.undirected)


def test_that_it_orients_a_collider_and_what_follows() -> None:
    data = network_sample(7, [[], [], [0, 1], [2]], n_rows=20_000)
    edges = {str(edge) for edge in run_learner(data, BOSS).graph.edges()}
    assert edges == {"A o-> C", "B o-> C", "C --> D"}


def test_that_it_separates_what_a_latent_made_the_score_join() -> None:
    # A --> C <-- L --> D <-- B: a DAG without L needs an edge between A and D or B and C.
    data = network_sample(0, [[], [], [], [0, 2], [1, 2]], n_rows=50_000).select(["A", "B", "D", "E"])
    assert {str(edge) for edge in run_learner(data, BOSS).graph.edges()} == {"A o-> D", "B o-> E", "D <-> E"}


def test_that_an_oracle_is_refused() -> None:
    with pytest.raises(OptionError, match="BOSS-FCI needs a score"):
        run_learner(DSeparationOracle(LatentDag("AB", [("A", "B")])), BOSS)
