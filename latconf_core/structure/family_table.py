"""Scores of families by bit masks of parents, each asked for once, and DAGs as such masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

FamilyScore = Callable[[int, int], float]  # of a child and its parents as bits
Parents = tuple[int, ...]  # of every variable, as bits
LEAST_GAIN = 1e-9  # nats; less is rounding


class FamilyTable:
    """The score of every family that was asked for, in nats; `max_parents` is the most that a search gives one."""

    def __init__(self, n_variables: int, score: FamilyScore, *, max_parents: int) -> None:
        self.n_variables = n_variables
        self.max_parents = max_parents
        self._score = score
        self._found: list[dict[int, float]] = [{} for _ in range(n_variables)]

    def score(self, child: int, parents: int) -> float:
        """The score of a child with the parents of a bit mask."""
        found = self._found[child].get(parents)
        if found is None:
            found = self._found[child][parents] = self._score(child, parents)
        return found

    def total(self, parents: Sequence[int]) -> float:
        """The score of a DAG."""
        return sum(self.score(child, mask) for child, mask in enumerate(parents))


def order_of(parents: Sequence[int]) -> list[int]:
    """The variables of a DAG with parents before children, the first of several in front."""
    order: list[int] = []
    placed = 0
    while len(order) < len(parents):
        following = next(v for v, mask in enumerate(parents) if not placed >> v & 1 and not mask & ~placed)
        order.append(following)
        placed |= 1 << following
    return order
