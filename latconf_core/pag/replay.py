"""The graph of a learner at every step of its run, folded from the events that it told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from latconf_core.control import Progress
from latconf_core.errors import GraphError
from latconf_core.graph.bits import bits
from latconf_core.graph.cpdag import Cpdag
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MarkMatrix, MixedGraph
from latconf_core.pag.events import (
    ColliderOriented,
    EdgeRemoved,
    EdgeRepaired,
    GraphStarted,
    MarkChanged,
    PagEvent,
    PagLearned,
    Pair,
    ScoreStep,
)

Ends = frozenset[str]
_Put = tuple[int, int, int]  # u, v and the mark at v on the edge u - v


@dataclass(frozen=True)
class EndChange:
    """Another mark at `node` on its edge with `other`; NONE where there is no edge."""

    node: str
    other: str
    before: Mark
    after: Mark


class Replay:
    """The steps of one run, one per event but for those of progress; step k is the graph after the k-th event.

    What each event changes is kept, not the graphs: any step is reached from the one looked at last by putting the
    marks between the two, forwards or backwards. Not for two threads at once.

    nodes : the variables, needed where the events do not end with a result; GraphError where an event names others
    """

    def __init__(self, events: Iterable[PagEvent], nodes: Sequence[str] | None = None) -> None:
        self.events = tuple(event for event in events if not isinstance(event, Progress))
        self.nodes = tuple(nodes) if nodes is not None else _nodes_of(self.events)
        self._index = {name: i for i, name in enumerate(self.nodes)}
        self._marks = _circles(len(self.nodes))
        self._at = -1  # the step that `_marks` shows
        self._starts = [0]  # where the changes of each step begin
        try:
            self._where, self._before, self._after = self._fold()
        except KeyError as error:
            raise GraphError(f"the steps name {error}, which is not a variable of the PAG; learn it again") from None
        self._at = len(self.events) - 1

    def __len__(self) -> int:
        return len(self.events)

    @property
    def last(self) -> int:
        return len(self.events) - 1

    def graph(self, step: int) -> MixedGraph:
        """The graph after a step; -1 is the graph before all of them."""
        if not -1 <= step < len(self):
            raise IndexError(f"there is no step {step}; the run has {len(self)}")
        low, high = self._starts[min(step, self._at) + 1], self._starts[max(step, self._at) + 1]
        flat = self._marks.reshape(-1)
        if step > self._at:
            flat[self._where[low:high]] = self._after[low:high]  # where an end changes twice, the last one stays
        else:
            flat[self._where[low:high][::-1]] = self._before[low:high][::-1]
        self._at = step
        return MixedGraph(self.nodes, self._marks)

    def changes(self, step: int) -> tuple[EndChange, ...]:
        """The ends whose mark a step changes."""
        low, high = self._starts[step], self._starts[step + 1]
        return tuple(
            EndChange(self.nodes[cell % len(self.nodes)], self.nodes[cell // len(self.nodes)], Mark(old), Mark(new))
            for cell, old, new in zip(
                self._where[low:high].tolist(), self._before[low:high].tolist(), self._after[low:high].tolist()
            )
        )

    def n_changes(self, step: int) -> int:
        """How many ends a step changes."""
        return self._starts[step + 1] - self._starts[step]

    def changed_pairs(self, step: int) -> tuple[Pair, ...]:
        """The edges that a step changes, each once."""
        pairs = dict.fromkeys(frozenset((change.node, change.other)) for change in self.changes(step))
        ordered = (sorted(pair, key=self._index.__getitem__) for pair in pairs)
        return tuple((first, second) for first, second in ordered)

    @cached_property
    def removals(self) -> Mapping[Ends, int]:
        """For every pair that a test separated, the step in which it lost its edge."""
        return {frozenset((e.x, e.y)): k for k, e in enumerate(self.events) if isinstance(e, EdgeRemoved)}

    def removal(self, first: str, second: str, *, until: int | None = None) -> EdgeRemoved | None:
        """What separated a pair, where that happened before the step `until`."""
        step = self.removals.get(frozenset((first, second)))
        if step is None or (until is not None and step >= until):
            return None
        event = self.events[step]
        assert isinstance(event, EdgeRemoved)
        return event

    def steps_of_end(self, node: str, other: str) -> list[int]:
        """The steps that change the mark at `node` on its edge with `other`."""
        cell = self._index[other] * len(self.nodes) + self._index[node]
        steps = np.flatnonzero(self._where == cell)
        return [int(k) for k in np.searchsorted(self._starts, steps, side="right") - 1]

    def _fold(self) -> tuple[npt.NDArray[np.int64], MarkMatrix, MarkMatrix]:
        """Go through all events once and keep what each changes: where, the mark before and the mark after."""
        fold = _Fold(self._marks, self._index)
        places: list[int] = []
        before: list[int] = []
        after: list[int] = []
        for event in self.events:
            for u, v, mark in fold.puts(event):
                if self._marks[u, v] != mark:
                    places.append(u * len(self.nodes) + v)
                    before.append(int(self._marks[u, v]))
                    after.append(mark)
                    self._marks[u, v] = mark
            self._starts.append(len(places))
        return np.array(places, dtype=np.int64), np.array(before, dtype=np.uint8), np.array(after, dtype=np.uint8)


def _nodes_of(events: Sequence[PagEvent]) -> tuple[str, ...]:
    for event in reversed(events):
        if isinstance(event, PagLearned):
            return event.result.graph.nodes
    raise ValueError("events without a result do not say which variables there are; name them")


def _circles(n: int) -> MarkMatrix:
    return (np.ones((n, n), dtype=np.uint8) - np.eye(n, dtype=np.uint8)).astype(np.uint8)


class _Fold:
    """What each event does to the marks, which the caller changes."""

    def __init__(self, marks: MarkMatrix, index: Mapping[str, int]) -> None:
        self._marks = marks
        self._index = index
        self._scored = Cpdag.empty(len(index))  # where the score search is

    def puts(self, event: PagEvent) -> Iterator[_Put]:
        """The marks that an event puts, some of which may be there already."""
        marks, index = self._marks, self._index
        match event:
            case GraphStarted(pairs, _):
                yield from _differences(marks, _joined(pairs, index))
            case EdgeRemoved(x, y):
                yield from _both(index[x], index[y], Mark.NONE, Mark.NONE)
            case ColliderOriented(a, b, c):
                for u in (index[a], index[c]):
                    if marks[u, index[b]] == Mark.CIRCLE:
                        yield u, index[b], Mark.ARROW
            case MarkChanged(_, _, after):
                yield from _both(index[after.first], index[after.second], after.at_first, after.at_second)
            case EdgeRepaired(_, after):
                first, second = event.ends
                at_first, at_second = (Mark.NONE, Mark.NONE) if after is None else (after.at_first, after.at_second)
                yield from _both(index[first], index[second], at_first, at_second)
            case ScoreStep():
                yield from self._move(event)
            case PagLearned(result):
                yield from _differences(marks, result.graph.reordered(tuple(index)).marks)

    def _move(self, step: ScoreStep) -> Iterator[_Put]:
        """One move of the score search through CPDAGs; an edge that is not directed is shown as o-o."""
        before = self._scored
        others = sum(1 << self._index[name] for name in step.others)
        move = before.with_insert if step.kind == "insert" else before.with_delete
        after = self._scored = move(self._index[step.x], self._index[step.y], others)
        for v in range(after.n):
            for u in bits(before.adjacent[v] & ~after.adjacent[v]):
                yield u, v, Mark.NONE
            for neighbours, mark in (
                (after.parents[v], Mark.ARROW),
                (after.children[v], Mark.TAIL),
                (after.undirected[v], Mark.CIRCLE),
            ):
                yield from ((u, v, mark) for u in bits(neighbours))


def _both(u: int, v: int, at_u: Mark, at_v: Mark) -> Iterator[_Put]:
    yield v, u, at_u
    yield u, v, at_v


def _differences(marks: MarkMatrix, target: MarkMatrix) -> Iterator[_Put]:
    for u, v in np.argwhere(marks != target).tolist():
        yield u, v, int(target[u, v])


def _joined(pairs: tuple[Pair, ...] | None, index: Mapping[str, int]) -> MarkMatrix:
    """The graph with o-o between these pairs."""
    if pairs is None:
        return _circles(len(index))
    marks = np.zeros((len(index), len(index)), dtype=np.uint8)
    for first, second in chain(pairs, ((b, a) for a, b in pairs)):
        marks[index[first], index[second]] = Mark.CIRCLE
    return marks
