"""Searches for a scored DAG over orders of the variables, and under knowledge: what GFCI and BOSS-FCI start from."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import Progress
from latconf_core.graph.bits import bits
from latconf_core.graph.cpdag import Cpdag
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.pag.events import PagEvent, ScoreStep
from latconf_core.pag.learners.fges import TIE_DIGITS, Bdeu, Fges
from latconf_core.pag.learners.work import Work
from latconf_core.structure.best_dag import (
    MAX_PARENTS,
    N_RANDOM_ORDERS,
    N_SHAKEN,
    FoundDag,
    choose_best,
    search_best_dag,
)
from latconf_core.structure.family_table import FamilyTable, Parents, order_of


def search_orders(work: Work) -> Generator[PagEvent, None, Cpdag]:
    """Search over orders from where FGES ends."""
    bdeu = Bdeu(work.dataset, work.options)
    greedy = Fges(bdeu, work.names, control=work.control, max_moves=work.options.score_moves)
    yield from (event for event in greedy.run(faithfulness=work.options.faithfulness) if isinstance(event, Progress))
    start = tuple(greedy.graph.extension())
    most = max(MAX_PARENTS, *(mask.bit_count() for mask in start))
    table = _table(work, bdeu, most)
    return (yield from _search(work, table, start, N_RANDOM_ORDERS, N_SHAKEN))


def search_under_knowledge(work: Work, *, is_thorough: bool = False) -> Generator[PagEvent, None, Cpdag]:
    """Climb from the required edges, then search over orders, with no edge that knowledge rules out."""
    table = _table(work, Bdeu(work.dataset, work.options), MAX_PARENTS, known=as_adjacencies(work.known))
    n_orders, n_shaken = (N_RANDOM_ORDERS, N_SHAKEN) if is_thorough else (0, 0)
    return (yield from _search(work, table, None, n_orders, n_shaken))


def as_adjacencies(known: BoundKnowledge) -> BoundKnowledge:
    """What is known of the edges of a DAG without latents whose edges stand for those of a PAG.

    Such an edge may stand for a hidden cause of both ends. So it may run either way where neither may be a cause of
    the other, and what it makes an ancestor need not be one; only time has a direction for both.
    """
    n = len(known)
    parents = []
    for b in range(n):
        mask = 0
        for a in bits((1 << n) - 1 & ~(1 << b)):
            may_be_cause, may_be_effect = not known.never_above[b] >> a & 1, not known.never_above[a] >> b & 1
            if may_be_cause or (not may_be_effect and known.siblings[a] >> b & 1):
                mask |= 1 << a
        parents.append(mask)
    return BoundKnowledge(known.names, tuple(parents), known.required, (0,) * n, known.siblings)


def _table(work: Work, bdeu: Bdeu, most: int, *, known: BoundKnowledge | None = None) -> FamilyTable:
    def score(child: int, parents: int) -> float:
        work.control.checkpoint()
        return round(bdeu.local(child, parents), TIE_DIGITS)

    def row(child: int, parents: int) -> FloatArray:
        scores = bdeu.row(child, parents, work.control.checkpoint)
        return np.array([round(score, TIE_DIGITS) for score in scores.tolist()])

    return FamilyTable(work.n, score, max_parents=most, known=known, row=row if bdeu.counts_together else None)


def _search(
    work: Work, table: FamilyTable, start: Parents | None, n_orders: int, n_shaken: int
) -> Generator[PagEvent, None, Cpdag]:
    reached: list[FoundDag] = []
    dags = search_best_dag(
        table,
        rng=np.random.default_rng(0),
        start=start,
        n_random_orders=n_orders,
        n_shaken=n_shaken,
        is_exact=False,
        checkpoint=work.control.checkpoint,
    )
    for dag in dags:
        reached.append(dag)
        yield Progress(
            len(reached), 2 + n_orders + n_shaken, "searching orders"
        )  # the climb, its order, each other one
    (best,) = choose_best(iter(reached))
    return (yield from build(best.parents, table, work.names))


def build(parents: tuple[int, ...], table: FamilyTable, names: tuple[str, ...]) -> Generator[ScoreStep, None, Cpdag]:
    """The CPDAG of a DAG, by one insertion per edge: causes before effects, of one effect the best first."""
    graph = Cpdag.empty(len(parents))
    above = [0] * len(parents)
    for y in order_of(parents):
        for x, gain in _in_turn(y, parents[y], table):
            # Chickering 2002, Theorem 15: these neighbours make it an insertion between classes.
            others = graph.undirected[y] & ~graph.adjacent[x] & above[y]
            graph = graph.with_insert(x, y, others)
            above[y] |= 1 << x
            yield ScoreStep("insert", names[x], names[y], tuple(names[v] for v in bits(others)), gain)
    return graph


def _in_turn(child: int, parents: int, table: FamilyTable) -> Iterator[tuple[int, float]]:
    """The parents of a variable with what each gains after those before it."""
    chosen = 0
    while left := parents & ~chosen:
        best = max(bits(left), key=lambda v: table.score(child, chosen | 1 << v))
        yield best, table.score(child, chosen | 1 << best) - table.score(child, chosen)
        chosen |= 1 << best
