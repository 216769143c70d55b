"""Ancestors and the special paths of ancestral graphs: inducing, discriminating and uncovered potentially directed."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

import numpy as np
import numpy.typing as npt

from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.graph.separation import PathVerdict, Verdict, explain_m_separation, is_m_separated

__all__ = [
    "PathVerdict",
    "Verdict",
    "ancestors",
    "descendants",
    "discriminating_path",
    "explain_m_separation",
    "inducing_path",
    "is_m_separated",
    "is_visible_edge",
    "possible_ancestors",
    "possible_descendants",
    "uncovered_pd_paths",
    "visible_edges",
]

StepMatrix = npt.NDArray[np.bool_]


def ancestors(graph: MixedGraph, *targets: str) -> frozenset[str]:
    """The targets and every node with a directed path to one of them."""
    return _reached(graph, targets, _directed_steps(graph).T)


def descendants(graph: MixedGraph, *sources: str) -> frozenset[str]:
    """The sources and every node that one of them has a directed path to."""
    return _reached(graph, sources, _directed_steps(graph))


def possible_ancestors(graph: MixedGraph, *targets: str) -> frozenset[str]:
    """The targets and every node with a potentially directed path to one: no mark on it excludes that direction."""
    return _reached(graph, targets, _pd_steps(graph).T)


def possible_descendants(graph: MixedGraph, *sources: str) -> frozenset[str]:
    """The sources and every node that one of them has a potentially directed path to."""
    return _reached(graph, sources, _pd_steps(graph))


def inducing_path(graph: MixedGraph, x: str, y: str, latents: Collection[str] = ()) -> tuple[str, ...] | None:
    """A shortest inducing path between x and y relative to `latents`; None where there is none.

    Every inner node that is not latent is a collider, and every collider is an ancestor of x or of y:
    no set of observed nodes separates x from y.
    """
    marks = graph.marks
    hidden = {graph.index[name] for name in latents}
    below = {graph.index[name] for name in ancestors(graph, x, y)}
    start, goal = graph.index[x], graph.index[y]
    queue: deque[tuple[int, ...]] = deque([(start,)])
    seen: set[tuple[int, int]] = set()
    while queue:
        path = queue.popleft()
        node = path[-1]
        for following in np.flatnonzero(marks[node]).tolist():
            if following in path or (node, following) in seen:
                continue
            if len(path) > 1:
                is_collider = marks[path[-2], node] == Mark.ARROW == marks[following, node]
                if not (is_collider and node in below) and (is_collider or node not in hidden):
                    continue
            if following == goal:
                return tuple(graph.nodes[i] for i in (*path, goal))
            seen.add((node, following))
            queue.append((*path, following))
    return None


def discriminating_path(graph: MixedGraph, b: str, c: str) -> tuple[str, ...] | None:
    """A shortest discriminating path <d, …, b, c> for b; None where there is none.

    d and c are not adjacent, and every node between d and b is a collider on the path and a parent of c:
    whether b is a collider is then the same in the whole Markov equivalence class.
    """
    marks = graph.marks
    last, end = graph.index[b], graph.index[c]
    if not marks[last, end]:
        return None
    queue: deque[tuple[int, ...]] = deque(
        (end, last, q) for q in np.flatnonzero(marks[last] == Mark.ARROW).tolist() if _is_parent(graph, q, end)
    )
    seen = {path[-1] for path in queue}
    while queue:
        path = queue.popleft()
        for d in np.flatnonzero(marks[:, path[-1]] == Mark.ARROW).tolist():
            if d in path or d in seen:
                continue
            if not marks[d, end]:
                return tuple(graph.nodes[i] for i in (d, *reversed(path)))
            if _is_parent(graph, d, end) and marks[path[-1], d] == Mark.ARROW:
                seen.add(d)
                queue.append((*path, d))
    return None


def uncovered_pd_paths(graph: MixedGraph, start: str, end: str) -> Iterator[tuple[str, ...]]:
    """Every uncovered potentially directed path: edges may point forward, no node is adjacent to the next but one."""
    steps = _pd_steps(graph)
    goal = graph.index[end]
    stack: list[tuple[int, ...]] = [(graph.index[start],)]
    while stack:
        path = stack.pop()
        if path[-1] == goal:
            yield tuple(graph.nodes[i] for i in path)
            continue
        for following in reversed(np.flatnonzero(steps[path[-1]]).tolist()):
            if following not in path and (len(path) == 1 or not graph.marks[path[-2], following]):
                stack.append((*path, following))


def is_visible_edge(graph: MixedGraph, parent: str, child: str) -> bool:
    """Whether parent --> child can hide no latent common cause of the two (Zhang 2008), in a MAG or a PAG.

    Some d not adjacent to the child has an edge into the parent, or a collider path into it
    whose inner nodes are all parents of the child.
    """
    marks = graph.marks
    first, end = graph.index[parent], graph.index[child]
    if not _is_parent(graph, first, end):
        return False
    queue = deque([first])
    seen = {first}
    while queue:
        node = queue.popleft()
        for d in np.flatnonzero(marks[:, node] == Mark.ARROW).tolist():
            if not marks[d, end] and d != end:
                return True
            if d not in seen and marks[node, d] == Mark.ARROW and _is_parent(graph, d, end):
                seen.add(d)
                queue.append(d)
    return False


def visible_edges(graph: MixedGraph) -> tuple[Edge, ...]:
    """The directed edges that are visible, each written from parent to child."""
    found = []
    for edge in graph.edges():
        directed = edge if edge.at_second == Mark.ARROW else edge.reversed()
        if is_visible_edge(graph, directed.first, directed.second):
            found.append(directed)
    return tuple(found)


def _is_parent(graph: MixedGraph, parent: int, child: int) -> bool:
    return bool(graph.marks[parent, child] == Mark.ARROW and graph.marks[child, parent] == Mark.TAIL)


def _directed_steps(graph: MixedGraph) -> StepMatrix:
    """(n, n); whether i --> j."""
    marks = graph.marks
    steps: StepMatrix = (marks == Mark.ARROW) & (marks.T == Mark.TAIL)
    return steps


def _pd_steps(graph: MixedGraph) -> StepMatrix:
    """(n, n); whether the edge from i to j may point forward: no arrowhead at i, no tail at j."""
    marks = graph.marks
    steps: StepMatrix = np.isin(marks, (Mark.CIRCLE, Mark.ARROW)) & np.isin(marks.T, (Mark.CIRCLE, Mark.TAIL))
    return steps


def _reached(graph: MixedGraph, starts: Collection[str], steps: StepMatrix) -> frozenset[str]:
    todo = [graph.index[name] for name in starts]
    seen = set(todo)
    while todo:
        for other in np.flatnonzero(steps[todo.pop()]).tolist():
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return frozenset(graph.nodes[i] for i in seen)
