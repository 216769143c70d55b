"""Where a node can stand without touching another; plain numbers, no Qt."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from latconf_gui.drawing.content.graph_drawing import Positions

NEW_NODE_GAP = 10.0  # between a new node and those that are there; less than any layout leaves
RING = 18.0  # from one ring of places that are tried to the next
N_RINGS, N_ANGLES = 40, 16

Place = tuple[float, float]
Sizes = Mapping[str, Place]


def nearest_free_place(
    wanted: Place, size: Place, placed: Positions, *, sizes: Sizes, gap: float, is_above: bool = False
) -> Place:
    """The place nearest to the wanted one where no other node stands; the wanted one where there is none.

    is_above : only places that are not lower than the wanted one
    """
    if not placed:
        return wanted
    centres = np.array(list(placed.values()))
    apart = (np.array([sizes[name] for name in placed]) + np.array(size)) / 2 + gap
    tried = np.array(wanted) + (_RINGS[_RINGS[:, 1] <= 1e-9] if is_above else _RINGS)  # nearest first
    overlaps = (np.abs(tried[:, None, :] - centres) < apart).all(axis=2).any(axis=1)
    chosen = tried[int(np.argmin(overlaps))]
    return float(chosen[0]), float(chosen[1])


def place_beside(new: Positions, kept: Positions, sizes: Sizes) -> dict[str, Place]:
    """The new places, each moved to free ground where another node stands already."""
    placed, moved = dict(kept), dict[str, Place]()
    for name, wanted in new.items():
        moved[name] = nearest_free_place(wanted, sizes[name], placed, sizes=sizes, gap=NEW_NODE_GAP)
        placed[name] = moved[name]
    return moved


def _rings() -> np.ndarray:
    angles = np.arange(N_ANGLES) * (2 * np.pi / N_ANGLES) - np.pi / 2  # upwards first: causes stand above
    ring = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    return np.concatenate([np.zeros((1, 2)), *(RING * (i + 1) * ring for i in range(N_RINGS))])


_RINGS = _rings()
