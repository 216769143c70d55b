"""Unshielded colliders (R0): plain, conservative and by majority; and the arrowheads that knowledge puts."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping

from latconf_core.graph.marks import Mark
from latconf_core.independence.base import Budget, Separation
from latconf_core.pag.events import KNOWLEDGE, ColliderOriented, MarkChanged, TripleAmbiguous
from latconf_core.pag.learners.work import Work
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.pag.rules.orientation import Change, Ends, Orientation, Triple, Verdict, put_tail_of_one_way

Counts = Mapping[Triple, tuple[int, int]]  # of how many separating sets hold the middle, and all


def put_knowledge(work: Work, marks: Marks) -> Iterator[MarkChanged]:
    """An arrowhead where a variable cannot be a cause; an arrow where nothing else is left, or one is required."""
    known = work.known
    for x, y in list(marks.edges()):
        for a, b in ((x, y), (y, x)):
            if known.requires(a, b) or (known.never_above[a] >> b & 1 and not known.siblings[a] >> b & 1):
                yield from _put_known(work, marks, (a, b), (Mark.TAIL, Mark.ARROW))
            elif known.never_above[b] >> a & 1:
                yield from _put_known(work, marks, (a, b), (Mark.ARROW, marks.at(a, b)))


def _put_known(work: Work, marks: Marks, edge: tuple[int, int], after: Ends) -> Iterator[MarkChanged]:
    """Give the edge these marks and tell it, where they are not there."""
    a, b = edge
    before = (marks.at(b, a), marks.at(a, b))
    if before != after:
        marks.put(b, a, after[0])
        marks.put(a, b, after[1])
        yield work.mark_changed(Change(KNOWLEDGE, a, b, before, after, edge))


def opens(work: Work, ends: tuple[int, int], middle: int, given: tuple[int, ...]) -> bool:
    """Whether two variables that a set separates depend given the middle, too, as they do where that is a collider.

    A weak dependence passes for independence given too few variables: then the middle separates the ends as well, and
    is no collider. True where this is not asked, and of an oracle, which answers so in any case.
    """
    options = work.options
    is_too_large = options.max_conditioning is not None and len(given) >= options.max_conditioning
    if work.data is None or not options.checked_colliders or is_too_large:
        return True
    return not work.test.is_independent(*ends, tuple(sorted((*given, middle))))


def plain_colliders(work: Work, marks: Marks) -> list[Triple]:
    """The unshielded triples whose middle is not in the set that separates the ends, and opens the path where it is."""
    colliders = []
    for a, b, c in marks.unshielded():
        given = work.sepset(a, c)
        if given is not None and b not in given and opens(work, (a, c), b, given):
            colliders.append((a, b, c))
    return colliders


def put_colliders(
    work: Work, marks: Marks, colliders: list[Triple], counts: Counts | None = None
) -> Iterator[ColliderOriented | MarkChanged]:
    """Orient a *-> b <-* c for every triple; a tail that knowledge put is kept and the conflict said."""
    for a, b, c in colliders:
        changed = False
        for end in (a, c):
            if marks.at(end, b) is Mark.TAIL:
                kind = "required" if work.known.requires(b, end) else "known"
                work.refused.append(
                    f"{work.names[a]} *-> {work.names[b]} <-* {work.names[c]} contradicts the {kind} "
                    f"{work.names[b]} --> {work.names[end]}"
                )
            elif marks.at(end, b) is Mark.CIRCLE:
                marks.put(end, b, Mark.ARROW)
                changed = True
        if changed:
            yield work.collider((a, b, c), (counts or {}).get((a, b, c)))
            for end in (a, c):
                if work.one_way and work.one_way[b] >> end & 1:
                    yield from map(work.mark_changed, put_tail_of_one_way(marks, end, b))


Sets = list[tuple[int, ...]]


class TripleClassifier:
    """Decides triples by all sets among the neighbours of the ends that separate them (cFCI, mFCI).

    The recorded separating set counts too: a pair that only a possible-d-sep set separates has no other.
    Each different set counts once, even where both neighbourhoods contain it.
    """

    def __init__(self, work: Work, *, is_majority: bool) -> None:
        self._work = work
        self._is_majority = is_majority
        self._budget = Budget(work.options.collider_tests)
        self._listed: dict[tuple[int, int, int, int, tuple[int, ...] | None], Sets | None] = {}
        self.counts: dict[Triple, tuple[int, int]] = {}

    def classify(self, marks: Marks) -> Generator[TripleAmbiguous, None, list[Triple]]:
        """Tell the ambiguous triples, keep them in `work.ambiguous`, return the colliders; `counts` says why each."""
        colliders: list[Triple] = []
        ambiguous: list[Triple] = []
        for a, b, c in marks.unshielded():
            sets = self._separating_sets(a, c)
            n_with, n_sets = sum(b in given for given in sets or ()), len(sets or ())
            if sets is None or self._is_ambiguous(n_with, n_sets):
                ambiguous.append((a, b, c))
                names = self._work.named((a, b, c))
                yield TripleAmbiguous(names[0], names[1], names[2], n_with, n_sets)
            elif 2 * n_with < n_sets:
                colliders.append((a, b, c))
                self.counts[a, b, c] = n_with, n_sets
        self._work.ambiguous = frozenset(ambiguous)
        return colliders

    def _is_ambiguous(self, n_with: int, n_sets: int) -> bool:
        return 2 * n_with == n_sets if self._is_majority else 0 < n_with < n_sets

    def _separating_sets(self, a: int, c: int) -> Sets | None:
        """All different sets that separate a and c, each listed once; None where the budget did not last."""
        work = self._work
        around_a, around_c = work.adjacent[a] & ~(1 << c), work.adjacent[c] & ~(1 << a)
        key = (a, c, around_a, around_c, work.sepset(a, c))
        if key not in self._listed:
            fromkeys = dict.fromkeys([] if key[4] is None else [key[4]])
            fromkeys |= dict.fromkeys(self._list(a, c, around_a, known=[]))
            fromkeys |= dict.fromkeys(self._list(a, c, around_c, known=[around_a]))
            self._listed[key] = None if self._budget.is_spent else list(fromkeys)
        if self._budget.is_spent:
            work.cut(
                f"Listing separating sets stopped after its budget of {work.options.collider_tests:,} tests: "
                "the remaining triples are treated as ambiguous."
            )
        return self._listed[key]

    def _list(self, a: int, c: int, pool: int, *, known: list[int]) -> Iterator[tuple[int, ...]]:
        limit = self._work.options.max_conditioning
        largest = pool.bit_count() if limit is None else min(limit, pool.bit_count())
        for size in range(largest + 1):
            for separation in self._work.separations((a, c), pool, size=size, known=known, budget=self._budget):
                yield tuple(sorted(separation.given))


def decide_by_sepset(work: Work, path: tuple[int, ...]) -> Verdict:
    """R4's question from the recorded set that separates the ends of the discriminating path."""
    ends, vertex = (path[0], path[-1]), path[-2]
    given = work.sepset(*ends)
    if given is None:
        return Verdict.UNKNOWN
    if vertex in given:
        return Verdict.NONCOLLIDER
    if opens(work, ends, vertex, given):
        return Verdict.COLLIDER
    with_it = tuple(sorted((*given, vertex)))
    work.decisive[path] = Separation(with_it, work.test.p_value(*ends, with_it))
    return Verdict.NONCOLLIDER


def orientation_by_sepsets(work: Work, marks: Marks) -> Orientation:
    """What the rules need when the separating sets are recorded."""
    return Orientation(
        marks,
        lambda path: decide_by_sepset(work, path),
        work.ambiguous,
        checkpoint=work.control.checkpoint,
        one_way=work.one_way,
    )
