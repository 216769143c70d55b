"""The second search of FCI: separating sets that no neighbourhood contains (possible-d-sep)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from latconf_core.control import Progress
from latconf_core.graph.bits import bits
from latconf_core.graph.marks import Mark
from latconf_core.independence.base import Budget
from latconf_core.pag.events import PagEvent, PhaseStarted
from latconf_core.pag.learners.work import Work
from latconf_core.pag.rules.mark_sets import Marks


def possible_dsep(marks: Marks, x: int) -> int:
    """The set of variables that a path from x reaches on which every inner b is a collider or lies in a triangle.

    marks : the skeleton with the unshielded colliders oriented
    """
    into = marks.near[Mark.ARROW]
    reachable = marks.adjacent[x]
    steps = deque((x, b) for b in bits(reachable))
    went = [0] * marks.n  # from b: where steps (b, c) were taken
    while steps:
        a, b = steps.popleft()
        onward = marks.adjacent[a] | (into[b] if into[b] >> a & 1 else 0)
        onward &= marks.adjacent[b] & ~went[b] & ~(1 << a) & ~(1 << x)
        went[b] |= onward
        reachable |= onward
        steps.extend((b, c) for c in bits(onward))
    return reachable


def search_possible_dsep(work: Work, marks: Marks) -> Iterator[PagEvent]:
    """Remove the edges whose ends a subset of a possible-d-sep set separates; the sets are computed once, at first."""
    yield PhaseStarted(
        "possible-d-sep",
        (
            "Possible-d-sep: with hidden causes, a separating set can contain variables adjacent to neither. "
            "Colliders are oriented temporarily to find candidates, and the remaining edges are tested given "
            "sets of these."
        ),
    )
    search = _Search(work, marks)
    for x in range(work.n):
        yield Progress(x, work.n, "testing possible-d-sep sets")
        for y in bits(work.adjacent[x]):
            if not work.is_required(x, y):
                yield from search.pair(x, y)
            if search.budget.is_spent:
                work.cut(
                    f"The possible-d-sep search stopped after its budget of {work.options.possible_dsep_tests:,} "
                    "tests: some edges may be superfluous."
                )
                return
    n_limited = search.count_limited()
    if n_limited:
        work.cut(
            f"The possible-d-sep search tried sets of up to {search.largest} variables; {n_limited} adjacent "
            "pairs have larger ones."
        )


class _Search:
    """The tests of one possible-d-sep phase."""

    def __init__(self, work: Work, marks: Marks) -> None:
        options = work.options
        limits = [limit for limit in (options.possible_dsep_size, options.max_conditioning) if limit is not None]
        self.work = work
        self.pools = [possible_dsep(marks, x) for x in range(work.n)]
        self.tried = list(work.adjacent) if work.is_skeleton_complete else [0] * work.n
        self.largest = min(limits, default=work.n)
        self.budget = Budget(options.possible_dsep_tests)

    def pair(self, x: int, y: int) -> Iterator[PagEvent]:
        """Try the subsets of x's set on the edge x - y, smallest first; those of y's beside them for the best one."""
        pools = [self.pools[x] & ~(1 << y)]
        known = [self.tried[x], self.tried[y]] if self.work.is_skeleton_complete else []
        if self.work.takes_best:
            if y < x:
                return
            pools.append(self.pools[y] & ~(1 << x))
        elif y < x:
            known.append(self.pools[y])
        pools = [pool for pool in pools if all(pool & ~covered for covered in known)]
        largest = max((pool.bit_count() for pool in pools), default=-1)
        for size in range(min(self.largest, largest) + 1):
            separation = self.work.best_separation((x, y), pools, size=size, known=known, budget=self.budget)
            if separation is not None:
                yield self.work.separate(x, y, separation, "possible-d-sep")
            if separation is not None or self.budget.is_spent:
                return

    def count_limited(self) -> int:
        """The edges that a set above the limit, not tried before, might still remove."""
        left = 0
        for x in range(self.work.n):
            for y in bits(self.work.adjacent[x] >> (x + 1) << (x + 1)):
                pools = ((self.pools[x] & ~(1 << y), self.tried[x]), (self.pools[y] & ~(1 << x), self.tried[y]))
                left += any(pool.bit_count() > self.largest and pool & ~tried for pool, tried in pools)
        return left
