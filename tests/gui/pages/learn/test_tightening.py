"""Nodes come nearer to each other where there is little room, but never too near."""

from __future__ import annotations

import pytest

from latconf_gui.pages.learn.tightening import GAP, LEAST, tighten

SIZES = dict.fromkeys("ABC", (60.0, 26.0))


def test_that_nothing_moves_where_there_is_room() -> None:
    assert tighten({"A": (0, 0), "B": (200, 100)}, SIZES, (900, 600)) == (1.0, 1.0)


def test_that_nodes_come_nearer_along_the_side_that_is_short() -> None:
    wide, high = tighten({"A": (0, 0), "B": (400, 100), "C": (200, 300)}, SIZES, (300, 900))
    assert high == 1.0
    assert 270 < wide * 400 + 60 + GAP[0] <= 300


def test_that_nodes_stay_apart() -> None:
    wide, _ = tighten({"A": (0, 0), "B": (130, 0), "C": (260, 0)}, SIZES, (50, 50))
    assert wide * 130 >= 60 + GAP[0]


def test_that_nodes_that_are_near_by_themselves_do_not_count() -> None:
    assert tighten({"A": (0, 0), "B": (10, 0), "C": (900, 0)}, SIZES, (200, 50))[0] == LEAST


@pytest.mark.parametrize("places", [{}, {"A": (5.0, 5.0)}])
def test_that_nothing_and_one_node_are_left_alone(places: dict[str, tuple[float, float]]) -> None:
    assert tighten(places, SIZES, (10, 10)) == (1.0, 1.0)
