"""CPDAG operations against brute force over all DAGs of a class."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from latconf_core.graph.bits import bits
from latconf_core.graph.cpdag import Cpdag

Edges = frozenset[tuple[int, int]]


def random_dag(seed: int, n: int) -> Edges:
    rng = np.random.default_rng(seed)
    order = [int(v) for v in rng.permutation(n)]
    return frozenset((a, b) for a, b in combinations(order, 2) if rng.random() < 0.5)


def pattern(edges: Edges, n: int) -> tuple[frozenset[frozenset[int]], frozenset[tuple[int, int, int]]]:
    """Skeleton and unshielded colliders, which together name the equivalence class."""
    skeleton = frozenset(frozenset(edge) for edge in edges)
    colliders = frozenset(
        (a, b, c)
        for a, c in combinations(range(n), 2)
        for b in range(n)
        if (a, b) in edges and (c, b) in edges and frozenset((a, c)) not in skeleton
    )
    return skeleton, colliders


def class_of(edges: Edges, n: int) -> set[Edges]:
    """Every DAG with the same skeleton and unshielded colliders."""
    members = set()
    for order in permutations(range(n)):
        position_of = {v: i for i, v in enumerate(order)}
        member = frozenset((a, b) if position_of[a] < position_of[b] else (b, a) for a, b in edges)
        if pattern(member, n) == pattern(edges, n):
            members.add(member)
    return members


def as_graph(edges: Edges, n: int) -> Cpdag:
    return Cpdag([sum(1 << a for a, b in edges if b == v) for v in range(n)], [0] * n)


@pytest.mark.parametrize("seed", range(25))
def test_that_completing_a_dag_directs_the_edges_that_its_class_agrees_on(seed: int) -> None:
    n = 5
    edges = random_dag(seed, n)
    members = class_of(edges, n)
    graph = as_graph(edges, n).completed()
    for a, b in permutations(range(n), 2):
        assert bool(graph.parents[b] >> a & 1) == all((a, b) in member for member in members)
        both = any((a, b) in member for member in members) and any((b, a) in member for member in members)
        assert bool(graph.undirected[a] >> b & 1) == both


def test_that_a_cpdag_completes_to_itself() -> None:
    for seed in range(20):
        graph = as_graph(random_dag(seed, 6), 6).completed()
        again = graph.completed()
        assert (again.parents, again.undirected) == (graph.parents, graph.undirected)


def test_that_a_graph_without_a_dag_is_refused() -> None:
    square = [(0, 1), (1, 2), (2, 3), (3, 0)]
    undirected = [sum(1 << b for a, b in square if a == v) | sum(1 << a for a, b in square if b == v) for v in range(4)]
    with pytest.raises(ValueError, match="no extension"):
        Cpdag([0] * 4, undirected).completed()


def test_that_cliques_with_a_base_are_all_found_once() -> None:
    graph = as_graph(random_dag(4, 6), 6).completed()
    cliques = list(graph.cliques_with(0, 0b111111))
    truth = [mask for mask in range(64) if all(graph.adjacent[a] >> b & 1 for a, b in combinations(bits(mask), 2))]
    assert sorted(cliques) == truth


def test_that_a_semi_directed_path_may_not_go_against_an_arrow_nor_through_what_is_avoided() -> None:
    graph = Cpdag([0, 0b1, 0, 0b100], [0, 0b100, 0b10, 0])  # 0 --> 1 --- 2 --> 3
    assert graph.has_semi_directed_path(0, 3, avoiding=0)
    assert not graph.has_semi_directed_path(3, 0, avoiding=0)
    assert not graph.has_semi_directed_path(0, 3, avoiding=0b100)
