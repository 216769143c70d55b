"""MixedGraph: invariants, values, changes, and networkx there and back."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builders import mixed

from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph

EXAMPLE = ("A o-o B", "A o-> C", "B --> D", "C <-> D", "E --o A")
# pcalg's amat.pag of the example: the mark at the column
AMAT = [[0, 1, 2, 0, 3], [1, 0, 0, 2, 0], [1, 0, 0, 2, 0], [0, 3, 2, 0, 0], [1, 0, 0, 0, 0]]


@st.composite
def graphs(draw: st.DrawFn) -> MixedGraph:
    n = draw(st.integers(0, 6))
    marks = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(i):
            if draw(st.booleans()):
                marks[i, j], marks[j, i] = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    return MixedGraph([f"V{i}" for i in range(n)], marks)


def test_that_the_matrix_holds_the_mark_at_the_column() -> None:
    graph = mixed(*EXAMPLE)
    assert graph.marks.tolist() == [
        [0, 1, 2, 0, 3],
        [1, 0, 0, 2, 0],
        [1, 0, 0, 2, 0],
        [0, 3, 2, 0, 0],
        [1, 0, 0, 0, 0],
    ]
    assert graph.marks.tolist() == AMAT
    assert graph.mark_at("A", "E") is Mark.CIRCLE
    assert graph.mark_at("E", "A") is Mark.TAIL
    assert graph.mark_at("B", "C") is Mark.NONE


@given(graphs())
def test_that_a_graph_is_rebuilt_from_its_edges_matrix_pickle_and_networkx(graph: MixedGraph) -> None:
    for again in (
        MixedGraph.from_edges(graph.nodes, graph.edges()),
        MixedGraph.from_edges(graph.nodes, [edge.reversed() for edge in graph.edges()]),
        MixedGraph(graph.nodes, graph.marks),
        pickle.loads(pickle.dumps(graph)),
        MixedGraph.from_networkx(graph.to_networkx()),
    ):
        assert again == graph
        assert hash(again) == hash(graph)
        assert not again.marks.flags.writeable
    assert graph.n_edges == len(list(graph.edges()))


@given(graphs(), st.randoms())
def test_that_reordering_keeps_the_edges(graph: MixedGraph, source: object) -> None:
    nodes = list(graph.nodes)
    source.shuffle(nodes)  # type: ignore[attr-defined]
    shuffled = graph.reordered(nodes)
    assert {frozenset((str(e), str(e.reversed()))) for e in shuffled.edges()} == {
        frozenset((str(e), str(e.reversed()))) for e in graph.edges()
    }
    assert shuffled.reordered(graph.nodes) == graph


def test_that_a_digraph_is_read_as_directed_edges() -> None:
    graph = MixedGraph.from_networkx(nx.DiGraph([("A", "B"), ("C", "B")]))
    assert sorted(map(str, graph.edges())) == ["A --> B", "B <-- C"]


def test_that_changes_make_new_graphs() -> None:
    graph = mixed("A o-> B", "B <-> C")
    changed = graph.with_edge(Edge.parse("B --> A")).without_edge("C", "B").with_edge(Edge.parse("A o-o C"))
    assert changed == mixed("A <-- B", "A o-o C", nodes="ABC")
    assert graph == mixed("A o-> B", "B <-> C")
    assert graph.renamed({"A": "X"}).nodes == ("X", "B", "C")
    assert graph.is_adjacent("A", "B")
    assert not graph.is_adjacent("A", "C")


def test_that_marks_cannot_be_written() -> None:
    graph = mixed("A --> B")
    with pytest.raises(ValueError, match="read-only"):
        graph.marks[0, 1] = 1


def test_that_the_caller_keeps_its_matrix() -> None:
    marks = np.array([[0, 2], [3, 0]], dtype=np.uint8)
    graph = MixedGraph(["A", "B"], marks)
    marks[:] = 0
    assert graph == mixed("A --> B")


@pytest.mark.parametrize(
    ("nodes", "marks", "words"),
    [
        ("AA", [[0, 0], [0, 0]], "'A' occurs twice"),
        ("AB", [[0]], "2 × 2"),
        ("AB", [[0, 4], [1, 0]], "a mark is 0"),
        ("AB", [[0, -1], [1, 0]], "a mark is 0"),
        ("AB", [[0, 1.5], [1, 0]], "a mark is 0"),
        ("AB", [[0, 258], [1, 0]], "a mark is 0"),
        ("AB", [[1, 0], [0, 0]], "an edge to itself"),
        ("AB", [[0, 1], [0, 0]], "at one end only"),
    ],
)
def test_that_a_broken_matrix_is_refused(nodes: str, marks: list[list[float]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        MixedGraph(list(nodes), marks)


def test_that_a_pair_has_one_edge_between_known_nodes() -> None:
    with pytest.raises(ValueError, match="two edges"):
        mixed("A --> B", "B --> A")
    with pytest.raises(ValueError, match="'C', which is not a node"):
        mixed("A --> C", nodes="AB")


def test_that_an_order_must_name_every_node_once() -> None:
    graph = mixed("A --> B")
    for order in (["A"], ["A", "A"], ["A", "B", "A"]):
        with pytest.raises(ValueError, match=r"once|twice"):
            graph.reordered(order)


def test_that_asking_for_an_edge_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="a mark at both ends"):
        mixed("A --> B", nodes="ABC").edge("A", "C")


def test_that_graphs_with_other_nodes_or_marks_differ() -> None:
    graph = mixed("A --> B")
    assert graph != mixed("A o-> B")
    assert graph != mixed("A --> C")
    assert graph != mixed("A --> B", nodes="BA")
    assert graph != "A --> B"
