"""Greedy search over classes of equivalent DAGs, as CPDAGs (GES: Chickering 2002; FGES: Ramsey et al. 2017)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush
from typing import Literal, NamedTuple, Protocol

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.graph.bits import bits
from latconf_core.graph.cpdag import Cpdag

LEAST_GAIN = 1e-9
TIE_DIGITS = 7  # gains that differ only by rounding are ties, so that the names of states decide nothing
Kind = Literal["insert", "delete"]


class _Move(NamedTuple):
    """An insertion or deletion, ordered best first and then by position."""

    rank: float
    x: int
    y: int
    others: tuple[int, ...]
    version: int
    gain: float

    @property
    def mask(self) -> int:
        return sum(1 << v for v in self.others)


Moves = Callable[[int, int], Iterator[tuple[int, float]]]


class _MovesSpent(Exception):
    """The budget of moves is used up."""


class Step(NamedTuple):
    """An insertion or deletion that was made: x --> y, with these others turned towards y or parted from it."""

    kind: Kind
    x: int
    y: int
    others: tuple[int, ...]
    gain: float


class LocalScore(Protocol):
    """Scores of variables given their parents as bits, each computed once."""

    def local(self, child: int, parents: int) -> float:
        """The score of a variable given a set of parents."""

    def local_with(self, child: int, parents: int, other: int, checkpoint: Callable[[], None], /) -> float:
        """The score of a variable given a set of parents and one more."""

    def row(self, child: int, parents: int, checkpoint: Callable[[], None], /) -> FloatArray:
        """The scores of a variable given a set of parents and each other one, no number for these."""


class EquivalenceSearch:
    """A greedy search; `graph` is the CPDAG reached, `is_cut` says that the budget of moves ended the search.

    max_parents : the most that an insertion gives a variable; None for any number
    """

    def __init__(
        self,
        score: LocalScore,
        n_variables: int,
        *,
        checkpoint: Callable[[], None],
        max_moves: int | None = None,
        max_parents: int | None = None,
    ) -> None:
        self.graph = Cpdag.empty(n_variables)
        self.is_cut = False
        self._moves_left = max_moves
        self._max_parents = n_variables if max_parents is None else max_parents
        self._score = score
        self._checkpoint = checkpoint
        self._allowed = [(1 << n_variables) - 1] * n_variables

    def run(self, *, faithfulness: bool) -> Iterator[Step | int]:
        """Forward, then backward; with faithfulness first among pairs with a marginal gain only, then among all.

        Every step that is made, and before them the number of variables whose pairs were scored.
        """
        try:
            if faithfulness:
                everyone = self._allowed
                self._allowed = []
                for y in range(self.graph.n):
                    yield y
                    self._allowed.append(self._marginally_dependent(y))
                yield from self._forward()
                yield from self._backward()
                self._allowed = everyone
            yield from self._forward()
            yield from self._backward()
        except _MovesSpent:
            self.is_cut = True

    def _marginally_dependent(self, y: int) -> int:
        gains = self._score.row(y, 0, self._checkpoint) - self._score.local(y, 0)
        return sum(1 << int(x) for x in np.flatnonzero(gains > LEAST_GAIN))

    def _forward(self) -> Iterator[Step]:
        def is_valid(move: _Move) -> bool:
            around = self._common(move.x, move.y) | move.mask
            return not self.graph.has_semi_directed_path(move.y, move.x, avoiding=around)

        yield from self._climb("insert", self._insertions, is_valid)

    def _backward(self) -> Iterator[Step]:
        yield from self._climb("delete", self._deletions, lambda _: True)

    def _common(self, x: int, y: int) -> int:
        """NaYX: the undirected neighbours of y that are adjacent to x."""
        return self.graph.undirected[y] & self.graph.adjacent[x]

    def _insertions(self, x: int, y: int) -> Iterator[tuple[int, float]]:
        graph = self.graph
        if graph.adjacent[y] >> x & 1 or not self._allowed[y] >> x & 1:
            return
        common = self._common(x, y)
        for others in graph.cliques_with(common, graph.undirected[y] & ~graph.adjacent[x]):
            base = common | others | graph.parents[y]
            if base.bit_count() >= self._max_parents:
                continue
            score = self._score.local_with(y, base, x, self._checkpoint)
            yield others, score - self._score.local(y, base)

    def _deletions(self, x: int, y: int) -> Iterator[tuple[int, float]]:
        graph = self.graph
        if not (graph.parents[y] | graph.undirected[y]) >> x & 1:
            return
        common = self._common(x, y)
        for kept in graph.cliques_with(0, common):
            base = kept | graph.parents[y] & ~(1 << x)
            yield common & ~kept, self._score.local(y, base) - self._score.local(y, base | 1 << x)

    def _climb(self, kind: Kind, moves: Moves, is_valid: Callable[[_Move], bool]) -> Iterator[Step]:
        """Make the best valid move until none gains; moves are recomputed only where their surroundings changed."""
        n = self.graph.n
        version = [[0] * n for _ in range(n)]
        queue = [move for y in range(n) for x in range(n) if x != y for move in self._gaining(moves, x, y, 0)]
        heapify(queue)
        waiting: list[_Move] = []
        while queue:
            self._checkpoint()
            move = heappop(queue)
            if move.version != version[move.x][move.y]:
                continue
            if not is_valid(move):
                waiting.append(move)
                continue
            before = self.graph
            change = before.with_insert if kind == "insert" else before.with_delete
            self.graph = change(move.x, move.y, move.mask)
            yield Step(kind, move.x, move.y, move.others, move.gain)
            for x, y in _touched(before, self.graph):
                version[x][y] += 1
                for fresh in self._gaining(moves, x, y, version[x][y]):
                    heappush(queue, fresh)
            for blocked in waiting:
                heappush(queue, blocked)
            waiting.clear()

    def _gaining(self, moves: Moves, x: int, y: int, version: int) -> Iterator[_Move]:
        for others, gain in moves(x, y):
            self._checkpoint()
            if self._moves_left is not None:
                if self._moves_left == 0:
                    raise _MovesSpent
                self._moves_left -= 1
            if gain > LEAST_GAIN:
                yield _Move(-round(gain, TIE_DIGITS), x, y, tuple(bits(others)), version, gain)


def _touched(before: Cpdag, after: Cpdag) -> Iterator[tuple[int, int]]:
    """The ordered pairs (x, y) whose moves may differ: what stands around y changed, or what x is adjacent to."""
    rewired = [v for v in range(after.n) if before.adjacent[v] != after.adjacent[v]]
    for y in range(after.n):
        beside = after.undirected[y]
        is_changed = beside != before.undirected[y] or after.parents[y] != before.parents[y]
        is_changed = is_changed or any(
            (before.adjacent[t] ^ after.adjacent[t]) & beside for t in rewired if beside >> t & 1
        )
        for x in range(after.n) if is_changed else rewired:
            if x != y:
                yield x, y
