"""Sets of variables that a hidden cause may be behind, against graphs where they are known."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np

from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.candidates import MAX_CHILDREN, list_candidates, list_triples
from latconf_core.search.refining.soft_model import SoftModel


def random_model(seed: int, n: int = 8) -> SoftModel:
    rng = np.random.default_rng(seed)
    return SoftModel(tuple(sum(1 << int(v) for v in range(k) if rng.random() < 0.4) for k in range(n)))


def skeleton(model: SoftModel) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(range(len(model.parents)))
    graph.add_edges_from((a, b) for b, mask in enumerate(model.parents) for a in range(b) if mask >> a & 1)
    return graph


def test_that_every_edge_and_every_triangle_is_a_candidate_once() -> None:
    for seed in range(10):
        model = random_model(seed)
        graph = skeleton(model)
        candidates = list_candidates([model])
        assert len(candidates) == len(set(candidates))
        cliques = [
            enumerate_all_clique
            for enumerate_all_clique in nx.enumerate_all_cliques(graph)
            if len(enumerate_all_clique) in (2, 3)
        ]
        small = {latent for latent in candidates if latent.bit_count() <= 3}
        assert small == {sum(1 << v for v in clique) for clique in cliques}


def test_that_members_of_a_larger_candidate_are_joined_to_half_of_the_others() -> None:
    for seed in range(10):
        model = random_model(seed)
        near = model.adjacent()
        for members in list_candidates([model]):
            size = members.bit_count()
            assert size <= MAX_CHILDREN
            for v in range(len(near)):
                if members >> v & 1 and size > 3:
                    assert 2 * (near[v] & members).bit_count() >= size - 1


def test_that_triples_are_connected_and_no_triangles() -> None:
    model = random_model(1)
    graph = skeleton(model)
    paths = {
        sum(1 << v for v in three) for three in combinations(graph, 3) if graph.subgraph(three).number_of_edges() == 2
    }
    assert set(list_triples(model)) == paths


def test_that_the_children_of_two_latents_that_touch_are_tried_together() -> None:
    latents = tuple(SoftLatent(children, np.ones((1, 2)) / 2) for children in (0b0111, 0b11000))
    touching = SoftModel((0, 0, 0, 0b100, 0), latents)
    apart = SoftModel((0, 0, 0, 0, 0), latents)
    assert 0b11111 in list_candidates([touching])
    assert 0b11111 not in list_candidates([apart])
