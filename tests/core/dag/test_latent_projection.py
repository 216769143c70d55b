from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from support.ancestral_truth import every_query, random_latent_dag
from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import graph_of_dag, mag_of_admg, mag_of_dag
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.separation import is_m_separated
from latconf_core.mag.validity import is_mag


def test_that_the_mag_has_the_d_separations_and_the_ancestors_of_the_dag() -> None:
    rng = np.random.default_rng(7)
    for _ in range(60):
        dag = random_latent_dag(rng, int(rng.integers(3, 6)), int(rng.integers(0, 4)), 0.4)
        mag, network = mag_of_dag(dag), dag.to_networkx()
        assert is_mag(mag)
        for x, y, given in every_query(dag.nodes):
            assert is_m_separated(mag, x, y, given) == nx.is_d_separator(network, {x}, {y}, set(given))
        directed = BitGraph.from_graph(mag)
        arrows = nx.DiGraph([(mag.nodes[a], mag.nodes[b]) for a, b in directed.directed()])
        arrows.add_nodes_from(mag.nodes)
        for x, y in itertools.permutations(dag.nodes, 2):
            assert nx.has_path(arrows, x, y) == nx.has_path(network, x, y)


def test_that_latents_with_a_parent_are_projected_too() -> None:
    # A chain of latents: X causes what L2 reaches, and L1 confounds through L2.
    dag = LatentDag(
        ["X", "A", "B", "C"],
        [],
        [Latent("L1", 2, ("C", "L2"), parent="X"), Latent("L2", 2, ("A", "B"))],
    )
    mag, network = mag_of_dag(dag), dag.to_networkx()
    for x, y, given in every_query(dag.nodes):
        assert is_m_separated(mag, x, y, given) == nx.is_d_separator(network, {x}, {y}, set(given))


def test_that_the_graph_of_a_dag_has_its_latents_as_last_nodes() -> None:
    dag = LatentDag(["A", "B"], [("A", "B")], [Latent("L", 3, ("A", "B"))])
    assert graph_of_dag(dag) == mixed("A --> B", "L --> A", "L --> B", nodes=["A", "B", "L"])


@pytest.mark.parametrize("latent_first", [True, False])
def test_that_a_graph_that_is_not_maximal_gets_the_edge_it_lacks(latent_first: bool) -> None:
    edges = ["A <-> C", "C <-> D", "B <-> D", "C --> B", "D --> A"]
    form = BitGraph.from_graph(mixed(*(edges if latent_first else edges[::-1])))
    assert mag_of_admg(form) == mixed(*edges, "A <-> B")


def test_that_the_verma_graph_becomes_a_mag_without_bidirected_edge() -> None:
    verma = LatentDag("ABCD", [("A", "B"), ("B", "C"), ("C", "D")], [Latent("L", 2, ("B", "D"))])
    assert mag_of_dag(verma) == mixed("A --> B", "B --> C", "C --> D", "A --> D", "B --> D")
