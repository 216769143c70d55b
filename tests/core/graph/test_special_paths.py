from __future__ import annotations

import itertools

import numpy as np
from support.ancestral_truth import Truth, random_latent_dag, random_marks
from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import graph_of_dag, mag_of_dag
from latconf_core.graph.bits import BitGraph, is_visible
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.graph.paths import (
    ancestors,
    descendants,
    discriminating_path,
    inducing_path,
    is_visible_edge,
    possible_ancestors,
    possible_descendants,
    uncovered_pd_paths,
    visible_edges,
)

ANY_MARKS = [(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if 2 in (a, b) or (a, b) == (1, 1)]


def simple_paths(graph: MixedGraph, start: str, end: str) -> list[tuple[str, ...]]:
    """Every path, by trying every sequence of nodes."""
    inner = [node for node in graph.nodes if node not in (start, end)]
    found = []
    for size in range(len(inner) + 1):
        for between in itertools.permutations(inner, size):
            path = (start, *between, end)
            if all(graph.is_adjacent(a, b) for a, b in itertools.pairwise(path)):
                found.append(path)
    return found


def test_that_ancestors_follow_directed_edges_only() -> None:
    graph = mixed("A --> B", "B --> C", "D <-> C", "E o-> C")
    assert ancestors(graph, "C") == {"A", "B", "C"}
    assert descendants(graph, "A") == {"A", "B", "C"}
    assert ancestors(graph, "B", "D") == {"A", "B", "D"}


def test_that_possible_ancestors_may_use_circles_but_no_mark_against_the_direction() -> None:
    graph = mixed("A o-o B", "B o-> C", "D <-> C", "E --> D", "C --> F")
    assert possible_ancestors(graph, "F") == {"A", "B", "C", "F"}
    assert possible_descendants(graph, "A") == {"A", "B", "C", "F"}
    assert possible_ancestors(graph, "D") == {"D", "E"}


def test_that_two_nodes_have_an_inducing_path_exactly_when_nothing_separates_them() -> None:
    rng = np.random.default_rng(3)
    n_longer = 0
    for _ in range(150):
        dag = random_latent_dag(rng, 5, int(rng.integers(0, 4)), 0.4)
        whole, hidden = graph_of_dag(dag), [latent.name for latent in dag.latents]
        truth = Truth(whole)
        for x, y in itertools.combinations(dag.nodes, 2):
            rest = [whole.index[name] for name in dag.nodes if name not in (x, y)]
            subsets = itertools.chain.from_iterable(itertools.combinations(rest, k) for k in range(4))
            separable = any(
                truth.is_separated(whole.index[x], whole.index[y], sum(1 << v for v in given)) for given in subsets
            )
            path = inducing_path(whole, x, y, hidden)
            assert (path is None) == separable
            n_longer += path is not None and len(path) > 4
    assert n_longer > 5


def test_that_the_inducing_path_of_a_graph_that_is_not_maximal_is_shown() -> None:
    graph = mixed("A <-> C", "C <-> D", "B <-> D", "C --> B", "D --> A")
    assert inducing_path(graph, "A", "B") == ("A", "C", "D", "B")


def is_discriminating(graph: MixedGraph, path: tuple[str, ...]) -> bool:
    """The definition, word by word."""
    if len(path) < 4 or graph.is_adjacent(path[0], path[-1]):
        return False
    return all(
        graph.mark_at(q, before) == Mark.ARROW == graph.mark_at(q, after)
        and graph.is_adjacent(q, path[-1])
        and graph.mark_at(q, path[-1]) == Mark.TAIL
        and graph.mark_at(path[-1], q) == Mark.ARROW
        for before, q, after in zip(path[:-3], path[1:-2], path[2:-1])
    )


def test_that_discriminating_paths_are_found_exactly_where_the_definition_has_one() -> None:
    rng = np.random.default_rng(4)
    n_found = 0
    for _ in range(150):
        graph = random_marks(rng, 5, 0.75, [(2, 2), (2, 2), (2, 3), (3, 2), (2, 1), (1, 2)])
        for b, c in itertools.permutations(graph.nodes, 2):
            if not graph.is_adjacent(b, c):
                continue
            starts = [node for node in graph.nodes if node not in (b, c)]
            every = [(*path, c) for d in starts for path in simple_paths(graph, d, b) if c not in path]
            lengths = [len(path) for path in every if is_discriminating(graph, path)]
            found = discriminating_path(graph, b, c)
            assert (found is None) == (not lengths)
            if found is not None:
                n_found += 1
                assert is_discriminating(graph, found)
                assert len(found) == min(lengths)
    assert n_found > 30


def test_that_uncovered_potentially_directed_paths_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(5)
    n_found = 0
    for _ in range(70):
        graph = random_marks(rng, 5, 0.5, [*ANY_MARKS, (1, 1), (1, 1), (1, 2), (2, 1)])
        for start, end in itertools.permutations(graph.nodes, 2):
            expected = [
                path
                for path in simple_paths(graph, start, end)
                if all(graph.mark_at(a, b) != Mark.ARROW for a, b in itertools.pairwise(path))
                and all(graph.mark_at(b, a) != Mark.TAIL for a, b in itertools.pairwise(path))
                and not any(graph.is_adjacent(a, c) for a, c in zip(path, path[2:]))
            ]
            found = list(uncovered_pd_paths(graph, start, end))
            assert sorted(found) == sorted(expected)
            n_found += len(found)
    assert n_found > 200


def test_that_an_edge_is_invisible_exactly_when_a_latent_behind_it_changes_nothing() -> None:
    rng = np.random.default_rng(6)
    n_visible = n_invisible = 0
    for _ in range(150):
        mag = mag_of_dag(random_latent_dag(rng, 5, int(rng.integers(0, 3)), 0.25))
        form = BitGraph.from_graph(mag)
        edges = [(mag.nodes[a], mag.nodes[b]) for a, b in form.directed()]
        own = [(mag.nodes[a], mag.nodes[b]) for a, b in form.bidirected()]
        for parent, child in edges:
            latents = [Latent(f"L{i}", 2, pair) for i, pair in enumerate([*own, (parent, child)])]
            is_changed = mag_of_dag(LatentDag(mag.nodes, edges, latents)) != mag
            assert is_visible_edge(mag, parent, child) == is_changed
            assert is_visible(form, mag.index[parent], mag.index[child]) == is_changed
            n_visible += is_changed
            n_invisible += not is_changed
    assert min(n_visible, n_invisible) > 50


def test_that_the_y_structure_has_one_visible_edge() -> None:
    assert [str(edge) for edge in visible_edges(mixed("W o-> X", "Z o-> X", "X --> Y"))] == ["X --> Y"]
