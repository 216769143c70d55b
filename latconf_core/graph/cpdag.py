"""Completed partially directed graphs on bit masks: what the score search moves through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from latconf_core.graph.bits import bits


class Cpdag:
    """Arrows and undirected edges over 0 … n-1; every set of variables is a bit mask.

    parents[v], children[v] : by arrows
    undirected[v] : neighbours over undirected edges
    adjacent[v] : all three together
    """

    __slots__ = ("adjacent", "children", "n", "parents", "undirected")

    def __init__(self, parents: Sequence[int], undirected: Sequence[int]) -> None:
        self.n = len(parents)
        self.parents = list(parents)
        self.undirected = list(undirected)
        self.children = [0] * self.n
        for v, above in enumerate(self.parents):
            for u in bits(above):
                self.children[u] |= 1 << v
        self.adjacent = [p | c | u for p, c, u in zip(self.parents, self.children, self.undirected)]

    @classmethod
    def empty(cls, n: int) -> Cpdag:
        return cls([0] * n, [0] * n)

    def is_clique(self, nodes: int) -> bool:
        """Whether all of these are adjacent to each other."""
        return all(nodes & ~(1 << v) & ~self.adjacent[v] == 0 for v in bits(nodes))

    def has_semi_directed_path(self, start: int, end: int, *, avoiding: int) -> bool:
        """Whether a path without an arrow against its direction leads from `start` to `end` around a set."""
        seen = 1 << start | avoiding
        front = 1 << start
        while front:
            reached = 0
            for v in bits(front):
                reached |= self.children[v] | self.undirected[v]
            front = reached & ~seen
            if front >> end & 1:
                return True
            seen |= front
        return False

    def completed(self) -> Cpdag:
        """The CPDAG of the DAGs that this partially directed graph stands for."""
        parents = self.extension()
        directed = [0] * self.n
        for v, above in enumerate(parents):
            for u in bits(above):
                if above & ~self.adjacent[u] & ~(1 << u):
                    directed[v] |= 1 << u
        undirected = [self.adjacent[v] & ~directed[v] for v in range(self.n)]
        for v in range(self.n):
            for u in bits(directed[v]):
                undirected[u] &= ~(1 << v)
        graph = Cpdag(directed, undirected)
        graph.close_under_meek()
        return graph

    def extension(self) -> list[int]:
        """The parents in one DAG with these arrows and no new unshielded collider (Dor and Tarsi)."""
        adjacent, children = list(self.adjacent), list(self.children)
        parents = list(self.parents)
        left = (1 << self.n) - 1
        to_check = left
        while left:
            if not to_check:
                raise ValueError("the graph has no extension to a DAG")
            sink = (to_check & -to_check).bit_length() - 1
            to_check &= to_check - 1
            beside = self.undirected[sink] & left
            if children[sink] & left or any(adjacent[sink] & ~(1 << v) & ~adjacent[v] for v in bits(beside)):
                continue
            parents[sink] |= beside
            left &= ~(1 << sink)
            around = adjacent[sink]
            for v in bits(around):
                adjacent[v] &= ~(1 << sink)
                children[v] &= ~(1 << sink)
            to_check |= around
        return parents

    def close_under_meek(self) -> None:
        """Direct the undirected edges whose other direction makes a cycle or a new collider (Meek's rules 1-3)."""
        changed = True
        while changed:
            changed = False
            for a in range(self.n):
                for b in bits(self.undirected[a]):
                    if self.is_forced(a, b):
                        self.direct(a, b)
                        changed = True

    def is_forced(self, a: int, b: int) -> bool:
        """Whether b --> a would make a cycle or a new collider."""
        if self.parents[a] & ~self.adjacent[b] & ~(1 << b) or self.children[a] & self.parents[b]:
            return True
        between = self.undirected[a] & self.parents[b]
        return any(between & ~self.adjacent[c] & ~(1 << c) for c in bits(between))

    def direct(self, a: int, b: int) -> None:
        """Make the undirected edge an arrow."""
        self.undirected[a] &= ~(1 << b)
        self.undirected[b] &= ~(1 << a)
        self.parents[b] |= 1 << a
        self.children[a] |= 1 << b

    def with_insert(self, x: int, y: int, others: int) -> Cpdag:
        """Insert x --> y and direct t --> y for t in `others`; completed."""
        parents, undirected = list(self.parents), list(self.undirected)
        parents[y] |= 1 << x | others
        undirected[y] &= ~others
        for t in bits(others):
            undirected[t] &= ~(1 << y)
        return Cpdag(parents, undirected).completed()

    def with_delete(self, x: int, y: int, others: int) -> Cpdag:
        """Take the edge x - y away and direct y --> h, and x --> h where it is undirected, for h in `others`."""
        parents, undirected = list(self.parents), list(self.undirected)
        for a, b in ((x, y), (y, x)):
            parents[b] &= ~(1 << a)
            undirected[b] &= ~(1 << a)
        for h in bits(others):
            for v in (y, x):
                if undirected[v] >> h & 1:
                    undirected[v] &= ~(1 << h)
                    undirected[h] &= ~(1 << v)
                    parents[h] |= 1 << v
        return Cpdag(parents, undirected).completed()

    def cliques_with(self, base: int, candidates: int) -> Iterator[int]:
        """Every subset T of `candidates` such that base + T is a clique, the empty one first."""
        if not self.is_clique(base):
            return
        for v in bits(base):
            candidates &= self.adjacent[v]
        yield from self._grow(0, candidates)

    def _grow(self, chosen: int, candidates: int) -> Iterator[int]:
        yield chosen
        for v in bits(candidates):
            candidates &= ~(1 << v)
            yield from self._grow(chosen | 1 << v, candidates & self.adjacent[v])
