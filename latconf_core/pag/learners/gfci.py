"""GFCI (Ogarrio, Spirtes and Ramsey 2016): a score search for the skeleton, tests where it may be too dense."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import combinations

from latconf_core.graph.bits import bits
from latconf_core.graph.cpdag import Cpdag
from latconf_core.independence.base import Budget, Separation
from latconf_core.pag.events import GraphStarted, PagEvent, PhaseStarted
from latconf_core.pag.learners.colliders import put_colliders, put_knowledge
from latconf_core.pag.learners.fci import orient_by_rules
from latconf_core.pag.learners.fges import Bdeu, Fges
from latconf_core.pag.learners.kept_apart import separate_kept_apart
from latconf_core.pag.learners.learner import TESTING, Learner, Learning
from latconf_core.pag.learners.repairing import repair_marks
from latconf_core.pag.learners.score_search import search_under_knowledge
from latconf_core.pag.learners.work import Work
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.pag.rules.orientation import Orientation, Triple, Verdict

SCORE_SEARCH = (
    "Score search: repeatedly add, then delete, the edge that raises the BDeu score most. Edges on which "
    "equally good DAGs disagree are shown as o-o."
)
UNDER_KNOWLEDGE = (
    "Score search: find the DAG with the best BDeu score that the knowledge allows. Edges on which equally "
    "good DAGs disagree are shown as o-o."
)


def learn_gfci(work: Work) -> Learning:
    """GFCI; returns the oriented marks."""
    yield GraphStarted((), "There are no edges yet: the score search adds them one by one.")
    yield PhaseStarted("score search", UNDER_KNOWLEDGE if work.known.binds else SCORE_SEARCH)
    scored = yield from _score_search(work)
    return (yield from learn_from_scored(work, scored))


def learn_from_scored(work: Work, scored: Cpdag) -> Learning:
    """What follows the score search, whichever it was; returns the oriented marks."""
    gfci = _Gfci(work, scored)
    yield gfci.start()
    yield PhaseStarted(
        "shields",
        (
            "Triangles: if hidden causes exist, a DAG without them may need extra edges. Test every adjacent "
            "pair that shares a neighbour."
        ),
    )
    yield from gfci.remove_shields()
    separate_kept_apart(work, work.adjacent)
    marks = work.circles()
    yield PhaseStarted(
        "colliders",
        "Colliders: those of the scored graph, and every b between two variables separated by a set without b.",
    )
    yield from put_knowledge(work, marks)
    yield from put_colliders(work, marks, gfci.colliders(marks))
    yield from orient_by_rules(
        work, Orientation(marks, gfci.decide, checkpoint=work.control.checkpoint, one_way=work.one_way)
    )
    # R1-R4 alone leave circles that the PAG has not: such a graph is none, and is asked for as it is.
    if work.options.valid_pag and work.options.complete_rules:
        return (yield from repair_marks(work, marks))
    return marks


def _score_search(work: Work) -> Generator[PagEvent, None, Cpdag]:
    if work.known.binds:
        return (yield from search_under_knowledge(work))
    limit = work.options.score_moves
    search = Fges(Bdeu(work.dataset, work.options), work.names, control=work.control, max_moves=limit)
    scored = yield from search.run(faithfulness=work.options.faithfulness)
    if search.is_cut:
        work.cut(f"The score search stopped after {limit:,} moves: it may not have found the best graph.")
    return scored


class _Gfci:
    """Separating sets found on demand among the neighbours in the scored graph, each pair asked once."""

    def __init__(self, work: Work, scored: Cpdag) -> None:
        self._work = work
        self._scored = scored
        self._neighbours = [neighbours & joinable for neighbours, joinable in zip(scored.adjacent, work.joinable)]
        for b, causes in enumerate(work.known.required):
            for a in bits(causes):
                self._neighbours[a] |= 1 << b
                self._neighbours[b] |= 1 << a
        work.adjacent = list(self._neighbours)
        self._asked: dict[tuple[int, int], Separation | None] = {}
        self._budget = Budget(work.options.skeleton_tests)

    def start(self) -> GraphStarted:
        """The scored edges without their directions."""
        names = self._work.names
        pairs = [(names[a], names[c]) for a in range(self._work.n) for c in bits(self._neighbours[a] & -(2 << a))]
        text = "The edges of the scored graph stay, with a circle at every end: their directions ignored "
        return GraphStarted(tuple(pairs), f"{text}hidden causes and must be found again.")

    def remove_shields(self) -> Iterator[PagEvent]:
        """Remove a - c from triangles a - b - c of the scored graph where some set separates a and c."""
        for b in range(self._work.n):
            for a, c in combinations(bits(self._neighbours[b]), 2):
                is_left = self._work.adjacent[a] >> c & 1
                if not (self._neighbours[a] >> c & 1 and is_left) or self._work.is_required(a, c):
                    continue
                separation = self._separation(a, c)
                if separation is not None:
                    yield self._work.separate(a, c, separation, "shields")

    def colliders(self, marks: Marks) -> list[Triple]:
        """Triples that collide in the scored graph, or whose ends came apart by a set without the middle."""
        result = []
        for b in range(marks.n):
            into = self._scored.parents[b]
            for a, c in combinations(bits(marks.adjacent[b]), 2):
                came_apart = self._neighbours[a] >> c & 1 and not marks.is_adjacent(a, c)
                if (into >> a & 1 and into >> c & 1) or (came_apart and b not in (self._work.sepset(a, c) or ())):
                    result.append((a, b, c))
        return result

    def decide(self, path: tuple[int, ...]) -> Verdict:
        """R4's question from a set found on demand; unknown where there is none.

        Of that set with and without the vertex in question only one can separate the ends. On data both may seem to,
        and the first one found is the smaller: the one that leaves the ends more independent decides.
        """
        first, vertex, last = path[0], path[-2], path[-1]
        separation = self._separation(first, last)
        if separation is None:
            return Verdict.UNKNOWN
        others = tuple(v for v in separation.given if v != vertex)
        with_it = self._work.test.p_value(first, last, tuple(sorted((*others, vertex))))
        without = self._work.test.p_value(first, last, others)
        is_inside = vertex in separation.given if with_it == without else with_it > without
        set_with, set_without = Separation(tuple(sorted((*others, vertex))), with_it), Separation(others, without)
        self._work.decisive[path] = set_with if is_inside else set_without
        return Verdict.NONCOLLIDER if is_inside else Verdict.COLLIDER

    def _separation(self, a: int, c: int) -> Separation | None:
        key = (a, c) if a < c else (c, a)
        if key not in self._asked:
            self._asked[key] = self._search(*key)
        return self._asked[key]

    def _search(self, a: int, c: int) -> Separation | None:
        """The smallest set that separates among the neighbours of a or of c: the best of them, or the first."""
        work = self._work
        pools = (self._neighbours[a] & ~(1 << c), self._neighbours[c] & ~(1 << a))
        largest = max(pool.bit_count() for pool in pools)
        if work.options.max_conditioning is not None:
            largest = min(largest, work.options.max_conditioning)
        for size in range(largest + 1):
            separation = work.best_separation((a, c), pools, size=size, budget=self._budget)
            if separation is not None:
                return separation
        if self._budget.is_spent:
            work.cut(
                f"GFCI's tests stopped after their budget of {work.options.skeleton_tests:,}: "
                "some edges may be superfluous."
            )
        return None


GFCI = Learner(
    "gfci",
    "GFCI",
    "Score search, then tests; often leads to the best models.",
    (
        *TESTING,
        "complete_rules",
        "valid_pag",
        "sample_prior",
        "structure_prior",
        "structure_prior_over",
        "faithfulness",
        "score_moves",
    ),
    learn_gfci,
    takes_oracle=False,
)
