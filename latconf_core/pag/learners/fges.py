"""FGES: greedy equivalence search over CPDAGs by BDeu (Chickering 2002; Ramsey et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.families.family_rows import FamilyRows
from latconf_core.graph.bits import bits
from latconf_core.graph.cpdag import Cpdag
from latconf_core.options.learning import PagOptions
from latconf_core.options.scoring import VbemOptions
from latconf_core.pag.events import ScoreStep

LEAST_GAIN = 1e-9
MOST_ALONE = 8  # scores with one parent more that are counted alone; then those of all variables are counted together
TIE_DIGITS = 7  # gains that differ only by rounding are ties, so that the names of states decide nothing


class Bdeu:
    """Local scores: BDeu with an equivalent sample size and a prior on the number of parents, each computed once."""

    def __init__(self, dataset: Dataset, options: PagOptions) -> None:
        self._slots = (dataset.n_rows if options.structure_prior_over == "rows" else dataset.n_variables) - 1
        share = options.structure_prior / self._slots if self._slots > 0 else 0.0
        share = share if share < 1 else 0.5  # more parents expected than possible: no preference
        self._log_in, self._log_out = (math.log(share), math.log1p(-share)) if share > 0 else (0.0, 0.0)
        self._families = DiscreteFamilies(dataset, VbemOptions(prior="bdeu", ess=options.sample_prior))
        self._rows = FamilyRows(self._families, dataset.n_variables, dataset.n_rows)
        self._found: dict[tuple[int, int], float] = {}
        self._n_asked: dict[tuple[int, int], int] = {}

    @property
    def counts_together(self) -> bool:
        """Whether scores with one parent more are counted together."""
        return self._families.counts_together

    def local(self, child: int, parents: int) -> float:
        """The score of a variable given a set of parents (bit mask)."""
        found = self._found.get((child, parents))
        if found is None:
            structure = self._structure(parents.bit_count())
            found = self._found[child, parents] = self._families.log_score(child, parents) + structure
        return found

    def local_with(self, child: int, parents: int, other: int, checkpoint: Callable[[], None]) -> float:
        """The score of a variable given a set of parents and one more."""
        n_asked = self._n_asked[child, parents] = self._n_asked.get((child, parents), 0) + 1
        if n_asked <= MOST_ALONE or not self.counts_together:
            return self.local(child, parents | 1 << other)
        row = self._rows.row(child, parents, checkpoint)
        return float(row[other]) + self._structure(parents.bit_count() + 1)

    def row(self, child: int, parents: int, checkpoint: Callable[[], None]) -> FloatArray:
        """The scores of a variable given a set of parents and each other one, no number for these."""
        return self._rows.row(child, parents, checkpoint) + self._structure(parents.bit_count() + 1)

    def _structure(self, n_parents: int) -> float:
        return n_parents * self._log_in + (self._slots - n_parents) * self._log_out

    def total(self, parents: list[int]) -> float:
        """The score of a DAG."""
        return sum(self.local(child, above) for child, above in enumerate(parents))


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


class Fges:
    """A greedy search; `graph` is the CPDAG reached, `is_cut` says that the budget of moves ended the search."""

    def __init__(
        self, score: Bdeu, names: tuple[str, ...], *, control: RunControl, max_moves: int | None = None
    ) -> None:
        self.graph = Cpdag.empty(len(names))
        self.is_cut = False
        self._moves_left = max_moves
        self._score = score
        self._names = names
        self._control = control
        self._allowed = [(1 << len(names)) - 1] * len(names)

    def run(self, *, faithfulness: bool) -> Generator[ScoreStep | Progress, None, Cpdag]:
        """Forward, then backward; with faithfulness first among pairs with a marginal gain only, then among all."""
        try:
            if faithfulness:
                everyone = self._allowed
                self._allowed = []
                for y in range(self.graph.n):
                    yield Progress(y, self.graph.n, "scoring pairs")
                    self._allowed.append(self._marginally_dependent(y))
                yield from self._forward()
                yield from self._backward()
                self._allowed = everyone
            yield from self._forward()
            yield from self._backward()
        except _MovesSpent:
            self.is_cut = True
        return self.graph

    def _marginally_dependent(self, y: int) -> int:
        gains = self._score.row(y, 0, self._control.checkpoint) - self._score.local(y, 0)
        return sum(1 << int(x) for x in np.flatnonzero(gains > LEAST_GAIN))

    def _forward(self) -> Iterator[ScoreStep]:
        def is_valid(move: _Move) -> bool:
            around = self._common(move.x, move.y) | move.mask
            return not self.graph.has_semi_directed_path(move.y, move.x, avoiding=around)

        yield from self._climb("insert", self._insertions, is_valid)

    def _backward(self) -> Iterator[ScoreStep]:
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
            score = self._score.local_with(y, base, x, self._control.checkpoint)
            yield others, score - self._score.local(y, base)

    def _deletions(self, x: int, y: int) -> Iterator[tuple[int, float]]:
        graph = self.graph
        if not (graph.parents[y] | graph.undirected[y]) >> x & 1:
            return
        common = self._common(x, y)
        for kept in graph.cliques_with(0, common):
            base = kept | graph.parents[y] & ~(1 << x)
            yield common & ~kept, self._score.local(y, base) - self._score.local(y, base | 1 << x)

    def _climb(self, kind: str, moves: Moves, is_valid: Callable[[_Move], bool]) -> Iterator[ScoreStep]:
        """Make the best valid move until none gains; moves are recomputed only where their surroundings changed."""
        n = self.graph.n
        version = [[0] * n for _ in range(n)]
        queue = [move for y in range(n) for x in range(n) if x != y for move in self._gaining(moves, x, y, 0)]
        heapify(queue)
        waiting: list[_Move] = []
        while queue:
            self._control.checkpoint()
            move = heappop(queue)
            if move.version != version[move.x][move.y]:
                continue
            if not is_valid(move):
                waiting.append(move)
                continue
            before = self.graph
            change = before.with_insert if kind == "insert" else before.with_delete
            self.graph = change(move.x, move.y, move.mask)
            yield self._step(kind, move)
            for x, y in _touched(before, self.graph):
                version[x][y] += 1
                for fresh in self._gaining(moves, x, y, version[x][y]):
                    heappush(queue, fresh)
            for blocked in waiting:
                heappush(queue, blocked)
            waiting.clear()

    def _gaining(self, moves: Moves, x: int, y: int, version: int) -> Iterator[_Move]:
        for others, gain in moves(x, y):
            self._control.checkpoint()
            if self._moves_left is not None:
                if self._moves_left == 0:
                    raise _MovesSpent
                self._moves_left -= 1
            if gain > LEAST_GAIN:
                yield _Move(-round(gain, TIE_DIGITS), x, y, tuple(bits(others)), version, gain)

    def _step(self, kind: str, move: _Move) -> ScoreStep:
        others = tuple(self._names[v] for v in move.others)
        x, y = self._names[move.x], self._names[move.y]
        return ScoreStep("insert" if kind == "insert" else "delete", x, y, others, move.gain)


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
