"""Counting from bits gives every digit that counting rows gives; the best subset is the best of all that separate."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.independence import contingency, kernels
from latconf_core.independence.base import Budget, Separation
from latconf_core.independence.contingency import ContingencyTest
from latconf_core.options.learning import DegreesOfFreedom

CARDS = (2, 3, 2, 4, 2, 5, 3)


def draw(n_rows: int, seed: int = 0) -> Dataset:
    """Columns that depend on those before them."""
    rng = np.random.default_rng(seed)
    codes = np.zeros((n_rows, len(CARDS)), dtype=np.uint8)
    for v, card in enumerate(CARDS):
        codes[:, v] = (codes[:, :v].sum(axis=1) * (rng.random(n_rows) < 0.15) + rng.integers(card, size=n_rows)) % card
    return Dataset("ABCDEFG", [tuple(map(str, range(card))) for card in CARDS], codes)


def unpacked(data: Dataset, monkeypatch: pytest.MonkeyPatch, **options: object) -> ContingencyTest:
    with monkeypatch.context() as patch:
        patch.setattr(contingency, "FEWEST_PACKED", 1 << 40)
        return ContingencyTest(data, **options)  # type: ignore[arg-type]


def all_questions(largest: int) -> list[tuple[int, int, tuple[int, ...]]]:
    pairs = list(combinations(range(len(CARDS)), 2))
    return [
        (x, y, given)
        for x, y in pairs
        for size in range(largest + 1)
        for given in combinations([v for v in range(len(CARDS)) if v not in (x, y)], size)
    ]


@pytest.mark.parametrize("n_rows", [256, 640, 1001])
@pytest.mark.parametrize("freedom", ["adaptive", "full", "full-guard"])
def test_that_bits_give_the_p_values_of_rows(
    n_rows: int, freedom: DegreesOfFreedom, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = draw(n_rows)
    packed = ContingencyTest(data, degrees_of_freedom=freedom)
    plain = unpacked(data, monkeypatch, degrees_of_freedom=freedom)
    assert packed._packed[0].size
    assert not plain._packed[0].size
    for question in all_questions(3):
        assert packed.p_value(*question) == plain.p_value(*question), question


@pytest.mark.parametrize("statistic", ["g-square", "chi-square"])
def test_that_searches_over_tables_small_and_large_find_the_same(
    statistic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where members have many states the tables leave the bits and come back to them within one search."""
    data = draw(900, seed=1)
    tests = [ContingencyTest(data, statistic=statistic), unpacked(data, monkeypatch, statistic=statistic)]  # type: ignore[arg-type]
    for x, y in combinations(range(len(CARDS)), 2):
        pool = [v for v in range(len(CARDS)) if v not in (x, y)]
        for size in range(4):
            found = [list(test.separations((x, y), pool, size=size, **fresh())) for test in tests]
            assert found[0] == found[1]
    assert tests[0].n_tests == tests[1].n_tests


def fresh() -> dict[str, object]:
    return {"budget": Budget(), "control": RunControl()}


def test_that_pairs_given_nothing_are_counted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    data = draw(777, seed=2)
    tests = [ContingencyTest(data, 1e-9), unpacked(data, monkeypatch, alpha=1e-9)]
    for x in range(len(CARDS)):
        others = [v for v in range(len(CARDS)) if v != x]
        found = [list(test.independent_partners(x, others, **fresh())) for test in tests]  # type: ignore[arg-type]
        assert found[0] == found[1]


@pytest.mark.parametrize("known", [(), (0b0011100,), (0b1010100, 0b0101000)])
def test_that_the_best_subset_is_the_first_with_the_highest_p_value(known: tuple[int, ...]) -> None:
    data = draw(500, seed=3)
    pool = [2, 3, 4, 5, 6]
    for size in range(4):
        by_one, at_once = ContingencyTest(data, 0.01), ContingencyTest(data, 0.01)
        separations = list(by_one.separations((0, 1), pool, size=size, known=known, **fresh()))  # type: ignore[arg-type]
        best: Separation | None = max(separations, key=lambda separation: separation.p_value, default=None)
        assert at_once.best_separation((0, 1), pool, size=size, known=known, **fresh()) == best  # type: ignore[arg-type]
        assert at_once.n_tests == by_one.n_tests


def test_that_the_best_of_a_budget_is_the_best_of_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    data, pool = draw(500, seed=4), [2, 3, 4, 5, 6]
    monkeypatch.setattr(contingency, "WORK_BETWEEN_CHECKPOINTS", 1500)  # three tests for one call
    for n_tests in range(11):
        budget, other = Budget(n_tests), Budget(n_tests)
        test = ContingencyTest(data, 0.01)
        separations = list(test.separations((0, 1), pool, size=2, budget=budget, control=RunControl()))
        best = max(separations, key=lambda separation: separation.p_value, default=None)
        again = ContingencyTest(data, 0.01)
        assert again.best_separation((0, 1), pool, size=2, budget=other, control=RunControl()) == best
        assert (budget.is_spent, budget.left) == (other.is_spent, other.left)


def test_that_rows_with_weights_are_not_packed() -> None:
    data = Dataset("AB", [("0", "1")] * 2, np.tile([[0, 1], [1, 1], [1, 0]], (200, 1)))
    assert not ContingencyTest(data)._packed[0].size


def test_that_bits_stand_for_the_rows_of_their_state() -> None:
    data = draw(300, seed=5)
    states, starts = ContingencyTest(data)._packed
    for column, card in enumerate(CARDS):
        for state in range(card):
            rows = np.unpackbits(states[starts[column] + state].view(np.uint8), bitorder="little")
            assert rows[:300].tolist() == (data.codes[:, column] == state).tolist()
            assert not rows[300:].any()
    assert kernels.PACKED_CELLS >= 64
