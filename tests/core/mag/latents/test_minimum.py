from __future__ import annotations

import itertools
from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
from support.ancestral_truth import every_query, markov_classes, random_latent_dag, skeletons
from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.errors import GraphError
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.mixed import MixedGraph
from latconf_core.graph.separation import is_m_separated
from latconf_core.mag.latents.minimum import (
    clique_cover,
    minimal_latent_dag,
    minimum_latents,
    one_latent_per_edge,
    optimal_families,
    to_latent_dag,
)


def letters(child_sets: tuple[tuple[str, ...], ...]) -> list[str]:
    return ["".join(children) for children in child_sets]


def cliques(graph: MixedGraph) -> list[tuple[str, ...]]:
    """Every set of two or more nodes that are all adjacent: children of one latent always are."""
    return [
        group
        for size in range(2, len(graph.nodes) + 1)
        for group in itertools.combinations(graph.nodes, size)
        if all(graph.is_adjacent(a, b) for a, b in itertools.combinations(group, 2))
    ]


def smallest_size(mag: MixedGraph) -> int:
    """The fewest latents, by trying every family of child sets, whatever the edges inside a set are."""
    for size in itertools.count():
        for family in itertools.combinations(cliques(mag), size):
            if mag_of_dag(to_latent_dag(mag, family)) == mag:
                return size
    raise AssertionError


def with_bidirected(mags: list[MixedGraph]) -> Iterator[MixedGraph]:
    return (mag for mag in mags if any(edge.is_bidirected for edge in mag.edges()))


EXAMPLES = {
    # A set that holds both others is enough.
    "a --> b, a <-> c, b <-> c": ["abc"],
    # a --> b is visible: confounding it too would lose that d and b are independent given a.
    "d --> a, a --> b, a <-> c, b <-> c": ["ac", "bc"],
    # a and b are not adjacent, though dependent: no latent may have both.
    "d --> a, d --> b, a <-> c, b <-> c": ["ac", "bc"],
    "a <-> b, b <-> c, c <-> d": ["ab", "bc", "cd"],
    "a <-> b, b <-> c, c <-> d, a <-> d": ["ab", "ad", "bc", "cd"],
    # a <-> b has no latent of its own: the path a, e, d, b induces it.
    "a <-> b, a <-> e, b <-> d, c --> d, c --> e, d --> a, d <-> e, e --> b": ["ae", "bd", "de"],
    # Merging pairs greedily may end with three.
    "a --> d, a <-> b, a <-> e, b <-> e, c --> b, c --> d, c <-> e, d <-> e": ["abe", "cde"],
    "a <-> b, a <-> c, b <-> c": ["abc"],
    "a --> b, b --> c": [],
}


@pytest.mark.parametrize(("edges", "expected"), EXAMPLES.items())
def test_that_the_smallest_family_of_a_known_example_is_found(edges: str, expected: list[str]) -> None:
    mag = mixed(*edges.split(", "))
    latents = minimum_latents(mag)
    assert latents.is_exact
    assert letters(latents.child_sets) == expected
    assert mag_of_dag(to_latent_dag(mag, latents.child_sets)) == mag


def check_mag(mag: MixedGraph) -> int:
    """No smaller family exists, and every optimum has the separations of the MAG; gives the number of optima."""
    latents = minimum_latents(mag)
    families = list(optimal_families(mag))
    assert latents.is_exact
    assert families[0] == latents.child_sets
    assert len(set(families)) == len(families)
    assert latents.n_latents == smallest_size(mag)
    for family in families:
        assert len(family) == latents.n_latents
        assert mag_of_dag(to_latent_dag(mag, family)) == mag
    return len(families)


def test_that_no_family_is_smaller_on_mags_of_four_nodes() -> None:
    n_optima = [
        check_mag(mag)
        for pairs in skeletons(4)[::3]
        for mags in markov_classes("ABCD", pairs)
        for mag in with_bidirected(mags)
    ]
    assert len(n_optima) > 100


def random_five_node_mags(rng: np.random.Generator, n_mags: int, max_edges: int) -> Iterator[MixedGraph]:
    seen: set[MixedGraph] = set()
    while len(seen) < n_mags:
        mag = mag_of_dag(random_latent_dag(rng, 5, int(rng.integers(1, 5)), float(rng.uniform(0.1, 0.5))))
        if mag not in seen and mag.n_edges <= max_edges and next(with_bidirected([mag]), None) is not None:
            seen.add(mag)
            yield mag


def test_that_no_family_is_smaller_on_random_mags_of_five_nodes() -> None:
    n_optima = [check_mag(mag) for mag in random_five_node_mags(np.random.default_rng(1), 40, 7)]
    assert max(n_optima) > 1


@pytest.mark.exhaustive
def test_that_no_family_is_smaller_on_many_mags_of_five_nodes() -> None:
    for mag in random_five_node_mags(np.random.default_rng(2), 1500, 8):
        check_mag(mag)


