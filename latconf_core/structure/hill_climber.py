"""Hill-climbing over DAGs: edges are added, deleted and turned round while the score rises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.graph.bits import closure
from latconf_core.structure.family_table import LEAST_GAIN, FamilyTable, Parents


def climb(
    table: FamilyTable,
    start: Sequence[int] | None = None,
    *,
    least_gain: float = LEAST_GAIN,
    turns_edges: bool = True,
    checkpoint: Callable[[], None] = lambda: None,
) -> Parents:
    """The DAG from which no single move leads to a better one, by the best move at a time.

    start : the parents of every variable as bits; None begins without edges
    least_gain : moves that gain no more are not made
    turns_edges : whether an edge may be turned round in one move
    A family that scores −∞ is never made: that is how moves are ruled out.
    """
    *_, last = climb_steps(table, start, least_gain=least_gain, turns_edges=turns_edges, checkpoint=checkpoint)
    return last


def climb_steps(
    table: FamilyTable,
    start: Sequence[int] | None = None,
    *,
    least_gain: float = LEAST_GAIN,
    turns_edges: bool = True,
    checkpoint: Callable[[], None] = lambda: None,
) -> Iterator[Parents]:
    """The start, then the DAG after every move of a climb; the arguments are those of `climb`."""
    parents = [0] * table.n_variables if start is None else list(start)
    climber = _Climber(table, parents, checkpoint, least_gain=least_gain, turns_edges=turns_edges)
    yield tuple(parents)
    while climber.step():
        yield tuple(climber.parents)
        checkpoint()


class _Climber:
    """A DAG with what each change of one parent gains; only families that changed are looked at again.

    gain[child, parent] : what the family of the child gains where the parent is taken in, or left out if it is one
    """

    def __init__(
        self,
        table: FamilyTable,
        parents: list[int],
        checkpoint: Callable[[], None],
        *,
        least_gain: float,
        turns_edges: bool,
    ) -> None:
        self.parents = parents
        self._least_gain = least_gain
        self._turns_edges = turns_edges
        self._table = table
        self._checkpoint = checkpoint
        self._gain: FloatArray = np.full((table.n_variables, table.n_variables), -np.inf)
        for child in range(table.n_variables):
            self._look_at(child)

    def step(self) -> bool:
        """Make the best move that rises; whether there was one."""
        for child, parent, is_turn in self._moves():
            if self._is_possible(child, parent, is_turn=is_turn):
                self._make(child, parent, is_turn=is_turn)
                return True
        return False

    def _moves(self) -> Iterator[tuple[int, int, bool]]:
        """Every change of a parent and every turn of an edge that rises, best first, equal ones by their places."""
        n = len(self.parents)
        gains = self._gain.ravel()
        if self._turns_edges:
            is_edge = np.array([[bool(mask >> parent & 1) for parent in range(n)] for mask in self.parents])
            gains = np.concatenate([gains, np.where(is_edge, self._gain + self._gain.T, -np.inf).ravel()])
        rising = np.flatnonzero(gains > self._least_gain)
        for place in rising[np.argsort(-gains[rising], kind="stable")]:
            child, parent = divmod(int(place) % (n * n), n)
            yield child, parent, int(place) >= n * n

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
