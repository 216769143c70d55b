"""The latents of many MAGs of one class: what is the same in several of them is worked out once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import reduce
from operator import or_
from typing import TypeVar

import numpy as np

from latconf_core.arrays import BoolArray, IndexArray, IntArray
from latconf_core.control import RunControl
from latconf_core.graph.bits import BitGraph, bits, closure, components, unite
from latconf_core.mag.graph_arrays import Graphs, position
from latconf_core.mag.latents.family_checker import FamilyChecker
from latconf_core.mag.latents.minimum import MAX_STEPS, in_order, joinable, solve_part

ChildSets = tuple[int, ...]
Key = TypeVar("Key")
MAX_REMEMBERED = 200_000


class LatentsOfMany:
    """The children of the latents of MAGs over some nodes, as `minimum_latents` gives them for each."""

    def __init__(self, nodes: tuple[str, ...], *, control: RunControl) -> None:
        self._nodes = nodes
        self._control = control
        self._by_spouses: dict[Hashable, ChildSets] = {}
        self._by_key: dict[Hashable, ChildSets] = {}
        self._of_parts: dict[tuple[int, ...], ChildSets] = {}

    def of_all(self, graphs: Graphs, are_mags: list[bool]) -> list[ChildSets]:
        """The child sets of each graph, as bits: the fewest of a MAG, one per <-> of a graph that is none."""
        is_plain = _are_plain(graphs) | ~np.array(are_mags, dtype=np.bool_)
        result: list[ChildSets] = [()] * len(graphs)
        plain, other = np.flatnonzero(is_plain), np.flatnonzero(~is_plain)
        spouses = graphs.spouses[:, plain]
        for index, (number, key) in enumerate(zip(plain.tolist(), _keys(spouses))):
            known = self._by_spouses.get(key)
            if known is None:
                known = _one_per_edge(spouses[:, index].tolist())
                _remember(self._by_spouses, key, known)
            result[number] = known
        rest = graphs.take(other)
        keys = _all_that_matters(rest) if other.size else []
        for index, (number, key) in enumerate(zip(other.tolist(), keys)):
            known = self._by_key.get(key)
            if known is None:
                known = self._fewest(rest.one(index, self._nodes))
                _remember(self._by_key, key, known)
            result[number] = known
        return result

    def _fewest(self, graph: BitGraph) -> ChildSets:
        inside = reduce(or_, graph.spouses, 0)
        links = joinable(graph, inside)
        checker = FamilyChecker(graph)
        sets: list[int] = []
        for part in components(links, inside):
            if part.bit_count() == 2:
                sets.append(part)
                continue
            key = _matters_to_part(graph, links, part)
            fewest = self._of_parts.get(key)
            if fewest is None:
                families, _ = solve_part(checker, links, part, max_steps=MAX_STEPS, control=self._control)
                fewest = families[0]
                _remember(self._of_parts, key, fewest)
            sets.extend(fewest)
        return in_order(sets)


def _one_per_edge(spouses: Sequence[int]) -> ChildSets:
    """As `one_latent_per_edge`."""
    pairs = [(a, b) for a, mask in enumerate(spouses) if mask for b in bits(mask & -(2 << a))]
    return tuple([1 << a | 1 << b for a, b in pairs])


def _are_plain(graphs: Graphs) -> BoolArray:
    """The graphs whose <-> share no node, and no directed edge joins two nodes that have one: nothing to choose."""
    inside = np.bitwise_or.reduce(graphs.spouses, axis=0)
    has_one = graphs.spouses & graphs.spouses - 1 == 0  # or none
    is_apart = (graphs.spouses == 0) | (graphs.children & inside == 0)
    plain: BoolArray = (has_one & is_apart).all(axis=0)
    return plain


def _all_that_matters(graphs: Graphs) -> Sequence[Hashable]:
    """For each graph, all that its smallest families depend on; see `_matters_to_part`, which says it of one part."""
    spouses, parents, children = (_with_nothing(masks) for masks in (graphs.spouses, graphs.parents, graphs.children))
    inside = np.bitwise_or.reduce(graphs.spouses, axis=0)
    slots = []
    left = inside
    while left.any():
        low = left & -left
        slots.append(position(low))  # of 0 it is -1, where there is nothing
        left = left ^ low
    nodes, places = np.array(slots), np.arange(len(graphs))
    above = parents[nodes, places]
    ends = inside | np.bitwise_or.reduce(above, axis=0)
    below = _descendants(children, nodes) & ends
    return _keys(np.concatenate([spouses[nodes, places], above, below]))


def _keys(columns: IntArray) -> Sequence[Hashable]:
    """Each column as something to look up by."""
    if columns.dtype == np.object_ or not columns.size:
        return [tuple(row) for row in columns.T.tolist()]
    rows = np.ascontiguousarray(columns.T)
    keys: list[Hashable] = rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel().tolist()
    return keys


def _with_nothing(masks: IntArray) -> IntArray:
    return np.concatenate([masks, np.zeros_like(masks[:1])])


def _descendants(children: IntArray, nodes: IndexArray) -> IntArray:
    """The descendants of some nodes of each graph, (n_nodes, n_graphs)."""
    places = np.broadcast_to(np.arange(nodes.shape[1]), nodes.shape).ravel()
    todo = children[nodes.ravel(), places]
    seen = np.zeros_like(todo)
    live = np.flatnonzero(todo)
    while live.size:
        low: IntArray = todo[live] & -todo[live]
        seen[live] |= low
        todo[live] = (todo[live] | children[position(low), places[live]]) & ~seen[live]
        live = live[todo[live] != 0]
    return seen.reshape(nodes.shape)


def _matters_to_part(graph: BitGraph, links: list[int], part: int) -> tuple[int, ...]:
    """All that the smallest families of a part depend on, for graphs with the same adjacencies.

    That are its links and spouses, the parents of its nodes, and which of its nodes are ancestors of these or of
    each other: inducing paths run along links and end at nodes of the part or at their parents.
    """
    members = list(bits(part))
    ends = part | unite(graph.parents, part)
    return (
        part,
        *[links[v] for v in members],
        *[graph.spouses[v] for v in members],
        *[graph.parents[v] for v in members],
        *[closure(graph.children, graph.children[v]) & ends for v in members],
    )


def _remember(known: dict[Key, ChildSets], key: Key, child_sets: ChildSets) -> None:
    if len(known) < MAX_REMEMBERED:
        known[key] = child_sets
