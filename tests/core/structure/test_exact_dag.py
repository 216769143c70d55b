"""The best DAG under knowledge against every DAG there is."""

from __future__ import annotations

import numpy as np
import pytest
from support.random_knowledge import all_dags, contradictions, draw_knowledge, edges_of

from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.structure.best_dag import MAX_PARENTS, choose_best, search_best_dag
from latconf_core.structure.exact_dag import find_exact
from latconf_core.structure.family_table import FamilyTable

NAMES = ("A", "B", "C", "D")
NAMES_5 = (*NAMES, "E")
DAGS, DAGS_5 = all_dags(4), all_dags(5)


def random_table(rng: np.random.Generator, known: BoundKnowledge) -> FamilyTable:
    """A score of every family that is drawn at random."""
    n = len(known)
    scores = rng.normal(size=(n, 1 << n)) * 5
    return FamilyTable(n, lambda child, parents: float(scores[child, parents]), max_parents=MAX_PARENTS, known=known)


def best_of_all(knowledge: Knowledge, names: tuple[str, ...], table: FamilyTable) -> float:
    dags = DAGS if len(names) == 4 else DAGS_5
    return max(table.total(p) for p in dags if not contradictions(knowledge, names, edges_of(names, p), []))


@pytest.mark.parametrize("names", [NAMES, pytest.param(NAMES_5, marks=pytest.mark.slow)])
def test_that_the_best_dag_under_knowledge_is_the_best_of_all_that_are_allowed(names: tuple[str, ...]) -> None:
    rng = np.random.default_rng(len(names))
    n_with_paths = 0
    for _ in range(20 if len(names) == 4 else 8):
        knowledge = draw_knowledge(rng, names)
        known = knowledge.bind(names)
        n_with_paths += not known.edges_suffice
        table = random_table(rng, known)
        exact = find_exact(table)
        assert exact is not None
        parents, score = exact
        assert not contradictions(knowledge, names, edges_of(names, parents), [])
        assert score == pytest.approx(best_of_all(knowledge, names, table), abs=1e-9)
    assert n_with_paths


def test_that_without_knowledge_it_is_the_best_of_all() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        table = random_table(rng, NO_KNOWLEDGE.bind(NAMES))
        exact = find_exact(table)
        assert exact is not None
        assert exact[1] == pytest.approx(best_of_all(NO_KNOWLEDGE, NAMES, table), abs=1e-9)


def test_that_every_dag_that_the_search_reaches_is_allowed_and_the_best_is_exact() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        knowledge = draw_knowledge(rng, NAMES)
        table = random_table(rng, knowledge.bind(NAMES))
        reached = list(search_best_dag(table, rng=np.random.default_rng(0)))
        for dag in reached:
            assert not contradictions(knowledge, NAMES, edges_of(NAMES, dag.parents), []), knowledge
            assert dag.score == table.total(dag.parents)
        assert [dag.is_exact for dag in reached] == [False] * (len(reached) - 1) + [True]
        (best,) = choose_best(iter(reached))
        assert best.is_exact
        assert best.score == pytest.approx(best_of_all(knowledge, NAMES, table), abs=1e-9)


def test_that_climb_and_orders_alone_keep_to_knowledge_about_ancestors() -> None:
    rng = np.random.default_rng(12)
    for _ in range(20):
        knowledge = draw_knowledge(rng, NAMES_5)
        table = random_table(rng, knowledge.bind(NAMES_5))
        for dag in search_best_dag(table, rng=np.random.default_rng(0), is_exact=False):
            assert not dag.is_exact
            assert not contradictions(knowledge, NAMES_5, edges_of(NAMES_5, dag.parents), []), knowledge


def test_that_required_parents_may_be_more_than_a_search_gives() -> None:
    names = tuple("ABCDEFGH")
    knowledge = Knowledge(required=tuple((name, "H") for name in names[:7]))
    table = random_table(np.random.default_rng(0), knowledge.bind(names))
    for dag in search_best_dag(table, rng=np.random.default_rng(0)):
        assert dag.parents[7] == 0b1111111


def test_that_families_of_more_parents_than_asked_for_are_not_looked_at() -> None:
    table = FamilyTable(4, lambda _child, parents: float(parents.bit_count()), max_parents=1)
    exact = find_exact(table)
    assert exact is not None
    assert max(mask.bit_count() for mask in exact[0]) == 1
    assert exact[1] == 3.0
