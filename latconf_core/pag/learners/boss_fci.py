"""BOSS-FCI: GFCI from a search over orders (Andrews, Ramsey et al. 2023), which goes on where FGES ends."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from latconf_core.control import Progress
from latconf_core.graph.bits import bits
from latconf_core.graph.cpdag import Cpdag
from latconf_core.pag.events import GraphStarted, PagEvent, PhaseStarted, ScoreStep
from latconf_core.pag.learners.fges import TIE_DIGITS, Bdeu, Fges
from latconf_core.pag.learners.gfci import GFCI, learn_from_scored
from latconf_core.pag.learners.learner import Learner, Learning
from latconf_core.pag.learners.work import Work
from latconf_core.structure.best_dag import MAX_PARENTS, N_RANDOM_ORDERS, N_SHAKEN, choose_best, search_best_dag
from latconf_core.structure.family_table import FamilyTable, order_of

N_REACHED = 2 + N_RANDOM_ORDERS + N_SHAKEN  # the climb, the search from its order, and from each other one


def learn_boss_fci(work: Work) -> Learning:
    """BOSS-FCI; returns the oriented marks."""
    yield GraphStarted((), "No two variables are joined: the edges of the DAG with the best score are added.")
    yield PhaseStarted(
        "score search",
        "Score search: look for the order of the variables whose DAG has the best BDeu score, then add its edges, "
        "causes before effects. Where DAGs have the same score, the edges that they do not agree on are shown as o-o.",
    )
    scored = yield from _search_orders(work)
    return (yield from learn_from_scored(work, scored))


def _search_orders(work: Work) -> Generator[PagEvent, None, Cpdag]:
    bdeu = Bdeu(work.dataset, work.options)

    def score(child: int, parents: int) -> float:
        work.control.checkpoint()
        return round(bdeu.local(child, parents), TIE_DIGITS)

    greedy = Fges(bdeu, work.names, control=work.control, max_moves=work.options.score_moves)
    yield from (event for event in greedy.run(faithfulness=work.options.faithfulness) if isinstance(event, Progress))
    start = tuple(greedy.graph.extension())
    most = max(MAX_PARENTS, *(mask.bit_count() for mask in start))
    table = FamilyTable(work.n, score, max_parents=most)
    found = []
    rng = np.random.default_rng(0)
    for one in search_best_dag(table, rng=rng, start=start, checkpoint=work.control.checkpoint):
        found.append(one)
        yield Progress(len(found), N_REACHED, "searching orders")
    (best,) = choose_best(iter(found))
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


BOSS_FCI = Learner(
    "boss-fci",
    "BOSS-FCI",
    "As GFCI from a search over orders of the variables, which scores higher.",
    GFCI.options,
    learn_boss_fci,
    takes_oracle=False,
)
