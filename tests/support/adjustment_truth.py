"""Adjustment sets by their definition: every path of a DAG or a MAG is looked at, every set is tried.

Nothing here uses the code under test: paths come from networkx, blocking from the marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import networkx as nx

from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph

Sets = set[frozenset[str]]


class AdjustmentTruth:
    """One DAG or MAG; a set is right where it holds nothing that the effect passes and blocks all other paths."""

    def __init__(self, graph: MixedGraph, *, is_dag: bool) -> None:
        self._graph = graph
        self._is_dag = is_dag
        self._skeleton = nx.Graph([(edge.first, edge.second) for edge in graph.edges()])
        self._skeleton.add_nodes_from(graph.nodes)
        self._causes = nx.DiGraph()
        self._causes.add_nodes_from(graph.nodes)
        for a in graph.nodes:
            for b in graph.nodes:
                if a != b and graph.is_adjacent(a, b) and self._is_arrow(a, b):
                    self._causes.add_edge(a, b)

    def _is_arrow(self, a: str, b: str) -> bool:
        return self._graph.mark_at(a, b) == Mark.TAIL and self._graph.mark_at(b, a) == Mark.ARROW

    def sets(self, cause: str, effect: str, candidates: Iterable[frozenset[str]]) -> Sets:
        """Those of the candidates that are adjustment sets."""
        causal = [tuple(path) for path in nx.all_simple_paths(self._causes, cause, effect)]
        if not self._is_dag and not all(self.is_visible(cause, path[1]) for path in causal):
            return set()
        forbidden = {cause, effect}
        for node in {node for path in causal for node in path[1:]}:
            forbidden |= {node, *nx.descendants(self._causes, node)}
        others = [path for path in nx.all_simple_paths(self._skeleton, cause, effect) if tuple(path) not in causal]
        judged = [self._colliders_and_rest(path) for path in others]
        return {
            chosen
            for chosen in candidates
            if not chosen & forbidden and all(_is_blocked(*path, chosen) for path in judged)
        }

    def _colliders_and_rest(self, path: Sequence[str]) -> tuple[list[frozenset[str]], frozenset[str]]:
        """Of every collider what opens it, and the non-colliders."""
        opening, rest = [], set()
        for before, node, after in zip(path, path[1:], path[2:]):
            if self._graph.mark_at(node, before) == self._graph.mark_at(node, after) == Mark.ARROW:
                opening.append(frozenset({node, *nx.descendants(self._causes, node)}))
            else:
                rest.add(node)
        return opening, frozenset(rest)

    def is_visible(self, a: str, b: str) -> bool:
        """Whether a --> b is visible: something not adjacent to b has an arrow into a, or a path of colliders there."""
        for c in self._graph.nodes:
            if c in (a, b) or self._graph.is_adjacent(c, b):
                continue
            for path in nx.all_simple_paths(self._skeleton, c, a):
                inner = path[1:-1]
                is_into = self._graph.mark_at(a, path[-2]) == Mark.ARROW
                colliders = all(
                    self._graph.mark_at(node, before) == self._graph.mark_at(node, after) == Mark.ARROW
                    for before, node, after in zip(path, inner, path[2:])
                )
                if is_into and colliders and all(self._causes.has_edge(node, b) for node in inner):
                    return True
        return False


def minimal(sets: Sets) -> Sets:
    """Those of which no part is among them."""
    return {one for one in sets if not any(other < one for other in sets)}


def all_sets(names: Iterable[str]) -> list[frozenset[str]]:
    """Every set of these."""
    listed = list(names)
    return [frozenset(some) for size in range(len(listed) + 1) for some in combinations(listed, size)]


def _is_blocked(opening: list[frozenset[str]], rest: frozenset[str], chosen: frozenset[str]) -> bool:
    return bool(chosen & rest) or any(not chosen & own for own in opening)
