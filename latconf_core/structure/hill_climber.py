"""Hill-climbing over DAGs: edges are added, deleted and turned round while the score rises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from latconf_core.arrays import BoolArray, FloatArray
from latconf_core.graph.bits import bits, topological_order
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

    start : the parents of every variable as bits; None begins with the edges that are required
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
    parents = list(table.complete([0] * table.n_variables if start is None else start))
    climber = _Climber(table, parents, checkpoint, least_gain=least_gain, turns_edges=turns_edges)
    yield tuple(parents)
    while climber.step():
        yield tuple(climber.parents)
        checkpoint()


class _Climber:
    """A DAG with what each change of one parent gains; only families that changed are looked at again.

    gain[child, parent] : what the family of the child gains where the parent is taken in, or left out if it is one;
    minus infinity where it has no room
    is_edge[child, parent], is_above[node, other] : whether it is a parent, an ancestor or the node itself
    never_above[node, other] : whether it cannot be an ancestor; None where edges that are allowed never make it one
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
        n = table.n_variables
        self.parents = parents
        self._least_gain = least_gain
        self._turns_edges = turns_edges
        self._table = table
        self._checkpoint = checkpoint
        self._is_edge = _as_matrix(parents)
        self._is_above = _find_ancestors(parents)
        self._never_above = None if table.known.edges_suffice else _as_matrix(table.known.never_above)
        self._gain: FloatArray = np.full((n, n), -np.inf)
        for child in range(n):
            self._look_at(child)

    def step(self) -> bool:
        """Make the best move that rises, of equal ones a change before a turn; whether there was one."""
        change = self._best_change()
        least_gain = self._least_gain if change is None else float(self._gain[change])
        turn = self._best_turn(least_gain) if self._turns_edges else None
        if turn is not None:
            self._turn(*turn)
        elif change is not None:
            self._change(*change)
        return turn is not None or change is not None

    def _best_change(self) -> tuple[int, int] | None:
        """The child and the parent that is best taken in or left out; None where nothing rises."""
        closes_cycle = self._is_above.T  # where the child is above the parent
        rising = np.where(~closes_cycle & (self._gain > self._least_gain), self._gain, -np.inf)
        if self._never_above is not None and (rising > -np.inf).any():
            rising[self._joins_strangers(self._never_above) & ~self._is_edge] = -np.inf
        if not (rising > -np.inf).any():
            return None
        child, parent = divmod(int(np.argmax(rising)), len(self.parents))
        return child, parent

    def _best_turn(self, least_gain: float) -> tuple[int, int] | None:
        """The child and the parent whose edge is best turned round; None where none gains more than `least_gain`."""
        children, parents = np.nonzero(self._is_edge)
        gains = self._gain[children, parents] + self._gain[parents, children]
        for edge in np.argsort(-gains, kind="stable"):
            if not gains[edge] > least_gain:
                return None
            child, parent = int(children[edge]), int(parents[edge])
            others = self.parents[child] & ~(1 << parent)
            if any(self._is_above[other, parent] for other in bits(others)):  # another way from parent to child
                continue
            if self._never_above is None or self._may_turn(child, parent):
                return child, parent
        return None

    def _joins_strangers(self, never_above: BoolArray) -> BoolArray:
        """By child and parent, whether an edge would put some variable above one that it cannot have an effect on."""
        above = self._is_above.astype(np.float32)
        joins_strangers: BoolArray = (above.T @ never_above.astype(np.float32) @ above.T) > 0
        return joins_strangers

    def _may_turn(self, child: int, parent: int) -> bool:
        parents = list(self.parents)
        parents[child] &= ~(1 << parent)
        parents[parent] |= 1 << child
        return self._table.known.allows_ancestors(parents)

    def _change(self, child: int, parent: int) -> None:
        is_new = self._toggle(child, parent)
        if is_new:
            self._is_above[self._is_above[:, child]] |= self._is_above[parent]
        else:
            self._is_above = _find_ancestors(self.parents)
        self._look_at(child)

    def _turn(self, child: int, parent: int) -> None:
        self._toggle(child, parent)
        self._toggle(parent, child)
        self._is_above = _find_ancestors(self.parents)
        self._look_at(child)
        self._look_at(parent)

    def _toggle(self, child: int, parent: int) -> bool:
        """Take a parent in or leave it out; whether it is one now."""
        self.parents[child] ^= 1 << parent
        self._is_edge[child, parent] ^= True
        return bool(self._is_edge[child, parent])

    def _look_at(self, child: int) -> None:
        """Find anew what each change of the child's parents gains."""
        present = self.parents[child]
        now = self._table.score(child, present)
        is_full = self._table.is_full(child, present)
        row = None if is_full else self._table.scores_with(child, present)
        gains: FloatArray = np.full(len(self.parents), -np.inf) if row is None else row - now
        gains[child] = -np.inf
        asked = range(len(self.parents)) if row is None and not is_full else bits(present)
        for parent in asked:
            self._checkpoint()
            if parent != child:
                gains[parent] = self._table.score(child, present ^ 1 << parent) - now
        self._gain[child] = gains


def _as_matrix(masks: Sequence[int]) -> BoolArray:
    """Bits as rows of a matrix."""
    return np.array([[bool(mask >> v & 1) for v in range(len(masks))] for mask in masks], dtype=bool)


def _find_ancestors(parents: Sequence[int]) -> BoolArray:
    """For every node (row) which nodes are its ancestors, or itself."""
    is_above = np.eye(len(parents), dtype=bool)
    for node in topological_order(parents) or ():
        for parent in bits(parents[node]):
            is_above[node] |= is_above[parent]
    return is_above
