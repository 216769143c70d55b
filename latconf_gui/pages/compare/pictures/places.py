"""Where nodes stand: the same place in every picture of the page, so that a flip shows nothing but the difference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latconf_core.comparison.overlay import Overlay
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnNode, Positions
from latconf_gui.drawing.geometry.free_places import nearest_free_place
from latconf_gui.drawing.geometry.latent_places import GAP
from latconf_gui.drawing.items.node_item import node_size

Place = tuple[float, float]


class Places:
    """Of observed nodes as the document or a layout has them; latents above their children, kept by their children."""

    def __init__(self) -> None:
        self._laid_out: dict[str, Place] = {}
        self._latents: dict[tuple[str, ...], Place] = {}
        self._base: dict[str, Place] = {}

    def use(self, positions: Positions) -> None:
        """The places of the document, which win over those of a layout."""
        base = {**self._laid_out, **positions}
        if base != self._base:
            self._base = base
            self._latents.clear()

    def take_layout(self, positions: Positions) -> None:
        """Places for nodes that the document has none for."""
        self._laid_out = dict(positions)
        self._latents.clear()
        self._base = {**self._base, **positions}

    def forget(self) -> None:
        """Another document."""
        self._laid_out, self._latents, self._base = {}, {}, {}

    def lacks(self, nodes: Sequence[str]) -> bool:
        """Whether some have no place yet."""
        return any(name not in self._base for name in nodes)

    def of(self, overlay: Overlay, drawing: Drawing) -> dict[str, Place]:
        """The centre of every node of a drawing of an overlay."""
        placed = {name: self._base[name] for name in overlay.nodes if name in self._base}
        sizes = {name: node_size(DrawnNode(name)) for name in overlay.nodes}
        shown = {node.name for node in drawing.nodes}
        sizes |= {
            overlay_latent.name: _largest(overlay_latent.name)
            for overlay_latent in overlay.latents
            if overlay_latent.name in shown
        }
        latent_names = {
            tuple(sorted(overlay_latent.children)): overlay_latent.name for overlay_latent in overlay.latents
        }
        for key, spot in self._latents.items():  # others keep their ground, too
            if key in latent_names:
                placed[latent_names[key]] = spot
        for hidden in overlay.latents:
            key = tuple(sorted(hidden.children))
            children = [child for child in hidden.children if child in placed]
            if hidden.name in placed or hidden.name not in sizes or not children:
                continue
            placed[hidden.name] = self._latents[key] = _above(children, hidden.name, placed, sizes)
        return placed


def _largest(name: str) -> Place:
    """The size of an ellipse with the longest note that it may get, so that none has to move for another note."""
    return node_size(DrawnNode(name, is_latent=True, note="only in A: 10 states"))


def _above(children: Sequence[str], name: str, placed: Positions, sizes: dict[str, Place]) -> Place:
    """Free ground over the middle of the children."""
    known = {node: spot for node, spot in placed.items() if node in sizes}
    middle = float(np.mean([placed[child][0] for child in children]))
    top = min(placed[child][1] - sizes[child][1] / 2 for child in children)
    wanted = (middle, top - GAP - sizes[name][1] / 2)
    return nearest_free_place(wanted, sizes[name], known, sizes=sizes, gap=GAP, is_above=True)
