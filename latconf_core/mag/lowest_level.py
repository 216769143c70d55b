"""The MAGs of a PAG with the fewest bidirected edges: every o-> made -->, the o-o part oriented in every way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.graph.bits import BitGraph, bits, components, topological_order
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.chordal import Orientations, Split, is_chordal, search_order

Pair = tuple[int, int]


@dataclass
class _Marks:
    """The edges of a PAG sorted by what its marks leave open, as bits."""

    parents: list[int]
    children: list[int]
    spouses: list[int]
    circled: list[int]  # the o-o neighbours
    variable: list[Pair]  # (a, b) where the mark at a may be a tail or an arrowhead


class LowestLevel:
    """The graphs of the lowest level, and what a listing needs to start from them.

    variable : every (a, b) with a circle at a that may become an arrowhead, in order
    choices : for each of them, the positions of it and of (b, a) where that is there too
    near : the neighbours of every node, and the node itself

    A graph that is no PAG is taken as given: an o-o component that is not chordal gets the one orientation
    along a maximum cardinality search, and results with a directed cycle are left out.
    """

    def __init__(self, pag: MixedGraph, *, control: RunControl | None = None) -> None:
        self._control = control or RunControl()
        marks = _sorted_marks(pag)
        self.nodes = pag.nodes
        self.variable = tuple(marks.variable)
        position = {pair: i for i, pair in enumerate(self.variable)}
        self.choices = tuple(
            tuple(sorted(position[pair] for pair in ((a, b), (b, a)) if pair in position)) for a, b in self.variable
        )
        self.links = tuple(marks.circled)
        self.near = tuple(
            1 << v | p | c | s | o
            for v, (p, c, s, o) in enumerate(zip(marks.parents, marks.children, marks.spouses, marks.circled))
        )
        self.n_bidirected = sum(mask.bit_count() for mask in marks.spouses) // 2
        parts = [part for part in components(self.links, (1 << len(self.nodes)) - 1) if part & (part - 1)]
        self.chordal = tuple(part for part in parts if is_chordal(self.links, part, control=self._control))
        self.not_chordal = tuple(part for part in parts if part not in self.chordal)
        for part in self.not_chordal:
            _orient_along_search(marks, part, self._control)
        self._marks = marks
        self._orientations = Orientations(self.links, control=self._control)
        self.is_base_acyclic = topological_order(marks.parents) is not None
        self.are_all_acyclic = self.is_base_acyclic and _is_quotient_acyclic(marks.parents, self.chordal)

    def __iter__(self) -> Iterator[BitGraph]:
        if not self.is_base_acyclic:
            return
        marks = self._marks
        parents, children = list(marks.parents), list(marks.children)
        for _ in _oriented(self._orientations, self.chordal, parents, children):
            self._control.checkpoint()  # very many may be left out in a row, here or by who asks
            if self.are_all_acyclic or topological_order(parents) is not None:
                yield BitGraph(self.nodes, parents, children, marks.spouses)

    def along_search(self) -> BitGraph:
        """The graph with every o-o component oriented along a maximum cardinality search; it may have a cycle."""
        marks = replace(self._marks, parents=list(self._marks.parents), children=list(self._marks.children))
        for part in self.chordal:
            _orient_along_search(marks, part, self._control)
        return BitGraph(self.nodes, marks.parents, marks.children, marks.spouses)

    def count(self) -> int | None:
        """How many there are, without listing them; None where only listing can tell."""
        if not self.is_base_acyclic:
            return 0
        if not self.are_all_acyclic:
            return None
        total = 1
        for part in self.chordal:
            count = self._orientations.count(part)
            if count is None:
                return None
            total *= count
        return total

    def holds(self, parents: Sequence[int]) -> bool:
        """Whether a graph of the lowest level, with the right skeleton, is one of these."""
        if any(parents[v] & part != self._marks.parents[v] & part for part in self.not_chordal for v in bits(part)):
            return False
        for part in self.chordal:
            for v in bits(part):
                above = parents[v] & part & self.links[v]
                if any(above & ~self.links[u] & ~(1 << u) for u in bits(above)):
                    return False
        return topological_order(parents) is not None


def _sorted_marks(pag: MixedGraph) -> _Marks:
    n = len(pag.nodes)
    sorted_marks = _Marks([0] * n, [0] * n, [0] * n, [0] * n, [])
    marks = pag.marks.tolist()
    for a, b in np.argwhere(pag.marks).tolist():
        at_a, at_b = marks[b][a], marks[a][b]
        if at_a == at_b == Mark.TAIL:
            edge = pag.edge(pag.nodes[a], pag.nodes[b])
            raise GraphError(f"the edge {edge} implies selection bias, which is not supported; remove or orient it")
        if at_a == at_b == Mark.ARROW:
            sorted_marks.spouses[a] |= 1 << b
        elif at_a == at_b == Mark.CIRCLE:
            sorted_marks.circled[a] |= 1 << b
        elif at_b == Mark.ARROW or at_a == Mark.TAIL:  # a --> b, a o-> b; a --o b without selection is a --> b
            sorted_marks.children[a] |= 1 << b
            sorted_marks.parents[b] |= 1 << a
        if at_a == Mark.CIRCLE and at_b != Mark.TAIL:
            sorted_marks.variable.append((a, b))
    return sorted_marks


def _orient_along_search(marks: _Marks, part: int, control: RunControl) -> None:
    before = 0
    for v in search_order(marks.circled, part, control=control):
        above = marks.circled[v] & before
        marks.parents[v] |= above
        for u in bits(above):
            marks.children[u] |= 1 << v
        before |= 1 << v


def _is_quotient_acyclic(parents: Sequence[int], parts: Sequence[int]) -> bool:
    """Whether no directed cycle appears however the parts are oriented inside: each is shrunk to one node."""
    n = len(parents)
    owner = list(range(n))
    for part in parts:
        first = next(bits(part))
        for v in bits(part):
            owner[v] = first
    shrunk = [0] * n
    for v, above in enumerate(parents):
        for u in bits(above):
            shrunk[owner[v]] |= 1 << owner[u]
    return topological_order(shrunk) is not None


def _oriented(
    orientations: Orientations, parts: Sequence[int], parents: list[int], children: list[int]
) -> Iterator[None]:
    """Put every orientation of the parts into `parents` and `children`, one after the other."""
    choices: list[tuple[Iterator[Split], tuple[int, ...]]] = []  # per chosen source: the next ones, the parts after it
    made: list[Split | None] = []
    todo = tuple(parts)
    while True:
        if todo:
            choices.append((orientations.splits(todo[-1]), todo[:-1]))
            made.append(None)
        else:
            yield
        while choices:
            sources, later = choices[-1]
            _put(made[-1], parents, children)
            split = next(sources, None)
            _put(split, parents, children)
            made[-1] = split
            if split is not None:
                todo = later + split.rest
                break
            choices.pop()
            made.pop()
        else:
            return


def _put(split: Split | None, parents: list[int], children: list[int]) -> None:
    """Add the arcs of a split, or take them out where they are there."""
    if split is None:
        return
    for v, mask in split.children:
        children[v] ^= mask
    for v, mask in split.parents:
        parents[v] ^= mask
