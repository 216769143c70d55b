"""The fewest sets of children that explain the bidirected edges of one part of a MAG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.graph.bits import bits
from latconf_core.mag.latents.family_checker import FamilyChecker

Family = tuple[int, ...]  # child sets as bits, smallest first

CHECK_EVERY = 64  # steps between two looks at the control


class TooManySteps(Exception):
    """The exact search would take longer than allowed."""


class CoverSearch:
    """Families of child sets for the bidirected edges of one part, smallest families first.

    links : the pairs that a latent may join: bidirected edges and invisible directed ones
    may_induce : a bidirected edge may be left without a latent of its own where a path induces it

    The constructor and `optima` raise TooManySteps where the search is longer than `max_steps`.
    """

    def __init__(
        self,
        checker: FamilyChecker,
        links: Sequence[int],
        part: int,
        *,
        max_steps: int,
        control: RunControl,
        may_induce: bool = True,
    ) -> None:
        self._checker = checker
        self._control = control
        self._links = links
        self._part = part
        self._steps_left = max_steps
        spouses = checker.graph.spouses
        self.edges = edges_in(checker, part)
        self._is_free = all(links[v] == spouses[v] for v in bits(part))
        self._sets = sorted(self._candidates(), key=lambda member: (-member.bit_count(), member))
        self._covers = [self._covered_by(member) for member in self._sets]
        self._holding = [[i for i, c in enumerate(self._covers) if c >> e & 1] for e in range(len(self.edges))]
        self._together = [0] * len(self.edges)
        for e, holding in enumerate(self._holding):
            for i in holding:
                self._together[e] |= self._covers[i]
        self._inducible = sum(1 << e for e in range(len(self.edges)) if may_induce and self._may_be_induced(e))

    def optima(self) -> list[Family]:
        """Every family of the smallest size that realises the part; some of them where there are very many."""
        every = (1 << len(self.edges)) - 1
        for size in range(max(1, self._least(every & ~self._inducible)), len(self.edges) + 1):
            families: set[Family] = set()
            try:
                for family in self._families((), 0, 0, size=size):
                    families.add(family)
            except TooManySteps:
                if not families:
                    raise
            if families:
                return sorted(families)
        raise GraphError("one latent per <-> does not realise the graph, so it is not a MAG; repair it first")

    def _candidates(self) -> Iterator[int]:
        """Cliques of the links with at least one bidirected edge that are clean by themselves."""
        stack = [(1 << v, self._links[v] & self._part & -(2 << v)) for v in bits(self._part)]
        while stack:
            clique, open_nodes = stack.pop()
            self._step()
            if clique & (clique - 1):
                if not self._is_clean((clique,)):
                    continue
                if self._covered_by(clique):
                    yield clique
            for v in bits(open_nodes):
                stack.append((clique | 1 << v, open_nodes & self._links[v] & -(2 << v)))

    def _families(self, sets: Family, covered: int, left: int, *, size: int) -> Iterator[Family]:
        """Realising families of at most `size` sets that extend `sets`; `left` are edges left to be induced."""
        self._step()
        open_edges = ((1 << len(self.edges)) - 1) & ~covered & ~left
        if len(sets) + self._least(open_edges & ~self._inducible) > size:
            return
        if not open_edges:
            yield from self._completed(sets, left & ~covered, size=size)
            return
        edge = min(bits(open_edges), key=lambda e: (self._inducible >> e & 1, len(self._holding[e]), e))
        if len(sets) < size:
            for i in self._holding[edge]:
                grown = tuple(sorted((*sets, self._sets[i])))
                if self._is_clean(grown):
                    yield from self._families(grown, covered | self._covers[i], left, size=size)
        if self._inducible >> edge & 1:
            yield from self._families(sets, covered, left | 1 << edge, size=size)

    def _completed(self, sets: Family, left: int, *, size: int) -> Iterator[Family]:
        """The family where what is left is induced; otherwise it with one set more, while there may be more."""
        links = self._checker.links(sets)
        if all(self._checker.is_joined(links, *self.edges[e]) for e in bits(left)):
            yield sets
        elif len(sets) < size:
            for i, member in enumerate(self._sets):
                grown = tuple(sorted((*sets, member)))
                if member not in sets and self._is_clean(grown):
                    self._step()
                    yield from self._completed(grown, left & ~self._covers[i], size=size)

    def _least(self, edges: int) -> int:
        """A lower bound on the sets that cover these edges: how many no two of which fit in one set."""
        count = 0
        while edges:
            count += 1
            edges &= ~self._together[(edges & -edges).bit_length() - 1]
        return count

    def _covered_by(self, clique: int) -> int:
        """The bidirected edges inside a set."""
        return sum(1 << e for e, (a, b) in enumerate(self.edges) if clique >> a & 1 and clique >> b & 1)

    def _is_clean(self, sets: Family) -> bool:
        """Whether these sets join no non-adjacent pair; cliques of <-> alone never do, the MAG being maximal."""
        if self._is_free:
            return True
        linked = 0
        for children in sets:
            linked |= children
        return self._checker.is_clean(self._checker.links(sets), linked)

    def _may_be_induced(self, edge: int) -> bool:
        """Whether an inducing path could join the ends of an edge without a set that holds both."""
        a, b = self.edges[edge]
        links = list(self._links)
        links[a] &= ~(1 << b)
        links[b] &= ~(1 << a)
        return self._checker.is_joined(links, a, b)

    def _step(self) -> None:
        self._steps_left -= 1
        if self._steps_left < 0:
            raise TooManySteps
        if self._steps_left % CHECK_EVERY == 0:
            self._control.checkpoint()


def edges_in(checker: FamilyChecker, part: int) -> list[tuple[int, int]]:
    """The bidirected edges between the nodes of a part, which holds all spouses of its nodes."""
    spouses = checker.graph.spouses
    return [(a, b) for a in bits(part) for b in bits(spouses[a] & -(2 << a))]


def merge_greedily(checker: FamilyChecker, part: int, *, control: RunControl) -> Family:
    """A family that realises a part: from one set an edge, sets are merged or dropped while that still holds."""
    edges = edges_in(checker, part)
    family = [1 << a | 1 << b for a, b in edges]
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for smaller in _smaller(family, checker):
            control.checkpoint()
            if checker.realises(smaller, edges):
                family, is_smaller = smaller, True
                break
    return tuple(sorted(family))


def _smaller(family: list[int], checker: FamilyChecker) -> Iterator[list[int]]:
    """The family with two sets merged into one clique, then with one set dropped."""
    adjacent = checker.adjacent
    for i, children in enumerate(family):
        for other in family[i + 1 :]:
            union = children | other
            if all(not union & ~adjacent[v] & ~(1 << v) for v in bits(union)):
                yield [union, *(group for group in family if group & ~union)]
    for i in range(len(family)):
        yield family[:i] + family[i + 1 :]
