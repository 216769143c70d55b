"""P*: the best DAG without latents, by hill-climbing and by search over orders from several beginnings.

Orders have local optima that differ by a hundred nats on insurance data. The best order is therefore shaken (a piece of
it is shuffled and put elsewhere) and improved again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from latconf_core.families.family_rows import FamilyRow
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.structure.exact_dag import MOST_EXACT, find_exact
from latconf_core.structure.family_table import LEAST_GAIN, FamilyScore, FamilyTable, Parents, order_of, order_under
from latconf_core.structure.hill_climber import climb
from latconf_core.structure.order_search import OrderSearch

MAX_PARENTS = 5
N_KEPT = 3  # different ones, from which a search for hidden causes may start
N_RANDOM_ORDERS = 4
N_SHAKEN = 10
LARGEST_PIECE = 3  # a piece of an order is at most a third of it


@dataclass(frozen=True)
class FoundDag:
    """A DAG that a search for the best one reached, and its score in nats.

    is_exact : whether no DAG that is allowed, of families as large as the search gives, has a higher score
    """

    parents: Parents
    score: float
    is_exact: bool = field(default=False, compare=False)


def reach_best(
    n_variables: int,
    score: FamilyScore,
    *,
    row: FamilyRow | None = None,
    seed: int,
    checkpoint: Callable[[], None],
    known: BoundKnowledge | None = None,
    start: Parents | None = None,
    is_short: bool = False,
) -> Iterator[FoundDag]:
    """The DAGs that the search for the best one on some scores of families reaches, as it reaches them.

    row : the scores of a child with one parent more, for all variables at once; None where each is asked for alone
    known : what they obey
    is_short : by a climb from `start` and one search over orders alone
    """
    table = FamilyTable(n_variables, score, max_parents=MAX_PARENTS, known=known, row=row)
    n_random_orders, n_shaken = (0, 0) if is_short else (N_RANDOM_ORDERS, N_SHAKEN)
    return search_best_dag(
        table,
        rng=np.random.default_rng(seed),
        start=start,
        n_random_orders=n_random_orders,
        n_shaken=n_shaken,
        checkpoint=checkpoint,
    )


def search_best_dag(
    table: FamilyTable,
    *,
    rng: np.random.Generator,
    start: Parents | None = None,
    n_random_orders: int = N_RANDOM_ORDERS,
    n_shaken: int = N_SHAKEN,
    is_exact: bool = True,
    checkpoint: Callable[[], None] = lambda: None,
) -> Iterator[FoundDag]:
    """The DAGs that the search reaches, as it reaches them: a first climb, then one per order, at last the exact best.

    The last one is exact where there are at most MOST_EXACT variables; else none is.

    start : where the first climb begins; None for no edges but those that are required
    is_exact : whether the exact best is looked for where there are few variables
    """
    search = OrderSearch(table, checkpoint=checkpoint)

    def reach(order: Sequence[int]) -> FoundDag:
        begun = order_under(order, table.known.required)
        reached = climb(table, search.improve(begun), checkpoint=checkpoint)
        return FoundDag(reached, table.total(reached))

    first = climb(table, start, checkpoint=checkpoint)
    best = FoundDag(first, table.total(first))
    yield best
    for order in [order_of(first), *(rng.permutation(table.n_variables).tolist() for _ in range(n_random_orders))]:
        found = reach(order)
        yield found
        best = max(best, found, key=lambda one: one.score)
    for _ in range(n_shaken if table.n_variables > 1 else 0):
        found = reach(shake(order_of(best.parents), rng))
        yield found
        best = max(best, found, key=lambda one: one.score)
    if is_exact and table.n_variables <= MOST_EXACT:
        exact = find_exact(table, checkpoint=checkpoint)
        if exact is not None:
            is_higher = exact[1] > best.score + LEAST_GAIN  # of equal ones the one that was reached stays
            yield FoundDag(*exact, is_exact=True) if is_higher else replace(best, is_exact=True)


def shake(order: Sequence[int], rng: np.random.Generator) -> list[int]:
    """The order with a piece of it shuffled and put elsewhere."""
    size = int(rng.integers(1, max(1, len(order) // LARGEST_PIECE) + 1))
    first = int(rng.integers(len(order) - size + 1))
    piece = rng.permutation(order[first : first + size]).tolist()
    others = [*order[:first], *order[first + size :]]
    place = int(rng.integers(len(others) + 1))
    return [*others[:place], *piece, *others[place:]]


def choose_best(found: Iterable[FoundDag], most: int = 1) -> tuple[FoundDag, ...]:
    """The best different ones, best first; of equal scores the one that came first."""
    different: dict[FoundDag, FoundDag] = {}
    for dag in found:
        different[dag] = dag  # the place of the first, and whether it is exact of the last
    return tuple(sorted(different.values(), key=lambda one: -one.score)[:most])


def best_different(reached: Iterable[FoundDag]) -> tuple[FoundDag, ...]:
    """The best of those that were reached, from which a search for hidden causes may start."""
    return choose_best(reached, N_KEPT)


def best_of(reached: Iterable[FoundDag]) -> FoundDag:
    """The best of those that were reached, exact where that was proved."""
    (best,) = choose_best(reached)
    return best
