"""Where the latents of a DAG are drawn when the places of its observed nodes are given."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from latconf_core.dag.latent_dag import LatentDag
from latconf_gui.drawing.graph_drawing import Positions

GAP = 26.0  # between a latent and any other node: room for its arrows to be seen
RING = 18.0  # from one ring of places that are tried to the next
N_RINGS, N_ANGLES = 40, 16


def with_latents(
    dag: LatentDag, positions: Positions, sizes: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """The positions, and one for each latent: as near to the middle of its children as no other node stands.

    sizes : width and height of every node, latents included
    """
    placed = {name: positions[name] for name in dag.nodes if name in positions}
    for latent in dag.latents:
        children = [placed[child] for child in latent.children if child in placed]
        if children:
            middle = np.mean(children, axis=0)
            placed[latent.name] = _free_place(middle, sizes[latent.name], placed, sizes)
    return placed


def _free_place(
    middle: np.ndarray,
    size: tuple[float, float],
    placed: Positions,
    sizes: Mapping[str, tuple[float, float]],
) -> tuple[float, float]:
    centres = np.array(list(placed.values()))
    apart = (np.array([sizes[name] for name in placed]) + np.array(size)) / 2 + GAP
    tried = middle + _RINGS  # nearest first
    overlaps = (np.abs(tried[:, None, :] - centres) < apart).all(axis=2).any(axis=1)
    chosen = tried[int(np.argmin(overlaps))]  # the first that is free, or the middle where none is
    return float(chosen[0]), float(chosen[1])


def _rings() -> np.ndarray:
    angles = np.arange(N_ANGLES) * (2 * np.pi / N_ANGLES) - np.pi / 2  # upwards first: causes stand above
    ring = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    return np.concatenate([np.zeros((1, 2)), *(RING * (i + 1) * ring for i in range(N_RINGS))])


_RINGS = _rings()
