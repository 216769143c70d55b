"""Partly directed graphs that know more than colliders: a class of equivalent DAGs with some arrows fixed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from latconf_core.graph.bits import bits
from latconf_core.graph.cpdag import Cpdag

Colliders = tuple[tuple[int, int, int], ...]
ClassKey = tuple[tuple[int, ...], Colliders, tuple[int, ...]]


def class_key(parents: Sequence[int], states: tuple[int, ...] = ()) -> ClassKey:
    """What DAGs of one Markov class have in common and others do not: skeleton and colliders.

    states : further numbers that two must share to be one class, such as numbers of states
    """
    adjacent = _skeleton(parents)
    return tuple(adjacent), _colliders(parents, adjacent), states


def _skeleton(parents: Sequence[int]) -> list[int]:
    adjacent = list(parents)
    for v, above in enumerate(parents):
        for u in bits(above):
            adjacent[u] |= 1 << v
    return adjacent


def _colliders(parents: Sequence[int], adjacent: Sequence[int]) -> Colliders:
    return tuple(
        (a, b, c)
        for b, above in enumerate(parents)
        for a in bits(above)
        for c in bits(above & ~adjacent[a] & -(2 << a))
    )


class Mpdag(Cpdag):
    """The DAGs of a Markov class that share some arrows: an arrow here stands in all of them (Meek 1995).

    Background knowledge makes Meek's fourth rule necessary, which no CPDAG needs.
    """

    __slots__ = ()

    @classmethod
    def of_dag(cls, parents: Sequence[int], *, fixed: Sequence[int] = ()) -> Mpdag:
        """The class of a DAG, of which only members with some of its arrows count.

        fixed : for every node those of its parents that stay its parents
        """
        n = len(parents)
        adjacent = _skeleton(parents)
        directed = [mask & parents[v] for v, mask in enumerate(fixed)] or [0] * n
        for v, above in enumerate(parents):
            for u in bits(above):
                if above & ~adjacent[u] & ~(1 << u):
                    directed[v] |= 1 << u
        undirected = [adjacent[v] & ~directed[v] for v in range(n)]
        for v in range(n):
            for u in bits(directed[v]):
                undirected[u] &= ~(1 << v)
        graph = cls(directed, undirected)
        graph.close_under_meek()
        return graph

    def is_forced(self, a: int, b: int) -> bool:
        """Whether b --> a would make a cycle or a new collider in every member."""
        if super().is_forced(a, b):
            return True
        for d in bits(self.undirected[a] & ~self.adjacent[b] & ~(1 << b)):  # rule 4: d --> c --> b, a beside all
            if self.children[d] & self.parents[b] & self.adjacent[a]:
                return True
        return False

    def colliders(self) -> Colliders:
        """Every unshielded a --> b <-- c of arrows, a < c."""
        return _colliders(self.parents, self.adjacent)

    def with_parents(self, node: int, chosen: int) -> Mpdag | None:
        """The members in which these of a node's undirected neighbours are its parents and the others its children.

        None where no member has these parents.
        """
        if not self.is_clique(chosen):
            return None
        graph = Mpdag(self.parents, self.undirected)
        for other in bits(self.undirected[node]):
            if chosen >> other & 1:
                graph.direct(other, node)
            else:
                graph.direct(node, other)
        graph.close_under_meek()
        return graph if graph.colliders() == self.colliders() and graph.has_member() else None

    def has_member(self) -> bool:
        """Whether any DAG has these arrows and no collider more."""
        try:
            parents = self.extension()
        except ValueError:
            return False
        return Mpdag(parents, [0] * self.n).colliders() == self.colliders()

    def parent_sets(self, node: int) -> Iterator[tuple[int, Mpdag]]:
        """What the parents of a node are in one member or another, each with the members that have them."""
        for chosen in self.cliques_with(0, self.undirected[node]):
            members = self.with_parents(node, chosen)
            if members is not None:
                yield members.parents[node], members
