"""Which parents grow and shrink choose for a child, remembered as a tree (BOSS: Andrews, Ramsey et al. 2023).

A node is a set of parents, its branches are the candidates that raise the score when added, best first. Whatever the
predecessors are, the grown set is where the walk along the best branch among them ends, so nothing is scored twice.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from latconf_core.graph.bits import bits
from latconf_core.structure.family_table import LEAST_GAIN, FamilyTable

MOST_NODES = 2_000  # of a child: a guard of memory, chosen and not measured


class Branching:
    """A set of parents in the tree of a child, and the candidates that were looked at.

    grown : the set, as bits
    least : what a candidate has to score to be added
    looked_at : the candidates whose scores are known, as bits; all where the set is full
    rising : those of them that raise the score, as bits
    best_first : (minus the score, the bit) of each rising candidate, in rising order
    """

    __slots__ = ("best_first", "branches", "grown", "least", "looked_at", "rising")

    def __init__(self, grown: int, score: float, *, is_full: bool) -> None:
        self.grown = grown
        self.least = score + LEAST_GAIN
        self.looked_at = -1 if is_full else grown
        self.rising = 0
        self.best_first: list[tuple[float, int]] = []
        self.branches: dict[int, Branching] = {}


class Walk(NamedTuple):
    """Where the walk among some predecessors ended.

    grown : the set, as bits; without one that is not in it the walk is the same
    upsetting : the variables, as bits, with one of which as a predecessor more the walk may be another
    parents : what shrinking leaves of the set
    score : of the family
    """

    grown: int
    upsetting: int
    parents: int
    score: float


class ParentTree:
    """The tree of one child; begins anew when it has too many nodes, which changes no choice."""

    def __init__(self, child: int, *, most_nodes: int = MOST_NODES) -> None:
        self.child = child
        self.n_nodes = 0
        self._most_nodes = most_nodes
        self._root: Branching | None = None
        self._shrunk: dict[int, tuple[int, float]] = {}

    def choose(self, before: int, table: FamilyTable, checkpoint: Callable[[], None]) -> tuple[int, float]:
        """The parents among the predecessors `before`, as bits, and the score of the family."""
        walk = self.walk(before, table, checkpoint)
        return walk.parents, walk.score

    def walk(self, before: int, table: FamilyTable, checkpoint: Callable[[], None]) -> Walk:
        """The walk among the predecessors `before`."""
        grown, upsetting = self._grow(before, table, checkpoint)
        choice = self._shrunk.get(grown)
        if choice is None:
            checkpoint()
            choice = self._shrunk[grown] = self._shrink(grown, table)
        return Walk(grown, upsetting, *choice)

    def _grow(self, before: int, table: FamilyTable, checkpoint: Callable[[], None]) -> tuple[int, int]:
        """The best candidate among the predecessors is added while the score rises, of equal ones the first."""
        node, upsetting = self._root or self._plant(table), 0
        while True:
            unseen = before & ~node.looked_at
            if unseen:
                self._look_at(node, unseen, table, checkpoint)
            upsetting |= ~node.looked_at
            if not before & node.rising:
                return node.grown, upsetting | node.rising
            for _, best in node.best_first:
                if before & best:
                    break
                upsetting |= best
            node = node.branches.get(best) or self._branch(node, best, table)

    def _plant(self, table: FamilyTable) -> Branching:
        self._shrunk.clear()
        self.n_nodes = 1
        self._root = self._node(0, table)
        return self._root

    def _branch(self, node: Branching, candidate: int, table: FamilyTable) -> Branching:
        if self.n_nodes >= self._most_nodes:
            self._root = None  # the walk goes on in what is left of the old tree, the next one begins anew
        self.n_nodes += 1
        node.branches[candidate] = branch = self._node(node.grown | candidate, table)
        return branch

    def _node(self, grown: int, table: FamilyTable) -> Branching:
        is_full = table.is_full(self.child, grown)
        return Branching(grown, table.score(self.child, grown), is_full=is_full)

    def _look_at(self, node: Branching, candidates: int, table: FamilyTable, checkpoint: Callable[[], None]) -> None:
        """Put the candidates that raise the score in their places; all there are where they are counted together."""
        row = table.scores_with(self.child, node.grown)
        if row is not None:
            node.best_first = sorted((-float(row[v]), 1 << int(v)) for v in np.flatnonzero(row > node.least))
            node.rising = sum(candidate for _, candidate in node.best_first)
            node.looked_at = -1
            return
        for candidate in bits(candidates):
            checkpoint()
            score = table.score(self.child, node.grown | 1 << candidate)
            node.looked_at |= 1 << candidate
            if score > node.least:
                node.rising |= 1 << candidate
                insort(node.best_first, (-score, 1 << candidate))

    def _shrink(self, grown: int, table: FamilyTable) -> tuple[int, float]:
        """The worst parent is left out while the score rises; of equal ones the first."""
        chosen, now = grown, table.score(self.child, grown)
        while chosen:
            smaller = ((table.score(self.child, chosen & ~(1 << parent)), parent) for parent in bits(chosen))
            best, parent = max(smaller, key=lambda trial: trial[0])
            if best <= now + LEAST_GAIN:
                break
            now, chosen = best, chosen & ~(1 << parent)
        return chosen, now
