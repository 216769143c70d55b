"""Many graphs over the same nodes side by side, as arrays of bits: a question to all costs little more than to one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from latconf_core.arrays import BoolArray, IndexArray, IntArray
from latconf_core.graph.bits import BitGraph

MOST_BITS = 62  # of a number of 64 bits, so that the sign plays no part; more nodes stand in Python's own numbers
AT_A_TIME = 64  # graphs taken out of the arrays


@dataclass(frozen=True)
class Graphs:
    """The parents, children and spouses of every node of many graphs as bits, each (n_nodes, n_graphs)."""

    parents: IntArray
    children: IntArray
    spouses: IntArray

    @classmethod
    def of(cls, graphs: Iterable[BitGraph], n_nodes: int) -> Graphs:
        """The graphs in their order."""
        rows = [(graph.parents, graph.children, graph.spouses) for graph in graphs]
        kind = np.int64 if n_nodes <= MOST_BITS else np.object_
        columns = np.array(rows, dtype=kind).reshape(-1, 3, n_nodes).transpose(1, 2, 0).copy()
        return cls(*columns)

    def one(self, index: int, nodes: tuple[str, ...]) -> BitGraph:
        """One of them."""
        return BitGraph(nodes, *(part[:, index].tolist() for part in (self.parents, self.children, self.spouses)))

    def one_by_one(self, nodes: tuple[str, ...]) -> Iterator[BitGraph]:
        """Each of them by itself."""
        for first in range(0, len(self), AT_A_TIME):
            chunk = slice(first, first + AT_A_TIME)
            columns = [part[:, chunk].T.tolist() for part in (self.parents, self.children, self.spouses)]
            for parents, children, spouses in zip(*columns):
                yield BitGraph(nodes, parents, children, spouses)

    def all_parents(self) -> Iterator[tuple[int, ...]]:
        """The parents of every node, graph by graph; a number that is the same in all of them is made once."""
        is_same = (self.parents == self.parents[:, :1]).all(axis=1).tolist()
        rows = (repeat(int(row[0]), len(row)) if same else row.tolist() for row, same in zip(self.parents, is_same))
        return zip(*rows)

    def __len__(self) -> int:
        return len(self.parents.T)

    def take(self, places: IndexArray | slice) -> Graphs:
        """Some of the graphs; a copy where they are given by their places."""
        return Graphs(self.parents[:, places], self.children[:, places], self.spouses[:, places])

    def swap(self, a: int, b: int, is_swapped: IntArray) -> None:
        """Make a --> b in the graphs with a 1, of those with 0 and 1, a <-> b."""
        swapped = is_swapped.astype(self.parents.dtype, copy=False)
        bit_of_a, bit_of_b = swapped << a, swapped << b
        self.children[a] ^= bit_of_b
        self.parents[b] ^= bit_of_a
        self.spouses[a] ^= bit_of_b
        self.spouses[b] ^= bit_of_a

    def find_legitimate(self, near: Sequence[int], a: int, b: int) -> IndexArray:
        """The graphs with a --> b in which that may become a <-> b; see `is_legitimate`, which says the same of one."""
        above_b = self.parents[b]
        fits = (above_b >> a & 1 != 0) & (self.parents[a] & ~above_b == 0)
        places: IndexArray = np.flatnonzero(fits)
        beside_a = self.spouses[a, places] & ~(1 << b)
        places = places[beside_a & ~(above_b[places] | self.spouses[b, places]) == 0]
        places = places[~self._is_discriminated(places, near, a, b)]
        is_alone: BoolArray = ~self._leads_elsewhere(places, a, b)
        return places[is_alone]

    def _is_discriminated(self, places: IndexArray, near: Sequence[int], a: int, b: int) -> BoolArray:
        """Whether a discriminating path for a ends at b."""
        within = self.parents[b, places]
        todo = self.spouses[a, places] & within
        seen = np.zeros_like(todo)
        discriminated = np.zeros(len(places), dtype=np.bool_)
        live = np.flatnonzero(todo)
        while live.size:
            low: IntArray = todo[live] & -todo[live]
            nodes, live_places = position(low), places[live]
            discriminated[live] = (self.parents[nodes, live_places] | self.spouses[nodes, live_places]) & ~near[b] != 0
            seen[live] |= low
            todo[live] = (todo[live] | self.spouses[nodes, live_places] & within[live]) & ~seen[live]
            live = live[(todo[live] != 0) & ~discriminated[live]]
        return discriminated

    def _leads_elsewhere(self, places: IndexArray, a: int, b: int) -> BoolArray:
        """Whether a directed path other than the edge leads from a to b."""
        goal = self.parents[b, places] & ~(1 << a)
        todo: IntArray = np.where(goal == 0, 0, self.children[a, places] & ~(1 << b))
        seen = np.zeros_like(todo)
        leads_elsewhere: BoolArray = todo & goal != 0
        live = np.flatnonzero((todo != 0) & ~leads_elsewhere)
        while live.size:
            low: IntArray = todo[live] & -todo[live]
            seen[live] |= low
            todo[live] = (todo[live] | self.children[position(low), places[live]]) & ~seen[live]
            leads_elsewhere[live] = todo[live] & goal[live] != 0
            live = live[(todo[live] != 0) & ~leads_elsewhere[live]]
        return leads_elsewhere


def position(low: IntArray) -> IndexArray:
    """The positions of single bits."""
    if low.dtype == np.object_:
        return np.array([mask.bit_length() - 1 for mask in low], dtype=np.intp)
    return np.frexp(low.astype(np.float64))[1].astype(np.intp) - 1
