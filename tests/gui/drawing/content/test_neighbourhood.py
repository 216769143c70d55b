"""Which nodes belong to the neighbourhood of a node, against powers of the matrix of neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from support.builders import mixed

from latconf_core.graph.mixed import MixedGraph
from latconf_gui.drawing.content.graph_drawing import drawing_of_graph
from latconf_gui.drawing.content.neighbourhood import Neighbourhood, distances, part_of


def random_graph(rng: np.random.Generator, n_nodes: int = 12, n_edges: int = 14) -> MixedGraph:
    arrows = ("-->", "<->", "o->", "o-o")
    pairs = {tuple(sorted(rng.choice(n_nodes, 2, replace=False).tolist())) for _ in range(n_edges)}
    return mixed(
        *(f"V{a} {arrows[int(rng.integers(4))]} V{b}" for a, b in sorted(pairs)),
        nodes=[f"V{i}" for i in range(n_nodes)],
    )


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("n_steps", [1, 2, 3])
def test_that_a_neighbourhood_has_the_nodes_of_all_walks_of_its_length(seed: int, n_steps: int) -> None:
    graph = random_graph(np.random.default_rng(seed))
    adjacent = np.array([[graph.is_adjacent(a, b) or a == b for b in graph.nodes] for a in graph.nodes])
    reached = np.linalg.matrix_power(adjacent.astype(int), n_steps) > 0
    for row, centre in enumerate(graph.nodes):
        near = {name for name, is_reached in zip(graph.nodes, reached[row]) if is_reached}
        part = part_of(drawing_of_graph(graph), Neighbourhood(centre, n_steps))
        assert set(part.names) == near
        assert {drawn.pair for drawn in part.edges} == {
            frozenset((edge.first, edge.second)) for edge in graph.edges() if {edge.first, edge.second} <= near
        }


def test_that_distances_count_the_fewest_edges() -> None:
    drawing = drawing_of_graph(mixed("A --> B", "B --> C", "A <-> C", "C o-o D"))
    assert distances(drawing, Neighbourhood("A", 5)) == {"A": 0, "B": 1, "C": 1, "D": 2}


def test_that_a_neighbourhood_reaches_at_least_one_step() -> None:
    with pytest.raises(ValueError, match="at least one step"):
        Neighbourhood("A", 0)
