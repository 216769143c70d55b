"""Many graphs side by side say the same as each of them by itself."""

from __future__ import annotations

import numpy as np
import pytest

from latconf_core.graph.bits import BitGraph
from latconf_core.mag.graph_arrays import MOST_BITS, Graphs


def random_graphs(rng: np.random.Generator, n_graphs: int, n_nodes: int) -> list[BitGraph]:
    """Graphs with --> from earlier nodes to later ones, the same but for those to a few nodes."""
    common = {(a, b) for b in range(1, n_nodes) for a in rng.choice(b, size=min(b, 2), replace=False).tolist()}
    graphs = []
    for _ in range(n_graphs):
        own = {(a, b) for a, b in common if b % 3 or rng.random() < 0.7}
        parents = [sum(1 << a for a in range(n_nodes) if (a, v) in own) for v in range(n_nodes)]
        children = [sum(1 << b for b in range(n_nodes) if (v, b) in own) for v in range(n_nodes)]
        graphs.append(BitGraph(tuple(f"x{i}" for i in range(n_nodes)), parents, children, [0] * n_nodes))
    return graphs


@pytest.mark.parametrize("n_nodes", [1, 7, MOST_BITS, MOST_BITS + 8])
@pytest.mark.parametrize("n_graphs", [1, 2, 40])
def test_that_the_parents_of_all_are_those_of_each(n_graphs: int, n_nodes: int) -> None:
    graphs = random_graphs(np.random.default_rng(n_nodes), n_graphs, n_nodes)
    found = list(Graphs.of(graphs, n_nodes).all_parents())
    assert found == [tuple(graph.parents) for graph in graphs]
    assert {type(mask) for parents in found for mask in parents} == {int}


@pytest.mark.parametrize("n_nodes", [7, MOST_BITS + 8])
def test_that_an_edge_is_swapped_where_it_should_be(n_nodes: int) -> None:
    graphs = random_graphs(np.random.default_rng(1), 6, n_nodes)
    a, b = n_nodes - 2, n_nodes - 1
    graphs = [graph for graph in graphs if graph.children[a] >> b & 1] or graphs[:2]
    both = Graphs.of(graphs, n_nodes)
    both.swap(a, b, np.arange(len(graphs)) % 2)
    for index, graph in enumerate(both.one_by_one(graphs[0].nodes)):
        before = graphs[index]
        is_swapped = index % 2 == 1
        assert graph.parents[b] == before.parents[b] ^ (1 << a) * is_swapped
        assert graph.children[a] == before.children[a] ^ (1 << b) * is_swapped
        assert (graph.spouses[a], graph.spouses[b]) == ((1 << b, 1 << a) if is_swapped else (0, 0))
