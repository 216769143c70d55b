"""P*: the best DAG without latents, by hill-climbing and by search over orders from several beginnings.

Orders have local optima that differ by a hundred nats on insurance data. The best order is therefore shaken (a piece of
it is shuffled and put elsewhere) and improved again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from latconf_core.families.family_rows import FamilyRow
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.structure.exact_dag import MOST_EXACT, find_exact
from latconf_core.structure.family_table import LEAST_GAIN, FamilyScore, FamilyTable, Parents, order_of, order_under
from latconf_core.structure.greedy_start import N_ON_THE_WAY, greedy_dags
from latconf_core.structure.hill_climber import climb, climb_steps
from latconf_core.structure.order_search import OrderSearch

MAX_PARENTS = 5
N_KEPT = 3  # different ones, from which a search for hidden causes may start
N_RANDOM_ORDERS = 4
N_SHAKEN = 10
MOST_WITHOUT_GREEDY = 128  # variables; chosen: among fewer a climb from no edges ends within a second or two
LARGEST_PIECE = 3  # a piece of an order is at most a third of it


@dataclass(frozen=True)
class FoundDag:
    """A DAG that a search for the best one reached, and its score in nats.

    is_exact : whether no DAG that is allowed, of families as large as the search gives, has a higher score
    is_on_the_way : whether a step of the search had not ended there: given for where it is stopped
    """

    parents: Parents
    score: float
    is_exact: bool = field(default=False, compare=False)
    is_on_the_way: bool = field(default=False, compare=False)


class ScoresFamilies(Protocol):
    """What knows the scores of the families of some variables."""

    @property
    def n_variables(self) -> int:
        """How many there are."""

    def family_score(self, child: int, parents: int) -> float:
        """Of a child with some parents, as bits."""

    @property
    def family_row(self) -> FamilyRow | None:
        """The scores of a child with one parent more, for all variables at once; None where each is asked for alone."""


def reach_best_by(
    scorer: ScoresFamilies,
    *,
    seed: int,
    checkpoint: Callable[[], None],
    known: BoundKnowledge | None = None,
    start: Parents | None = None,
    is_short: bool = False,
) -> Iterator[FoundDag]:
    """The DAGs that the search for the best one by a scorer reaches, as it reaches them; the rest as `reach_best`."""
    return reach_best(
        scorer.n_variables,
        scorer.family_score,
        row=scorer.family_row,
        seed=seed,
        checkpoint=checkpoint,
        known=known,
        start=start,
        is_short=is_short,
    )


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

    The last one is exact where there are at most MOST_EXACT variables; else none is. Among more than
    MOST_WITHOUT_GREEDY a greedy search comes before the climb, and the best order is shaken before random ones.

    start : where the first climb begins; None for no edges but those that are required
    is_exact : whether the exact best is looked for where there are few variables
    """
    search = OrderSearch(table, checkpoint=checkpoint)

    def reach(order: Sequence[int]) -> FoundDag:
        begun = order_under(order, table.known.required)
        reached = climb(table, search.improve(begun), checkpoint=checkpoint)
        return FoundDag(reached, table.total(reached))

    is_large = table.n_variables > MOST_WITHOUT_GREEDY
    for candidate in _climb_large(table, start, checkpoint) if is_large else _climb_once(table, start, checkpoint):
        best = candidate
        yield candidate
    randoms = ["random"] * n_random_orders
    shakes = ["shaken"] * (n_shaken if table.n_variables > 1 else 0)
    for kind in ["best", *shakes, *randoms] if is_large else ["best", *randoms, *shakes]:
        if kind == "random":
            order = rng.permutation(table.n_variables).tolist()
        else:
            order = order_of(best.parents) if kind == "best" else shake(order_of(best.parents), rng)
        candidate = reach(order)
        yield candidate
        best = max(best, candidate, key=lambda dag: dag.score)
    if is_exact and table.n_variables <= MOST_EXACT:
        exact = find_exact(table, checkpoint=checkpoint)
        if exact is not None:
            is_higher = exact[1] > best.score + LEAST_GAIN  # of equal ones the one that was reached stays
            yield FoundDag(*exact, is_exact=True) if is_higher else replace(best, is_exact=True)


def _climb_once(table: FamilyTable, start: Parents | None, checkpoint: Callable[[], None]) -> Iterator[FoundDag]:
    first = climb(table, start, checkpoint=checkpoint)
    yield FoundDag(first, table.total(first))


def _climb_large(table: FamilyTable, start: Parents | None, checkpoint: Callable[[], None]) -> Iterator[FoundDag]:
    """The climb from where a greedy search ends, with what is reached on the way.

    Where knowledge binds, which a greedy search does not ask, it begins with the edges that are required.
    """
    reached = table.complete([0] * table.n_variables) if start is None else start
    yield FoundDag(reached, table.total(reached), is_on_the_way=True)
    if start is None and not table.known.binds:
        for reached in greedy_dags(table, checkpoint):
            yield FoundDag(reached, table.total(reached), is_on_the_way=True)
    between = max(1, table.n_variables // N_ON_THE_WAY)
    for n_moves, climbed in enumerate(climb_steps(table, reached, checkpoint=checkpoint), 1):
        reached = climbed
        if n_moves % between == 0:
            yield FoundDag(reached, table.total(reached), is_on_the_way=True)
    yield FoundDag(reached, table.total(reached))


def shake(order: Sequence[int], rng: np.random.Generator) -> list[int]:
    """The order with a piece of it shuffled and put elsewhere."""
    size = int(rng.integers(1, max(1, len(order) // LARGEST_PIECE) + 1))
    first = int(rng.integers(len(order) - size + 1))
    piece = rng.permutation(order[first : first + size]).tolist()
    others = [*order[:first], *order[first + size :]]
    position = int(rng.integers(len(others) + 1))
    return [*others[:position], *piece, *others[position:]]


def choose_best(found_dags: Iterable[FoundDag], most: int = 1) -> tuple[FoundDag, ...]:
    """The best different ones, best first; of equal scores the one that came first."""
    different: dict[FoundDag, FoundDag] = {}
    for dag in found_dags:
        different[dag] = dag  # the place of the first, and whether it is exact of the last
    return tuple(sorted(different.values(), key=lambda dag: -dag.score)[:most])


def best_different(reached: Iterable[FoundDag]) -> tuple[FoundDag, ...]:
    """The best of those that were reached, from which a search for hidden causes may start."""
    return choose_best(reached, N_KEPT)


def best_of(reached: Iterable[FoundDag]) -> FoundDag:
    """The best of those that were reached, exact where that was proved."""
    (best,) = choose_best(reached)
    return best
