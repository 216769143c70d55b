"""The MAGs of a PAG, by increasing number of bidirected edges, without duplicates and without holding them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from latconf_core.control import RunControl
from latconf_core.graph.bits import BitGraph, bits, components
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.mag.mark_changes import is_legitimate
from latconf_core.mag.validity import is_mag

MAX_KEPT = 50_000  # MAGs of a level kept as the start of the next; beyond it lower levels are walked again
MAX_REMEMBERED = 200_000  # graphs of which it is remembered whether they are listed: some 20 MB


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
    """Lists the MAGs of one PAG level by level, each level starting from the one before where that is small.

    The lowest level are the graphs with every o-> made --> and the o-o part oriented (`LowestLevel`). Above it, each
    MAG has one canonical parent: undo its first <-> that may legitimately become --> in a listed MAG.
    So the class is a forest, walked depth first with nothing remembered.

    In a valid PAG every legitimate change leads to a listed MAG; otherwise that is checked each time.
    """

    def __init__(self, pag: MixedGraph, *, control: RunControl | None = None, is_valid: bool = False) -> None:
        self._pag = pag
        self._control = control or RunControl()
        self._lowest = LowestLevel(pag, control=self._control)
        self._is_valid = is_valid
        self._kept_level = -1
        self._kept: list[tuple[BitGraph, tuple[int, ...]]] = []
        self._listed: dict[int, bool] = {}
        self.n_invariant = self._lowest.n_bidirected

    def level(self, n_bidirected: int) -> Iterator[BitGraph]:
        """The MAGs with exactly this number of bidirected edges, always in the same order."""
        for walk in self._states(n_bidirected):
            yield walk.graph()

    def level_with_validity(self, n_bidirected: int) -> Iterator[tuple[BitGraph, bool]]:
        """The same, each with whether it is a MAG: all are where the PAG is valid.

        Legitimate changes lead from MAGs to MAGs, back and forth: the root alone has to be looked at.
        """
        root, is_root_mag = None, True
        for walk in self._states(n_bidirected):
            if walk.root is not root and not self._is_valid:
                root, is_root_mag = walk.root, is_mag(walk.root)
            yield walk.graph(), is_root_mag

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
        total = 0
        for _ in self._states(n_bidirected):
            total += 1
            if limit is not None and total > limit:
                return None
        return total

    def _states(self, n_bidirected: int) -> Iterator[_Walk]:
        """The walk, standing at each MAG of a level in turn."""
        start = self._kept_level if self.n_invariant <= self._kept_level <= n_bidirected else self.n_invariant
        passed: list[tuple[BitGraph, tuple[int, ...]]] = []
        n_passed = 0
        for walk in self._starts(start) if n_bidirected >= start else ():
            for _ in walk.descend(n_bidirected - start):
                n_passed += 1
                if n_passed <= MAX_KEPT:
                    passed.append((walk.root, tuple(walk.changes)))
                elif passed:
                    passed = []
                self._control.checkpoint()
                yield walk
        if n_passed <= MAX_KEPT and n_bidirected > self._kept_level:
            self._kept_level, self._kept = n_bidirected, passed

    def _starts(self, level: int) -> Iterator[_Walk]:
        """The walk, standing at each MAG of a level that is known or is the lowest."""
        known = None if self._is_valid else self._listed
        if level == self._kept_level:
            for root, changes in self._kept:
                yield _Walk(self._lowest, root, changes, control=self._control, listed=known)
        else:
            for root in self._lowest:
                yield _Walk(self._lowest, root, (), control=self._control, listed=known)


class _Walk:
    """Stands at one MAG below a root and moves to its neighbours by changing one mark.

    listed : whether graphs are listed, as far as that is known, by their `_open_arrowheads`; None where all are
    """

    def __init__(
        self,
        lowest: LowestLevel,
        root: BitGraph,
        changes: Sequence[int],
        *,
        control: RunControl,
        listed: dict[int, bool] | None,
    ) -> None:
        self.root = root
        self.parents = list(root.parents)
        self.children = list(root.children)
        self.spouses = list(root.spouses)
        self.changes: list[int] = []  # positions in `lowest.variable` of the edges made <->
        self._lowest = lowest
        self._control = control
        self._listed = listed
        # Bits of the places in `lowest.variable` that have an arrowhead: the graph, since all else is the same in all.
        self._open_arrowheads = sum(
            1 << index for index, (a, b) in enumerate(lowest.variable) if not root.children[a] >> b & 1
        )
        for index in changes:
            self._make_bidirected(index)
            self.changes.append(index)

    def graph(self) -> BitGraph:
        """The MAG it stands at."""
        return BitGraph(self.root.nodes, self.parents, self.children, self.spouses)

    def descend(self, depth: int) -> Iterator[None]:
        """Stand at every MAG this many levels above, each reached from its canonical parent only."""
        if depth == 0:
            yield
            return
        self._control.checkpoint()
        parents, children, spouses, near = self.parents, self.children, self.spouses, self._lowest.near
        undoable = self._undoable() if self._listed is None else []
        for index, (a, b) in enumerate(self._lowest.variable):
            if not children[a] >> b & 1 or parents[a] & ~parents[b]:  # the second is most often what is not legitimate
                continue
            ends = 1 << a | 1 << b
            if undoable and any(earlier < index and not touched & ends for earlier, touched in undoable):
                continue  # it would not be canonical: the earlier change can still be undone
            if not is_legitimate(parents, children, spouses, near, a, b):
                continue
            self._make_bidirected(index)
            self.changes.append(index)
            if self._is_canonical(index):
                if depth == 1:
                    yield
                else:
                    yield from self.descend(depth - 1)
            self.changes.pop()
            self._make_directed(index)

    def _make_bidirected(self, index: int) -> None:
        a, b = self._lowest.variable[index]
        self.children[a] ^= 1 << b
        self.parents[b] ^= 1 << a
        self.spouses[a] ^= 1 << b
        self.spouses[b] ^= 1 << a
        self._open_arrowheads ^= 1 << index

    _make_directed = _make_bidirected  # the same bits change back

    def _undoable(self) -> list[tuple[int, int]]:
        """Changes that may be undone here, each with the nodes it looks at.

        A further change elsewhere leaves it so: it takes no node's parents or spouses from what
        `is_legitimate` compares, and directed paths only become fewer.
        """
        found = []
        for change in self.changes:
            for index in self._lowest.choices[change]:
                a, b = self._lowest.variable[index]
                if is_legitimate(self.parents, self.children, self.spouses, self._lowest.near, a, b):
                    found.append((index, self.parents[b] | 1 << a | 1 << b))
        return found

    def _is_canonical(self, index: int) -> bool:
        """Whether no earlier change than the last one made leads back to a listed MAG."""
        choices = self._lowest.choices
        for position, change in enumerate(tuple(self.changes)):
            for earlier in choices[change]:
                if earlier < index and self._may_undo(position, earlier):
                    return False
        return True

    def _may_undo(self, position: int, index: int) -> bool:
        """Whether making a changed edge directed is legitimate and gives a listed MAG."""
        a, b = self._lowest.variable[index]
        if not is_legitimate(self.parents, self.children, self.spouses, self._lowest.near, a, b):
            return False
        if self._listed is None:
            return True
        change = self.changes.pop(position)
        self._make_directed(index)
        found = self._is_listed(self._listed)
        self._make_bidirected(index)
        self.changes.insert(position, change)
        return found

    def _is_listed(self, listed: dict[int, bool]) -> bool:
        """Whether some order of undoing the changes that are left leads to a root."""
        found = listed.get(self._open_arrowheads)
        if found is None:
            self._control.checkpoint()
            found = self._leads_to_root()
            if len(listed) < MAX_REMEMBERED:
                listed[self._open_arrowheads] = found
        return found

    def _leads_to_root(self) -> bool:
        if not self.changes:
            return self._lowest.holds(self.parents)
        choices = self._lowest.choices
        return any(
            self._may_undo(position, index)
            for position, change in enumerate(tuple(self.changes))
            for index in choices[change]
        )
