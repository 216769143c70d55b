from __future__ import annotations

from itertools import islice

import numpy as np
from support.ancestral_truth import random_latent_dag, random_marks

from latconf_core.control import RunControl
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.graph_arrays import Graphs
from latconf_core.mag.latents.many import LatentsOfMany
from latconf_core.mag.latents.minimum import minimum_latents, one_latent_per_edge
from latconf_core.mag.listing import MagListing
from latconf_core.pag.validity import pag_of_mag

PAG_MARKS = [(1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (2, 2)]


def graphs_to_list(rng: np.random.Generator) -> list[MixedGraph]:
    """PAGs, where latents may have three children and more, and graphs that are none."""
    pags = [pag_of_mag(mag_of_dag(random_latent_dag(rng, 7, 3, 0.3))) for _ in range(6)]
    return [*pags, *(random_marks(rng, 6, 0.5, PAG_MARKS) for _ in range(6)), random_marks(rng, 70, 0.03, PAG_MARKS)]


def test_that_many_mags_get_the_latents_that_each_gets_by_itself() -> None:
    n_shared = 0
    for pag in graphs_to_list(np.random.default_rng(5)):
        listing, latents = MagListing(pag), LatentsOfMany(pag.nodes, control=RunControl())
        for level in range(listing.n_invariant, listing.n_invariant + 4):
            expected = [
                minimum_latents(graph).sets if is_mag else one_latent_per_edge(graph)
                for graph, is_mag in islice(listing.level_with_validity(level), 300)
            ]
            found = []
            for graphs, are_mags in listing.chunks_with_validity(level):
                found += latents.of_all(graphs, are_mags)
            assert found[:300] == expected
            n_shared += sum(mask.bit_count() > 2 for sets in expected for mask in sets)
    assert n_shared > 100


def test_that_no_graphs_have_no_latents() -> None:
    assert LatentsOfMany(("A", "B"), control=RunControl()).of_all(Graphs.of([], 2), []) == []
