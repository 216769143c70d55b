"""The bound form against what knowledge means, said by paths and sets of names."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from support.random_knowledge import all_dags, contradictions, draw_knowledge, edges_of

from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge

NAMES = ("A", "B", "C", "D")
DAGS = all_dags(4)
N_DRAWN = 12


def test_that_a_dag_is_allowed_exactly_where_it_contradicts_nothing() -> None:
    rng = np.random.default_rng(5)
    groups = [c for size in (2, 3, 4) for c in combinations(range(4), size)]
    for _ in range(N_DRAWN):
        knowledge = draw_knowledge(rng, NAMES)
        known = knowledge.bind(NAMES)
        for parents in DAGS:
            own = groups[int(rng.integers(len(groups)))]
            for latents in ([], [own]):
                names = [[NAMES[v] for v in group] for group in latents]
                masks = [sum(1 << v for v in group) for group in latents]
                said = contradictions(knowledge, NAMES, edges_of(NAMES, parents), names)
                assert known.allows_dag(parents, masks) is not bool(said), (knowledge, parents, said)


def test_that_no_allowed_dag_has_an_edge_that_is_not_allowed() -> None:
    """The masks say exactly which edges some allowed DAG has, as far as each is asked for alone."""
    rng = np.random.default_rng(6)
    for _ in range(N_DRAWN):
        knowledge = draw_knowledge(rng, NAMES)
        known = knowledge.bind(NAMES)
        allowed = [p for p in DAGS if not contradictions(knowledge, NAMES, edges_of(NAMES, p), [])]
        assert allowed, "the required edges alone are a DAG that is allowed"
        for b in range(4):
            some = 0
            for parents in allowed:
                some |= parents[b]
            assert not some & ~known.allowed_parents(b)
            assert all(known.requires(a, b) <= all(p[b] >> a & 1 for p in allowed) for a in range(4))


def test_that_edges_suffice_where_all_variables_have_tiers() -> None:
    assert Knowledge(tiers=(("A",), ("B", "C"), ("D",))).bind(NAMES).edges_suffice
    between = Knowledge(tiers=(("A",), ("D",))).bind(NAMES)
    assert not between.edges_suffice, "D --> B --> A"
    assert not between.allows_ancestors([0b10, 0b1000, 0, 0])


def test_that_nothing_known_binds_nothing() -> None:
    assert not NO_KNOWLEDGE.bind(NAMES).binds
    assert not Knowledge(tiers=(("A", "B"),)).bind(NAMES).binds
    assert Knowledge(tiers=(("A",), ("B",))).bind(NAMES).binds


def test_that_two_exogenous_variables_cannot_be_joined() -> None:
    known = Knowledge(exogenous=("A", "B")).bind(NAMES)
    assert not known.allows_adjacency(0, 1)
    assert known.allows_adjacency(0, 2)
