from __future__ import annotations

import itertools
from math import factorial

import networkx as nx
import numpy as np

from latconf_core.graph.bits import bits
from latconf_core.mag.chordal import Orientations, is_chordal, search_order

Arcs = frozenset[tuple[int, int]]


def random_links(rng: np.random.Generator, n_nodes: int) -> list[int]:
    links = [0] * n_nodes
    density = rng.uniform(0.4, 0.9)
    for a, b in itertools.combinations(range(n_nodes), 2):
        if rng.random() < density:
            links[a] |= 1 << b
            links[b] |= 1 << a
    return links


def as_networkx(links: list[int]) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(range(len(links)))
    graph.add_edges_from((a, b) for a, mask in enumerate(links) for b in bits(mask))
    return graph


def every_orientation(links: list[int]) -> set[Arcs]:
    """Acyclic orientations without unshielded collider, from all orders of the nodes."""
    edges = [(a, b) for a, mask in enumerate(links) for b in bits(mask) if a < b]
    orientation = set()
    for order in itertools.permutations(range(len(links))):
        arcs = frozenset((a, b) if order[a] < order[b] else (b, a) for a, b in edges)
        if all(links[a] >> c & 1 for (a, b), (c, d) in itertools.permutations(arcs, 2) if b == d):
            orientation.add(arcs)
    return orientation


def listed(orientations: Orientations, parts: tuple[int, ...]) -> list[Arcs]:
    if not parts:
        return [frozenset()]
    result = []
    for split in orientations.splits(parts[0]):
        arcs = frozenset((v, w) for v, mask in split.children for w in bits(mask))
        assert arcs == {(v, w) for w, mask in split.parents for v in bits(mask)}
        result += [arcs | later for later in listed(orientations, parts[1:] + split.rest)]
    return result


def test_that_every_moral_orientation_is_listed_once_and_counted() -> None:
    rng = np.random.default_rng(1)
    n_checked = 0
    while n_checked < 60:
        links = random_links(rng, int(rng.integers(2, 7)))
        graph = as_networkx(links)
        everything = (1 << len(links)) - 1
        assert is_chordal(links, everything) == nx.is_chordal(graph)
        if nx.is_connected(graph) and nx.is_chordal(graph):
            n_checked += 1
            orientations = Orientations(links)
            found = listed(orientations, (everything,))
            expected = every_orientation(links)
            assert len(found) == len(expected)
            assert set(found) == expected
            assert orientations.count(everything) == len(expected)


def test_that_a_clique_of_forty_is_counted_without_listing() -> None:
    everything = (1 << 40) - 1
    links = [everything & ~(1 << v) for v in range(40)]
    assert Orientations(links).count(everything) == factorial(40)


def test_that_two_cliques_that_share_a_node_are_counted_by_the_closed_form() -> None:
    size = 10
    first, second = (1 << size) - 1, ((1 << size) - 1) << (size - 1)
    links = [((first if first >> v & 1 else 0) | (second if second >> v & 1 else 0)) & ~(1 << v) for v in range(19)]
    # The first clique in any order, times the orders of the second that start at the shared node, and the
    # other way round; orders where the shared node is the source of both are counted in both.
    expected = 2 * factorial(size) * factorial(size - 1) - factorial(size - 1) ** 2
    assert Orientations(links).count(first | second) == expected


def test_that_the_search_order_takes_the_node_with_most_placed_neighbours() -> None:
    path = [0b0010, 0b0101, 0b1010, 0b0100]
    assert search_order(path, 0b1111) == [0, 1, 2, 3]
