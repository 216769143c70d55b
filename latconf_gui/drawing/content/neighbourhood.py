"""The part of a graph around one node: all that a person can take in of a graph with hundreds of nodes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from latconf_gui.drawing.content.graph_drawing import Drawing


@dataclass(frozen=True)
class Neighbourhood:
    """The nodes at most so many edges away from a node."""

    centre: str
    n_steps: int = 1

    def __post_init__(self) -> None:
        if self.n_steps < 1:
            raise ValueError("a neighbourhood reaches at least one step")


def distances(drawing: Drawing, neighbourhood: Neighbourhood) -> dict[str, int]:
    """How many edges each node of the neighbourhood is away from its centre, the nearest first."""
    adjacent = defaultdict[str, list[str]](list)
    for drawn in drawing.edges:
        adjacent[drawn.edge.first].append(drawn.edge.second)
        adjacent[drawn.edge.second].append(drawn.edge.first)
    steps = {neighbourhood.centre: 0}
    reached = [neighbourhood.centre]
    for name in reached:
        if steps[name] == neighbourhood.n_steps:
            break
        for other in adjacent[name]:
            if other not in steps:
                steps[other] = steps[name] + 1
                reached.append(other)
    return steps


def part_of(drawing: Drawing, neighbourhood: Neighbourhood) -> Drawing:
    """The nodes of a neighbourhood and all edges between them."""
    names = distances(drawing, neighbourhood).keys()
    nodes = tuple(node for node in drawing.nodes if node.name in names)
    return replace(drawing, nodes=nodes, edges=tuple(drawn for drawn in drawing.edges if drawn.pair <= names))
