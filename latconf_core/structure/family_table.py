"""Scores of families by bit masks of parents, each asked for once, and DAGs as such masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from math import inf

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.graph.bits import bits
from latconf_core.knowledge.bound import BoundKnowledge, nothing_bound

FamilyScore = Callable[[int, int], float]  # of a child and its parents as bits
Parents = tuple[int, ...]  # of every variable, as bits
LEAST_GAIN = 1e-9  # nats; less is rounding


class FamilyTable:
    """The score of every family that was asked for, in nats.

    max_parents : the most that a search gives a variable
    known : what binds; required parents are taken in whether they are asked for or not, and families that it rules out
        score −∞
    row : the scores with one parent more, for all variables at once; None where each is asked for alone, of all
        children or of one
    """

    def __init__(
        self,
        n_variables: int,
        score: FamilyScore,
        *,
        max_parents: int,
        known: BoundKnowledge | None = None,
        row: Callable[[int, int], FloatArray | None] | None = None,
    ) -> None:
        self.n_variables = n_variables
        self.known = nothing_bound(range(n_variables)) if known is None else known
        self.max_parents = max(max_parents, *(mask.bit_count() for mask in self.known.required), 0)
        self._score = score
        self._row = row
        self._found: list[dict[int, float]] = [{} for _ in range(n_variables)]

    def score(self, child: int, parents: int) -> float:
        """The score of a child with the parents of a bit mask, and with those that are required."""
        bound_score = self._found[child].get(parents)
        if bound_score is None:
            bound_score = self._found[child][parents] = self._bound_score(child, parents | self.known.required[child])
        return bound_score

    def _bound_score(self, child: int, parents: int) -> float:
        return -inf if parents & ~self.known.parents[child] else self._score(child, parents)

    def scores_with(self, child: int, parents: int) -> FloatArray | None:
        """The score with each variable as one parent more, no number for the parents; None where not counted so."""
        if self._row is None:
            return None
        required, allowed = self.known.required[child], self.known.parents[child]
        if parents & ~allowed:
            return np.full(self.n_variables, -inf)
        row = self._row(child, parents | required)
        if row is None:
            return None
        others = (1 << self.n_variables) - 1 & ~(1 << child)
        if required & ~parents or others & ~allowed:
            row = row.copy()
            row[list(bits(required & ~parents))] = self.score(child, parents)
            row[list(bits(others & ~allowed))] = -inf
        return row

    def complete(self, parents: Sequence[int]) -> Parents:
        """The parents of every variable with those that are required."""
        return tuple(mask | required for mask, required in zip(parents, self.known.required))

    def is_full(self, child: int, parents: int) -> bool:
        """Whether a variable with these parents has room for no other."""
        return (parents | self.known.required[child]).bit_count() >= self.max_parents

    def total(self, parents: Sequence[int]) -> float:
        """The score of a DAG."""
        return sum(self.score(child, mask) for child, mask in enumerate(parents))


def order_under(order: Sequence[int], required: Sequence[int]) -> list[int]:
    """The order with every variable moved behind its required parents, and no further."""
    left, sorted_order, placed = list(order), [], 0
    while left:
        following = next(v for v in left if not required[v] & ~placed)
        left.remove(following)
        sorted_order.append(following)
        placed |= 1 << following
    return sorted_order


def order_of(parents: Sequence[int]) -> list[int]:
    """The variables of a DAG with parents before children, the first of several in front."""
    children: list[list[int]] = [[] for _ in parents]
    n_waiting = [mask.bit_count() for mask in parents]
    for child, mask in enumerate(parents):
        for parent in bits(mask):
            children[parent].append(child)
    ready = [v for v, n_parents in enumerate(n_waiting) if not n_parents]
    heapify(ready)
    order: list[int] = []
    while ready:
        order.append(heappop(ready))
        for child in children[order[-1]]:
            n_waiting[child] -= 1
            if not n_waiting[child]:
                heappush(ready, child)
    return order
