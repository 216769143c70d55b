"""Visible edges against brute force."""

from __future__ import annotations

from itertools import permutations

import networkx as nx
from support.builders import mixed
from support.pag_cases import chosen_dags, random_dags

from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.graph.bits import as_bits, is_visible
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.listing import enumerate_mags
from latconf_core.pag.validity import pag_of_mag
from latconf_core.pag.visibility import visible_edges


def by_definition(graph: MixedGraph) -> set[tuple[str, str]]:
    """Where some c, not joined with b, has an edge or a path of colliders into a, all inner nodes causes of b."""
    definition = set()
    for a, b in permutations(graph.nodes, 2):
        if graph.mark_at(a, b) == Mark.TAIL and graph.mark_at(b, a) == Mark.ARROW:
            paths = nx.all_simple_paths(graph.to_networkx(), a, set(graph.nodes) - {a, b})
            if any(is_witness(graph, path, b) for path in paths):
                definition.add((a, b))
    return definition


def is_witness(graph: MixedGraph, path: list[str], b: str) -> bool:
    a, *inner, c = path
    if b in path or graph.is_adjacent(c, b) or graph.mark_at(a, path[1]) != Mark.ARROW:
        return False
    into = zip(path, path[1:], path[2:])
    collides = all(graph.mark_at(v, u) == graph.mark_at(v, w) == Mark.ARROW for u, v, w in into)
    return collides and all(graph.mark_at(v, b) == Mark.TAIL and graph.mark_at(b, v) == Mark.ARROW for v in inner)


def test_that_textbook_edges_are_visible_or_not() -> None:
    assert visible_edges(mixed("W o-> X", "Z o-> X", "X --> Y")) == (("X", "Y"),)
    assert visible_edges(mixed("A --> B", "B --> C")) == (("B", "C"),)
    assert visible_edges(mixed("A --> B")) == ()
    over_a_collider = mixed("C o-> D", "D <-> A", "D --> B", "A --> B")
    assert set(visible_edges(over_a_collider)) == {("A", "B"), ("D", "B")}


def test_that_visibility_is_what_its_definition_says_on_mags_and_pags() -> None:
    n_visible = 0
    for dag in [*chosen_dags(), *random_dags(0, 150)]:
        for graph in (mag_of_dag(dag), pag_of_mag(mag_of_dag(dag))):
            assert set(visible_edges(graph)) == by_definition(graph)
            n_visible += len(visible_edges(graph))
    assert n_visible > 100


def test_that_an_edge_of_a_pag_is_visible_where_it_is_so_in_every_one_of_its_mags() -> None:
    for dag in random_dags(0, 80):
        pag = pag_of_mag(mag_of_dag(dag))
        at = pag.index
        mags = [as_bits(mag) for mag in enumerate_mags(pag)]
        arrows = [(e.first, e.second) for e in pag.edges() if e.arrow == "-->"]
        arrows += [(e.second, e.first) for e in pag.edges() if e.arrow == "<--"]
        in_all = {(a, b) for a, b in arrows if all(is_visible(mag, at[a], at[b]) for mag in mags)}
        assert set(visible_edges(pag)) == in_all
