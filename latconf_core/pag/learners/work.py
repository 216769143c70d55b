"""What the phases of one learning run share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import bits
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.base import Budget, IndependenceTest, Separation
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import (
    KNOWLEDGE,
    MIIC,
    ColliderOriented,
    EdgeRemoved,
    KnowledgeConflict,
    MarkChanged,
    Phase,
)
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.pag.rules.orientation import Change, Orientation, Triple

_CLAIMS = {
    "R1": "{0} has an arrowhead into {1} and no edge with {2}: {1} is not a collider between them",
    "R2": "a tail at {2} would close a cycle through {1}",
    "R3": ("{3} is not a collider between {0} and {2}, which meet at {1}: a tail at {1} would close a cycle"),
    "R8": "{0} is a cause of {2} through {1}",
}


@dataclass
class Work:
    """The state of a run: variables are positions in `test.names`, sets of variables are bit masks.

    data : what the test counts; None where an oracle answers it
    shown : the place of each name in what a person sees; as they are worked on where it is empty
    adjacent : the skeleton, one mask per variable
    sepsets : keyed by pairs (a, c), a < c
    is_skeleton_complete : every set among neighbours, up to the size asked for, was tried on the edges left
    scored : what a score search counts, in the order of the data's variables; None for the data
    decisive : by a path of R4, what separates its ends, where that was looked for when the rule asked
    """

    test: IndependenceTest
    options: PagOptions
    knowledge: Knowledge
    control: RunControl
    data: Dataset | None = None
    shown: Mapping[str, int] = field(default_factory=dict)
    adjacent: list[int] = field(default_factory=list)
    sepsets: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    decisive: dict[tuple[int, ...], Separation] = field(default_factory=dict)
    ambiguous: frozenset[Triple] = frozenset()
    knowledge_conflicts: list[KnowledgeConflict] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    truncated: bool = False
    is_skeleton_complete: bool = True
    scored: Dataset | None = None

    @property
    def dataset(self) -> Dataset:
        """The data that a score search counts, for a learner that takes no oracle."""
        if self.data is None:
            raise ValueError(f"{self.options.method} needs data, but is run on an oracle")
        return self.data if self.scored is None else self.scored

    @property
    def names(self) -> tuple[str, ...]:
        return self.test.names

    @property
    def n(self) -> int:
        return len(self.test.names)

    def named(self, variables: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.names[v] for v in variables)

    def named_set(self, variables: Sequence[int]) -> tuple[str, ...]:
        """The names of a set, in the order that a person sees."""
        names = self.named(sorted(variables))
        return tuple(sorted(names, key=self.shown.__getitem__)) if self.shown else names

    def cut(self, note: str) -> None:
        """Say that a limit cut the work short."""
        self.truncated = True
        if note not in self.notes:
            self.notes.append(note)

    def sepset(self, a: int, c: int) -> tuple[int, ...] | None:
        """The recorded set that separates two variables."""
        return self.sepsets.get((a, c) if a < c else (c, a))

    @cached_property
    def known(self) -> BoundKnowledge:
        """The knowledge about the variables, by their positions."""
        return self.knowledge.bind(self.names)

    @cached_property
    def one_way(self) -> tuple[int, ...]:
        """Of every variable those with which it shares no hidden cause; empty where all may share one."""
        everyone = (1 << self.n) - 1
        masks = tuple(everyone & ~sibling & ~(1 << v) for v, sibling in enumerate(self.known.siblings))
        return masks if any(masks) else ()

    @cached_property
    def joinable(self) -> list[int]:
        """Of every variable those that knowledge lets it be joined with."""
        known = self.known
        everyone = [(1 << self.n) - 1 & ~(1 << v) for v in range(self.n)]
        if not known.binds:
            return everyone
        return [sum(1 << u for u in bits(mask) if known.allows_adjacency(u, v)) for v, mask in enumerate(everyone)]

    def is_required(self, a: int, b: int) -> bool:
        """Whether knowledge keeps the edge a - b."""
        return self.known.requires(a, b) or self.known.requires(b, a)

    def separations(
        self, pair: tuple[int, int], pool: int, *, size: int, known: Sequence[int] = (), budget: Budget
    ) -> Iterator[Separation]:
        """Subsets of the mask `pool` that separate the pair."""
        members = list(bits(pool))
        return self.test.separations(pair, members, size=size, known=known, budget=budget, control=self.control)

    @property
    def takes_best(self) -> bool:
        """Of the sets that separate a pair the best one counts, not the first; an oracle's are all as good."""
        return self.data is not None and self.options.is_order_free

    def best_separation(
        self, pair: tuple[int, int], pools: Sequence[int], *, size: int, known: Sequence[int] = (), budget: Budget
    ) -> Separation | None:
        """The subset of one of the pools that leaves the pair most independent, the first of equals; None if none does.

        Where the first is enough, the search ends there.
        """
        best: Separation | None = None
        tried = list(known)
        for pool in pools:
            separation = self._separation(pair, pool, size=size, known=tried, budget=budget)
            if separation is not None and not self.takes_best:
                return separation
            if separation is not None and (
                best is None or (-separation.p_value, separation.given) < (-best.p_value, best.given)
            ):
                best = separation
            tried.append(pool)
        return best

    def _separation(
        self, pair: tuple[int, int], pool: int, *, size: int, known: Sequence[int], budget: Budget
    ) -> Separation | None:
        """The best subset of a pool, or the first where that is enough."""
        if not self.takes_best:
            return next(self.separations(pair, pool, size=size, known=known, budget=budget), None)
        members, control = list(bits(pool)), self.control
        return self.test.best_separation(pair, members, size=size, known=known, budget=budget, control=control)

    def separate(self, x: int, y: int, separation: Separation, phase: Phase) -> EdgeRemoved:
        """Take the edge x - y away and remember why."""
        self.adjacent[x] &= ~(1 << y)
        self.adjacent[y] &= ~(1 << x)
        a, c = (x, y) if x < y else (y, x)
        self.sepsets[a, c] = tuple(sorted(separation.given))
        return EdgeRemoved(self.names[x], self.names[y], self.named_set(separation.given), separation.p_value, phase)

    def circles(self) -> Marks:
        """The skeleton with a circle at every end."""
        matrix = np.zeros((self.n, self.n), dtype=np.uint8)
        for v, mask in enumerate(self.adjacent):
            matrix[list(bits(mask)), v] = Mark.CIRCLE
        return Marks(matrix)

    def graph(self, marks: Marks) -> MixedGraph:
        return MixedGraph(self.names, marks.matrix())

    def collider(self, triple: Triple, counts: tuple[int, int] | None = None) -> ColliderOriented:
        """The collider with names; `counts` are of the separating sets that hold its middle, and of all."""
        a, b, c = self.named(triple)
        given = self.sepset(triple[0], triple[2])
        return ColliderOriented(a, b, c, None if given is None else self.named_set(given), *(counts or (None, None)))

    def mark_changed(self, change: Change) -> MarkChanged:
        """The change with names and a sentence."""
        first, second = self.names[change.first], self.names[change.second]
        path = self.named(change.because)
        before, after = Edge(first, second, *change.before), Edge(first, second, *change.after)
        one_way = bool(self.one_way) and bool(self.one_way[change.first] >> change.second & 1)
        told = MarkChanged(change.rule, before, after, path, _why(change.rule, path, after, is_one_way=one_way))
        decisive = self.decisive.get(change.because) if change.rule == "R4" else None
        if decisive is None:
            return told
        return replace(told, given=self.named_set(decisive.given), p_value=decisive.p_value)

    def keep_refused(self, state: Orientation) -> None:
        """Put what the rules were refused among the conflicts, in words."""
        for change in state.refused:
            event = self.mark_changed(change)
            self.refused.append(f"{event.rule} would make {event.before} into {event.after}: {event.why}")


def _why(rule: str, path: tuple[str, ...], after: Edge, *, is_one_way: bool) -> str:
    if rule in _CLAIMS:
        return _CLAIMS[rule].format(*path)
    way = ", ".join(path)
    if rule == "R4":
        kind = "a collider" if after.is_bidirected else "not a collider"
        return f"on the discriminating path {way}, {path[-2]} is {kind}"
    if rule == "R9":
        return f"the uncovered path {way} has not a collider, so {path[0]} is a cause of {path[-1]}"
    if rule == "R10":
        return f"one of the two paths out of {after.first} along {way} is directed, so it is a cause of {after.second}"
    if rule == MIIC:
        return f"{path[1]} is no cause of {path[0]} by the information that they share with others"
    assert rule == KNOWLEDGE, rule
    if after.at_first == Mark.TAIL and is_one_way:
        return (
            f"{after.first} and {after.second} share no hidden cause, and {after.second} is not a cause of "
            f"{after.first}"
        )
    if after.at_first == Mark.TAIL:
        return f"{after.first} is a cause of {after.second}"
    return f"{after.first} is not a cause of {after.second}"
