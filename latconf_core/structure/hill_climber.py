"""Hill-climbing over DAGs: edges are added, deleted and turned round while the score rises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.graph.bits import closure
from latconf_core.structure.family_table import LEAST_GAIN, FamilyTable, Parents


def climb(
    table: FamilyTable, start: Sequence[int] | None = None, *, checkpoint: Callable[[], None] = lambda: None
) -> Parents:
    """The DAG from which no single move leads to a better one, by the best move at a time.

    start : the parents of every variable as bits; None begins without edges
    """
    climber = _Climber(table, [0] * table.n_variables if start is None else list(start), checkpoint)
    while climber.step():
        checkpoint()
    return tuple(climber.parents)


class _Climber:
    """A DAG with what each change of one parent gains; only families that changed are looked at again.

    gain[child, parent] : what the family of the child gains where the parent is taken in, or left out if it is one
    """

    def __init__(self, table: FamilyTable, parents: list[int], checkpoint: Callable[[], None]) -> None:
        self.parents = parents
        self._table = table
        self._checkpoint = checkpoint
        self._gain: FloatArray = np.full((table.n_variables, table.n_variables), -np.inf)
        for child in range(table.n_variables):
            self._look_at(child)

    def step(self) -> bool:
        """Make the best move that rises; whether there was one."""
        for gain, child, parent, is_turn in self._moves():
            if gain <= LEAST_GAIN:
                return False
            if self._is_possible(child, parent, is_turn=is_turn):
                self._make(child, parent, is_turn=is_turn)
                return True
        return False

    def _moves(self) -> Iterator[tuple[float, int, int, bool]]:
        """Every change of a parent and every turn of an edge, best first, equal ones by their places."""
        n = len(self.parents)
        is_edge = np.array([[bool(mask >> parent & 1) for parent in range(n)] for mask in self.parents])
        turned = np.where(is_edge, self._gain + self._gain.T, -np.inf)
        gains = np.concatenate([self._gain.ravel(), turned.ravel()])
        rising = np.flatnonzero(gains > LEAST_GAIN)
        for place in rising[np.argsort(-gains[rising], kind="stable")]:
            child, parent = divmod(int(place) % (n * n), n)
            yield float(gains[place]), child, parent, int(place) >= n * n

    def _is_possible(self, child: int, parent: int, *, is_turn: bool) -> bool:
        """Whether the move leaves the graph acyclic."""
        is_deletion = bool(self.parents[child] >> parent & 1)
        if is_deletion and not is_turn:
            return True
        if is_turn:  # child --> parent closes a cycle where the child is reached from the parent by another way
            left = [mask & ~(1 << parent) if v == child else mask for v, mask in enumerate(self.parents)]
            return not closure(left, 1 << child) >> parent & 1 and self._has_room(parent)
        return not closure(self.parents, 1 << parent) >> child & 1 and self._has_room(child)

    def _has_room(self, child: int) -> bool:
        return self.parents[child].bit_count() < self._table.max_parents

    def _make(self, child: int, parent: int, *, is_turn: bool) -> None:
        self.parents[child] ^= 1 << parent
        self._look_at(child)
        if is_turn:
            self.parents[parent] ^= 1 << child
            self._look_at(parent)

    def _look_at(self, child: int) -> None:
        """Find anew what each change of the child's parents gains."""
        own = self.parents[child]
        now = self._table.score(child, own)
        is_full = not self._has_room(child)
        for parent in range(len(self.parents)):
            self._checkpoint()
            if parent == child or (is_full and not own >> parent & 1):
                self._gain[child, parent] = -np.inf
            else:
                self._gain[child, parent] = self._table.score(child, own ^ 1 << parent) - now
