"""Where the latents of a DAG are drawn when the places of its observed nodes are given."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_gui.drawing.content.graph_drawing import Positions
from latconf_gui.drawing.geometry.free_places import nearest_free_place

GAP = 26.0  # between a latent and any other node: room for its arrows to be seen


def with_latents(
    dag: LatentDag, positions: Positions, sizes: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """The positions, and one for each latent: above its children, as near to their middle as no other node stands.

    sizes : width and height of every node, latents included
    """
    placed = {name: positions[name] for name in dag.nodes if name in positions}
    for latent in _lower_first(dag):
        children = [child for child in latent.children if child in placed]
        if children:
            middle = float(np.mean([placed[child][0] for child in children]))
            top = min(placed[child][1] - sizes[child][1] / 2 for child in children)
            wanted = (middle, top - GAP - sizes[latent.name][1] / 2)
            placed[latent.name] = nearest_free_place(
                wanted, sizes[latent.name], placed, sizes=sizes, gap=GAP, is_above=True
            )
    return placed


def _lower_first(dag: LatentDag) -> list[Latent]:
    """The latents in their order, but each after those below it, which its own place depends on."""
    by_name = {latent.name: latent for latent in dag.latents}
    lowest: dict[str, Latent] = {}

    def add(latent: Latent) -> None:
        for child in latent.children:
            if child in by_name:
                add(by_name[child])
        lowest.setdefault(latent.name, latent)

    for latent in dag.latents:
        add(latent)
    return list(lowest.values())
