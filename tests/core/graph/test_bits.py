from __future__ import annotations

import itertools

import numpy as np
from support.ancestral_truth import Truth, random_latent_dag, random_marks
from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.graph.bits import BitGraph, has_inducing_path, is_visible, topological_order


def test_that_two_nodes_have_an_inducing_path_exactly_when_nothing_separates_them() -> None:
    rng = np.random.default_rng(3)
    n_longer = n_separable = 0
    for _ in range(300):
        graph = random_marks(rng, 5, 0.6, [(2, 3), (3, 2), (2, 2), (2, 2)])
        form = BitGraph.from_graph(graph)
        if topological_order(form.parents) is None:
            continue
        truth = Truth(graph)
        for x, y in itertools.combinations(range(5), 2):
            rest = [v for v in range(5) if v not in (x, y)]
            subsets = itertools.chain.from_iterable(itertools.combinations(rest, k) for k in range(4))
            separable = any(truth.is_separated(x, y, sum(1 << v for v in given)) for given in subsets)
            assert has_inducing_path(form, x, y) == (not separable)
            n_separable += separable
            n_longer += not separable and not graph.marks[x, y]
    assert min(n_longer, n_separable) > 5


def test_that_a_graph_that_is_not_maximal_has_an_inducing_path_between_nodes_that_no_edge_joins() -> None:
    form = BitGraph.from_graph(mixed("A <-> C", "C <-> D", "B <-> D", "C --> B", "D --> A"))
    assert has_inducing_path(form, form.nodes.index("A"), form.nodes.index("B"))


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
            assert is_visible(form, mag.index[parent], mag.index[child]) == is_changed
            n_visible += is_changed
            n_invisible += not is_changed
    assert min(n_visible, n_invisible) > 50


def test_that_the_y_structure_has_one_visible_edge() -> None:
    form = BitGraph.from_graph(mixed("W --> X", "Z --> X", "X --> Y"))
    visible = [(form.nodes[a], form.nodes[b]) for a, b in form.directed() if is_visible(form, a, b)]
    assert visible == [("X", "Y")]
