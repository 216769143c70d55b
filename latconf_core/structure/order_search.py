"""Search over orders of variables (BOSS: Andrews, Ramsey et al. 2023): each is moved to its best place in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from latconf_core.graph.bits import bits, unite
from latconf_core.structure.family_table import LEAST_GAIN, FamilyTable, Parents
from latconf_core.structure.parent_tree import ParentTree


class OrderSearch:
    """Orders of the variables of one table; the parents of a variable among its predecessors come from its tree.

    The parents are those of grow and shrink: the best is added while the score rises, then the worst is left out.

    known : of some variables, the trees of other searches with the same scores; they are added to
    """

    def __init__(
        self,
        table: FamilyTable,
        *,
        checkpoint: Callable[[], None] = lambda: None,
        known: Mapping[int, ParentTree] | None = None,
    ) -> None:
        self._table = table
        self._checkpoint = checkpoint
        known = {} if known is None else known
        self._trees = [known.get(variable) or ParentTree(variable) for variable in range(table.n_variables)]

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
        return self._table.complete(self._choose_in_turn(order)[0])

    def _choose_in_turn(self, order: Sequence[int]) -> tuple[list[int], float]:
        """The parents of every variable along an order, and their score; none puts a variable above one it must not."""
        known, checks = self._table.known, not self._table.known.edges_suffice
        parents, above = [0] * self._table.n_variables, [0] * self._table.n_variables
        total, before = 0.0, 0
        for variable in order:
            candidates = before
            if checks and known.never_above[variable]:
                never = known.never_above[variable]
                candidates = sum(1 << v for v in bits(before) if not (above[v] | 1 << v) & never)
            parents[variable], score = self._trees[variable].choose(candidates, self._table, self._checkpoint)
            chosen = parents[variable] | known.required[variable]
            above[variable] = chosen | unite(above, chosen)
            total += score
            before |= 1 << variable
        return parents, total

    def _best_place(self, order: Sequence[int], variable: int) -> list[int]:
        """The order with a variable moved to where the score is highest; as it was where nothing is gained."""
        self._checkpoint()
        if not self._table.known.is_local:
            return self._best_allowed_place(order, variable)
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

    def _best_allowed_place(self, order: Sequence[int], variable: int) -> list[int]:
        """The same between the variable's required causes and effects."""
        required = self._table.known.required
        others = [each for each in order if each != variable]
        first = max((k + 1 for k, each in enumerate(others) if required[variable] >> each & 1), default=0)
        last = min((k for k, each in enumerate(others) if required[each] >> variable & 1), default=len(others))
        best, best_total = list(order), self._choose_in_turn(order)[1]
        for place in range(first, last + 1):
            self._checkpoint()
            moved = [*others[:place], variable, *others[place:]]
            total = self._choose_in_turn(moved)[1]
            if total > best_total + LEAST_GAIN:
                best, best_total = moved, total
        return best

    def _score(self, child: int, before: int) -> float:
        return self._trees[child].choose(before, self._table, self._checkpoint)[1]
