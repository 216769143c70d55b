"""The undirected (o-o) part of a PAG: whether it is chordal, and its acyclic orientations without new colliders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial

from latconf_core.control import RunControl
from latconf_core.graph.bits import bits, components

MEMO_SIZE = 50_000  # of splits and counts kept; more than any PAG met so far needs


@dataclass(frozen=True)
class Split:
    """What follows from choosing the source of a component: arcs, and the smaller components still open.

    children : (node, its children among the new arcs); parents : the same arcs seen from the other end
    """

    children: tuple[tuple[int, int], ...]
    parents: tuple[tuple[int, int], ...]
    rest: tuple[int, ...]


class Orientations:
    """The acyclic orientations without unshielded collider of an undirected chordal graph (AMOs).

    Each orientation of a connected component has exactly one source, and choosing the source leaves smaller
    components that are oriented independently (Wienöbst, Bannach, Liśkiewicz 2021).
    """

    def __init__(self, links: Sequence[int], *, control: RunControl | None = None) -> None:
        self.links = tuple(links)
        self._control = control or RunControl()
        self._splits: dict[tuple[int, int], Split] = {}
        self._counts: dict[int, int] = {}

    def split(self, component: int, source: int) -> Split:
        """The arcs that the source of a connected component forces."""
        key = (component, source)
        result = self._splits.get(key)
        if result is None:
            self._control.checkpoint()
            if len(self._splits) >= MEMO_SIZE:
                self._splits.clear()
            result = self._splits[key] = _split(self.links, component, source)
        return result

    def splits(self, component: int) -> Iterator[Split]:
        """The split for every choice of the source."""
        for source in bits(component):
            yield self.split(component, source)

    def count(self, component: int) -> int | None:
        """How many orientations a connected component has; None where even counting takes too long."""
        size = component.bit_count()
        if all((self.links[v] & component).bit_count() == size - 1 for v in bits(component)):
            return factorial(size)
        if component in self._counts:
            return self._counts[component]
        total = 0
        for split in self.splits(component):
            self._control.checkpoint()  # its split may be known, and the counts of very many components be put together
            product = 1
            for part in split.rest:
                count = self.count(part)
                if count is None:
                    return None
                product *= count
            total += product
        if len(self._counts) >= MEMO_SIZE:
            return None
        self._counts[component] = total
        return total


def _split(links: Sequence[int], component: int, source: int) -> Split:
    """Lexicographic breadth-first search from the source; each set of ties it meets stays undirected inside."""
    ties = _tie_sets(links, component, source)
    children: list[tuple[int, int]] = []
    parents: list[tuple[int, int]] = []
    rest: list[int] = []
    before, after = 0, component
    for group in ties:
        after ^= group
        is_single = not group & (group - 1)
        for v in (group.bit_length() - 1,) if is_single else bits(group):
            near = links[v]
            if near & after:
                children.append((v, near & after))
            if near & before:
                parents.append((v, near & before))
        before |= group
        if not is_single:
            rest.extend(part for part in components(links, group) if part & (part - 1))
    return Split(tuple(children), tuple(parents), tuple(rest))


def _tie_sets(links: Sequence[int], component: int, source: int) -> list[int]:
    """The nodes of a component in the order of the search, those it cannot tell apart together."""
    partition = [1 << source, component & ~(1 << source)]
    met = 0
    ties = []
    while partition:
        first = partition[0]
        low = first & -first
        if not low & met:
            ties.append(first)
            met |= first
        near = links[low.bit_length() - 1]
        partition[0] = first ^ low
        refined = []
        for group in partition:
            inside = group & near
            if inside:
                refined.append(inside)
            if inside != group:
                refined.append(group ^ inside)
        partition = refined
    return ties


def search_order(links: Sequence[int], component: int, *, control: RunControl | None = None) -> list[int]:
    """The nodes of a component by maximum cardinality search: next the one with most neighbours already placed."""
    control = control or RunControl()
    order: list[int] = []
    n_placed = [0] * len(links)  # neighbours already placed
    left = component
    while left:
        control.checkpoint()
        best = max(bits(left), key=n_placed.__getitem__)  # the first of the best
        order.append(best)
        left ^= 1 << best
        for v in bits(links[best] & left):
            n_placed[v] += 1
    return order


def is_chordal(links: Sequence[int], component: int, *, control: RunControl | None = None) -> bool:
    """Whether every cycle of four or more nodes has a chord: then the search order is a perfect elimination order."""
    control = control or RunControl()
    placed = 0
    for v in search_order(links, component, control=control):
        control.checkpoint()
        earlier = links[v] & placed
        for u in bits(earlier):
            if earlier & ~links[u] & ~(1 << u):
                return False
        placed |= 1 << v
    return True
