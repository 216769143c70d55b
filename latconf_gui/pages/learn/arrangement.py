"""How one to three drawings of one shape share a rectangle so that they are as large as possible."""

from __future__ import annotations

from typing import NamedTuple


class Cell(NamedTuple):
    """Where a drawing stands in a grid."""

    row: int
    column: int
    n_rows: int = 1
    n_columns: int = 1


Arrangement = tuple[Cell, ...]

_ROW = tuple(Cell(0, index) for index in range(3))
_COLUMN = tuple(Cell(index, 0) for index in range(3))
_FIRST_ABOVE = (Cell(0, 0, 1, 2), Cell(1, 0), Cell(1, 1))
_FIRST_BESIDE = (Cell(0, 0, 2, 1), Cell(0, 1), Cell(1, 1))


def arrangements(count: int) -> tuple[Arrangement, ...]:
    """The ways to arrange so many drawings, the plainest first."""
    plain = (_ROW[:count], _COLUMN[:count])
    return (*plain, _FIRST_ABOVE, _FIRST_BESIDE) if count == 3 else plain


def best_arrangement(
    count: int, room: tuple[float, float], shape: tuple[float, float], *, heading: float = 0.0
) -> Arrangement:
    """The arrangement in which the smallest drawing is largest.

    room, shape : width and height of the rectangle, and of each drawing
    heading : the height that stands above each drawing
    """
    return max(arrangements(count), key=lambda arrangement: _zoom(arrangement, room, shape, heading))


def _zoom(cells: Arrangement, room: tuple[float, float], shape: tuple[float, float], heading: float) -> float:
    rows = max(cell.row + cell.n_rows for cell in cells)
    columns = max(cell.column + cell.n_columns for cell in cells)
    wide, high = max(shape[0], 1.0), max(shape[1], 1.0)
    return min(
        min(room[0] * cell.n_columns / columns / wide, max(room[1] * cell.n_rows / rows - heading, 1.0) / high)
        for cell in cells
    )
