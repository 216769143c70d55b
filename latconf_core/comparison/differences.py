"""Where two graphs differ: edge by edge, mark by mark, latent by latent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph

DifferenceKind = Literal["only in A", "only in B", "other marks"]


@dataclass(frozen=True)
class EdgeDifference:
    """A pair of nodes that A and B join differently; None for no edge."""

    a: Edge | None
    b: Edge | None

    @property
    def kind(self) -> DifferenceKind:
        if self.a is None:
            return "only in B"
        return "only in A" if self.b is None else "other marks"

    @property
    def nodes(self) -> tuple[str, str]:
        """The two nodes, in the order of the graphs."""
        edge = self.a or self.b
        assert edge is not None, "edge in only one of the two"
        return edge.first, edge.second

    @property
    def ends(self) -> tuple[str, ...]:
        """The nodes at which the marks differ; both where only one graph has the edge."""
        if self.a is None or self.b is None:
            return self.nodes
        differs = (self.a.at_first != self.b.at_first, self.a.at_second != self.b.at_second)
        return tuple(node for node, is_other in zip(self.nodes, differs) if is_other)


def find_edge_differences(a: MixedGraph, b: MixedGraph) -> tuple[EdgeDifference, ...]:
    """Every pair of nodes that two graphs on the same nodes, in the same order, join differently."""
    differs = np.triu((a.marks != b.marks) | (a.marks != b.marks).T)
    differences = []
    for i, j in np.argwhere(differs):
        first, second = a.nodes[i], a.nodes[j]
        edges = [graph.edge(first, second) if graph.is_adjacent(first, second) else None for graph in (a, b)]
        differences.append(EdgeDifference(*edges))
    return tuple(differences)
