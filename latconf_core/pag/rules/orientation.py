"""The orientation rules R1-R4 and R8-R10 of Zhang (2008), one function each.

R5-R7 speak of selection bias, which this program excludes, so `---` and `o--` never appear.

    marks = Marks(matrix)                        # skeleton and colliders done
    state = Orientation(marks, decide)
    for change in orient(state): ...             # runs the rules to their fixed point
    marks.matrix(); state.refused

`decide(path)` answers R4's question: is the last but one vertex of a discriminating path a collider on it?
A learner answers from the separating set it recorded, a check of a MAG reads it off the MAG. A rule changes
circles only; where it would have to overwrite an arrowhead or a tail (contradictory tests) it changes nothing
and the wish is kept in `refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from latconf_core.graph.bits import bits
from latconf_core.graph.marks import Mark
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.pag.rules.rule_paths import Path, discriminating_paths, uncovered_path, uncovered_paths

CIRCLE, ARROW, TAIL = Mark.CIRCLE, Mark.ARROW, Mark.TAIL
KNOWLEDGE: Final = "knowledge"  # the rule of a mark that background knowledge puts
Triple = tuple[int, int, int]
Ends = tuple[Mark, Mark]


class Verdict(Enum):
    """What is known of the vertex b of a discriminating path <d, …, a, b, c>."""

    COLLIDER = "collider"
    NONCOLLIDER = "non-collider"
    UNKNOWN = "unknown"  # the path is passed over
    GRAPH_CHANGED = "graph changed"  # answering took an edge away: the rules start again


Discriminator = Callable[[Path], Verdict]


@dataclass(frozen=True)
class Change:
    """One edge that a rule oriented: ends are (mark at first, mark at second), `because` the vertices it saw."""

    rule: str
    first: int
    second: int
    before: Ends
    after: Ends
    because: Path


def _pass() -> None:
    """Nothing to wait for."""


@dataclass
class Orientation:
    """What the rules work on.

    ambiguous : unshielded triples (a, b, c), a < c, that are neither known colliders nor known non-colliders
    refused : the changes that would have overwritten an arrowhead or a tail
    one_way : of every variable those with which it has no <->: knowledge rules out a hidden cause of both
    is_stale : `decide` took an edge away, so the rules must start again
    checkpoint : called in the loops of the rules; may raise to end the run
    """

    marks: Marks
    decide: Discriminator
    ambiguous: frozenset[Triple] = frozenset()
    refused: list[Change] = field(default_factory=list)
    is_stale: bool = False
    checkpoint: Callable[[], None] = _pass
    one_way: Sequence[int] = ()

    def is_ambiguous(self, a: int, b: int, c: int) -> bool:
        return bool(self.ambiguous) and ((a, b, c) if a < c else (c, b, a)) in self.ambiguous

    def put(self, rule: str, edge: tuple[int, int], after: Ends, *, because: Path) -> Iterator[Change]:
        """Give the edge these marks and yield the change; nothing where they are there, refused where not circles."""
        x, y = edge
        before = (self.marks.at(y, x), self.marks.at(x, y))
        if before == after:
            return
        change = Change(rule, x, y, before, after, because)
        is_one_way = bool(self.one_way) and bool(self.one_way[x] >> y & 1)
        if any(old not in (CIRCLE, new) for old, new in zip(before, after)) or (is_one_way and after == (ARROW, ARROW)):
            self.refuse(change)
            return
        self.marks.put(y, x, after[0])
        self.marks.put(x, y, after[1])
        yield change
        if is_one_way:
            yield from put_tail_of_one_way(self.marks, x, y)

    def refuse(self, change: Change) -> None:
        """Keep a change that contradicts what is already oriented, once."""
        if change not in self.refused:
            self.refused.append(change)


def put_tail_of_one_way(marks: Marks, x: int, y: int) -> Iterator[Change]:
    """A tail at the open end of x o-> y or x <-o y, where no hidden cause of both is possible."""
    for a, b in ((x, y), (y, x)):
        if marks.at(b, a) is CIRCLE and marks.at(a, b) is ARROW:
            marks.put(b, a, TAIL)
            yield Change(KNOWLEDGE, a, b, (CIRCLE, ARROW), (TAIL, ARROW), (a, b))


def orient(state: Orientation, *, complete: bool = True, jointly: bool = False) -> Iterator[Change]:
    """Run the rules to their fixed point, yielding every change after it is made.

    complete : R8-R10 too
    jointly : all rules in one loop; else the arrowhead rules R1-R4 reach their fixed point first and are not
        run again after the tail rules (with consistent input both give the same)
    """
    while True:
        yield from _to_fixed_point(state, arrowhead_rules)
        if not complete:
            return
        changed = False
        for change in _to_fixed_point(state, tail_rules):
            changed = True
            yield change
        if not (jointly and changed):
            return


def _to_fixed_point(state: Orientation, rules: Callable[[Orientation], Iterator[Change]]) -> Iterator[Change]:
    changed = True
    while changed or state.is_stale:
        changed = state.is_stale = False
        for change in rules(state):
            changed = True
            yield change


def arrowhead_rules(state: Orientation) -> Iterator[Change]:
    """R1-R3 until they change nothing, then R4 once."""

    def first_three(state: Orientation) -> Iterator[Change]:
        yield from r1(state)
        yield from r2(state)
        yield from r3(state)

    yield from _to_fixed_point(state, first_three)
    yield from r4(state)


def tail_rules(state: Orientation) -> Iterator[Change]:
    """R8, R9 and R10 once."""
    yield from r8(state)
    yield from r9(state)
    yield from r10(state)


def r1(state: Orientation) -> Iterator[Change]:
    """a *-> b o-* c with a, c not adjacent gives b --> c."""
    marks = state.marks
    for b in range(marks.n):
        state.checkpoint()
        for a in bits(marks.near[ARROW][b]):
            for c in bits(marks.near[CIRCLE][b] & ~marks.adjacent[a]):
                if not state.is_ambiguous(a, b, c):
                    yield from state.put("R1", (b, c), (TAIL, ARROW), because=(a, b, c))


def r2(state: Orientation) -> Iterator[Change]:
    """a --> b *-> c or a *-> b --> c, with a *-o c, gives a *-> c."""
    marks = state.marks
    for c in range(marks.n):
        state.checkpoint()
        for a in bits(marks.near[CIRCLE][c]):
            between = marks.near[ARROW][c] & marks.far[ARROW][a] & (marks.near[TAIL][a] | marks.far[TAIL][c])
            for b in bits(between & -between):
                yield from state.put("R2", (a, c), (marks.at(c, a), ARROW), because=(a, b, c))


def r3(state: Orientation) -> Iterator[Change]:
    """a *-> b <-* c, a *-o d o-* c, a, c not adjacent, d *-o b gives d *-> b."""
    marks = state.marks
    for b in range(marks.n):
        state.checkpoint()
        for d in bits(marks.near[CIRCLE][b]):
            pair = _unshielded_pair(state, marks.near[ARROW][b] & marks.near[CIRCLE][d], d)
            if pair is not None:
                yield from state.put("R3", (d, b), (marks.at(b, d), ARROW), because=(pair[0], b, pair[1], d))


def _unshielded_pair(state: Orientation, among: int, middle: int) -> tuple[int, int] | None:
    """The first two of these vertices that are not adjacent and whose triple over `middle` is not ambiguous."""
    for a in bits(among):
        for c in bits(among & ~state.marks.adjacent[a] & ~((2 << a) - 1)):
            if not state.is_ambiguous(a, middle, c):
                return a, c
    return None


def r4(state: Orientation) -> Iterator[Change]:
    """A discriminating path <d, …, a, b, c> with b o-* c gives b --> c, or a <-> b <-> c where b is a collider."""
    marks = state.marks
    for b in range(marks.n):
        for c in bits(marks.near[CIRCLE][b]):
            state.checkpoint()
            if marks.at(c, b) is not CIRCLE:  # an earlier path of this pass met the edge
                continue
            for path in discriminating_paths(marks, b, c):
                verdict = state.decide(path)
                if verdict is Verdict.GRAPH_CHANGED:
                    state.is_stale = True
                    return
                if verdict is not Verdict.UNKNOWN:
                    yield from _decided(state, path, is_collider=verdict is Verdict.COLLIDER)
                    break


def _decided(state: Orientation, path: Path, *, is_collider: bool) -> Iterator[Change]:
    a, b, c = path[-3:]
    if not is_collider:
        yield from state.put("R4", (b, c), (TAIL, ARROW), because=path)
    elif state.marks.at(a, b) is TAIL:
        state.refuse(Change("R4", a, b, (ARROW, TAIL), (ARROW, ARROW), path))
    else:
        yield from state.put("R4", (a, b), (ARROW, ARROW), because=path)
        yield from state.put("R4", (b, c), (ARROW, ARROW), because=path)


def r8(state: Orientation) -> Iterator[Change]:
    """a --> b --> c (or a --o b --> c) with a o-> c gives a --> c."""
    marks = state.marks
    for a, c in _circle_arrow(marks):
        between = marks.parents(c) & marks.near[TAIL][a] & ~marks.far[TAIL][a]
        for b in bits(between & -between):
            yield from state.put("R8", (a, c), (TAIL, ARROW), because=(a, b, c))


def r9(state: Orientation) -> Iterator[Change]:
    """An uncovered potentially directed path <a, b, …, c> with b, c not adjacent and a o-> c gives a --> c."""
    marks = state.marks
    for a, c in _circle_arrow(marks):
        state.checkpoint()
        for b in bits(marks.onward(a) & ~marks.adjacent[c] & ~(1 << c)):
            path = (
                None if state.is_ambiguous(b, a, c) else uncovered_path(marks, (a, b), c, is_barred=state.is_ambiguous)
            )
            if path is not None:
                yield from state.put("R9", (a, c), (TAIL, ARROW), because=path)
                break


def r10(state: Orientation) -> Iterator[Change]:
    """b --> c <-- d, uncovered potentially directed paths a…b and a…d that leave a to non-adjacent vertices, a o-> c.

    Gives a --> c.
    """
    for a, c in _circle_arrow(state.marks):
        state.checkpoint()
        two_ways = _two_ways(state, a, c)
        if two_ways is not None:
            yield from state.put("R10", (a, c), (TAIL, ARROW), because=two_ways)


def _two_ways(state: Orientation, a: int, c: int) -> Path | None:
    """The two paths of R10 joined at a, <b, …, m, a, w, …, d>, or None."""
    marks = state.marks
    parents = marks.parents(c) & ~(1 << a)
    firsts = marks.onward(a) & ~(1 << c)
    if parents.bit_count() < 2 or firsts.bit_count() < 2:
        return None
    ways = {m: uncovered_paths(marks, (a, m), parents, is_barred=state.is_ambiguous) for m in bits(firsts)}
    for m in bits(firsts):
        for w in bits(firsts & ~marks.adjacent[m] & ~((2 << m) - 1)):
            if state.is_ambiguous(m, a, w):
                continue
            for b, way in ways[m].items():
                for d, other in ways[w].items():
                    if b != d:
                        return (*reversed(way), *other[1:])
    return None


def _circle_arrow(marks: Marks) -> Iterator[tuple[int, int]]:
    """Every a o-> c."""
    for c in range(marks.n):
        for a in bits(marks.near[ARROW][c] & marks.far[CIRCLE][c]):
            yield a, c
