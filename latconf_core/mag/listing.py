"""The MAGs of a PAG, by increasing number of bidirected edges, without duplicates and without holding them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice

import numpy as np

from latconf_core.arrays import IndexArray
from latconf_core.control import RunControl
from latconf_core.graph.bits import BitGraph, bits, components
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.graph_arrays import Graphs
from latconf_core.mag.levels import Level, Levels
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.mag.validity import is_mag
from latconf_core.mag.walk import Walk

MAX_KEPT = 50_000  # MAGs of a level from which the next is made at once; beyond it lower levels are walked again
MAX_ROOT_MARKS = 1_000_000  # nodes of the graphs of the lowest level together, for the same
MADE_AT_A_TIME, WALKED_AT_A_TIME = 1024, 64
MIN_OPEN_MARKS = 12  # with fewer a class is so small that walking is quicker


def enumerate_mags(
    pag: MixedGraph, *, max_bidirected: int | None = None, control: RunControl | None = None, is_valid: bool = False
) -> Iterator[BitGraph]:
    """Every MAG of a PAG, those with fewest bidirected edges first; `to_graph()` gives one as marks.

    A graph that is no valid PAG is listed as given: its marks are kept, and so is every result whose
    directed part is acyclic, even if it is not ancestral. Where the PAG is known to be valid, `is_valid` gives
    the same list in less time.
    """
    listing = MagListing(pag, control=control, is_valid=is_valid)
    level = listing.n_invariant
    while max_bidirected is None or level <= max_bidirected:
        is_empty = True
        for mag in listing.level(level):
            is_empty = False
            yield mag
        if is_empty:  # every MAG has a neighbour one level below
            return
        level += 1


def mags_at_level(
    pag: MixedGraph, n_bidirected: int, *, control: RunControl | None = None, is_valid: bool = False
) -> Iterator[BitGraph]:
    """The MAGs of a PAG with exactly this number of bidirected edges."""
    return MagListing(pag, control=control, is_valid=is_valid).level(n_bidirected)


def invariant_bidirected(pag: MixedGraph) -> int:
    """The number of <-> in the PAG itself: the lowest level that has a MAG."""
    return LowestLevel(pag).n_bidirected


def count_level(
    pag: MixedGraph,
    n_bidirected: int,
    *,
    limit: int | None = None,
    control: RunControl | None = None,
    is_valid: bool = False,
) -> int | None:
    """The number of MAGs with exactly this number of bidirected edges; None where more than `limit` must be listed."""
    return MagListing(pag, control=control, is_valid=is_valid).count(n_bidirected, limit=limit)


class MagListing:
    """Lists the MAGs of one PAG level by level, each level made from the one below where that is small.

    The lowest level are the graphs with every o-> made --> and the o-o part oriented (`LowestLevel`). Above it, each
    MAG has one canonical parent: undo its first <-> that may legitimately become --> in a listed MAG.
    So the class is a forest. Levels that can be held are made at once (`Levels`); those above are walked, depth first
    with nothing remembered (`Walk`), in the same order.

    In a valid PAG every legitimate change leads to a listed MAG; otherwise that is checked each time.
    """

    def __init__(self, pag: MixedGraph, *, control: RunControl | None = None, is_valid: bool = False) -> None:
        self._pag = pag
        self._control = control or RunControl()
        self._lowest = LowestLevel(pag, control=self._control)
        self._is_valid = is_valid
        self._listed: dict[int, bool] = {}
        self._is_root_mag: dict[int, bool] = {}
        self.n_invariant = self._lowest.n_bidirected

    def level(self, n_bidirected: int) -> Iterator[BitGraph]:
        """The MAGs with exactly this number of bidirected edges, always in the same order."""
        for graph, _ in self._with_roots(n_bidirected):
            yield graph

    def level_with_validity(self, n_bidirected: int) -> Iterator[tuple[BitGraph, bool]]:
        """The same, each with whether it is a MAG: all are where the PAG is valid.

        Legitimate changes lead from MAGs to MAGs, back and forth: the root alone has to be looked at.
        """
        root, is_root_mag = None, True
        for graph, own_root in self._with_roots(n_bidirected):
            if own_root is not root and not self._is_valid:
                root, is_root_mag = own_root, is_mag(own_root)
            yield graph, is_root_mag

    def chunks_with_validity(self, n_bidirected: int) -> Iterator[tuple[Graphs, list[bool]]]:
        """The same, many at a time."""
        held = self._held(n_bidirected)
        if held is not None and self._levels is not None:
            for roots, graphs in self._levels.chunks(held, MADE_AT_A_TIME):
                yield graphs, [True] * len(roots) if self._is_valid else self._are_mags(roots)
            return
        chunks = self.level_with_validity(n_bidirected)
        while some := list(islice(chunks, WALKED_AT_A_TIME)):
            yield Graphs.of([graph for graph, _ in some], len(self._pag.nodes)), [claim for _, claim in some]

    def _are_mags(self, roots: IndexArray) -> list[bool]:
        """Whether each of some roots is a MAG, each looked at once."""
        for root in np.unique(roots).tolist():
            if root not in self._is_root_mag and self._levels is not None:
                self._is_root_mag[root] = is_mag(self._levels.roots[root])
        return [self._is_root_mag[root] for root in roots.tolist()]

    def count(self, n_bidirected: int, *, limit: int | None = None) -> int | None:
        """How many MAGs a level has; None where more than `limit` must be listed to know.

        The lowest level is counted without listing it where possible, and parts of the graph that no edge joins
        are counted apart.
        """
        above = n_bidirected - self.n_invariant
        if above < 0:
            return 0
        if len(self._parts) < 2 or above == 0:
            return self._count_listed(n_bidirected, limit)
        totals = [1] + [0] * above  # by the number of <-> added to the invariant ones
        for part in self._parts:
            counts = part._counts_up_to(above, limit)
            if counts is None:
                return None
            totals = [sum(totals[i] * counts[level - i] for i in range(level + 1)) for level in range(above + 1)]
        return totals[above]

    @cached_property
    def _parts(self) -> tuple[MagListing, ...]:
        """The same for every connected part of the graph."""
        marks, nodes = self._pag.marks, self._pag.nodes
        groups = [list(bits(part)) for part in components(self._lowest.near, (1 << len(nodes)) - 1)]
        return tuple(
            MagListing(
                MixedGraph([nodes[v] for v in group], marks[group][:, group]),
                control=self._control,
                is_valid=self._is_valid,
            )
            for group in groups
            if len(group) > 1
        )

    def _counts_up_to(self, above: int, limit: int | None) -> list[int] | None:
        """How many MAGs the lowest levels have, the lowest first."""
        counts: list[int] = []
        for level in range(self.n_invariant, self.n_invariant + above + 1):
            count = 0 if counts and counts[-1] == 0 else self._count_listed(level, limit)
            if count is None:
                return None
            counts.append(count)
        return counts

    def _count_listed(self, n_bidirected: int, limit: int | None) -> int | None:
        if n_bidirected == self.n_invariant:
            count = self._lowest.count()
            if count is not None:
                return count
        held = self._held(n_bidirected)
        if held is not None:
            return len(held) if limit is None or len(held) <= limit else None
        total = 0
        for _ in self._states(n_bidirected):
            total += 1
            if limit is not None and total > limit:
                return None
        return total

    @cached_property
    def _levels(self) -> Levels | None:
        """The levels that can be held; None where the lowest is too large for that, or all are small."""
        most = min(MAX_KEPT, MAX_ROOT_MARKS // max(len(self._lowest.nodes), 1))
        if len(self._lowest.variable) < MIN_OPEN_MARKS or (self._lowest.count() or 0) > most:
            return None
        roots = list(islice(self._lowest, most + 1))
        return None if len(roots) > most else Levels(self._lowest, roots, self._control)

    def _held(self, n_bidirected: int) -> Level | None:
        """A level that is made at once; None where the one below it is too large."""
        if n_bidirected < self.n_invariant or self._levels is None:
            return None
        for n_added in range(n_bidirected - self.n_invariant):
            if len(self._levels.above(n_added)) > MAX_KEPT:
                return None
        return self._levels.above(n_bidirected - self.n_invariant)

    def _with_roots(self, n_bidirected: int) -> Iterator[tuple[BitGraph, BitGraph]]:
        """Every graph of a level, with the one of the lowest level that it comes from."""
        held = self._held(n_bidirected)
        if held is None or self._levels is None:
            for walk in self._states(n_bidirected):
                yield walk.graph(), walk.root
            return
        roots = self._levels.roots
        for places, graphs in self._levels.chunks(held):
            for index, graph in zip(places.tolist(), graphs.one_by_one(self._pag.nodes)):
                yield graph, roots[index]

    def _states(self, n_bidirected: int) -> Iterator[Walk]:
        """The walk, standing at each MAG of a level in turn, from the highest level below that is held."""
        if n_bidirected < self.n_invariant:
            return
        start = n_bidirected
        while start > self.n_invariant and self._held(start) is None:
            start -= 1
        for walk in self._starts(start):
            for _ in walk.descend(n_bidirected - start):
                self._control.checkpoint()
                yield walk

    def _starts(self, level: int) -> Iterator[Walk]:
        """The walk, standing at each MAG of a level that is held or is the lowest."""
        known = None if self._is_valid else self._listed
        held = self._held(level)
        if held is None or self._levels is None:
            for root in self._lowest:
                yield Walk(self._lowest, root, (), control=self._control, listed=known)
        else:
            for index, changes in self._levels.changes(held):
                yield Walk(self._lowest, self._levels.roots[index], changes, control=self._control, listed=known)
