from __future__ import annotations

import itertools

import pytest

from latconf_core.graph.marks import Edge, Mark
from latconf_core.wording.mark_meanings import edge_sentence


@pytest.mark.parametrize(
    ("edge", "sentence"),
    [
        ("A o-> C", "If this PAG is right, C is not a cause of A: A causes C, or they share a hidden cause."),
        ("A <-o C", "If this PAG is right, A is not a cause of C: C causes A, or they share a hidden cause."),
        ("A --> B", "If this PAG is right, A is a cause of B, directly or through other variables."),
        ("A <-- B", "If this PAG is right, B is a cause of A, directly or through other variables."),
        ("A <-> B", "If this PAG is right, neither A nor B causes the other: they share a hidden cause."),
    ],
)
def test_that_an_edge_is_put_into_words(edge: str, sentence: str) -> None:
    assert edge_sentence(Edge.parse(edge)) == sentence


def test_that_reversing_an_edge_keeps_what_it_claims() -> None:
    for first, second in itertools.product((Mark.CIRCLE, Mark.ARROW, Mark.TAIL), repeat=2):
        if first != second:
            edge = Edge("A", "B", first, second)
            assert edge_sentence(edge) == edge_sentence(edge.reversed())


@pytest.mark.parametrize("edge", ["A --- B", "A o-- B", "A --o B"])
def test_that_marks_which_need_selection_say_that_an_arrowhead_is_missing(edge: str) -> None:
    assert "one end needs an arrowhead" in edge_sentence(Edge.parse(edge))
