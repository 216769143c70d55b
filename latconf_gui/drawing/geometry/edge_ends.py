"""Where an edge leaves a node and where its marks sit; plain numbers, no Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import dist, hypot

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_gui.drawing.geometry.curves import Curve, Point, rounded

CORNER = 6.0  # radius of a box's corners
ARROW_LENGTH = 12.0
ARROW_HALF_WIDTH = 5.5
CIRCLE_RADIUS = 4.5
SCALES = (1.0, 0.8, 0.6)  # of marks, the largest that there is room for
LOOP_RISE, LOOP_WIDTH, LOOP_CUT = 34.0, 60.0, 5.0  # of the way between nodes that touch or overlap
EXACT, ROUGH = 1e-4, 0.05  # pixels
_MOST_STEPS = 50  # far more than are needed


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
        return self.beyond(point) <= 0

    def beyond(self, point: Point) -> float:
        """How far outside of the border a point lies; negative inside, and near an ellipse not quite to scale."""
        dx, dy = abs(point[0] - self.x), abs(point[1] - self.y)
        half_width, half_height = self.width / 2, self.height / 2
        if self.is_ellipse:
            return (hypot(dx / half_width, dy / half_height) - 1) * min(half_width, half_height)
        over_x, over_y = dx - half_width + CORNER, dy - half_height + CORNER
        if over_x > 0 and over_y > 0:
            return hypot(over_x, over_y) - CORNER
        return max(over_x, over_y) - CORNER


def leaving(curve: Curve, outline: Outline) -> float:
    """The parameter at which the curve leaves the outline that holds its start; 1 if its end lies inside too."""
    count = len(curve.pieces)
    index = next((i for i, piece in enumerate(curve.pieces) if not outline.contains(piece.end)), None)
    if index is None:
        return 1.0
    at = curve.pieces[index].at
    return (index + _zero(lambda t: outline.beyond(at(t)), 0.0, 1.0, EXACT)) / count


def arriving(curve: Curve, outline: Outline) -> float:
    """The parameter at which the curve enters the outline that holds its end."""
    return 1.0 - leaving(curve.turned(), outline)


def along(curve: Curve, t: float, distance: float, *, towards: float) -> float | None:
    """The parameter at about this straight-line distance from the point at `t`; None where `towards` comes before."""
    tip = curve.at(t)
    if dist(curve.at(towards), tip) <= distance:
        return None
    return _zero(lambda u: dist(curve.at(u), tip) - distance, t, towards, ROUGH)


@dataclass(frozen=True)
class Ends:
    """Where on a curve the tips of its two marks are, and where the line between them begins and ends."""

    first_tip: float
    first_base: float
    second_base: float
    second_tip: float
    scale: float = 1.0  # of the marks, smaller where there is little room


def find_ends(curve: Curve, outlines: tuple[Outline, Outline], depths: tuple[float, float]) -> Ends | None:
    """The ends of a curve between two nodes whose marks are so deep; None where there is no room for both."""
    low, high = leaving(curve, outlines[0]), arriving(curve, outlines[1])
    if low >= high:
        return None
    for scale in SCALES:
        first = along(curve, low, scale * depths[0], towards=high)
        second = along(curve, high, scale * depths[1], towards=low)
        if first is not None and second is not None and first < second:
            return Ends(low, first, second, high, scale)
    return None


def loop_over(first: Outline, second: Outline) -> Curve:
    """A way from one node up, across and down to the other, for nodes without room between them."""
    top = min(outline.y - outline.height / 2 for outline in (first, second)) - LOOP_RISE
    apart = max(LOOP_WIDTH - abs(second.x - first.x), 0.0) / 2 * (1 if second.x >= first.x else -1)
    corners = [(first.x - apart, top), (second.x + apart, top)]
    return rounded([(first.x, first.y), *corners, (second.x, second.y)], cut=LOOP_CUT)


def _zero(function: Callable[[float], float], low: float, high: float, within: float) -> float:
    """Where a function that is not positive at one end and positive at the other is about 0: false position, where an
    end that stays counts half each time (the Illinois rule), so that the other one does not creep.
    """
    at_low, at_high = function(low), function(high)
    last, middle = 0.0, low
    for _ in range(_MOST_STEPS):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = function(middle)
        if abs(value) <= within:
            break
        if value > 0:
            high, at_high = middle, value
            at_low *= 0.5 if last > 0 else 1.0
        else:
            low, at_low = middle, value
            at_high *= 0.5 if last < 0 else 1.0
        last = value
    return middle


def obstacle_boxes(outlines: Sequence[Outline]) -> FloatArray:
    """Left, top, right, bottom of each outline, (n, 4)."""
    boxes = [(o.x - o.width / 2, o.y - o.height / 2, o.x + o.width / 2, o.y + o.height / 2) for o in outlines]
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)
