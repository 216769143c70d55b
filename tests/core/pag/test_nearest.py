"""The nearest valid PAG, beside the best of all classes of MAGs on four nodes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from support.ancestral_truth import markov_classes, pag_by_intersection, random_latent_dag, random_marks

from latconf_core.comparison.metrics import compare_graphs
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag import nearest
from latconf_core.pag.nearest import COSTS, find_nearest_pag
from latconf_core.pag.validity import check_pag, pag_of_mag, repair_pag

NODES = ("V0", "V1", "V2", "V3")
ANY_MARKS = [(1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (2, 2)]
PAIRS = list(combinations(NODES, 2))


def cost(before: MixedGraph, after: MixedGraph) -> int:
    return int(COSTS[before.marks, after.marks].sum())


def all_pags() -> list[MixedGraph]:
    """The PAGs of all classes on four nodes."""
    subsets = [pairs for size in range(len(PAIRS) + 1) for pairs in combinations(PAIRS, size)]
    return [pag_by_intersection(mags) for pairs in subsets for mags in markov_classes(list(NODES), list(pairs))]


def test_that_a_change_costs_less_where_a_claim_is_withdrawn() -> None:
    assert COSTS[Mark.ARROW, Mark.CIRCLE] < COSTS[Mark.CIRCLE, Mark.ARROW] < COSTS[Mark.ARROW, Mark.TAIL]
    assert not COSTS.diagonal().any()


def test_that_it_is_valid_cheaper_than_filling_in_and_nearly_always_the_cheapest_of_all() -> None:
    pags = all_pags()
    rng = np.random.default_rng(4)
    n_invalid = n_best = 0
    for _ in range(150):
        graph = random_marks(rng, 4, float(rng.uniform(0.4, 0.9)), ANY_MARKS)
        found = find_nearest_pag(graph).graph
        assert check_pag(found).valid
        if check_pag(graph).valid:
            assert found == graph
            continue
        kept = [pag for pag in pags if not ((graph.marks > 0) & (pag.marks == 0)).any()]
        best, price = min(cost(graph, pag) for pag in kept), cost(graph, found)
        assert best <= price <= cost(graph, repair_pag(graph).graph)
        n_invalid += 1
        n_best += price == best
    assert n_invalid > 40
    assert n_best >= 0.9 * n_invalid


def disturbed(rng: np.random.Generator, n_nodes: int) -> MixedGraph:
    """The PAG of a DAG with latents with a few marks changed."""
    graph: MixedGraph = pag_of_mag(mag_of_dag(random_latent_dag(rng, n_nodes, n_nodes // 4, 2.0 / n_nodes)))
    edges = list(graph.edges())
    for k in rng.choice(len(edges), min(4, len(edges)), replace=False).tolist():
        ends = ((Mark.ARROW, Mark.ARROW), (Mark.TAIL, Mark.ARROW), (Mark.ARROW, Mark.TAIL))
        graph = graph.with_edge(Edge(edges[k].first, edges[k].second, *ends[int(rng.integers(3))]))
    return graph


def test_that_a_large_graph_is_mended_where_it_is_wrong_and_nowhere_else() -> None:
    rng = np.random.default_rng(7)
    for _ in range(4):
        graph = disturbed(rng, nearest.MANY_NODES + 20)
        found = find_nearest_pag(graph).graph
        assert check_pag(found).valid
        assert compare_graphs(found, graph).shd <= compare_graphs(repair_pag(graph).graph, graph).shd


def test_that_faults_count_before_all_marks() -> None:
    graph = MixedGraph.from_edges(("A", "B", "C"), [Edge("A", "B", Mark.ARROW, Mark.ARROW)])
    nearest_pag = find_nearest_pag(
        graph, read=lambda mag: mag.to_graph(), count_faults=lambda mag: int(not mag.parents[1] & 1)
    )
    assert nearest_pag.n_faults == 0
    assert str(nearest_pag.graph.edge("A", "B")) == "A --> B"
