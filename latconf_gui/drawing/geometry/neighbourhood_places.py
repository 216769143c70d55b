"""Where the nodes of a neighbourhood stand: causes above effects, with the centre in the middle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from latconf_core.arrays import FloatArray, IndexArray
from latconf_core.graph.marks import Edge, Mark
from latconf_gui.drawing.content.graph_drawing import Drawing
from latconf_gui.drawing.content.neighbourhood import Neighbourhood, distances
from latconf_gui.drawing.geometry.layers import fit_rows, lessen_crossings, spread_in_row

GAP = (30.0, 52.0)  # between boxes, sideways and downwards: the lines carry marks at both ends
N_SWEEPS = 4
MOST_COMPARED = 60  # edges of a neighbourhood in which crossings are counted

Place = tuple[float, float]


def neighbourhood_places(
    drawing: Drawing, neighbourhood: Neighbourhood, *, sizes: Mapping[str, Place], room: Place
) -> dict[str, Place]:
    """The centre of every node of a neighbourhood.

    drawing : the neighbourhood alone
    sizes : width and height of every node
    room : width and height that the drawing may fill
    """
    heights = _heights(drawing, neighbourhood)
    names = list(heights)
    boxes = np.array([sizes[name] for name in names], dtype=np.float64).reshape(-1, 2)
    index = {name: i for i, name in enumerate(names)}
    edges = [(index[drawn.edge.first], index[drawn.edge.second]) for drawn in drawing.edges]
    level = np.array([heights[name] for name in names])
    across = _across(level, boxes[:, 0], edges)
    down = level * (boxes[:, 1].max() + GAP[1])
    placed = np.stack([across, down.astype(np.float64)], axis=1)
    if len(edges) <= MOST_COMPARED:
        placed = lessen_crossings(placed, edges, boxes)
    placed = fit_rows(placed, boxes, room=room, gap=GAP)
    return {name: (round(float(x), 2), round(float(y), 2)) for name, (x, y) in zip(names, placed)}


def _heights(drawing: Drawing, neighbourhood: Neighbourhood) -> dict[str, int]:
    """The row of each node, downwards from that of the centre: a cause above its effect, else beside each other."""
    edges = defaultdict[str, list[Edge]](list)
    for drawn in drawing.edges:
        edges[drawn.edge.first].append(drawn.edge)
        edges[drawn.edge.second].append(drawn.edge)
    heights: dict[str, int] = {neighbourhood.centre: 0}
    for name in distances(drawing, neighbourhood):
        for edge in edges[name]:
            other, is_head, is_other_head = _seen_from(name, edge)
            heights.setdefault(other, heights[name] + int(is_other_head) - int(is_head))
    return heights


def _seen_from(name: str, edge: Edge) -> tuple[str, bool, bool]:
    """The node at the other end of an edge, and whether an arrowhead points to the one and to the other."""
    if edge.first == name:
        return edge.second, edge.at_first == Mark.ARROW, edge.at_second == Mark.ARROW
    return edge.first, edge.at_second == Mark.ARROW, edge.at_first == Mark.ARROW


def _across(level: IndexArray, widths: FloatArray, edges: list[tuple[int, int]]) -> FloatArray:
    """Each node near the mean of those that it has an edge with, in its row; the centre, which is the first, at 0."""
    adjacent = defaultdict[int, list[int]](list)
    for first, second in edges:
        adjacent[first].append(second)
        adjacent[second].append(first)
    across = np.zeros(len(level))
    for row in np.unique(level):
        members = np.flatnonzero(level == row)
        if row == 0:  # as many to the left of the centre as to its right
            members = np.concatenate([members[1::2][::-1], members[::2]])
        across[members] = _spread(across[members], widths[members])
    for _ in range(N_SWEEPS):
        for row in np.unique(level):
            members = np.flatnonzero(level == row)
            wanted = np.array([np.mean(across[adjacent[node] or [node]]) for node in members.tolist()])
            wanted[members == 0] = across[0]
            order = np.argsort(wanted if row else across[members], kind="stable")
            across[members[order]] = _spread(wanted[order], widths[members[order]])
    centred: FloatArray = across - across[0]
    return centred


def _spread(wanted: FloatArray, widths: FloatArray) -> FloatArray:
    return spread_in_row(wanted, (widths[:-1] + widths[1:]) / 2 + GAP[0])
