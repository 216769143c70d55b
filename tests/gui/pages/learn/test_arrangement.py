"""Drawings share a rectangle so that the smallest of them is as large as possible."""

from __future__ import annotations

import pytest

from latconf_gui.pages.learn.arrangement import Arrangement, Cell, arrangements, best_arrangement

ROW = (Cell(0, 0), Cell(0, 1), Cell(0, 2))
COLUMN = (Cell(0, 0), Cell(1, 0), Cell(2, 0))
ABOVE = (Cell(0, 0, 1, 2), Cell(1, 0), Cell(1, 1))


@pytest.mark.parametrize(
    ("room", "shape", "expected"),
    [
        ((1200, 400), (400, 400), ROW),
        ((400, 1200), (400, 400), COLUMN),
        ((800, 700), (400, 350), ABOVE),
        ((900, 600), (300, 600), ROW),
        ((900, 600), (900, 200), COLUMN),
    ],
)
def test_that_the_largest_is_chosen(
    room: tuple[float, float], shape: tuple[float, float], expected: Arrangement
) -> None:
    assert best_arrangement(3, room, shape) == expected


def test_that_headings_take_their_room() -> None:
    assert best_arrangement(2, (300, 300), (100, 100)) == (Cell(0, 0), Cell(0, 1))
    assert best_arrangement(2, (400, 420), (100, 100)) == (Cell(0, 0), Cell(1, 0))
    assert best_arrangement(2, (400, 420), (100, 100), heading=30) == (Cell(0, 0), Cell(0, 1))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_that_cells_fill_the_grid_and_do_not_overlap(count: int) -> None:
    for cells in arrangements(count):
        taken = [
            (cell.row + i, cell.column + j) for cell in cells for i in range(cell.n_rows) for j in range(cell.n_columns)
        ]
        rows, columns = max(row for row, _ in taken) + 1, max(column for _, column in taken) + 1
        assert sorted(taken) == [(i, j) for i in range(rows) for j in range(columns)]


def test_that_nothing_is_no_obstacle() -> None:
    assert best_arrangement(1, (0, 0), (0, 0)) == (Cell(0, 0),)
