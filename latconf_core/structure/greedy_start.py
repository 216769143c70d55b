"""Where the search for the best DAG begins among many variables: no edges, then the DAGs that a greedy search passes.

The search over classes of equivalent DAGs that GFCI begins with takes seconds where a single order takes minutes. What
it has reached is given again and again on the way, so that a search that is stopped has something to show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.graph.bits import bits
from latconf_core.structure.equivalence_search import EquivalenceSearch
from latconf_core.structure.family_table import FamilyTable, Parents

N_ON_THE_WAY = 8  # DAGs that are given, per as many insertions as there are variables
MOST_ALONE = 8  # scores with one parent more that are asked for alone; then those of all variables are


def greedy_dags(table: FamilyTable, checkpoint: Callable[[], None]) -> Iterator[Parents]:
    """DAGs on the way of a greedy search over classes, the last one where it ends; knowledge is not asked."""
    search = EquivalenceSearch(
        _LocalScores(table), table.n_variables, checkpoint=checkpoint, max_parents=table.max_parents
    )
    between = max(1, table.n_variables // N_ON_THE_WAY)
    n_steps = 0
    for step in search.run(faithfulness=True):
        if not isinstance(step, int):
            n_steps += 1
            if n_steps % between == 0:
                yield _dag_of(search, table)
    yield _dag_of(search, table)


def _dag_of(search: EquivalenceSearch, table: FamilyTable) -> Parents:
    """A DAG of the class, without the parents that a variable has too many of and that are worth least."""
    parents = search.graph.extension()
    for child, mask in enumerate(parents):
        while mask.bit_count() > table.max_parents:
            mask = max((mask & ~(1 << parent) for parent in bits(mask)), key=lambda less: table.score(child, less))
        parents[child] = mask
    return tuple(parents)


class _LocalScores:
    """The scores of a table as a greedy search asks for them."""

    def __init__(self, table: FamilyTable) -> None:
        self.local = table.score
        self._table = table
        self._n_asked: dict[tuple[int, int], int] = {}

    def local_with(self, child: int, parents: int, other: int, checkpoint: Callable[[], None]) -> float:
        n_asked = self._n_asked[child, parents] = self._n_asked.get((child, parents), 0) + 1
        row = self._table.scores_with(child, parents) if n_asked > MOST_ALONE else None
        return self.local(child, parents | 1 << other) if row is None else float(row[other])

    def row(self, child: int, parents: int, checkpoint: Callable[[], None]) -> FloatArray:
        row = self._table.scores_with(child, parents)
        if row is not None:
            return row
        scores = np.full(self._table.n_variables, -inf)
        for other in range(self._table.n_variables):
            checkpoint()
            if other != child and not parents >> other & 1:
                scores[other] = self.local(child, parents | 1 << other)
        return scores
