"""Where an edge leaves a node and where its marks sit; plain numbers, no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from latconf_gui.graphics.curves import Curve, FloatArray, Point

CORNER = 6.0  # radius of a box's corners
ARROW_LENGTH = 12.0
ARROW_HALF_WIDTH = 5.5
CIRCLE_RADIUS = 4.5
_HALVINGS = 24
_ROUGH_HALVINGS = 12  # to a quarter of a pixel on the longest edges


@dataclass(frozen=True)
class Outline:
    """The border of a node: a box with round corners, or an ellipse."""

    x: float
    y: float
    width: float
    height: float
    is_ellipse: bool = False

    def contains(self, point: Point) -> bool:
        """Whether the point lies inside or on the border."""
        dx, dy = abs(point[0] - self.x), abs(point[1] - self.y)
        half_width, half_height = self.width / 2, self.height / 2
        if self.is_ellipse:
            return (dx / half_width) ** 2 + (dy / half_height) ** 2 <= 1.0
        over_x, over_y = dx - (half_width - CORNER), dy - (half_height - CORNER)
        if over_x > 0 and over_y > 0:
            return hypot(over_x, over_y) <= CORNER
        return dx <= half_width and dy <= half_height


def leaving(curve: Curve, outline: Outline) -> float:
    """The parameter at which the curve leaves the outline that holds its start; 0.5 if it never does."""
    low, high = 0.0, 0.5
    if outline.contains(curve.at(high)):
        return high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if outline.contains(curve.at(middle)):
            low = middle
        else:
            high = middle
    return high


def arriving(curve: Curve, outline: Outline) -> float:
    """The parameter at which the curve enters the outline that holds its end."""
    return 1.0 - leaving(curve.turned(), outline)


def along(curve: Curve, t: float, distance: float) -> float:
    """The parameter at about this straight-line distance from the point at `t`, towards the curve's middle."""
    tip = curve.at(t)
    low, high = t, 0.5
    if hypot(*_minus(curve.at(high), tip)) <= distance:
        return high
    for _ in range(_ROUGH_HALVINGS):
        middle = (low + high) / 2
        if hypot(*_minus(curve.at(middle), tip)) < distance:
            low = middle
        else:
            high = middle
    return low


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def obstacle_boxes(outlines: Sequence[Outline]) -> FloatArray:
    """Left, top, right, bottom of each outline, (n, 4)."""
    boxes = [(o.x - o.width / 2, o.y - o.height / 2, o.x + o.width / 2, o.y + o.height / 2) for o in outlines]
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)
