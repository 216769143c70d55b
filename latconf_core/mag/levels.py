"""The levels of a listing that are small enough to be held, each made at once from the one below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import IndexArray, IntArray
from latconf_core.control import RunControl
from latconf_core.graph.bits import BitGraph, bits
from latconf_core.mag.graph_arrays import MOST_BITS, Graphs
from latconf_core.mag.lowest_level import LowestLevel

AT_A_TIME = 2048  # graphs made of what is held, to look at …
LISTED_AT_A_TIME = 256  # … and to be listed


@dataclass(frozen=True)
class Level:
    """The graphs of one level in the order of the listing, small: all that differs from their roots.

    roots : (n_graphs,) the place of each graph's root among the graphs of the lowest level
    arrowheads : (n_words, n_graphs) bits of the places in `LowestLevel.variable` that have an arrowhead: the graph,
        since all else is the same in all
    """

    roots: IndexArray
    arrowheads: IntArray

    def __len__(self) -> int:
        return len(self.roots)


class Levels:
    """Levels above the lowest; the first change that leads to a graph from the level below is its own.

    In other words, a graph is made from the first of `LowestLevel.variable` that may legitimately be an arrowhead in
    it and a tail in a graph of the level below: what a walk along canonical changes meets, in the same order.
    """

    def __init__(self, lowest: LowestLevel, roots: Sequence[BitGraph], control: RunControl) -> None:
        self.roots = roots
        self._lowest = lowest
        self._control = control
        self._of_roots = Graphs.of(roots, len(lowest.nodes))
        self._root_arrowheads = _arrowheads(lowest, self._of_roots)
        self._levels = [Level(np.arange(len(roots)), self._root_arrowheads)]

    def above(self, n_added: int) -> Level:
        """The level with this many more <-> than the lowest."""
        while len(self._levels) <= n_added:
            self._levels.append(self._next(self._levels[-1]))
        return self._levels[n_added]

    def changes(self, level: Level) -> Iterator[tuple[int, tuple[int, ...]]]:
        """For every graph of a level the place of its root, and what changed since as places in `variable`."""
        changed = level.arrowheads ^ self._root_arrowheads[:, level.roots]
        for root, words in zip(level.roots.tolist(), changed.T.tolist()):
            yield root, tuple([word * MOST_BITS + bit for word, mask in enumerate(words) for bit in bits(mask)])

    def chunks(self, level: Level, size: int = LISTED_AT_A_TIME) -> Iterator[tuple[IndexArray, Graphs]]:
        """The graphs of a level with the places of their roots, some at a time."""
        for first in range(0, len(level), size):
            self._control.checkpoint()
            index = slice(first, first + size)
            yield level.roots[index], self._graphs(level.roots[index], level.arrowheads[:, index])

    def _graphs(self, roots: IndexArray, arrowheads: IntArray) -> Graphs:
        graphs = self._of_roots.take(roots)
        changed = arrowheads ^ self._root_arrowheads[:, roots]
        for index, (a, b) in enumerate(self._lowest.variable):
            word, bit = divmod(index, MOST_BITS)
            graphs.swap(a, b, changed[word] >> bit & 1)
        return graphs

    def _next(self, level: Level) -> Level:
        """The level with one <-> more."""
        places, changes = self._find_changes(level)
        arrowheads = level.arrowheads[:, places]
        for word in range(len(arrowheads)):
            index = np.flatnonzero(changes // MOST_BITS == word)
            arrowheads[word, index] ^= 1 << changes[index] % MOST_BITS
        order = np.lexsort((changes, *arrowheads))
        is_first = np.ones(len(order), dtype=np.bool_)
        is_first[1:] = (np.diff(arrowheads[:, order]) != 0).any(axis=0)
        first = order[is_first]
        first = first[np.lexsort((changes[first], places[first]))]
        return Level(level.roots[places[first]], arrowheads[:, first])

    def _find_changes(self, level: Level) -> tuple[IndexArray, IndexArray]:
        """Every legitimate change --> to <-> in the graphs of a level: their places, and which change."""
        places, changes = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.intp)]
        first = 0
        for roots, graphs in self.chunks(level, AT_A_TIME):
            for index, (a, b) in enumerate(self._lowest.variable):
                self._control.checkpoint()
                legitimate = graphs.find_legitimate(self._lowest.near, a, b)
                places.append(first + legitimate)
                changes.append(np.full(len(legitimate), index))
            first += len(roots)
        return np.concatenate(places), np.concatenate(changes)


def _arrowheads(lowest: LowestLevel, graphs: Graphs) -> IntArray:
    n_words = max(1, -(-len(lowest.variable) // MOST_BITS))
    arrowheads = np.zeros((n_words, len(graphs)), dtype=np.int64)
    for index, (a, b) in enumerate(lowest.variable):
        word, bit = divmod(index, MOST_BITS)
        arrowheads[word] |= (graphs.children[a] >> b & 1 == 0).astype(np.int64) << bit
    return arrowheads
