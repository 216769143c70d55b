"""The skeleton: which variables no conditioning set among their neighbours separates (PC-stable)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from latconf_core.control import Progress
from latconf_core.graph.bits import bits
from latconf_core.independence.base import Budget
from latconf_core.pag.events import GraphStarted, PagEvent, PhaseStarted
from latconf_core.pag.learners.work import Work
from latconf_core.phrases import counted


def learn_skeleton(work: Work) -> Iterator[PagEvent]:
    """Fill `work.adjacent` and `work.sepsets`, by conditioning sets of rising size.

    All sets of one size are drawn from the adjacencies at the start of that size, so that the order of the
    variables does not decide which edges go.
    """
    yield _start(work)
    work.adjacent = list(work.joinable)
    budget = Budget(work.options.skeleton_tests)
    limit = work.options.max_conditioning
    for size in count():
        if not _has_sets(work.adjacent, size):
            return
        if limit is not None and size > limit:
            work.cut(f"The skeleton search stopped at conditioning sets of {limit} variables, the chosen maximum.")
            return
        yield PhaseStarted("skeleton", _purpose(size))
        yield from _test_pairs(work, budget) if size == 0 else _test_given(work, size, budget)
        if budget.is_spent:
            work.is_skeleton_complete = False
            work.cut(
                f"The skeleton search stopped after its budget of {work.options.skeleton_tests:,} tests, at "
                f"conditioning sets of {size} variables: some edges may be superfluous."
            )
            return


def _start(work: Work) -> GraphStarted:
    n_pairs = sum(mask.bit_count() for mask in work.joinable) // 2
    if n_pairs == work.n * (work.n - 1) // 2:
        text = "Every pair of variables is joined by o-o: nothing has been tested yet."
        return GraphStarted(None, text)
    pairs = [(work.names[a], work.names[c]) for a in range(work.n) for c in bits(work.joinable[a] & -(2 << a))]
    return GraphStarted(
        tuple(pairs),
        (
            "Every pair of variables is joined by o-o, except pairs that background knowledge separates: neither "
            "may affect the other, and they may share no hidden cause."
        ),
    )


def _purpose(size: int) -> str:
    if size == 0:
        return (
            "Skeleton, empty conditioning set: test every pair. Pairs without significant dependence lose their edge."
        )
    given, sets = ("one variable", "each neighbour") if size == 1 else (f"{size} variables", f"every {size} neighbours")
    return f"Skeleton, conditioning on {given}: test every adjacent pair given {sets} of either variable."


def _has_sets(adjacent: list[int], size: int) -> bool:
    return any(mask and mask.bit_count() - 1 >= size for mask in adjacent)


def _test_pairs(work: Work, budget: Budget) -> Iterator[PagEvent]:
    """Every pair once, given nothing: there are no sets to draw."""
    for x in range(work.n):
        yield Progress(x, work.n, "testing pairs")
        later = [y for y in bits(work.joinable[x] & -(2 << x)) if not work.is_required(x, y)]
        for y, separation in work.test.independent_partners(x, later, budget=budget, control=work.control):
            yield work.separate(x, y, separation, "skeleton")
        if budget.is_spent:
            return


def _test_given(work: Work, size: int, budget: Budget) -> Iterator[PagEvent]:
    """Every pair that is still joined, given each set of some size among the neighbours of one of the two."""
    pools = list(work.adjacent) if work.options.stable_skeleton else work.adjacent
    for x in range(work.n):
        yield Progress(x, work.n, f"testing pairs given {counted(size, 'variable')}")
        for y in bits(pools[x]):
            if not work.adjacent[x] >> y & 1 or work.is_required(x, y):
                continue
            pool, other = pools[x] & ~(1 << y), pools[y] & ~(1 << x)
            if work.takes_best:
                if y < x:
                    continue  # both sides of the pair were looked at together
                separation = work.best_separation((x, y), (pool, other), size=size, budget=budget)
            else:
                # From the other side of the pair, sets among the neighbours of y were tried already.
                known = [pools[y]] if y < x else []
                separation = work.best_separation((x, y), (pool,), size=size, known=known, budget=budget)
            if separation is not None:
                yield work.separate(x, y, separation, "skeleton")
            if budget.is_spent:
                return
