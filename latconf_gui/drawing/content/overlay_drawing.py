"""Two graphs in one picture: the drawing of an overlay, of either side of it alone, and of what differs."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from latconf_core.comparison.differences import EdgeDifference
from latconf_core.comparison.overlay import Overlay, OverlayLatent
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.drawing.content.graph_drawing import (
    NO_SUPPORTS,
    Drawing,
    DrawnEdge,
    DrawnKind,
    DrawnNode,
    Supports,
    note_of,
)
from latconf_gui.look.sides import Side

Face = Literal["overlay", "A", "B"]
BothSupports = tuple[Supports, Supports]  # of the arrows of A and of B, by the names of the overlay
NO_SUPPORT: BothSupports = (NO_SUPPORTS, NO_SUPPORTS)
_SIDES = {"only in A": Side.ONLY_A, "only in B": Side.ONLY_B, "other marks": Side.BOTH}


def drawing_of_overlay(
    overlay: Overlay,
    names: tuple[str, str],
    *,
    differences_only: bool = False,
    supports: BothSupports = NO_SUPPORT,
) -> Drawing:
    """Both graphs: what they share grey, what one alone has in its colour; `differences_only` fades the rest."""
    odd = {name for difference in overlay.differences for name in difference.nodes}
    odd |= {latent.name for latent in overlay.other_latents}
    nodes = [DrawnNode(name, side=Side.BOTH, is_faded=differences_only and name not in odd) for name in overlay.nodes]
    nodes += [_latent_node(latent, is_faded=differences_only and latent.name not in odd) for latent in overlay.latents]
    kind = kind_of_graph(overlay, overlay.b)
    edges = [_common_edge(edge, kind, supports, is_faded=differences_only) for edge in overlay.common]
    edges += [_odd_edge(difference, overlay, supports) for difference in overlay.differences]
    return Drawing(tuple(nodes), tuple(edges), kind=kind, overlaid=names)


def drawing_of_side(overlay: Overlay, side: Literal["A", "B"], *, supports: Supports = NO_SUPPORTS) -> Drawing:
    """One of the two graphs alone, under the names of the overlay."""
    graph = overlay.a if side == "A" else overlay.b
    latents = {latent.name: latent.pair.a if side == "A" else latent.pair.b for latent in overlay.latents}
    nodes = [DrawnNode(name) for name in overlay.nodes]
    nodes += [
        DrawnNode(name, is_latent=True, note=f"{latent.n_states} states")
        for name, latent in latents.items()
        if latent is not None
    ]
    kind = kind_of_graph(overlay, graph)
    edges = [
        _with_support(DrawnEdge(edge, bool({edge.first, edge.second} & set(latents))), kind, supports)
        for edge in graph.edges()
    ]
    return Drawing(tuple(nodes), tuple(edges), kind=kind)


def kind_of_graph(overlay: Overlay, graph: MixedGraph) -> DrawnKind:
    """What a side of an overlay is: by the view that it is in, or by its marks where it is shown as it was given."""
    if overlay.is_dag or overlay.view == "DAG":
        return DrawnKind.MODEL
    if overlay.view in ("MAG", "PAG"):
        return DrawnKind(overlay.view)
    if (graph.marks == Mark.CIRCLE).any():
        return DrawnKind.PAG
    is_directed = all({edge.at_first, edge.at_second} == {Mark.TAIL, Mark.ARROW} for edge in graph.edges())
    return DrawnKind.MODEL if is_directed else DrawnKind.MAG


def _latent_node(latent: OverlayLatent, *, is_faded: bool) -> DrawnNode:
    pair = latent.pair
    side = Side.ONLY_A if pair.b is None else Side.ONLY_B if pair.a is None else Side.BOTH
    note = f"{latent.states} states"
    if side != Side.BOTH:
        note = f"only in {side.value}: {note}"
    return DrawnNode(latent.name, is_latent=True, note=note, side=side, is_faded=is_faded)


def _with_support(drawn: DrawnEdge, kind: DrawnKind, supports: Supports) -> DrawnEdge:
    """The edge with what the data say of it, where that is known, else with what it says itself."""
    edge = drawn.edge if drawn.edge.at_second == Mark.ARROW else drawn.edge.reversed()
    support = supports.get((edge.first, edge.second)) if edge.at_first == Mark.TAIL else None
    if support is None:
        return replace(drawn, note=note_of(drawn.edge, kind))
    return replace(drawn, is_open=support.is_open, note=support.sentence)


def _common_edge(edge: Edge, kind: DrawnKind, supports: BothSupports, *, is_faded: bool) -> DrawnEdge:
    """An edge of both; open where the data leave it so in either graph, and it says in which."""
    drawn = DrawnEdge(edge, side=Side.BOTH, is_faded=is_faded)
    in_a, in_b = (_with_support(drawn, kind, side) for side in supports)
    if in_a.note == in_b.note:
        return in_b
    return replace(in_b, is_open=in_a.is_open or in_b.is_open, note=f"A: {in_a.note} B: {in_b.note}")


def _odd_edge(difference: EdgeDifference, overlay: Overlay, supports: BothSupports) -> DrawnEdge:
    edge: Edge | None = difference.b or difference.a
    assert edge is not None, "edge in only one of the two"
    other = difference.a if difference.kind == "other marks" else None
    is_of_b = difference.b is not None
    kind = kind_of_graph(overlay, overlay.b if is_of_b else overlay.a)
    drawn = _with_support(DrawnEdge(edge, side=_SIDES[difference.kind], other=other), kind, supports[int(is_of_b)])
    if other is None:
        return drawn
    in_a = _with_support(DrawnEdge(other), kind_of_graph(overlay, overlay.a), supports[0])
    return replace(drawn, is_other_open=in_a.is_open, note=f"A: {in_a.note} B: {drawn.note}")
