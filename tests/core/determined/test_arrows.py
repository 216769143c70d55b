"""The kind of every arrow against all DAGs of its class, listed by brute force."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.class_truth import common_edges, random_dag

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.determined.arrows import ArrowKind, DagClass, Reading
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner

SHARE = 100  # of the 2,000 DAGs that are tried each time


def dags(count: int) -> Iterator[LatentDag]:
    """Two to five measured variables with one latent, and three measured with two."""
    rng = np.random.default_rng(1)
    for number in range(count):
        if number % 5 == 4:
            yield random_dag(rng, 3, 2)
        else:
            yield random_dag(rng, int(rng.integers(2, 6)), 1)


def learned_pag(dag: LatentDag) -> MixedGraph:
    return run_learner(DSeparationOracle(dag), PagOptions(method="fci")).graph


def true_kind(
    dag: LatentDag, arrow: tuple[str, str], free: frozenset[tuple[str, str]], rooted: frozenset[tuple[str, str]]
) -> ArrowKind:
    """The definition, on the arrows that all members have; the PAG is what FCI learns from the d-separations."""
    if arrow[0] not in dag.nodes:
        return ArrowKind.EFFECT if arrow in free else ArrowKind.CAUSE_OR_EFFECT
    if arrow not in rooted:
        return ArrowKind.EITHER_WAY
    learned = learned_pag(dag)
    return ArrowKind.DETERMINED if learned.edge(*arrow).arrow == "-->" else ArrowKind.GIVEN_LATENTS


def check(dag: LatentDag) -> set[ArrowKind]:
    free = common_edges(dag, lambda edge: False)
    rooted = common_edges(dag, lambda edge: edge[0] not in dag.nodes)
    dag_class = DagClass(dag)
    assert dag_class.pag == learned_pag(dag)
    for arrow in dag_class.arrows:
        edge = (arrow.parent, arrow.child)
        assert arrow.kind is true_kind(dag, edge, free, rooted), f"{edge} of {dag}"
        assert arrow.is_compelled_freely == (edge in free)
    return {arrow.kind for arrow in dag_class.arrows}


def test_that_kinds_are_those_of_all_members() -> None:
    seen = set[ArrowKind]().union(*map(check, dags(SHARE)))
    assert seen == set(ArrowKind) - {ArrowKind.KNOWLEDGE}


@pytest.mark.exhaustive
def test_that_kinds_are_those_of_all_members_of_2000_classes() -> None:
    for dag in dags(2000):
        check(dag)


def kinds_of(dag: LatentDag, knowledge: Knowledge = NO_KNOWLEDGE) -> dict[tuple[str, str], str]:
    return {edge: kind.value for edge, kind in DagClass(dag, knowledge).kinds.items()}


@pytest.mark.parametrize(
    "knowledge",
    [Knowledge(tiers=(("a",), ("b", "c"))), Knowledge(required=(("a", "b"),)), Knowledge(forbidden=(("b", "a"),))],
)
def test_that_knowledge_compels_what_data_leave_open(knowledge: Knowledge) -> None:
    chain = LatentDag(["a", "b", "c"], [("a", "b"), ("b", "c")])
    assert set(kinds_of(chain).values()) == {"either-way"}
    assert set(kinds_of(chain, knowledge).values()) == {"knowledge"}


def test_that_knowledge_names_only_what_data_do_not_determine() -> None:
    collider = LatentDag(["a", "b", "c"], [("a", "c"), ("b", "c")])
    assert set(kinds_of(collider, Knowledge(tiers=(("a", "b"), ("c",)))).values()) == {"given-latents"}


def test_that_a_latent_of_two_unmarried_children_may_be_a_mediator() -> None:
    dag = LatentDag(["a", "b", "c"], [], [Latent("L", 2, ("a", "b", "c"))])
    dag_class = DagClass(dag)
    assert {arrow.kind for arrow in dag_class.arrows} == {ArrowKind.CAUSE_OR_EFFECT}
    assert dag_class.readings("L") == (Reading.MEDIATOR,)
    assert dag_class.rivals_for_cause("L") == (("a", "b"), ("a", "c"), ("b", "c"))


def test_that_an_arrow_between_shielded_parents_follows_from_rule_4() -> None:
    """With d --> c --> b known, a -- b, a -- c and a -- d: b --> a would close a cycle or make a collider."""
    dag = LatentDag(["a", "b", "c", "d"], [("d", "a"), ("a", "c"), ("a", "b"), ("c", "b"), ("d", "c")])

    known = Knowledge(forbidden=(("c", "d"), ("b", "c")))
    assert kinds_of(dag, known)["a", "b"] == "knowledge"
