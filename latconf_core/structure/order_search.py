"""Search over orders of variables (BOSS: Andrews, Ramsey et al. 2023): each is moved to its best place in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from latconf_core.graph.bits import bits
from latconf_core.structure.family_table import LEAST_GAIN, FamilyTable, Parents


class OrderSearch:
    """Orders of the variables of one table; the parents of a variable among its predecessors are found once.

    The parents are those of grow and shrink: the best is added while the score rises, then the worst is left out.

    known : of some variables, what other searches with the same scores chose among which predecessors; is added to
    """

    def __init__(
        self,
        table: FamilyTable,
        *,
        checkpoint: Callable[[], None] = lambda: None,
        known: Mapping[int, dict[int, int]] | None = None,
    ) -> None:
        self._table = table
        self._checkpoint = checkpoint
        known = {} if known is None else known
        self._chosen: list[dict[int, int]] = [known.get(variable, {}) for variable in range(table.n_variables)]

    def improve(self, order: Sequence[int], *, movable: int = -1) -> Parents:
        """The DAG of the order that is reached when no variable gains by another place.

        movable : the variables that are moved, as bits; all by default
        """
        present = list(order)
        has_changed = True
        while has_changed:
            has_changed = False
            for variable in [each for each in present if movable >> each & 1]:
                moved = self._best_place(present, variable)
                has_changed |= moved != present
                present = moved
        return self.parents_in(present)

    def parents_in(self, order: Sequence[int]) -> Parents:
        """The best parents of every variable among those before it."""
        parents = [0] * self._table.n_variables
        before = 0
        for variable in order:
            parents[variable] = self._parents_among(variable, before)
            before |= 1 << variable
        return tuple(parents)

    def _best_place(self, order: Sequence[int], variable: int) -> list[int]:
        """The order with a variable moved to where the score is highest; as it was where nothing is gained."""
        others = [each for each in order if each != variable]
        after = []
        before = 1 << variable
        for each in others:
            after.append(self._score(each, before))
            before |= 1 << each
        total = self._score(variable, 0) + sum(after)
        totals = [total]
        own = self._score(variable, 0)
        before = 0
        for k, each in enumerate(others):
            total += self._score(each, before) - after[k] - own
            before |= 1 << each
            own = self._score(variable, before)
            total += own
            totals.append(total)
        present = list(order).index(variable)
        best = max(range(len(totals)), key=lambda place: totals[place])
        if not totals[best] > totals[present] + LEAST_GAIN:  # nor where nothing is possible, and no sum is a number
            return list(order)
        return [*others[:best], variable, *others[best:]]

    def _score(self, child: int, before: int) -> float:
        return self._table.score(child, self._parents_among(child, before))

    def _parents_among(self, child: int, before: int) -> int:
        found = self._chosen[child].get(before)
        if found is None:
            self._checkpoint()
            found = self._chosen[child][before] = self._shrink(child, self._grow(child, before))
        return found

    def _grow(self, child: int, before: int) -> int:
        score, chosen = self._table.score, 0
        now = score(child, 0)
        while chosen.bit_count() < self._table.max_parents:
            trials = [(score(child, chosen | 1 << other), other) for other in bits(before & ~chosen)]
            best, other = max(trials, key=lambda trial: trial[0], default=(now, -1))
            if best <= now + LEAST_GAIN:
                break
            now, chosen = best, chosen | 1 << other
        return chosen

    def _shrink(self, child: int, chosen: int) -> int:
        score, now = self._table.score, self._table.score(child, chosen)
        while chosen:
            best, other = max(
                ((score(child, chosen & ~(1 << own)), own) for own in bits(chosen)), key=lambda one: one[0]
            )
            if best <= now + LEAST_GAIN:
                break
            now, chosen = best, chosen & ~(1 << other)
        return chosen
