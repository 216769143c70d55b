"""Where an edge leaves a node, how it bends around others, and where its marks sit; plain numbers, no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
import numpy.typing as npt

Point = tuple[float, float]
FloatArray = npt.NDArray[np.float64]

CORNER = 6.0  # radius of a box's corners
ARROW_LENGTH = 12.0
ARROW_HALF_WIDTH = 5.5
CIRCLE_RADIUS = 4.5
CLEARANCE, LEAST_CLEARANCE = 5.0, 1.0  # between an edge and the boxes it passes
BENDS = tuple(side * bend for bend in (0.06, 0.12, 0.18, 0.25, 0.32, 0.4, 0.5, 0.65) for side in (1, -1))  # of length
MOST_OBSTACLES = 200  # in a larger graph every line crosses many others anyway, and bends cost time
_STEPS = np.linspace(0.02, 0.98, 49)
_HALVINGS = 24


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


@dataclass(frozen=True)
class Curve:
    """A quadratic curve from the centre of one node to the centre of another."""

    start: Point
    control: Point
    end: Point

    def at(self, t: float) -> Point:
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        return (
            a * self.start[0] + b * self.control[0] + c * self.end[0],
            a * self.start[1] + b * self.control[1] + c * self.end[1],
        )

    def points(self) -> FloatArray:
        """Points along the curve, its ends left out, (49, 2)."""
        t = _STEPS[:, None]
        start, control, end = (np.array(p) for p in (self.start, self.control, self.end))
        found: FloatArray = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
        return found

    def between(self, low: float, high: float) -> Curve:
        """The part of the curve from one parameter to another, as a curve."""
        start, end = self.at(low), self.at(high)
        # Blossom of the quadratic at (low, high): its middle control point.
        a, b, c = (1 - low) * (1 - high), low * (1 - high) + high * (1 - low), low * high
        control = (
            a * self.start[0] + b * self.control[0] + c * self.end[0],
            a * self.start[1] + b * self.control[1] + c * self.end[1],
        )
        return Curve(start, control, end)


def bent(start: Point, end: Point, bend: float) -> Curve:
    """The curve between two points whose middle lies `bend` × their distance to the side."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = ((start[0] + end[0]) / 2 - 2 * bend * dy, (start[1] + end[1]) / 2 + 2 * bend * dx)
    return Curve(start, middle, end)


def route(start: Point, end: Point, obstacles: FloatArray) -> Curve:
    """The straightest curve that passes every obstacle at a distance, or closely, or that meets fewest of them.

    Straight in a large graph.

    obstacles : (n, 4) left, top, right, bottom
    """
    straight = bent(start, end, 0.0)
    if len(obstacles) > MOST_OBSTACLES or _n_met(straight, obstacles, CLEARANCE) == 0:
        return straight
    curves = [straight, *(bent(start, end, bend) for bend in BENDS)]
    for curve in curves:
        if _n_met(curve, obstacles, CLEARANCE) == 0:
            return curve
    return min(curves, key=lambda curve: _n_met(curve, obstacles, LEAST_CLEARANCE))


def _n_met(curve: Curve, obstacles: FloatArray, clearance: float) -> int:
    points = curve.points()
    low, high = points.min(axis=0) - clearance, points.max(axis=0) + clearance
    near = (obstacles[:, 2:] > low).all(axis=1) & (obstacles[:, :2] < high).all(axis=1)
    if not near.any():
        return 0
    obstacles, points = obstacles[near], points[:, None, :]
    inside = (points > obstacles[None, :, :2] - clearance) & (points < obstacles[None, :, 2:] + clearance)
    return int(inside.all(axis=2).any(axis=0).sum())


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
    return 1.0 - leaving(Curve(curve.end, curve.control, curve.start), outline)


def along(curve: Curve, t: float, distance: float) -> float:
    """The parameter at about this straight-line distance from the point at `t`, towards the curve's middle."""
    tip = curve.at(t)
    low, high = t, 0.5
    if hypot(*_minus(curve.at(high), tip)) <= distance:
        return high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if hypot(*_minus(curve.at(middle), tip)) < distance:
            low = middle
        else:
            high = middle
    return low


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def unit(start: Point, end: Point) -> Point:
    """The direction from one point to another; to the right where they are the same."""
    dx, dy = _minus(end, start)
    length = hypot(dx, dy)
    return (dx / length, dy / length) if length > 0 else (1.0, 0.0)


def obstacle_boxes(outlines: Sequence[Outline]) -> FloatArray:
    """Left, top, right, bottom of each outline, (n, 4)."""
    boxes = [(o.x - o.width / 2, o.y - o.height / 2, o.x + o.width / 2, o.y + o.height / 2) for o in outlines]
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)
