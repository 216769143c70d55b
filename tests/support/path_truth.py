"""Separation by its definition: every path between two nodes of a drawn graph, judged mark by mark.

Nothing here uses the code under test: paths come from networkx, colliders and descendants from the marks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

import networkx as nx

from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph

Judged = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]  # a path, and its blocking nodes with the reason of each


class PathTruth:
    """All paths of one graph; those whose inner nodes are not all decided are left out."""

    def __init__(self, graph: MixedGraph) -> None:
        self._graph = graph
        self._skeleton = nx.Graph()
        self._skeleton.add_nodes_from(graph.nodes)
        self._causes = nx.DiGraph()
        self._causes.add_nodes_from(graph.nodes)
        for edge in graph.edges():
            self._skeleton.add_edge(edge.first, edge.second)
            if (edge.at_first, edge.at_second) == (Mark.TAIL, Mark.ARROW):
                self._causes.add_edge(edge.first, edge.second)
            if (edge.at_first, edge.at_second) == (Mark.ARROW, Mark.TAIL):
                self._causes.add_edge(edge.second, edge.first)

    def judged(self, x: str, y: str, given: Collection[str]) -> list[Judged]:
        """Every path of definite status, with every node that blocks it."""
        result = []
        for path in nx.all_simple_paths(self._skeleton, x, y):
            roles = [self._role(*step) for step in zip(path, path[1:], path[2:])]
            if "undecided" in roles:
                continue
            blocking = [
                (node, reason)
                for node, role in zip(path[1:], roles)
                if (reason := self._why_blocked(node, role, set(given)))
            ]
            result.append((tuple(path), tuple(blocking)))
        return result

    def _role(self, before: str, node: str, after: str) -> str:
        marks = [self._graph.mark_at(node, before), self._graph.mark_at(node, after)]
        if marks == [Mark.ARROW, Mark.ARROW]:
            return "collider"
        if Mark.TAIL in marks:
            return "non-collider"
        if marks == [Mark.CIRCLE, Mark.CIRCLE] and not self._skeleton.has_edge(before, after):
            return "non-collider"
        return "undecided"

    def _why_blocked(self, node: str, role: str, given: set[str]) -> str:
        if role == "non-collider":
            return f"{node} is given and is not a collider" if node in given else ""
        if given & {node, *nx.descendants(self._causes, node)}:
            return ""
        return f"{node} is a collider, and neither it nor a descendant of it is given"


def separating_sets_by_trying(dag: nx.DiGraph, observed: Collection[str], x: str, y: str) -> list[frozenset[str]]:
    """All sets of observed variables of the smallest size that d-separate two nodes; every set is tried."""
    for group in _by_size([name for name in observed if name not in (x, y)]):
        givens = [given for given in group if nx.is_d_separator(dag, {x}, {y}, set(given))]
        if givens:
            return givens
    return []


def _by_size(names: list[str]) -> Iterator[list[frozenset[str]]]:
    for size in range(len(names) + 1):
        yield [frozenset(some) for some in combinations(names, size)]
