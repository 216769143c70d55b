"""Two graphs in one picture: the drawing of an overlay, of either side of it alone, and of what differs."""

from __future__ import annotations

from typing import Literal

from latconf_core.comparison.differences import EdgeDifference
from latconf_core.comparison.overlay import Overlay, OverlayLatent
from latconf_core.graph.marks import Edge
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnEdge, DrawnNode
from latconf_gui.look.sides import Side

Face = Literal["overlay", "A", "B"]
_SIDES = {"only in A": Side.ONLY_A, "only in B": Side.ONLY_B, "other marks": Side.BOTH}


def drawing_of_overlay(overlay: Overlay, names: tuple[str, str], *, differences_only: bool = False) -> Drawing:
    """Both graphs: what they share grey, what one alone has in its colour; `differences_only` fades the rest."""
    odd = {name for one in overlay.differences for name in one.nodes}
    odd |= {one.name for one in overlay.other_latents}
    nodes = [DrawnNode(name, side=Side.BOTH, is_faded=differences_only and name not in odd) for name in overlay.nodes]
    nodes += [_latent_node(one, is_faded=differences_only and one.name not in odd) for one in overlay.latents]
    edges = [DrawnEdge(edge, side=Side.BOTH, is_faded=differences_only) for edge in overlay.common]
    edges += [_odd_edge(one) for one in overlay.differences]
    return Drawing(tuple(nodes), tuple(edges), is_dag=overlay.is_dag, overlaid=names)


def drawing_of_side(overlay: Overlay, side: Literal["A", "B"]) -> Drawing:
    """One of the two graphs alone, under the names of the overlay."""
    graph = overlay.a if side == "A" else overlay.b
    own = {one.name: one.pair.a if side == "A" else one.pair.b for one in overlay.latents}
    nodes = [DrawnNode(name) for name in overlay.nodes]
    nodes += [
        DrawnNode(name, is_latent=True, note=f"{latent.n_states} states")
        for name, latent in own.items()
        if latent is not None
    ]
    edges = [DrawnEdge(edge, bool({edge.first, edge.second} & set(own))) for edge in graph.edges()]
    return Drawing(tuple(nodes), tuple(edges), is_dag=overlay.is_dag)


def _latent_node(latent: OverlayLatent, *, is_faded: bool) -> DrawnNode:
    pair = latent.pair
    side = Side.ONLY_A if pair.b is None else Side.ONLY_B if pair.a is None else Side.BOTH
    note = f"{latent.states} states"
    if side != Side.BOTH:
        note = f"only in {side.value}: {note}"
    return DrawnNode(latent.name, is_latent=True, note=note, side=side, is_faded=is_faded)


def _odd_edge(difference: EdgeDifference) -> DrawnEdge:
    edge: Edge | None = difference.b or difference.a
    assert edge is not None, "one of the two has an edge"
    other = difference.a if difference.kind == "other marks" else None
    return DrawnEdge(edge, side=_SIDES[difference.kind], other=other)
