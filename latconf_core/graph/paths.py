"""Paths of a graph with any marks: which inner nodes are colliders, and which of them block."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from latconf_core.graph.bits import BitGraph, bits, closure
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph


@dataclass(frozen=True)
class PathVerdict:
    """One path, and the node that blocks it with the reason; `blocked_by` is None on an open path."""

    nodes: tuple[str, ...]
    blocked_by: str | None
    reason: str

    @property
    def is_open(self) -> bool:
        return self.blocked_by is None

    @property
    def sentence(self) -> str:
        """The path, whether it is open, and why."""
        state = "open" if self.is_open else f"blocked at {self.blocked_by}"
        return f"{' – '.join(self.nodes)}: {state}; {self.reason}"


@dataclass(frozen=True)
class PathReading:
    """The marks of a graph as bits, for judging its paths: for each node its neighbours by the mark at the node."""

    nodes: tuple[str, ...]
    adjacent: Sequence[int]
    into: Sequence[int]  # an arrowhead at the node
    out_of: Sequence[int]  # a tail at the node
    parents: Sequence[int]
    children: Sequence[int]

    @classmethod
    def of_bits(cls, graph: BitGraph) -> PathReading:
        into = [p | s for p, s in zip(graph.parents, graph.spouses)]
        return cls(graph.nodes, graph.adjacent, into, graph.children, graph.parents, graph.children)

    @classmethod
    def of_marks(cls, graph: MixedGraph) -> PathReading:
        is_arrow, is_tail = graph.marks == Mark.ARROW, graph.marks == Mark.TAIL
        is_parent = is_arrow & is_tail.T
        relations = (graph.marks > 0, is_arrow, is_tail, is_parent, is_parent.T)
        return cls(graph.nodes, *map(_columns, relations))

    def is_collider(self, before: int, node: int, after: int) -> bool | None:
        """Whether the node is a collider between these two; None where circles leave it open."""
        both = 1 << before | 1 << after
        if self.into[node] & both == both:
            return True
        if self.out_of[node] & both:
            return False
        return None if self.into[node] & both or self.adjacent[before] >> after & 1 else False


def _columns(relation: npt.NDArray[np.bool_]) -> list[int]:
    """For each column, the rows where the relation holds, as bits."""
    return [sum(1 << i for i in np.flatnonzero(column).tolist()) for column in relation.T]


class PathSearch:
    """Simple paths of definite status, shortest first; `is_cut` where the steps did not suffice for all.

    given : the conditioning set as bits, where only paths that it leaves open are wanted
    """

    def __init__(self, reading: PathReading, ends: tuple[int, int], steps: int, *, given: int | None = None) -> None:
        self.is_cut = False
        self._reading = reading
        self._ends = ends
        self._steps = steps
        self._given = given
        self._opened = 0 if given is None else closure(reading.parents, given)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        first, second = self._ends
        queue: deque[tuple[tuple[int, ...], int]] = deque([((first,), 1 << first)])
        while queue:
            path, used = queue.popleft()
            for node in bits(self._reading.adjacent[path[-1]] & ~used):
                if len(path) > 1 and not self._goes_on(path[-2], path[-1], node):
                    continue
                if node == second:
                    yield (*path, node)
                elif self._steps > 0:
                    self._steps -= 1
                    queue.append(((*path, node), used | 1 << node))
                else:
                    self.is_cut = True
                    return

    def _goes_on(self, before: int, node: int, after: int) -> bool:
        is_collider = self._reading.is_collider(before, node, after)
        if is_collider is None or self._given is None:
            return is_collider is not None
        return bool((self._opened if is_collider else ~self._given) >> node & 1)


def judge_path(reading: PathReading, path: tuple[int, ...], conditioned: int) -> PathVerdict:
    """The first node that blocks a path, or that none does."""
    names = tuple(reading.nodes[node] for node in path)
    opened = closure(reading.parents, conditioned)
    for before, node, after in zip(path, path[1:], path[2:]):
        is_collider = reading.is_collider(before, node, after)
        name = reading.nodes[node]
        if is_collider and not opened >> node & 1:
            reason = f"{name} is a collider, and neither it nor a descendant of it is given"
            return PathVerdict(names, name, reason)
        if not is_collider and conditioned >> node & 1:
            return PathVerdict(names, name, f"{name} is given and is not a collider")
    return PathVerdict(names, None, _why_open(reading, path, conditioned))


def _why_open(reading: PathReading, path: tuple[int, ...], conditioned: int) -> str:
    """Why nothing on an open path blocks it."""
    if len(path) == 2:
        return f"{reading.nodes[path[0]]} and {reading.nodes[path[1]]} are adjacent"
    parts = []
    for before, node, after in zip(path, path[1:], path[2:]):
        name = reading.nodes[node]
        if not reading.is_collider(before, node, after):
            parts.append(f"{name} is not a collider and is not given")
        elif conditioned >> node & 1:
            parts.append(f"{name} is a collider that is given")
        else:
            below = bits(closure(reading.children, 1 << node) & conditioned)
            parts.append(f"{name} is a collider whose descendant {reading.nodes[next(below)]} is given")
    return "; ".join(parts)


def drawn_path(nodes: Sequence[str], graph: MixedGraph) -> str:
    """The nodes with the marks of the edges between them: `A --> B <-> C`."""
    return nodes[0] + "".join(f" {graph.edge(a, b).arrow} {b}" for a, b in pairwise(nodes))
