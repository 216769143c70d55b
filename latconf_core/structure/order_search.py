"""Search over orders of variables (BOSS: Andrews, Ramsey et al. 2023): each is moved to its best place in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from latconf_core.graph.bits import bits, unite
from latconf_core.structure.family_table import LEAST_GAIN, FamilyTable, Parents
from latconf_core.structure.parent_tree import ParentTree, Walk


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
        walked = _Walked(order, self._walk) if self._table.known.is_local else None
        present = list(order)
        has_changed = True
        while has_changed:
            has_changed = False
            for variable in [each for each in present if movable >> each & 1]:
                self._checkpoint()
                moved = self._best_allowed_place(present, variable) if walked is None else walked.improve(variable)
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

    def _best_allowed_place(self, order: Sequence[int], variable: int) -> list[int]:
        """The same between the variable's required causes and effects."""
        required = self._table.known.required
        others = [each for each in order if each != variable]
        first = max((k + 1 for k, each in enumerate(others) if required[variable] >> each & 1), default=0)
        last = min((k for k, each in enumerate(others) if required[each] >> variable & 1), default=len(others))
        best, best_total = list(order), self._choose_in_turn(order)[1]
        for index in range(first, last + 1):
            self._checkpoint()
            moved = [*others[:index], variable, *others[index:]]
            total = self._choose_in_turn(moved)[1]
            if total > best_total + LEAST_GAIN:
                best, best_total = moved, total
        return best

    def _walk(self, child: int, before: int) -> Walk:
        return self._trees[child].walk(before, self._table, self._checkpoint)


class _Walked:
    """An order, and of every variable its walk among those before it: few walks change where one variable moves."""

    def __init__(self, order: Sequence[int], walk: Callable[[int, int], Walk]) -> None:
        self._order = list(order)
        self._walk = walk
        self._present: dict[int, Walk] = {}
        before = 0
        for variable in order:
            self._present[variable] = walk(variable, before)
            before |= 1 << variable

    def improve(self, variable: int) -> list[int]:
        """The order with a variable moved to where the score is highest; as it was where nothing is gained."""
        index = self._order.index(variable)
        others = [*self._order[:index], *self._order[index + 1 :]]
        without, behind = self._walk_others(others, variable, index)
        walk_along = self._walk_along(others, variable)
        total = walk_along[0].score + sum([walk.score for walk in behind])
        totals = [total]
        for k, walk in enumerate(without):
            total += walk.score - behind[k].score - walk_along[k].score
            total += walk_along[k + 1].score
            totals.append(total)
        best = max(range(len(totals)), key=totals.__getitem__)
        if totals[best] > totals[index] + LEAST_GAIN:  # not where nothing is possible, and no sum is a number
            self._order = [*others[:best], variable, *others[best:]]
            self._present = dict(zip(others, [*without[:best], *behind[best:]]))
            self._present[variable] = walk_along[best]
        return list(self._order)

    def _walk_others(self, others: Sequence[int], variable: int, index: int) -> tuple[list[Walk], list[Walk]]:
        """The walks of the other variables where it is behind them, and where it is before them."""
        present, bit = self._present, 1 << variable
        without, behind = [], []
        before = 0
        for k, each in enumerate(others):
            now = present[each]
            if k < index:
                without.append(now)
                behind.append(self._walk(each, before | bit) if now.upsetting & bit else now)
            else:
                without.append(self._walk(each, before) if now.grown & bit else now)
                behind.append(now)
            before |= 1 << each
        return without, behind

    def _walk_along(self, others: Sequence[int], variable: int) -> list[Walk]:
        """The walks of a variable at every place, the first one in front of all others."""
        before, walk = 0, self._walk(variable, 0)
        walks = [walk]
        for each in others:
            before |= 1 << each
            if walk.upsetting >> each & 1:
                walk = self._walk(variable, before)
            walks.append(walk)
        return walks
