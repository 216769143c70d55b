"""Pairs that knowledge keeps apart: what separates them in the data, and where nothing does, a conflict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from latconf_core.graph.bits import bits
from latconf_core.independence.base import Budget
from latconf_core.pag.events import KnowledgeConflict
from latconf_core.pag.learners.work import Work

MOST_GIVEN, MOST_POOL = 2, 8  # of the sets that are asked about where none separates: their size, and neighbours


def separate_kept_apart(work: Work, pools: Sequence[int]) -> None:
    """Record what separates each of these pairs among some neighbours; one that depends given all is a conflict.

    pools : of every variable what is conditioned on
    """
    budget = Budget(work.options.skeleton_tests)
    for a in range(work.n):
        apart = (1 << work.n) - 1 & ~work.joinable[a]
        for c in bits(apart & -(2 << a)):
            work.control.checkpoint()
            if work.sepset(a, c) is None:
                _separate(work, a, c, (pools[a] & ~(1 << c), pools[c] & ~(1 << a)), budget)


def _separate(work: Work, a: int, c: int, pools: tuple[int, int], budget: Budget) -> None:
    largest = max(pool.bit_count() for pool in pools)
    if work.options.max_conditioning is not None:
        largest = min(largest, work.options.max_conditioning)
    for size in range(largest + 1):
        found = work.best_separation((a, c), pools, size=size, budget=budget)
        if found is not None:
            work.sepsets[a, c] = found.given
            return
    p_value, given = max((work.test.p_value(a, c, given), given) for given in _small_sets(pools))
    work.sepsets[a, c] = given
    if work.data is not None:
        first, second = work.named_set((a, c))
        work.knowledge_conflicts.append(KnowledgeConflict(first, second, work.named_set(given), p_value))


def _small_sets(pools: tuple[int, int]) -> Iterator[tuple[int, ...]]:
    members = list(bits(pools[0] | pools[1]))[:MOST_POOL]
    return chain.from_iterable(combinations(members, size) for size in range(MOST_GIVEN + 1))
