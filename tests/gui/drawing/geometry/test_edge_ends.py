from __future__ import annotations

from math import hypot

import numpy as np
import pytest
from support.curve_points import points_of

from latconf_gui.drawing.geometry.curves import bent, rounded
from latconf_gui.drawing.geometry.edge_ends import CORNER, Outline, arriving, leaving


def distance_to_border(outline: Outline, point: tuple[float, float]) -> float:
    """By the closed form of a box with round corners, or of an ellipse's level set."""
    dx, dy = abs(point[0] - outline.x), abs(point[1] - outline.y)
    half_width, half_height = outline.width / 2, outline.height / 2
    if outline.is_ellipse:
        return abs(hypot(dx / half_width, dy / half_height) - 1) * min(half_width, half_height)
    qx, qy = dx - half_width + CORNER, dy - half_height + CORNER
    return abs(hypot(max(qx, 0), max(qy, 0)) + min(max(qx, qy), 0) - CORNER)


@pytest.mark.parametrize("is_ellipse", [False, True])
@pytest.mark.parametrize("bend", [0.0, 0.2, -0.46])
def test_that_an_edge_leaves_and_enters_exactly_at_the_border(is_ellipse: bool, bend: float) -> None:
    rng = np.random.default_rng(3)
    for x, y in rng.uniform(-400, 400, (60, 2)):
        if hypot(x, y) < 150:
            continue
        start, end = Outline(0, 0, 80, 26, is_ellipse), Outline(x, y, 60, 40, is_ellipse)
        curve = bent((0, 0), (x, y), bend)
        assert distance_to_border(start, curve.at(leaving(curve, start))) < 1e-3  # a thousandth of a pixel
        assert distance_to_border(end, curve.at(arriving(curve, end))) < 1e-3  # a thousandth of a pixel


def test_that_a_part_of_a_curve_lies_on_the_curve() -> None:
    curve = bent((0, 0), (100, 30), 0.3)
    part = curve.between(0.2, 0.9)
    for t in (0.0, 0.25, 0.5, 1.0):
        assert part.at(t) == pytest.approx(curve.at(0.2 + 0.7 * t))


def test_that_a_part_of_a_line_with_corners_lies_on_the_line() -> None:
    curve = rounded([(0, 0), (100, 0), (100, 80), (200, 80)], cut=4.0)
    part = curve.between(0.1, 0.9)
    assert (part.at(0.0), part.at(1.0)) == (curve.at(0.1), curve.at(0.9))
    distances = np.abs(points_of(part)[:, None] - points_of(curve)[None, :]).max(axis=2).min(axis=1)
    assert distances.max() < 1.0  # between two neighbouring points of the line


def test_that_a_corner_is_cut_by_no_more_than_asked() -> None:
    for cut in (1.0, 4.0):
        points = points_of(rounded([(0, 0), (100, 0), (100, 80)], cut=cut))
        assert np.hypot(*(points - (100, 0)).T).min() == pytest.approx(cut, abs=0.05)  # the points are not dense
