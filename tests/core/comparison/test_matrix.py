"""Several graphs in one table, counted by hand."""

from __future__ import annotations

import pytest
from support.builders import mixed

from latconf_core.comparison.matrix import make_matrix
from latconf_core.comparison.numbers import describe_subject
from latconf_core.comparison.subject import Subject
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import GraphError

A = Subject("A", LatentDag("ABCD", [("A", "B")], [Latent("H", 2, ("B", "C"))]))
B = Subject("B", LatentDag("ABCD", [("A", "B")], [Latent("L1", 3, ("B", "C"))]))
C = Subject("C", LatentDag("ABCD", [("A", "B"), ("B", "C")]))


def test_that_rows_stand_by_disagreement_and_latents_by_how_many_have_them() -> None:
    matrix = make_matrix([A, B, C])
    assert (matrix.names, matrix.view) == (("A", "B", "C"), "MAG")
    assert [(row.nodes, [str(edge) for edge in row.edges]) for row in matrix.edges] == [
        (("B", "C"), ["B <-> C", "B <-> C", "B --> C"]),
        (("A", "B"), ["A --> B", "A --> B", "A --> B"]),
    ]
    assert [row.disagreement for row in matrix.edges] == [pytest.approx(1 / 3), 0]
    assert [(row.children, row.states) for row in matrix.latents] == [(("B", "C"), (2, 3, None))]


def test_that_beside_a_graph_with_circles_dags_are_shown_by_their_pags() -> None:
    graph = Subject("PAG", mixed("A o-> B", "C o-> B", nodes=list("ABCD")))
    matrix = make_matrix([graph, A])
    assert matrix.view == "PAG"
    assert [row.disagreement for row in matrix.edges] == [0, 0]


def test_that_graphs_of_other_variables_are_refused() -> None:
    with pytest.raises(GraphError, match="D is in only one"):
        make_matrix([A, Subject("small", mixed("A --> B", "B --> C"))])


def test_that_numbers_without_data_are_edges_and_latents() -> None:
    assert (describe_subject(A).n_edges, describe_subject(A).n_latents, describe_subject(A).score) == (1, 1, None)
    assert describe_subject(Subject("PAG", mixed("A o-o B"))).n_edges == 1
