"""P*: the best DAG without latents, by hill-climbing and by search over orders from several beginnings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from latconf_core.structure.family_table import FamilyTable, Parents, order_of
from latconf_core.structure.hill_climber import climb
from latconf_core.structure.order_search import OrderSearch

MAX_PARENTS = 5
N_RANDOM_ORDERS = 4


@dataclass(frozen=True)
class FoundDag:
    """A DAG that a search for the best one reached, and its score in nats."""

    parents: Parents
    score: float


def search_best_dag(
    table: FamilyTable,
    *,
    rng: np.random.Generator,
    n_random_orders: int = N_RANDOM_ORDERS,
    checkpoint: Callable[[], None] = lambda: None,
) -> Iterator[FoundDag]:
    """The DAGs that the search reaches, as it reaches them: the climb from no edges, then one per order."""
    first = climb(table, checkpoint=checkpoint)
    yield FoundDag(first, table.total(first))
    search = OrderSearch(table, checkpoint=checkpoint)
    orders = [order_of(first), *([int(v) for v in rng.permutation(table.n_variables)] for _ in range(n_random_orders))]
    for order in orders:
        reached = climb(table, search.improve(order), checkpoint=checkpoint)
        yield FoundDag(reached, table.total(reached))


def choose_best(found: Iterator[FoundDag], most: int = 1) -> tuple[FoundDag, ...]:
    """The best different ones, best first; of equal scores the one that came first."""
    different = dict.fromkeys(found)
    return tuple(sorted(different, key=lambda one: -one.score)[:most])
