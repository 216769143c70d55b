"""The measures against computations of their own: sets of pairs, and causal-learn where it measures the same."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from causallearn.graph.AdjacencyConfusion import AdjacencyConfusion
from causallearn.graph.Dag import Dag
from causallearn.graph.GeneralGraph import GeneralGraph
from causallearn.graph.GraphNode import GraphNode
from causallearn.graph.SHD import SHD

from latconf_core.comparison.metrics import balanced_score, compare_graphs
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph

ARROWS = ("-->", "<--", "<->", "o->", "<-o", "o-o")


def random_graph(rng: np.random.Generator, n_nodes: int, share: float, arrows: tuple[str, ...] = ARROWS) -> MixedGraph:
    names = [f"V{k}" for k in range(n_nodes)]
    chosen = [pair for pair in combinations(names, 2) if rng.random() < share]
    return MixedGraph.from_edges(names, [Edge.parse(f"{a} {rng.choice(arrows)} {b}") for a, b in chosen])


def as_sets(graph: MixedGraph) -> tuple[dict[tuple[str, str], str], set[tuple[str, str]]]:
    """The arrow of every pair, and (from, to) for every arrowhead."""
    arrows = {(edge.first, edge.second): edge.arrow for edge in graph.edges()}
    heads = {pair for pair, arrow in arrows.items() if arrow[-1] == ">"}
    return arrows, heads | {(b, a) for (a, b), arrow in arrows.items() if arrow[0] == "<"}


def test_that_the_measures_are_those_of_plain_sets() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        n_nodes = int(rng.integers(3, 12))
        truth, found = random_graph(rng, n_nodes, 0.4), random_graph(rng, n_nodes, 0.4)
        (theirs, true_heads), (ours, heads) = as_sets(truth), as_sets(found)
        told = compare_graphs(found, truth)
        common = theirs.keys() & ours.keys()
        other = sum(theirs[pair] != ours[pair] for pair in common)
        assert told.shd == len(theirs.keys() ^ ours.keys()) + other
        assert (told.adjacency.right, told.adjacency.wrong) == (len(common), len(ours.keys() - theirs.keys()))
        assert (told.arrowhead.right, told.arrowhead.missed) == (len(heads & true_heads), len(true_heads - heads))
        doubles = [{pair for pair, arrow in one.items() if arrow == "<->"} for one in (theirs, ours)]
        assert told.bidirected.right == len(doubles[0] & doubles[1])
        on_common = [{head for head in one if head in common or head[::-1] in common} for one in (true_heads, heads)]
        assert told.arrowhead_on_common.wrong == len(on_common[1] - on_common[0])


def test_that_shd_and_adjacencies_agree_with_causal_learn_on_dags() -> None:
    rng = np.random.default_rng(6)
    for _ in range(100):
        graphs = [random_graph(rng, 7, 0.4, ("-->",)) for _ in range(2)]
        theirs = [as_causal_learn(graph) for graph in graphs]
        told = compare_graphs(graphs[1], graphs[0])
        assert told.shd == SHD(theirs[0], theirs[1]).get_shd()
        confusion = AdjacencyConfusion(theirs[0], theirs[1])
        found = (told.adjacency.right, told.adjacency.wrong, told.adjacency.missed)
        assert found == (confusion.get_adj_tp(), confusion.get_adj_fp(), confusion.get_adj_fn())


def as_causal_learn(graph: MixedGraph) -> GeneralGraph:
    nodes = {name: GraphNode(name) for name in graph.nodes}
    dag = Dag(list(nodes.values()))
    for edge in graph.edges():
        dag.add_directed_edge(nodes[edge.first], nodes[edge.second])
    return dag


def test_that_bsf_is_nought_for_all_or_nothing_one_for_the_truth_and_minus_one_for_its_complement() -> None:
    rng = np.random.default_rng(8)
    for _ in range(50):
        truth = random_graph(rng, 8, 0.4)
        if not 0 < truth.n_edges < 28:
            continue
        empty = MixedGraph.from_edges(truth.nodes, [])
        rest = [pair for pair in combinations(truth.nodes, 2) if not truth.is_adjacent(*pair)]
        complement = MixedGraph.from_edges(truth.nodes, [Edge(a, b, Mark.CIRCLE, Mark.CIRCLE) for a, b in rest])
        complete = MixedGraph.from_edges(truth.nodes, [*truth.edges(), *complement.edges()])
        for found, wanted in ((empty, 0), (complete, 0), (truth, 1), (complement, -1)):
            told = compare_graphs(found, truth)
            assert told.bsf_skeleton == pytest.approx(wanted)
            assert told.bsf_half == pytest.approx(wanted)


def test_that_bsf_is_unknown_where_nothing_or_everything_is_joined() -> None:
    assert balanced_score(0, 0, 0, 10) is None
    assert balanced_score(10, 0, 10, 10) is None
