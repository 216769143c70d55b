"""How an edge finds its way past nodes that are not its own; plain numbers, no Qt."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from math import hypot

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import BoolArray, FloatArray, IndexArray
from latconf_gui.drawing.geometry.curves import Curve, Point, bent, rounded

CLEARANCE, LEAST_CLEARANCE = 5.0, 1.0  # between an edge and the boxes it passes
STRAIGHT = (0.0,)
GENTLE = tuple(side * bend for bend in (0.06, 0.12, 0.18) for side in (1, -1))  # of the edge's length
STRONG = tuple(side * bend for bend in (0.25, 0.32, 0.4, 0.5, 0.65) for side in (1, -1))
MOST_OBSTACLES = 200  # in a larger graph every line crosses many others anyway, and ways around cost time
DETOUR = 1.6  # times the straight length, and some pixels more: longer ways round are not looked for
DETOUR_PIXELS = 120.0
REACH = 2.0  # the same for every way that is looked at, strong bends among them
CORNER_DISTANCE, CORNER_CUT = 6.0, 4.0  # a way round turns so far from a corner of a box, and comes so much nearer
TURN_COST = 12.0  # pixels: what a turn may save to be worth making
_ALONG = np.linspace(0.02, 0.98, 49)  # where a line is looked at
_ASIDE = 4 * _ALONG * (1 - _ALONG)  # how far a bent line has gone to its side there, of what it goes in its middle
_SHARES = np.stack(((1 - _ALONG) ** 2, 2 * _ALONG * (1 - _ALONG), _ALONG**2), axis=1)  # of a curve's three points there
_ALMOST = 0.5  # a line along a box at the distance of its corners does not meet it
_ROUTES_KEPT = 2048  # edges come and go between nodes that stay; the obstacles of one take about a kilobyte


def route(start: Point, end: Point, obstacles: FloatArray, *, passing: BoolArray | None = None) -> Curve:
    """The straightest line that passes every obstacle: straight, a gentle bend, the shortest way round, a strong bend.

    Where there is none, as where boxes overlap, the bend that meets fewest.

    obstacles : (n, 4) left, top, right, bottom
    passing : (n,) which of them come and go while the others stay: a way past the others that passes these, too, is
        taken as it is. More obstacles make no way straighter, so nothing else would be found, and it is known already
    """
    near = within_reach(start, end, obstacles)
    if passing is not None and passing.any():
        way = _route_past(start, end, obstacles[near & ~passing].tobytes())
        if not _meets(way, obstacles[near & passing]):
            return way
    return _route_past(start, end, obstacles[near].tobytes())


def within_reach(start: Point, end: Point, obstacles: FloatArray) -> BoolArray:
    """Which obstacles some way between two points can come near, (n,); none in a large graph, of straight edges."""
    if len(obstacles) > MOST_OBSTACLES:
        return np.zeros(len(obstacles), dtype=np.bool_)
    left, top, right, bottom = obstacles.T
    x, y = (left + right) / 2, (top + bottom) / 2
    length = np.hypot(x - start[0], y - start[1]) + np.hypot(x - end[0], y - end[1])
    length -= np.hypot(right - left, bottom - top)
    near: BoolArray = length < REACH * hypot(end[0] - start[0], end[1] - start[1]) + DETOUR_PIXELS
    return near


@lru_cache(maxsize=_ROUTES_KEPT)
def _route_past(start: Point, end: Point, boxes: bytes) -> Curve:
    obstacles = np.frombuffer(boxes, dtype=np.float64).reshape(-1, 4)
    if not _n_met(start, end, STRAIGHT, obstacles, CLEARANCE)[0]:
        return bent(start, end, 0.0)
    is_free = _n_met(start, end, GENTLE, obstacles, CLEARANCE) == 0
    if is_free.any():
        return bent(start, end, GENTLE[int(is_free.argmax())])
    way = _way_round(start, end, obstacles)
    if way is not None:
        return way
    bends = (*STRAIGHT, *GENTLE, *STRONG)
    return bent(start, end, bends[int(_n_met(start, end, bends, obstacles, LEAST_CLEARANCE).argmin())])


def _meets(curve: Curve, obstacles: FloatArray) -> bool:
    """Whether a line comes nearer to an obstacle than the clearance."""
    if not len(obstacles):
        return False
    pieces = np.array([(piece.start, piece.control, piece.end) for piece in curve.pieces])
    x, y = (_SHARES @ pieces[:, :, axis].T for axis in (0, 1))  # (n_points, n_pieces)
    inside = x[..., None] > obstacles[:, 0] - CLEARANCE
    inside &= x[..., None] < obstacles[:, 2] + CLEARANCE
    inside &= y[..., None] > obstacles[:, 1] - CLEARANCE
    inside &= y[..., None] < obstacles[:, 3] + CLEARANCE
    return bool(inside.any())


def _n_met(start: Point, end: Point, bends: Sequence[float], obstacles: FloatArray, clearance: float) -> IndexArray:
    """How many obstacles a line of each bend comes nearer than the clearance, (n_bends,)."""
    (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
    aside = np.array(bends)[:, None] * _ASIDE  # (n_bends, n_points), in lengths of the line
    place_x, place_y = x + dx * _ALONG - dy * aside, y + dy * _ALONG + dx * aside
    inside = place_x[:, :, None] > obstacles[:, 0] - clearance
    inside &= place_x[:, :, None] < obstacles[:, 2] + clearance
    inside &= place_y[:, :, None] > obstacles[:, 1] - clearance
    inside &= place_y[:, :, None] < obstacles[:, 3] + clearance
    met: IndexArray = inside.any(axis=1).sum(axis=1)
    return met


def _way_round(start: Point, end: Point, obstacles: FloatArray) -> Curve | None:
    """The shortest way from corner to corner of the obstacles, with round turns; None where all are closed."""
    walls = obstacles + (CORNER_DISTANCE - _ALMOST) * np.array((-1.0, -1.0, 1.0, 1.0))
    places, longest = _places(start, end, obstacles, walls)
    path = _shortest_path(places, walls, longest)
    return None if path is None else rounded([(float(x), float(y)) for x, y in places[path]], cut=CORNER_CUT)


def _places(start: Point, end: Point, obstacles: FloatArray, walls: FloatArray) -> tuple[FloatArray, float]:
    """Start, end, and the corners at which a way not too long may turn, (n, 2); and how long it may be."""
    left, top, right, bottom = (obstacles + CORNER_DISTANCE * np.array((-1.0, -1.0, 1.0, 1.0))).T
    x, y = np.concatenate((left, right, left, right)), np.concatenate((top, top, bottom, bottom))
    longest = DETOUR * hypot(end[0] - start[0], end[1] - start[1]) + DETOUR_PIXELS
    length = np.hypot(x - start[0], y - start[1]) + np.hypot(x - end[0], y - end[1])
    inside = (x[:, None] > walls[:, 0]) & (x[:, None] < walls[:, 2])
    inside &= (y[:, None] > walls[:, 1]) & (y[:, None] < walls[:, 3])
    usable = (length < longest) & ~inside.any(axis=1)
    return np.concatenate(([start, end], np.stack((x[usable], y[usable]), axis=1))), longest


def _shortest_path(places: FloatArray, walls: FloatArray, longest: float) -> list[int] | None:
    """The shortest path from place 0 to place 1 that crosses no wall (A*), as positions in `places`."""
    x, y = places.T
    to_end = np.hypot(x - x[1], y - y[1])
    best = np.full(len(places), np.inf)
    best[0] = 0.0
    before = np.zeros(len(places), dtype=np.intp)
    tie = count()
    queue = [(float(to_end[0]), next(tie), 0)]
    is_done = np.zeros(len(places), dtype=np.bool_)
    while queue:
        estimate, _, here = heapq.heappop(queue)
        if estimate > longest:
            return None
        if here == 1:
            return _traced(before)
        if is_done[here]:
            continue
        is_done[here] = True
        through = best[here] + np.hypot(x - x[here], y - y[here]) + TURN_COST
        closer = np.flatnonzero((through < best) & (through + to_end <= longest) & ~is_done)
        for there in closer[_is_free(places[here], places[closer], walls)].tolist():
            best[there], before[there] = through[there], here
            heapq.heappush(queue, (float(through[there] + to_end[there]), next(tie), there))
    return None


def _traced(before: npt.NDArray[np.intp]) -> list[int]:
    path = [1]
    while path[-1] != 0:
        path.append(int(before[path[-1]]))
    return path[::-1]


def _is_free(start: FloatArray, ends: FloatArray, walls: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether the line from the start to each end crosses no wall, (n_ends,)."""
    step = ends - start
    step[np.abs(step) < 1e-9] = 1e-9
    enters, leaves = np.zeros((len(ends), len(walls))), np.ones((len(ends), len(walls)))
    for axis in (0, 1):
        along = step[:, axis, None]
        low, high = (walls[:, axis] - start[axis]) / along, (walls[:, 2 + axis] - start[axis]) / along
        np.maximum(enters, np.minimum(low, high), out=enters)
        np.minimum(leaves, np.maximum(low, high), out=leaves)
    free: npt.NDArray[np.bool_] = np.all(enters >= leaves, axis=1)
    return free
