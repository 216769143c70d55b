"""Walks from one MAG of a class to the next by changing one mark, with nothing held: for levels too large for that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from latconf_core.control import RunControl
from latconf_core.graph.bits import BitGraph
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.mag.mark_changes import is_legitimate

MAX_REMEMBERED = 200_000  # graphs of which it is remembered whether they are listed: some 20 MB


class Walk:
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
        undoable = []
        for change in self.changes:
            for index in self._lowest.choices[change]:
                a, b = self._lowest.variable[index]
                if is_legitimate(self.parents, self.children, self.spouses, self._lowest.near, a, b):
                    undoable.append((index, self.parents[b] | 1 << a | 1 << b))
        return undoable

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
        is_listed = self._is_listed(self._listed)
        self._make_bidirected(index)
        self.changes.insert(position, change)
        return is_listed

    def _is_listed(self, listed: dict[int, bool]) -> bool:
        """Whether some order of undoing the changes that are left leads to a root."""
        leads = listed.get(self._open_arrowheads)
        if leads is None:
            self._control.checkpoint()
            leads = self._leads_to_root()
            if len(listed) < MAX_REMEMBERED:
                listed[self._open_arrowheads] = leads
        return leads

    def _leads_to_root(self) -> bool:
        if not self.changes:
            return self._lowest.holds(self.parents)
        choices = self._lowest.choices
        return any(
            self._may_undo(position, index)
            for position, change in enumerate(tuple(self.changes))
            for index in choices[change]
        )
