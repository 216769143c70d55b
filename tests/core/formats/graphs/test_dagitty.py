"""What dagitty says beside the graph: where nodes are drawn is kept, roles are named where they are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from latconf_core.formats.graphs import dagitty
from latconf_core.formats.graphs.registry import read_document
from latconf_core.formats.projects.opening import SPACING, open_graph, scale_positions

TEXT = """dag {
bb="-2.1,-1.8,2.3,1.9"
A [exposure,pos="-1.5,0.25"]
B [outcome,pos="1e-1, -2"]
"C d" [adjusted,pos="0,1"]
L [latent,pos="0.5,0"]
A -> B
L -> A
L -> "C d"
}
"""


def test_that_positions_are_kept_and_written_back() -> None:
    document = dagitty.parse(TEXT)
    assert dict(document.positions) == {"A": (-1.5, 0.25), "B": (0.1, -2.0), "C d": (0.0, 1.0), "L": (0.5, 0.0)}
    again = dagitty.parse(dagitty.render(document, {}))
    assert again.positions == document.positions
    assert again.graph == document.graph


def test_that_roles_are_named_where_they_are_left_out() -> None:
    assert dagitty.parse(TEXT).notes == (
        "dagitty marks A as exposure, which latconf does not use; this was ignored",
        "dagitty marks B as outcome, which latconf does not use; this was ignored",
        "dagitty marks C d as adjusted, which latconf does not use; this was ignored",
    )


def test_that_short_roles_are_known_and_broken_positions_passed_over() -> None:
    document = dagitty.parse('dag { X [e,pos="left,1"] Y [o] Z [e] X -> Y }')
    assert document.notes[0] == "dagitty marks X, Z as exposure, which latconf does not use; this was ignored"
    assert dict(document.positions) == {}


def test_that_positions_follow_renamed_nodes_and_the_order_of_data(tmp_path: Path) -> None:
    path = tmp_path / "g.dagitty"
    path.write_text('dag { Y [pos="1,2"] loss [outcome,pos="3,4"] Y -> loss }')
    document = read_document(path, nodes=["loss%", "Y"])
    assert document.graph.nodes == ("loss%", "Y")
    assert dict(document.positions) == {"Y": (1.0, 2.0), "loss%": (3.0, 4.0)}
    assert len(document.notes) == 1


def test_that_an_opened_graph_is_placed_at_the_size_of_a_screen(tmp_path: Path) -> None:
    path = tmp_path / "g.dagitty"
    path.write_text('dag { A [exposure,pos="0,0"] B [pos="0.2,0"] C [pos="0.2,0.3"] A -> B -> C }')
    opened = open_graph(path)
    assert opened.positions["A"] == (0.0, 0.0)
    assert opened.positions["B"] == pytest.approx((SPACING, 0.0))
    assert opened.positions["C"] == pytest.approx((SPACING, 1.5 * SPACING))
    assert len(opened.notes) == 1


def test_that_a_graph_drawn_in_part_is_left_to_the_layout(tmp_path: Path) -> None:
    path = tmp_path / "g.dagitty"
    path.write_text('dag { A [pos="0,0"] A -> B }')
    assert dict(open_graph(path).positions) == {}


@pytest.mark.parametrize("places", [{}, {"A": (1.0, 2.0)}, {"A": (1.0, 1.0), "B": (1.0, 1.0)}])
def test_that_positions_without_a_distance_stay_as_they_are(places: dict[str, tuple[float, float]]) -> None:
    assert dict(scale_positions(places)) == places
