"""The picture of a graph with what each node is in the question written below its name."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from latconf_core.graph.paths import PathVerdict
from latconf_core.teaching.separation.separation_graph import GraphKind, SeparationGraph
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnEdge, DrawnKind, DrawnNode, Pair, note_of
from latconf_gui.look.colours import Highlight

KINDS = {GraphKind.DAG: DrawnKind.DRAWN, GraphKind.MAG: DrawnKind.MAG, GraphKind.PAG: DrawnKind.PAG}


def drawing_with_roles(asked: SeparationGraph, roles: Mapping[str, str]) -> Drawing:
    """Hidden nodes as dashed ellipses, and the role of each node as its second line."""
    nodes = (DrawnNode(name, is_latent=name in asked.hidden, note=roles.get(name, "")) for name in asked.graph.nodes)
    kind = KINDS[asked.kind]
    edges = (
        DrawnEdge(edge, bool({edge.first, edge.second} & asked.hidden), note=note_of(edge, kind))
        for edge in asked.graph.edges()
    )
    return Drawing(tuple(nodes), tuple(edges), kind=kind)


def path_highlights(paths: Collection[PathVerdict]) -> dict[Pair, Highlight]:
    """Every edge of these paths; where two share an edge, an open one wins."""
    highlights: dict[Pair, Highlight] = {}
    for path in sorted(paths, key=lambda path: path.is_open):
        highlight = Highlight.PATH if path.is_open else Highlight.BLOCKED
        highlights |= {frozenset(step): highlight for step in zip(path.nodes, path.nodes[1:])}
    return highlights
