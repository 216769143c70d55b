"""How an edge finds its way past nodes that are not its own; plain numbers, no Qt."""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np
import numpy.typing as npt

from latconf_gui.graphics.curves import Curve, FloatArray, Point, bent, rounded

CLEARANCE, LEAST_CLEARANCE = 5.0, 1.0  # between an edge and the boxes it passes
GENTLE = tuple(side * bend for bend in (0.06, 0.12, 0.18) for side in (1, -1))  # of the edge's length
STRONG = tuple(side * bend for bend in (0.25, 0.32, 0.4, 0.5, 0.65) for side in (1, -1))
MOST_OBSTACLES = 200  # in a larger graph every line crosses many others anyway, and ways around cost time
DETOUR = 1.6  # times the straight length, and some pixels more: longer ways round are not looked for
DETOUR_PIXELS = 120.0
REACH = 2.0  # the same for every way that is looked at, strong bends among them
CORNER_DISTANCE, CORNER_CUT = 6.0, 4.0  # a way round turns so far from a corner of a box, and comes so much nearer
TURN_COST = 12.0  # pixels: what a turn may save to be worth making
_ALMOST = 0.5  # a line along a box at the distance of its corners does not meet it


def within_reach(start: Point, end: Point, obstacles: FloatArray) -> FloatArray:
    """The obstacles that some way between two points can come near; none in a large graph, whose edges are straight."""
    if len(obstacles) > MOST_OBSTACLES:
        return obstacles[:0]
    centres, sizes = (obstacles[:, :2] + obstacles[:, 2:]) / 2, obstacles[:, 2:] - obstacles[:, :2]
    length = np.hypot(*(centres - np.array(start)).T) + np.hypot(*(centres - np.array(end)).T) - np.hypot(*sizes.T)
    longest = REACH * float(np.hypot(end[0] - start[0], end[1] - start[1])) + DETOUR_PIXELS
    near: FloatArray = obstacles[length < longest]
    return near


def route(start: Point, end: Point, obstacles: FloatArray) -> Curve:
    """The straightest line that passes every obstacle: straight, a gentle bend, the shortest way round, a strong bend.

    Where there is none, as where boxes overlap, the bend that meets fewest.

    obstacles : (n, 4) left, top, right, bottom
    """
    straight = bent(start, end, 0.0)
    if not _n_met(straight, obstacles, CLEARANCE):
        return straight
    gentle, strong = ([bent(start, end, bend) for bend in bends] for bends in (GENTLE, STRONG))
    way = next((curve for curve in gentle if not _n_met(curve, obstacles, CLEARANCE)), None)
    way = way or _way_round(start, end, obstacles)
    return way or min((straight, *gentle, *strong), key=lambda curve: _n_met(curve, obstacles, LEAST_CLEARANCE))


def _n_met(curve: Curve, obstacles: FloatArray, clearance: float) -> int:
    points = curve.points()
    low, high = points.min(axis=0) - clearance, points.max(axis=0) + clearance
    near = (obstacles[:, 2:] > low).all(axis=1) & (obstacles[:, :2] < high).all(axis=1)
    if not near.any():
        return 0
    obstacles, points = obstacles[near], points[:, None, :]
    inside = (points > obstacles[None, :, :2] - clearance) & (points < obstacles[None, :, 2:] + clearance)
    return int(inside.all(axis=2).any(axis=0).sum())


def _way_round(start: Point, end: Point, obstacles: FloatArray) -> Curve | None:
    """The shortest way from corner to corner of the obstacles, with round turns; None where all are closed."""
    places, longest = _places(start, end, obstacles)
    walls = obstacles + (CORNER_DISTANCE - _ALMOST) * np.array((-1.0, -1.0, 1.0, 1.0))
    path = _shortest_path(places, walls, longest)
    return None if path is None else rounded([(float(x), float(y)) for x, y in places[path]], cut=CORNER_CUT)


def _places(start: Point, end: Point, obstacles: FloatArray) -> tuple[FloatArray, float]:
    """Start, end, and the corners at which a way not too long may turn, (n, 2); and how long it may be."""
    left, top, right, bottom = (obstacles + CORNER_DISTANCE * np.array((-1.0, -1.0, 1.0, 1.0))).T
    corners = np.stack((np.concatenate((left, right, left, right)), np.concatenate((top, top, bottom, bottom))), axis=1)
    first, last = np.array(start), np.array(end)
    longest = DETOUR * float(np.hypot(*(last - first))) + DETOUR_PIXELS
    length = np.hypot(*(corners - first).T) + np.hypot(*(corners - last).T)
    return np.concatenate(([first, last], corners[length < longest])), longest


def _shortest_path(places: FloatArray, walls: FloatArray, longest: float) -> list[int] | None:
    """The shortest path from place 0 to place 1 that crosses no wall (A*), as positions in `places`."""
    to_end = np.hypot(*(places - places[1]).T)
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
        through = best[here] + np.hypot(*(places - places[here]).T) + TURN_COST
        closer = np.flatnonzero((through < best) & ~is_done)
        for there in closer[_is_free(places[here], places[closer], walls)]:
            best[there], before[there] = through[there], here
            heapq.heappush(queue, (float(through[there] + to_end[there]), next(tie), int(there)))
    return None


def _traced(before: npt.NDArray[np.intp]) -> list[int]:
    path = [1]
    while path[-1] != 0:
        path.append(int(before[path[-1]]))
    return path[::-1]


def _is_free(start: FloatArray, ends: FloatArray, walls: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether the line from the start to each end crosses no wall, (n_ends,)."""
    step = (ends - start)[:, None, :]
    step = np.where(np.abs(step) < 1e-9, 1e-9, step)
    low, high = (walls[None, :, :2] - start) / step, (walls[None, :, 2:] - start) / step
    enters = np.maximum(np.minimum(low, high).max(axis=2), 0.0)
    leaves = np.minimum(np.maximum(low, high).min(axis=2), 1.0)
    free: npt.NDArray[np.bool_] = (enters >= leaves).all(axis=1)
    return free
