"""Moves boxes apart until none intersect, and stretches a layout to the shape of its frame."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

GROWTH = 1.04  # of all distances, when pushing alone does not make room
PUSHES = 40  # between two growths
SLACK = 0.01  # pushed a little further than touching, so that rounding cannot bring boxes together again


def stretched(centres: FloatArray, frame: tuple[float, float], *, at_most: float = np.inf) -> FloatArray:
    """The centres scaled, each axis by itself and at most by a factor, to fill a frame around the origin.

    centres : (n, 2)
    """
    low, high = centres.min(axis=0), centres.max(axis=0)
    extent = high - low
    middle = (low + high) / 2
    factor = np.where(extent > 0, np.asarray(frame) / np.where(extent > 0, extent, 1.0), 1.0)
    moved: FloatArray = (centres - middle) * np.minimum(factor, at_most)
    return moved


def without_overlaps(centres: FloatArray, sizes: FloatArray, *, gap: tuple[float, float]) -> FloatArray:
    """The centres moved as little as needed for every two boxes to be at least `gap` apart.

    centres, sizes : (n, 2); two boxes are apart when they are so on one axis.
    """
    moved: FloatArray = _distinct(centres.astype(np.float64))
    needed = (sizes[:, None, :] + sizes[None, :, :]) / 2 + np.asarray(gap)
    while True:
        for _ in range(PUSHES):
            push = _push(moved, needed)
            if push is None:
                return moved
            moved += push
        moved *= GROWTH


def _distinct(centres: FloatArray) -> FloatArray:
    """No two centres in the same place: a small, fixed spiral added to each."""
    turn = np.arange(len(centres)) * 2.399963  # the golden angle spreads points evenly
    radius = 1e-3 * (1 + np.arange(len(centres)))
    moved: FloatArray = centres + np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    return moved


def _push(centres: FloatArray, needed: FloatArray) -> FloatArray | None:
    """How far each box goes away from those it intersects, along the axis of the smaller overlap."""
    apart = centres[:, None, :] - centres[None, :, :]
    overlap = needed - np.abs(apart)
    np.einsum("iij->ij", overlap)[:] = -1.0
    meets = np.logical_and(overlap[:, :, 0] > SLACK / 2, overlap[:, :, 1] > SLACK / 2)
    if not meets.any():
        return None
    sideways = np.less_equal(overlap[:, :, 0], overlap[:, :, 1])
    along = np.stack([sideways, np.logical_not(sideways)], axis=2) & meets[:, :, None]
    steps = np.where(along, np.sign(apart) * (overlap + SLACK) / 2, 0.0)
    crowd = np.maximum(along.sum(axis=1), 1)
    total: FloatArray = steps.sum(axis=1) / np.sqrt(crowd)  # a box pushed by many goes less far for each
    return total
