"""What a learner asks of an independence test, be it a statistic on data or an oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

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


class IndependenceTest(Protocol):
    """Answers whether two variables, given by position, are independent given others."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def n_tests(self) -> int:
        """Tests made so far; one answered from memory does not count."""
        ...

    def p_value(self, x: int, y: int, given: Sequence[int]) -> float: ...

    def is_independent(self, x: int, y: int, given: Sequence[int]) -> bool: ...

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
        ...


def is_known(given: Sequence[int], known: Sequence[int]) -> bool:
    """Whether these variables all lie in one of the known sets (bit masks)."""
    mask = sum(1 << v for v in given)
    return any(mask & ~covered == 0 for covered in known)


def ask_one_by_one(
    test: IndependenceTest,
    pair: tuple[int, int],
    pool: Sequence[int],
    *,
    size: int,
    known: Sequence[int],
    budget: Budget,
    control: RunControl,
) -> Iterator[Separation]:
    """`separations` for a test that can only be asked one question at a time."""
    for given in combinations(pool, size):
        if is_known(given, known):
            continue
        if budget.left == 0:
            budget.is_spent = True
            return
        control.checkpoint()
        budget.pay(1)
        if test.is_independent(*pair, given):
            yield Separation(given, test.p_value(*pair, given))
