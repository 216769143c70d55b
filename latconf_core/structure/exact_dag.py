"""The DAG with the highest score of all: by dynamic programming over sets of variables (Silander & Myllymäki 2006).

Every DAG has a last variable, whose parents are the best among the others: so the best DAG of a set is known from those
of its subsets. Knowledge of edges narrows the families. Knowledge of ancestors does not fall into families:
where the best DAG has a path that must not be, each of its edges is forbidden in turn, and the best of what is left is
looked for (branch and bound), so that the first DAG without such a path is the best of all that are allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count, pairwise
from math import inf

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.graph.bits import bits
from latconf_core.structure.family_table import FamilyTable, Parents

MOST_EXACT = 12  # variables: 12 · 1,024 families of at most five parents, 12 · 4,096 steps
MOST_BRANCHES = 200  # of the search for a DAG without forbidden paths; beyond it nothing is called exact
STEPS_BETWEEN_CHECKPOINTS = 64
Masks = tuple[int, ...]


def find_exact(table: FamilyTable, *, checkpoint: Callable[[], None] = lambda: None) -> tuple[Parents, float] | None:
    """The allowed DAG with the highest score, and that score; None where it took too many branches."""
    best = _BestFamilies(table, checkpoint)
    known, tie = table.known, count()
    waiting: list[tuple[float, int, Masks, Masks, Parents]] = []

    def put(allowed: Masks, required: Masks) -> None:
        parents = best.dag(allowed, required)
        if parents is not None:
            heappush(waiting, (-table.total(parents), next(tie), allowed, required, parents))

    put(known.parents, known.required)
    for _ in range(MOST_BRANCHES):
        if not waiting:
            return None
        minus_score, _, allowed, required, parents = heappop(waiting)
        path = forbidden_path(parents, known.never_above)
        if path is None:
            return parents, -minus_score
        for a, b in pairwise(path):
            put(_with(allowed, b, allowed[b] & ~(1 << a)), required)
            required = _with(required, b, required[b] | 1 << a)
    return None


def _with(masks: Masks, index: int, mask: int) -> Masks:
    return (*masks[:index], mask, *masks[index + 1 :])


def forbidden_path(parents: Sequence[int], never_above: Sequence[int]) -> list[int] | None:
    """A shortest path of edges from a variable to one that it cannot have an effect on."""
    for node, never in enumerate(never_above):
        path_from = {node: [node]}
        todo = [node] if never else []
        for below in todo:
            for above in bits(parents[below]):
                if above not in path_from:
                    path_from[above] = [above, *path_from[below]]
                    if never >> above & 1:
                        return path_from[above]
                    todo.append(above)
    return None


class _BestFamilies:
    """The score of every family that has few enough parents, as one array per child over all sets."""

    def __init__(self, table: FamilyTable, checkpoint: Callable[[], None]) -> None:
        self._n = table.n_variables
        self._checkpoint = checkpoint
        self._sets = np.arange(1 << self._n)
        self._scores: list[FloatArray] = []
        for child in range(self._n):
            scores = np.full(1 << self._n, -np.inf)
            for parents in _small_sets(table.known.parents[child], table.max_parents):
                checkpoint()
                if not table.known.required[child] & ~parents:
                    scores[parents] = table.score(child, parents)
            self._scores.append(scores)

    def dag(self, allowed: Masks, required: Masks) -> Parents | None:
        """The DAG with the highest score among those with these edges; None where there is none."""
        best, chosen = zip(*(self._best_parents(v, allowed[v], required[v]) for v in range(self._n)))
        values, last = [0.0], [-1]
        for variables in range(1, 1 << self._n):
            if variables % STEPS_BETWEEN_CHECKPOINTS == 0:
                self._checkpoint()
            value, variable = -inf, -1
            for v in bits(variables):
                others = variables & ~(1 << v)
                reached = values[others] + best[v][others]
                if reached > value:
                    value, variable = reached, v
            values.append(value)
            last.append(variable)
        if values[-1] == -inf:
            return None
        parents, left = [0] * self._n, (1 << self._n) - 1
        while left:
            v = last[left]
            left &= ~(1 << v)
            parents[v] = int(chosen[v][left])
        return tuple(parents)

    def _best_parents(self, child: int, allowed: int, required: int) -> tuple[list[float], list[int]]:
        """For every set of variables the best score of the child with parents among them, and these."""
        is_there = ((self._sets & ~allowed) == 0) & ((~self._sets & required) == 0)
        best = np.where(is_there, self._scores[child], -np.inf)
        chosen = self._sets.copy()
        for v in range(self._n):
            self._checkpoint()
            pairs, kept_pairs = best.reshape(-1, 2, 1 << v), chosen.reshape(-1, 2, 1 << v)
            is_smaller = pairs[:, 0] >= pairs[:, 1]
            pairs[:, 1] = np.where(is_smaller, pairs[:, 0], pairs[:, 1])
            kept_pairs[:, 1] = np.where(is_smaller, kept_pairs[:, 0], kept_pairs[:, 1])
        return best.tolist(), chosen.tolist()


def _small_sets(members: int, most: int) -> Iterator[int]:
    """Every subset with at most so many members, as bits."""
    subset = members
    while True:
        if subset.bit_count() <= most:
            yield subset
        if not subset:
            return
        subset = (subset - 1) & members