@pytest.mark.exhaustive
def test_that_every_optimum_of_all_mags_of_five_nodes_is_valid() -> None:
    n_mags = 0
    for pairs in skeletons(5):
        for mag in with_bidirected([mag for mags in markov_classes("ABCDE", pairs) for mag in mags]):
            n_mags += 1
            for family in optimal_families(mag):
                assert mag_of_dag(to_latent_dag(mag, family)) == mag
    assert n_mags > 10_000


def test_that_every_optimum_is_valid_by_d_separation_in_networkx() -> None:
    rng = np.random.default_rng(3)
    for mag in random_five_node_mags(rng, 15, 8):
        for family in itertools.islice(optimal_families(mag), 3):
            dag = to_latent_dag(mag, family).to_networkx()
            for x, y, given in every_query(mag.nodes):
                assert nx.is_d_separator(dag, {x}, {y}, set(given)) == is_m_separated(mag, x, y, given)


def test_that_one_latent_per_edge_always_realises_the_mag() -> None:
    for mag in random_five_node_mags(np.random.default_rng(4), 50, 10):
        family = [BitGraph.from_graph(mag).names(children) for children in one_latent_per_edge(mag)]
        assert all(len(children) == 2 for children in family)
        assert len(family) == sum(edge.is_bidirected for edge in mag.edges())
        assert mag_of_dag(to_latent_dag(mag, family)) == mag


def test_that_a_search_cut_short_merges_greedily_and_says_so() -> None:
    n_merged = 0
    for mag in random_five_node_mags(np.random.default_rng(5), 60, 10):
        exact, cut = minimum_latents(mag), minimum_latents(mag, max_steps=1)
        assert mag_of_dag(to_latent_dag(mag, cut.child_sets)) == mag
        assert cut.n_latents >= exact.n_latents
        if not cut.is_exact:
            n_merged += cut.n_latents < len(one_latent_per_edge(mag))
    assert n_merged > 5


def test_that_parts_far_apart_are_solved_apart() -> None:
    n = 12
    triangles = [f"{a}{i} <-> {b}{i}" for i in range(n) for a, b in ("AB", "AC", "BC")]
    latents = minimum_latents(mixed(*triangles))
    assert latents.is_exact
    assert latents.child_sets == tuple(sorted((f"A{i}", f"B{i}", f"C{i}") for i in range(n)))


def test_that_the_dag_names_latents_unlike_any_variable_and_sets_their_states() -> None:
    mag = mixed("L1 <-> X", "X --> Y")
    dag = to_latent_dag(mag, [("L1", "X")], n_states=3)
    assert dag == LatentDag(["L1", "X", "Y"], [("X", "Y")], [Latent("L2", 3, ("L1", "X"))])


def test_that_a_graph_that_is_no_mag_is_covered_by_the_fewest_cliques() -> None:
    # B <-> D with B an ancestor of D: the latents are the cliques of <-> alone.
    graph = mixed("A --> B", "B --> C", "C --> D", "B <-> D", "B <-> E", "D <-> E", "A <-> E")
    assert letters(clique_cover(graph).child_sets) == ["AE", "BDE"]
    assert minimal_latent_dag(graph).latents == (Latent("L1", 2, ("A", "E")), Latent("L2", 2, ("B", "D", "E")))


def test_that_clique_covers_have_the_size_of_brute_force() -> None:
    rng = np.random.default_rng(6)
    for _ in range(60):
        pairs = [pair for pair in itertools.combinations("ABCDE", 2) if rng.random() < 0.6]
        graph = mixed(*(f"{a} <-> {b}" for a, b in pairs), nodes="ABCDE")
        covers = (
            size
            for size in itertools.count()
            for family in itertools.combinations(cliques(graph), size)
            if {pair for group in family for pair in itertools.combinations(group, 2)} == set(pairs)
        )
        assert clique_cover(graph).n_latents == next(covers)


def test_that_the_minimal_dag_of_a_mag_needs_no_check_where_it_is_known() -> None:
    mag = BitGraph.from_graph(mixed("a --> b", "a <-> c", "b <-> c"))
    assert minimal_latent_dag(mag) == minimal_latent_dag(mag, is_known_mag=True)
    assert minimal_latent_dag(mag, n_states=4).latents == (Latent("L1", 4, ("a", "b", "c")),)


def test_that_a_cyclic_graph_has_no_dag() -> None:
    with pytest.raises(GraphError, match="directed cycle"):
        minimal_latent_dag(mixed("A --> B", "B --> C", "C --> A"))


def test_that_a_graph_whose_latents_would_join_more_is_refused_as_no_mag() -> None:
    # A and B lack the edge that C <-> D and its neighbours induce.
    with pytest.raises(GraphError, match="not a MAG"):
        minimum_latents(mixed("A <-> C", "C <-> D", "B <-> D", "C --> B", "D --> A"))
