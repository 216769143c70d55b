"""Moves nodes nearer to each other where a drawing would otherwise be too small to read; plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import floor

Pair = tuple[float, float]

LEAST = 0.4  # of a distance
STEP = 0.05
GAP = (36.0, 20.0)  # between the borders of nodes, for a line with its marks


def tighten(places: Mapping[str, Pair], sizes: Mapping[str, Pair], room: Pair) -> Pair:
    """What to multiply distances with, to the right and down, so that the nodes fit into the room and stay apart.

    room : width and height in the units of the places
    """
    factors = [_needed(places, sizes, room, axis) for axis in (0, 1)]
    while min(factors) < 1 and _is_crowded(places, sizes, (factors[0], factors[1])):
        axis = 0 if factors[0] <= factors[1] else 1
        factors[axis] = min(factors[axis] + STEP, 1.0)
    return factors[0], factors[1]


def _needed(places: Mapping[str, Pair], sizes: Mapping[str, Pair], room: Pair, axis: int) -> float:
    at = [position[axis] for position in places.values()]
    spread = max(at, default=0.0) - min(at, default=0.0)
    largest = max((sizes[name][axis] for name in places), default=0.0)
    free = room[axis] - largest - GAP[axis]
    if spread <= 0 or free >= spread:
        return 1.0
    return max(STEP * floor(free / spread / STEP), LEAST)  # in steps, so that little changes move nothing


def _is_crowded(places: Mapping[str, Pair], sizes: Mapping[str, Pair], factors: Pair) -> bool:
    """Whether two nodes come too near that are not near by themselves."""
    return any(
        _is_near(places[a], places[b], sizes[a], sizes[b], factors)
        and not _is_near(places[a], places[b], sizes[a], sizes[b], (1.0, 1.0))
        for a, b in combinations(places, 2)
    )


def _is_near(first: Pair, second: Pair, size: Pair, other: Pair, factors: Pair) -> bool:
    return all(
        abs(first[axis] - second[axis]) * factors[axis] < (size[axis] + other[axis]) / 2 + GAP[axis] for axis in (0, 1)
    )
