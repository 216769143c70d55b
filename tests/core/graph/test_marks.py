"""Marks and edges as they are written."""

from __future__ import annotations

import itertools

import pytest

from latconf_core.graph.marks import Edge, Mark, arrow_text, marks_of_arrow

ENDS = [Mark.CIRCLE, Mark.ARROW, Mark.TAIL]


@pytest.mark.parametrize(("left", "right"), list(itertools.product(ENDS, ENDS)))
def test_that_every_pair_of_marks_is_written_and_read_back(left: Mark, right: Mark) -> None:
    assert marks_of_arrow(arrow_text(left, right)) == (left, right)
    edge = Edge("A", "B", left, right)
    assert Edge.parse(str(edge)) == edge
    assert edge.reversed().reversed() == edge


@pytest.mark.parametrize(
    ("text", "at_first", "at_second"),
    [
        ("A --> B", Mark.TAIL, Mark.ARROW),
        ("A <-- B", Mark.ARROW, Mark.TAIL),
        ("A <-> B", Mark.ARROW, Mark.ARROW),
        ("A o-> B", Mark.CIRCLE, Mark.ARROW),
        ("A o-o B", Mark.CIRCLE, Mark.CIRCLE),
        ("A --o B", Mark.TAIL, Mark.CIRCLE),
    ],
)
def test_that_an_edge_is_read_as_it_is_drawn(text: str, at_first: Mark, at_second: Mark) -> None:
    edge = Edge.parse(text)
    assert (edge.at_first, edge.at_second) == (at_first, at_second)
    assert str(edge) == text


def test_that_marks_have_the_codes_of_pcalg() -> None:
    assert [Mark.NONE, Mark.CIRCLE, Mark.ARROW, Mark.TAIL] == [0, 1, 2, 3]


def test_that_only_two_arrows_make_a_bidirected_edge() -> None:
    assert [m for m in itertools.product(ENDS, ENDS) if Edge("A", "B", *m).is_bidirected] == [(Mark.ARROW, Mark.ARROW)]


@pytest.mark.parametrize("text", ["->", "-->>", "===", "o_o", ">--", "---<", "", "x-x"])
def test_that_other_characters_are_no_edge(text: str) -> None:
    with pytest.raises(ValueError, match="is not an edge"):
        marks_of_arrow(text)


@pytest.mark.parametrize("text", ["A -->", "A --> B C", "A", ""])
def test_that_an_edge_needs_two_names(text: str) -> None:
    with pytest.raises(ValueError, match="expected NAME MARKS NAME"):
        Edge.parse(text)


def test_that_an_edge_needs_different_ends_and_both_marks() -> None:
    with pytest.raises(ValueError, match="two different nodes"):
        Edge("A", "A", Mark.TAIL, Mark.ARROW)
    with pytest.raises(ValueError, match="a mark at both ends"):
        Edge("A", "B", Mark.NONE, Mark.ARROW)


def test_that_edges_are_hashable_values() -> None:
    assert len({Edge.parse("A o-> B"), Edge.parse("A o-> B"), Edge.parse("A --> B")}) == 2
