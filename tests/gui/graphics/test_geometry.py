from __future__ import annotations

from math import hypot

import numpy as np
import pytest

from latconf_gui.graphics.geometry import (
    CORNER,
    Outline,
    arriving,
    bent,
    leaving,
    obstacle_boxes,
    route,
)


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


def test_that_an_edge_bends_around_a_node_in_its_way_and_is_straight_otherwise() -> None:
    in_the_way = obstacle_boxes([Outline(100, 0, 60, 26)])
    curve = route((0, 0), (200, 0), in_the_way)
    assert not any(abs(x - 100) < 30 and abs(y) < 13 for x, y in curve.points())
    aside = route((0, 0), (200, 0), obstacle_boxes([Outline(100, 80, 60, 26)]))
    assert aside.at(0.5) == pytest.approx((100, 0))
