"""Rows of boxes, checked against brute force."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from latconf_core.arrays import FloatArray
from latconf_gui.drawing.geometry.layers import count_crossings, fit_rows, lessen_crossings, rows_of, spread_in_row

GAP = (26.0, 34.0)


def random_rows(seed: int, n_boxes: int = 14) -> tuple[FloatArray, FloatArray]:
    """Boxes in four rows, side by side."""
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.integers(4, size=n_boxes))
    across = [float(90 * (rows[:i] == rows[i]).sum()) for i in range(n_boxes)]
    return np.stack([across, 80.0 * rows], axis=1), np.stack([rng.uniform(40, 80, n_boxes), np.full(n_boxes, 26.0)], 1)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("room", [(900.0, 500.0), (260.0, 500.0), (120.0, 90.0)])
def test_that_boxes_keep_their_row_and_never_meet(seed: int, room: tuple[float, float]) -> None:
    centres, sizes = random_rows(seed)
    placed = fit_rows(centres, sizes, room=room, gap=GAP)
    for first, second in combinations(range(len(centres)), 2):
        apart, needed = np.abs(placed[first] - placed[second]), (sizes[first] + sizes[second]) / 2
        assert (apart >= needed + 5).any()
    for above, below in pairwise(rows_of(centres[:, 1])):
        assert placed[above, 1].max() < placed[below, 1].min()


def test_that_a_row_that_is_too_wide_is_parted() -> None:
    centres = np.stack([np.arange(10) * 90.0, np.zeros(10)], axis=1)
    sizes = np.tile([70.0, 26.0], (10, 1))
    placed = fit_rows(centres, sizes, room=(520.0, 300.0), gap=GAP)
    assert np.ptp(placed[:, 0]) + 70 <= 520
    assert len(rows_of(placed[:, 1])) == 2


@pytest.mark.parametrize("seed", range(5))
def test_that_a_row_is_spread_by_as_little_as_can_be(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wanted, apart = rng.uniform(0, 100, 6), rng.uniform(5, 40, 5)
    placed = spread_in_row(wanted, apart)
    steps = np.tril(np.ones((6, 6)))  # the first place, and how much further than needed each next one is
    before = np.concatenate([[0.0], np.cumsum(apart)])
    best = lsq_linear(steps, wanted - before, bounds=([-np.inf, 0, 0, 0, 0, 0], np.inf))
    assert (np.diff(placed) >= apart - 1e-9).all()
    assert ((placed - wanted) ** 2).sum() <= 2 * best.cost + 1e-3  # what the optimiser leaves


@pytest.mark.parametrize("seed", range(10))
def test_that_crossings_are_those_that_a_walk_along_the_lines_meets(seed: int) -> None:
    centres, sizes = random_rows(seed, 8)
    centres = centres + np.random.default_rng(seed).uniform(-9, 9, centres.shape)  # no three in a line
    edges = [(a, b) for a, b in combinations(range(8), 2) if (3 * a + b + seed) % 3 == 0]
    expected = sum(_cross(centres, *pair) for pair in combinations(edges, 2))
    assert count_crossings(centres, edges) == expected
    along = np.linspace(0, 1, 4001)[:, None]
    passed = 0
    for a, b in edges:
        line = centres[a] + along * (centres[b] - centres[a])
        for box in set(range(8)) - {a, b}:
            passed += bool((np.abs(line - centres[box]) < sizes[box] / 2).all(axis=1).any())
    assert count_crossings(centres, edges, sizes) == expected + passed


def _cross(centres: FloatArray, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """By solving for the point that two lines share."""
    if set(first) & set(second):
        return False
    start, other = centres[first[0]], centres[second[0]]
    matrix = np.stack([centres[first[1]] - start, other - centres[second[1]]], axis=1)
    if abs(np.linalg.det(matrix)) < 1e-9:
        return False
    share = np.linalg.solve(matrix, other - start)
    return bool(((share > 0) & (share < 1)).all())


def test_that_neighbours_change_places_where_lines_cross() -> None:
    centres = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 90.0], [100.0, 90.0]])
    sizes = np.tile([60.0, 26.0], (4, 1))
    edges = [(0, 3), (1, 2)]
    assert count_crossings(centres, edges) == 1
    assert count_crossings(lessen_crossings(centres, edges, sizes), edges) == 0
