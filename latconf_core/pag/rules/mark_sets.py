"""The marks of a graph while they are being oriented, as sets of neighbours in bit masks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from latconf_core.graph.bits import bits
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MarkMatrix

_CODES = (Mark.NONE, Mark.CIRCLE, Mark.ARROW, Mark.TAIL)


class Marks:
    """A mutable graph over 0 … n-1 whose edges carry a mark at each end.

    Every question a rule asks is an intersection of sets, so each set of neighbours is one Python integer:

    adjacent[v] : the neighbours of v
    near[mark][v] : neighbours whose edge has `mark` at v
    far[mark][v] : neighbours whose edge with v has `mark` at the neighbour's end
    """

    __slots__ = ("adjacent", "far", "n", "near")

    def __init__(self, matrix: npt.ArrayLike) -> None:
        codes = np.asarray(matrix, dtype=np.uint8)
        self.n = len(codes)
        self.adjacent = [0] * self.n
        self.near = [[0] * self.n for _ in _CODES]
        self.far = [[0] * self.n for _ in _CODES]
        for u, v in np.argwhere(codes).tolist():
            self.adjacent[v] |= 1 << u
            self.near[codes[u, v]][v] |= 1 << u
            self.far[codes[u, v]][u] |= 1 << v

    @classmethod
    def circles(cls, adjacent: npt.ArrayLike) -> Marks:
        """`o-o` wherever `adjacent`, an (n, n) array, is not zero: a skeleton before any orientation."""
        return cls((np.asarray(adjacent) != 0).astype(np.uint8))

    def matrix(self) -> MarkMatrix:
        """The marks as an array: [u, v] is the mark at v on the edge u - v."""
        codes = np.zeros((self.n, self.n), dtype=np.uint8)
        for mark in (Mark.CIRCLE, Mark.ARROW, Mark.TAIL):
            for v, mask in enumerate(self.near[mark]):
                for u in bits(mask):
                    codes[u, v] = mark
        return codes

    def is_adjacent(self, u: int, v: int) -> bool:
        return bool(self.adjacent[u] >> v & 1)

    def at(self, u: int, v: int) -> Mark:
        """The mark at v on the edge u - v; NONE where there is no edge."""
        for mark in (Mark.CIRCLE, Mark.ARROW, Mark.TAIL):
            if self.near[mark][v] >> u & 1:
                return mark
        return Mark.NONE

    def put(self, u: int, v: int, mark: Mark) -> None:
        """Make `mark` the mark at v on the edge u - v, which must be there."""
        before = self.at(u, v)
        self.near[before][v] &= ~(1 << u)
        self.far[before][u] &= ~(1 << v)
        self.near[mark][v] |= 1 << u
        self.far[mark][u] |= 1 << v

    def remove(self, u: int, v: int) -> None:
        """Make u and v no longer adjacent."""
        for x, y in ((u, v), (v, u)):
            keep = ~(1 << x)
            self.adjacent[y] &= keep
            for mark in _CODES:
                self.near[mark][y] &= keep
                self.far[mark][y] &= keep

    def parents(self, v: int) -> int:
        """The set of u with u --> v."""
        return self.near[Mark.ARROW][v] & self.far[Mark.TAIL][v]

    def onward(self, v: int) -> int:
        """The set of w to which a potentially directed path may step from v: no arrowhead at v, no tail at w."""
        return self.adjacent[v] & ~self.near[Mark.ARROW][v] & ~self.far[Mark.TAIL][v]

    def edges(self) -> Iterator[tuple[int, int]]:
        """Every adjacent pair (u, v) with u < v, in order."""
        for u in range(self.n):
            for v in bits(self.adjacent[u] >> (u + 1)):
                yield u, u + 1 + v

    def unshielded(self) -> Iterator[tuple[int, int, int]]:
        """Every (a, b, c) with a < c, a - b - c and a, c not adjacent; by b, then a, then c."""
        for b in range(self.n):
            for a in bits(self.adjacent[b]):
                above = self.adjacent[b] & ~self.adjacent[a] & ~((2 << a) - 1)
                for c in bits(above):
                    yield a, b, c
