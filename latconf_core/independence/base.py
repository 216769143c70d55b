"""What a learner asks of an independence test, be it a statistic on data or an oracle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from latconf_core.control import RunControl


@dataclass(frozen=True)
class Separation:
    """A set of variables given which two others are independent, with the p-value of that test."""

    given: tuple[int, ...]
    p_value: float


@dataclass
class Budget:
    """How many more tests may be made; None is no limit.

    is_spent : a test was due that could no longer be made, so the answer is incomplete
    """

    left: int | None = None
    is_spent: bool = False

    def pay(self, n_tests: int) -> None:
        if self.left is not None:
            self.left -= n_tests


@dataclass(slots=True)  # not frozen: one is made for every pair and size
class SubsetSearch:
    """What `separations` was asked: which subsets of a pool to try on a pair, and what may be spent on it."""

    pair: tuple[int, int]
    pool: Sequence[int]
    size: int
    known: Sequence[int]
    budget: Budget
    control: RunControl

    @property
    def is_empty(self) -> bool:
        """Whether no subset is left to try: the pool is too small, or the empty set is asked for and known."""
        return self.size > len(self.pool) or (self.size == 0 and len(self.known) > 0)

    def is_known(self, given: Sequence[int]) -> bool:
        """Whether these variables all lie in one of the known sets."""
        mask = sum(1 << v for v in given)
        return any(mask & ~covered == 0 for covered in self.known)


class IndependenceTest(ABC):
    """Answers whether two variables, given by position, are independent given others: where p > alpha.

    A test of your own writes `compute_p_value`; answers are remembered here. One object serves one thread.

    n_tests : tests made so far; one answered from memory does not count
    """

    def __init__(self, names: Sequence[str], alpha: float) -> None:
        self.names = tuple(names)
        self.alpha = alpha
        self.n_tests = 0
        self._answers: dict[tuple[int, int, tuple[int, ...]], float] = {}

    @abstractmethod
    def compute_p_value(self, x: int, y: int, given: tuple[int, ...]) -> float:
        """The p-value for x < y given others in rising order; called once for each question."""

    def p_value(self, x: int, y: int, given: Sequence[int]) -> float:
        """The probability of a statistic at least as large were x and y independent given the others."""
        key = (min(x, y), max(x, y), tuple(sorted(given)))
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self.compute_p_value(*key)
            self.n_tests += 1
        return answer

    def is_independent(self, x: int, y: int, given: Sequence[int]) -> bool:
        return self.p_value(x, y, given) > self.alpha

    def separations(
        self,
        pair: tuple[int, int],
        pool: Sequence[int],
        *,
        size: int,
        known: Sequence[int] = (),
        budget: Budget,
        control: RunControl,
    ) -> Iterator[Separation]:
        """Every subset of `pool` of this size that separates the pair, lexicographically, each found when asked for.

        known : sets of variables, as bit masks, all of whose subsets were tried before: they are passed over
        """
        return self._search(SubsetSearch(pair, pool, size, known, budget, control))

    def best_separation(
        self,
        pair: tuple[int, int],
        pool: Sequence[int],
        *,
        size: int,
        known: Sequence[int] = (),
        budget: Budget,
        control: RunControl,
    ) -> Separation | None:
        """Of these subsets the one that leaves the pair most independent, the first of equals; None if none does."""
        return self._best(SubsetSearch(pair, pool, size, known, budget, control))

    def independent_partners(
        self, x: int, others: Sequence[int], *, budget: Budget, control: RunControl
    ) -> Iterator[tuple[int, Separation]]:
        """Those of the others that are independent of x given nothing, in their order, with the p-values."""
        for y in others:
            for separation in self.separations((x, y), (), size=0, budget=budget, control=control):
                yield y, separation
            if budget.is_spent:
                return

    def _best(self, asked: SubsetSearch) -> Separation | None:
        return max(self._search(asked), key=lambda separation: separation.p_value, default=None)

    def _search(self, asked: SubsetSearch) -> Iterator[Separation]:
        """One question after the other; a test that can answer many at once does so here."""
        for given in combinations(asked.pool, asked.size):
            if asked.is_known(given):
                continue
            if asked.budget.left == 0:
                asked.budget.is_spent = True
                return
            asked.control.checkpoint()
            asked.budget.pay(1)
            p_value = self.p_value(*asked.pair, given)
            if p_value > self.alpha:
                yield Separation(given, p_value)
