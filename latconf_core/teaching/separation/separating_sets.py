"""The smallest sets that separate two nodes, and the variables that undo a separation."""

from __future__ import annotations

from collections.abc import Collection

from latconf_core.control import RunControl
from latconf_core.graph.bits import BitGraph, bits, closure
from latconf_core.graph.paths import PathReading
from latconf_core.graph.separation import connected_nodes, find_open_path, query_bits
from latconf_core.teaching.separation.separation_graph import SeparationGraph

Sets = tuple[tuple[str, ...], ...]


def smallest_separating_sets(
    asked: SeparationGraph, first: str, second: str, *, control: RunControl | None = None
) -> Sets:
    """All separating sets of the smallest size, in the order of the nodes; none where nothing separates the two."""
    member = asked.decided_by()
    x, y, _ = query_bits(member, first, second, ())
    search = _SetSearch(member, (x, y), allowed=_bits_of(member, asked.observed), control=control or RunControl())
    return tuple(member.names(mask) for mask in sorted(search.smallest(), key=lambda mask: list(bits(mask))))


def variables_that_open(asked: SeparationGraph, first: str, second: str, given: Collection[str] = ()) -> list[str]:
    """The variables of which each alone, added to a separating set, opens a path; none where a path is open before."""
    member = asked.decided_by()
    x, y, conditioned = query_bits(member, first, second, given)
    if connected_nodes(member, x, conditioned) >> y & 1:
        return []
    candidates = _bits_of(member, asked.observed) & ~(conditioned | 1 << x | 1 << y)
    return [member.nodes[v] for v in bits(candidates) if connected_nodes(member, x, conditioned | 1 << v) >> y & 1]


class _SetSearch:
    """Tries sets of one size after the other.

    A path that is open given a set stays open given any larger set that has none of its non-colliders, as more
    descendants of its colliders can only be added. So one of its non-colliders must be in: that is all there is to try.
    """

    def __init__(self, graph: BitGraph, ends: tuple[int, int], *, allowed: int, control: RunControl) -> None:
        self._graph = graph
        self._reading = PathReading.of_bits(graph)
        self._ends = ends
        self._allowed = allowed & ~(1 << ends[0] | 1 << ends[1])
        self._control = control

    def smallest(self) -> set[int]:
        """The sets, as bits."""
        if not self._can_separate():
            return set()
        size = 0
        while True:
            sets: set[int] = set()
            self._extend(0, size, sets, set())
            if sets:
                return sets
            size += 1

    def _can_separate(self) -> bool:
        """Whether any set does: where one does, all ancestors of the two that may be held fixed do."""
        first, second = self._ends
        above = closure(self._graph.parents, 1 << first | 1 << second) & self._allowed
        return not connected_nodes(self._graph, first, above) >> second & 1

    def _extend(self, chosen: int, room: int, sets: set[int], seen: set[int]) -> None:
        """Add to `sets` every separating set that has `chosen` and at most `room` more."""
        self._control.checkpoint()
        if chosen in seen:
            return
        seen.add(chosen)
        first, second = self._ends
        if not connected_nodes(self._graph, first, chosen) >> second & 1:
            sets.add(chosen)
        elif room:
            for node in self._non_colliders(find_open_path(self._graph, first, second, chosen)):
                if self._allowed >> node & 1:
                    self._extend(chosen | 1 << node, room - 1, sets, seen)

    def _non_colliders(self, path: tuple[int, ...]) -> list[int]:
        steps = zip(path, path[1:], path[2:])
        return [node for before, node, after in steps if not self._reading.is_collider(before, node, after)]


def _bits_of(graph: BitGraph, names: Collection[str]) -> int:
    return sum(1 << i for i, name in enumerate(graph.nodes) if name in names)
