"""Moves boxes apart until none intersect, and stretches a layout to the shape of its frame."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import FloatArray

Pairs = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]

GROWTH = 1.04  # of all distances, when pushing alone does not make room
PUSHES = {False: 40, True: 12}  # between two growths, in a small and in a large graph
LARGE = 60
SLACK = 0.01  # pushed a little further than touching, so that rounding cannot bring boxes together again


def stretch(centres: FloatArray, frame: tuple[float, float], *, at_most: float = np.inf) -> FloatArray:
    """The centres scaled, each axis by itself and at most by a factor, to fill a frame around the origin.

    centres : (n, 2)
    """
    low, high = centres.min(axis=0), centres.max(axis=0)
    extent = high - low
    middle = (low + high) / 2
    factor = np.where(extent > 0, np.asarray(frame) / np.where(extent > 0, extent, 1.0), 1.0)
    moved: FloatArray = (centres - middle) * np.minimum(factor, at_most)
    return moved


def remove_overlaps(centres: FloatArray, sizes: FloatArray, *, gap: tuple[float, float]) -> FloatArray:
    """The centres moved as little as needed for every two boxes to be at least `gap` apart.

    centres, sizes : (n, 2); two boxes are apart when they are so on one axis.
    """
    moved: FloatArray = _distinct(centres.astype(np.float64))
    first, second = np.triu_indices(len(moved), 1)
    needed = (sizes[first] + sizes[second]) / 2 + np.asarray(gap)  # (n_pairs, 2)
    while True:
        for _ in range(PUSHES[len(moved) > LARGE]):
            apart = moved[first] - moved[second]
            overlap = needed - np.abs(apart)
            meets = np.flatnonzero((overlap[:, 0] > SLACK / 2) & (overlap[:, 1] > SLACK / 2))
            if not meets.size:
                return moved
            _push(moved, (first[meets], second[meets]), apart[meets], overlap[meets])
        moved *= GROWTH


def _distinct(centres: FloatArray) -> FloatArray:
    """No two centres in the same place: a small, fixed spiral added to each."""
    turn = np.arange(len(centres)) * 2.399963  # the golden angle spreads points evenly
    radius = 1e-3 * (1 + np.arange(len(centres)))
    moved: FloatArray = centres + np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    return moved


def _push(moved: FloatArray, pairs: Pairs, apart: FloatArray, overlap: FloatArray) -> None:
    """Move intersecting boxes away from each other, along the axis of the smaller overlap.

    A box pushed by many goes less far for each of them.
    """
    axis = np.where(overlap[:, 0] <= overlap[:, 1], 0, 1)
    along = np.arange(len(axis)), axis
    step = np.where(apart[along] < 0, -1.0, 1.0) * (overlap[along] + SLACK) / 2
    for side in (0, 1):
        chosen = axis == side
        towards, away = pairs[0][chosen], pairs[1][chosen]
        total = np.bincount(towards, step[chosen], len(moved)) - np.bincount(away, step[chosen], len(moved))
        crowd = np.bincount(towards, minlength=len(moved)) + np.bincount(away, minlength=len(moved))
        moved[:, side] += total / np.sqrt(np.maximum(crowd, 1))
