"""Pairs that knowledge keeps apart: what separates them in the data, and where nothing does, a conflict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import bits
from latconf_core.independence.base import Budget
from latconf_core.independence.catalogue import make_test
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
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


def find_conflicts(
    data: Dataset, knowledge: Knowledge, adjacent: Sequence[int], *, control: RunControl
) -> tuple[KnowledgeConflict, ...]:
    """The pairs that knowledge keeps apart and that depend in the data, where no PAG was learned from them.

    adjacent : of every variable those that it is joined with, which are conditioned on
    """
    known, n = knowledge.bind(data.names), data.n_variables
    if all(known.allows_adjacency(a, c) for c in range(n) for a in range(c)):
        return ()
    options = PagOptions()
    work = Work(make_test(data, options), options, knowledge, control, data, adjacent=list(adjacent))
    separate_kept_apart(work, work.adjacent)
    return tuple(work.knowledge_conflicts)


def _separate(work: Work, a: int, c: int, pools: tuple[int, int], budget: Budget) -> None:
    largest = max(pool.bit_count() for pool in pools)
    if work.options.max_conditioning is not None:
        largest = min(largest, work.options.max_conditioning)
    for size in range(largest + 1):
        separation = work.best_separation((a, c), pools, size=size, budget=budget)
        if separation is not None:
            work.sepsets[a, c] = separation.given
            return
    p_value, given = max((work.test.p_value(a, c, given), given) for given in _small_sets(pools))
    work.sepsets[a, c] = given
    if work.data is not None:
        first, second = work.named_set((a, c))
        work.knowledge_conflicts.append(KnowledgeConflict(first, second, work.named_set(given), p_value))


def _small_sets(pools: tuple[int, int]) -> Iterator[tuple[int, ...]]:
    members = list(bits(pools[0] | pools[1]))[:MOST_POOL]
    return chain.from_iterable(combinations(members, size) for size in range(MOST_GIVEN + 1))
