"""Rows of boxes, causes above effects: how they fill a room without leaving their rows, and how many lines cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import BoolArray, FloatArray, IndexArray

MOST_STRETCH = 1.6  # lines of a small graph do not become longer than this to fill a large room
TIGHTNESS = (1.0, 0.85, 0.7, 0.6)  # of the gap, where the room is small
MOST_GROWTH = 1.9  # of the labels that a small graph leaves room for: then lines stay short instead of filling it
MOST_PARTS = 3  # of a row that is too wide: its boxes alternate between this many heights
SAME_HEIGHT = 1.0
STEEPEST = 3.0  # times the gap downwards: rows are not moved further apart than this to fill the room

Edges = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Rows:
    """Boxes in rows from the top downwards, each from left to right; `sizes` and `wanted` belong to all boxes."""

    rows: tuple[IndexArray, ...]
    sizes: FloatArray
    wanted: FloatArray  # (n,) where each box would like to be sideways


def rows_of(heights: FloatArray) -> list[IndexArray]:
    """Which boxes stand at the same height, from the top downwards."""
    order = np.argsort(heights, kind="stable")
    breaks = np.flatnonzero(np.diff(heights[order]) > SAME_HEIGHT) + 1
    return list(np.split(order, breaks))


def fit_rows(
    centres: FloatArray, sizes: FloatArray, *, room: tuple[float, float], gap: tuple[float, float]
) -> FloatArray:
    """The centres spread over the room, every box in its row and in its order; a row too wide becomes two or three.

    Where the room is too small, what needs least more than there is.

    centres, sizes : (n, 2)
    """
    rows = [row[np.argsort(centres[row, 0], kind="stable")] for row in rows_of(centres[:, 1])]
    extent = _extent(_place(Rows(tuple(rows), sizes, centres[:, 0]), (0.0, 0.0), gap), sizes)
    growth = min(max(float((np.array(room) / extent).min()), 1.0), MOST_GROWTH)
    room = (room[0] / growth, room[1] / growth)
    best, least = centres, np.inf
    for n_parts in range(1, MOST_PARTS + 1):
        parted = _part_wide(rows, sizes, width=room[0], n_parts=n_parts)
        for tightness in TIGHTNESS:
            near = (gap[0] * tightness, gap[1] * tightness)
            fitted = _place(Rows(parted, sizes, centres[:, 0]), room, near)
            excess = float((_extent(fitted, sizes) / np.array(room)).max())
            if excess < least - 1e-6:
                best, least = fitted, excess
            if excess <= 1:
                return fitted
    return best


def _extent(centres: FloatArray, sizes: FloatArray) -> FloatArray:
    """Width and height of what the boxes fill together."""
    extent: FloatArray = (centres + sizes / 2).max(axis=0) - (centres - sizes / 2).min(axis=0)
    return extent


def _part_wide(rows: Sequence[IndexArray], sizes: FloatArray, *, width: float, n_parts: int) -> tuple[IndexArray, ...]:
    """The rows, those that are wider than the room each as several."""
    parted: list[IndexArray] = []
    for row in rows:
        is_wide = sizes[row, 0].sum() > width * 0.8
        parted += [row[part::n_parts] for part in range(n_parts)] if is_wide and len(row) >= n_parts else [row]
    return tuple(parted)


def _place(rows: Rows, room: tuple[float, float], gap: tuple[float, float]) -> FloatArray:
    """The centres of all boxes of these rows."""
    low, high = rows.wanted.min(), rows.wanted.max()
    free = room[0] - float(rows.sizes[:, 0].max())
    factor = min(max(free, 0.0) / (high - low), MOST_STRETCH) if high > low else 1.0
    wanted = (rows.wanted - (low + high) / 2) * factor
    placed = np.zeros_like(rows.sizes)
    for row, height in zip(rows.rows, _heights(rows, room[1], gap[1])):
        widths = rows.sizes[row, 0]
        placed[row, 0] = spread_in_row(wanted[row], (widths[:-1] + widths[1:]) / 2 + gap[0])
        placed[row, 1] = height
    return placed


def _heights(rows: Rows, room: float, gap: float) -> FloatArray:
    """The middle of each row, from 0 downwards, further apart where there is room."""
    tall = np.array([rows.sizes[row, 1].max() for row in rows.rows])
    steps = (tall[:-1] + tall[1:]) / 2
    n_gaps = max(len(steps), 1)
    wide = (room - (tall[0] + tall[-1]) / 2 - float(steps.sum())) / n_gaps
    heights: FloatArray = np.concatenate([[0.0], np.cumsum(steps + min(max(wide, gap), gap * STEEPEST))])
    return heights


def spread_in_row(wanted: FloatArray, apart: FloatArray) -> FloatArray:
    """The places nearest to those wanted, by squares, that are in this order and at least so far apart.

    apart : (n - 1,) between neighbours
    """
    before = np.concatenate([[0.0], np.cumsum(apart)])
    blocks: list[tuple[float, int]] = []  # mean and number of those that touch: monotone regression, pooled
    for value in wanted - before:
        mean, count = float(value), 1
        while blocks and blocks[-1][0] > mean:
            other, n_others = blocks.pop()
            mean, count = (mean * count + other * n_others) / (count + n_others), count + n_others
        blocks.append((mean, count))
    placed: FloatArray = np.repeat([mean for mean, _ in blocks], [count for _, count in blocks]) + before
    return placed


def count_crossings(centres: FloatArray, edges: Edges, sizes: FloatArray | None = None) -> int:
    """How many pairs of straight lines cross, and with `sizes` how many boxes lines pass through, too."""
    ends = np.array(edges, dtype=np.intp).reshape(-1, 2)
    first, second = np.triu_indices(len(ends), 1)
    a, b = ends[first], ends[second]
    is_apart = ~(a[:, :, None] == b[:, None, :]).any(axis=(1, 2))
    a, b = a[is_apart], b[is_apart]
    start, end, other, last = centres[a[:, 0]], centres[a[:, 1]], centres[b[:, 0]], centres[b[:, 1]]
    crosses = (_side(start, end, other) * _side(start, end, last) < 0) & (
        _side(other, last, start) * _side(other, last, end) < 0
    )
    return int(crosses.sum()) + (0 if sizes is None else _count_passed(centres, ends, sizes))


def _side(start: FloatArray, end: FloatArray, point: FloatArray) -> FloatArray:
    """On which side of lines points are, by sign."""
    along, towards = end - start, point - start
    side: FloatArray = along[..., 0] * towards[..., 1] - along[..., 1] * towards[..., 0]
    return side


def _count_passed(centres: FloatArray, ends: IndexArray, sizes: FloatArray) -> int:
    """How often a straight line passes through a box that is not its own: a part of it lies inside on both axes."""
    start, along = centres[ends[:, 0]][:, None], (centres[ends[:, 1]] - centres[ends[:, 0]])[:, None]
    along = np.where(np.abs(along) < 1e-9, 1e-9, along)
    enter, leave = ((centres - sizes / 2)[None] - start) / along, ((centres + sizes / 2)[None] - start) / along
    first, last = np.minimum(enter, leave).max(axis=2), np.maximum(enter, leave).min(axis=2)
    passes: BoolArray = (np.maximum(first, 0.0) < np.minimum(last, 1.0)) & ~_is_end(ends, len(centres))
    return int(passes.sum())


def _is_end(ends: IndexArray, n_boxes: int) -> BoolArray:
    """Which box is an end of which line, (n_lines, n_boxes)."""
    boxes = np.arange(n_boxes)[None]
    is_end: BoolArray = (boxes == ends[:, :1]) | (boxes == ends[:, 1:])
    return is_end


def lessen_crossings(centres: FloatArray, edges: Edges, sizes: FloatArray, *, n_rounds: int = 4) -> FloatArray:
    """The centres after neighbours in a row have changed places wherever fewer lines cross or pass through boxes."""
    best, least = centres.copy(), count_crossings(centres, edges, sizes)
    for _ in range(n_rounds):
        before = least
        for row in rows_of(best[:, 1]):
            for left in range(len(row) - 1):
                order = row[np.argsort(best[row, 0], kind="stable")]
                pair = order[left : left + 2]
                tried = best.copy()
                tried[pair, 0] = _swapped(best[pair, 0], sizes[pair, 0])
                count = count_crossings(tried, edges, sizes)
                if count < least:
                    best, least = tried, count
        if least == before:
            break
    return best


def _swapped(across: FloatArray, widths: FloatArray) -> FloatArray:
    """The middles of two neighbours that have changed places within the width that both take."""
    left, right = across[0] - widths[0] / 2, across[1] + widths[1] / 2
    return np.array([right - widths[0] / 2, left + widths[1] / 2])
