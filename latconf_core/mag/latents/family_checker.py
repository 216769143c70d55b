"""Whether latents over given sets of children make exactly the MAG they are meant to explain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from latconf_core.graph.bits import BitGraph, ancestors_in, bits, components, unite


class FamilyChecker:
    """Judges families of child sets for one MAG: the directed edges stay, a latent over S joins all of S by <->.

    Ancestors do not depend on the latents, so the DAG projects to the MAG exactly when the same pairs
    are adjacent: every <-> of the MAG has an inducing path (realised), no non-adjacent pair has one (clean).
    """

    def __init__(self, graph: BitGraph) -> None:
        self.graph = graph
        self._above: dict[int, int] = {}

    @cached_property
    def adjacent(self) -> list[int]:
        """The neighbours of every node."""
        return self.graph.adjacent

    def links(self, sets: Iterable[int]) -> list[int]:
        """The spouses that latents over these sets give to every node."""
        result = [0] * len(self.graph.nodes)
        for group in sets:
            for v in bits(group):
                result[v] |= group & ~(1 << v)
        return result

    def is_joined(self, links: Sequence[int], a: int, b: int) -> bool:
        """Whether an inducing path through the directed edges and these links joins two nodes, their own edge apart."""
        inside = (self.above(a) | self.above(b)) & ~(1 << a | 1 << b)
        children = self.graph.children
        goal = (children[b] | links[b]) & inside
        todo = (children[a] | links[a]) & inside
        if not goal or not todo:
            return False
        seen = 0
        while todo:
            if todo & goal:
                return True
            low = todo & -todo
            seen |= low
            todo = (todo | links[low.bit_length() - 1] & inside) & ~seen
        return False

    def is_clean(self, links: Sequence[int], linked: int) -> bool:
        """Whether no non-adjacent pair is joined; `linked` are the nodes that have links."""
        parents, adjacent = self.graph.parents, self.adjacent
        for district in components(links, linked):
            ends = district | unite(parents, district)
            for a in bits(ends):
                for b in bits(ends & ~adjacent[a] & -(2 << a)):
                    if links[a] >> b & 1 or self.is_joined(links, a, b):
                        return False
        return True

    def realises(self, sets: Sequence[int], edges: Iterable[tuple[int, int]]) -> bool:
        """Whether latents over these sets join the ends of these bidirected edges and no non-adjacent pair."""
        links = self.links(sets)
        linked = sum(1 << v for v, mask in enumerate(links) if mask)
        is_realised = all(links[a] >> b & 1 or self.is_joined(links, a, b) for a, b in edges)
        return is_realised and self.is_clean(links, linked)

    def above(self, node: int) -> int:
        """The ancestors of a node, itself left out."""
        ancestors = self._above.get(node)
        if ancestors is None:
            ancestors = self._above[node] = ancestors_in(self.graph.parents, node)
        return ancestors
