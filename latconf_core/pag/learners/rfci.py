"""RFCI (Colombo et al. 2012): no possible-d-sep phase, instead edges are tested where a rule uses them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from latconf_core.graph.bits import bits
from latconf_core.independence.base import Budget, Separation
from latconf_core.pag.events import PagEvent, PhaseStarted
from latconf_core.pag.learners.colliders import decide_by_sepset, opens, put_colliders, put_knowledge
from latconf_core.pag.learners.fci import say_colliders
from latconf_core.pag.learners.kept_apart import separate_kept_apart
from latconf_core.pag.learners.learner import TESTING, Learner, Learning
from latconf_core.pag.learners.skeleton import learn_skeleton
from latconf_core.pag.learners.work import Work
from latconf_core.pag.rules.orientation import Orientation, Triple, Verdict, orient

TRIPLES = (
    "Triples: RFCI has no possible-d-sep phase. Instead it tests both edges of every a - b - c with "
    "non-adjacent ends, given the set that separates the ends, before it uses the triple."
)
RULES = "Rules: apply them until no mark changes; R4 first tests every edge of its path."


def learn_rfci(work: Work) -> Learning:
    """RFCI; returns the oriented marks."""
    yield from learn_skeleton(work)
    separate_kept_apart(work, work.adjacent)
    rfci = _Rfci(work)
    yield PhaseStarted("triples", TRIPLES)
    yield from rfci.check_triples(list(rfci.marks.unshielded()))
    yield PhaseStarted("colliders", say_colliders(work))
    yield from put_knowledge(work, rfci.marks)
    yield from rfci.orient_accepted()
    yield PhaseStarted("orientation", RULES)
    state = Orientation(rfci.marks, rfci.decide, checkpoint=work.control.checkpoint, one_way=work.one_way)
    for change in orient(state, complete=work.options.complete_rules):
        work.control.checkpoint()
        yield from rfci.told()
        yield work.mark_changed(change)
    yield from rfci.told()
    work.keep_refused(state)
    return rfci.marks


class _Rfci:
    """The graph, the accepted triples, and events that wait to be told."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.marks = work.circles()
        self._accepted: dict[Triple, None] = {}
        self._untold: list[PagEvent] = []

    def told(self) -> Iterator[PagEvent]:
        """What happened inside R4 since the last time."""
        yield from self._untold
        self._untold.clear()

    def check_triples(self, triples: list[Triple]) -> Iterator[PagEvent]:
        """Accept the unshielded triples whose two edges survive; remove the edges that do not, and go on from there."""
        queue = deque(triples)
        while queue:
            a, b, c = queue.popleft()
            self.work.control.checkpoint()
            if not self._is_unshielded(a, b, c):
                continue
            given = tuple(v for v in self.work.sepset(a, c) or () if v != b)
            loose = [pair for pair in ((a, b), (b, c)) if self._is_independent(*pair, given)]
            if not loose:
                self._accepted[a, b, c] = None
            for u, v in loose:
                separation = self._minimal(u, v, given)
                queue.extend(self._shared_neighbours(u, v))
                yield self._remove(u, v, separation)

    def orient_accepted(self) -> Iterator[PagEvent]:
        """R0 on the accepted triples that are still there, then forget them: each is oriented once."""
        colliders = [
            (a, b, c) for a, b, c in self._accepted if self._is_unshielded(a, b, c) and self._is_collider(a, b, c)
        ]
        self._accepted.clear()
        yield from put_colliders(self.work, self.marks, colliders)

    def decide(self, path: tuple[int, ...]) -> Verdict:
        """R4's question, after every edge of the path was tested given subsets of what separates its ends."""
        given = self.work.sepset(path[0], path[-1]) or ()
        for u, v in pairwise(path):
            separation = self._separation(u, v, tuple(w for w in given if w not in (u, v)))
            if separation is not None and not self.work.is_required(u, v):
                triples = self._shared_neighbours(u, v)
                self._untold.append(self._remove(u, v, separation))
                self._untold.extend(self.check_triples(triples))
                self._untold.extend(self.orient_accepted())
                return Verdict.GRAPH_CHANGED
        return decide_by_sepset(self.work, path)

    def _is_collider(self, a: int, b: int, c: int) -> bool:
        given = self.work.sepset(a, c) or ()
        return b not in given and opens(self.work, (a, c), b, given)

    def _is_unshielded(self, a: int, b: int, c: int) -> bool:
        marks = self.marks
        return marks.is_adjacent(a, b) and marks.is_adjacent(b, c) and not marks.is_adjacent(a, c)

    def _is_independent(self, u: int, v: int, given: tuple[int, ...]) -> bool:
        return not self.work.is_required(u, v) and self.work.test.is_independent(u, v, given)

    def _separation(self, u: int, v: int, among: tuple[int, ...]) -> Separation | None:
        """The smallest of the subsets that separates two variables: the best of them, or the first."""
        pool = sum(1 << w for w in among)
        for size in range(len(among) + 1):
            separation = self.work.best_separation((u, v), (pool,), size=size, budget=Budget())
            if separation is not None:
                return separation
        return None

    def _minimal(self, u: int, v: int, given: tuple[int, ...]) -> Separation:
        separation = self._separation(u, v, given)
        assert separation is not None, "the whole set separates, so the search ends there at the latest"
        return separation

    def _shared_neighbours(self, u: int, v: int) -> list[Triple]:
        """The triples over a shared neighbour that become unshielded without the edge u - v."""
        a, c = (u, v) if u < v else (v, u)
        return [(a, w, c) for w in bits(self.marks.adjacent[a] & self.marks.adjacent[c])]

    def _remove(self, u: int, v: int, separation: Separation) -> PagEvent:
        self.marks.remove(u, v)
        for triple in [t for t in self._accepted if u in t and v in t and t[1] in (u, v)]:
            del self._accepted[triple]
        return self.work.separate(u, v, separation, "triples")


RFCI = Learner(
    "rfci",
    "RFCI",
    "Like FCI with fewer tests: faster, slightly less informative.",
    (*TESTING, "stable_skeleton", "complete_rules", "checked_colliders"),
    learn_rfci,
)
