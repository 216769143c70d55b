from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy.special import chdtrc
from support.builders import random_dataset

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.independence.base import Budget, Separation
from latconf_core.independence.contingency import ContingencyTest, Statistic
from latconf_core.options.learning import DegreesOfFreedom

CONVENTIONS: tuple[DegreesOfFreedom, ...] = ("adaptive", "full", "full-guard")


def p_by_definition(
    data: Dataset, x: int, y: int, given: tuple[int, ...], statistic: Statistic, convention: DegreesOfFreedom
) -> float:
    """The p-value from the formulas, one stratum and one cell at a time."""
    n_x, n_y = data.n_states[x], data.n_states[y]
    full = (n_x - 1) * (n_y - 1) * int(np.prod([data.n_states[v] for v in given]))
    if convention == "full-guard" and data.n_rows < 10 * full:
        return 1.0
    total, adaptive = 0.0, 0
    for stratum in product(*(range(data.n_states[v]) for v in given)):
        rows = np.all(data.codes[:, list(given)] == np.array(stratum, dtype=int), axis=1)
        table = np.zeros((n_x, n_y))
        np.add.at(table, (data.codes[rows, x], data.codes[rows, y]), 1)
        if not table.sum():
            continue
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
        if statistic == "g-square":
            seen = table > 0
            total += 2 * np.sum(table[seen] * np.log(table[seen] / expected[seen]))
        else:
            seen = expected > 0
            total += np.sum((table[seen] - expected[seen]) ** 2 / expected[seen])
        adaptive += (np.count_nonzero(table.sum(axis=1)) - 1) * (np.count_nonzero(table.sum(axis=0)) - 1)
    df = adaptive if convention == "adaptive" else full
    return float(chdtrc(df, max(total, 0.0))) if df else 1.0


def dependent_dataset(seed: int, n_rows: int, cards: list[int]) -> Dataset:
    """Columns that lean on the one before."""
    rng = np.random.default_rng(seed)
    data = random_dataset(rng, n_rows, cards)
    codes = np.array(data.codes)
    for column in range(1, len(cards)):
        copied = rng.random(n_rows) < 0.4
        codes[copied, column] = codes[copied, column - 1] % cards[column]
    return Dataset(data.names, data.states, codes)


@pytest.mark.parametrize("statistic", ["g-square", "chi-square"])
@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("n_rows", [40, 700])
def test_that_p_values_follow_the_definition(statistic: Statistic, convention: DegreesOfFreedom, n_rows: int) -> None:
    data = dependent_dataset(n_rows, n_rows, [2, 3, 4, 2, 3, 2])
    test = ContingencyTest(data, statistic=statistic, degrees_of_freedom=convention)
    for x, y in combinations(range(6), 2):
        others = [v for v in range(6) if v not in (x, y)]
        for size in range(5):
            for given in combinations(others, size):
                truth = p_by_definition(data, x, y, given, statistic, convention)
                assert test.p_value(x, y, given) == pytest.approx(truth, rel=1e-8, abs=1e-250)


@pytest.mark.parametrize("cards", [[60, 50, 40, 30], [300, 2, 300, 3]])
def test_that_tables_too_large_to_hold_give_the_same_p_values(cards: list[int]) -> None:
    data = dependent_dataset(1, 1500, cards)
    test = ContingencyTest(data)
    for given in [(), (2,), (3,), (2, 3)]:
        seen = data.codes[:, list(given)]
        names = np.unique(seen, axis=0, return_inverse=True)[1].ravel() if given else np.zeros(data.n_rows, dtype=int)
        strata = Dataset(
            ["x", "y", "s"],
            [data.states[0], data.states[1], [str(k) for k in range(names.max() + 1)]],
            np.stack([data.codes[:, 0], data.codes[:, 1], names], axis=1),
        )
        truth = p_by_definition(strata, 0, 1, (2,), "g-square", "adaptive")
        assert test.p_value(0, 1, given) == pytest.approx(truth, rel=1e-8)


def test_that_counting_distinct_rows_changes_nothing() -> None:
    few = random_dataset(np.random.default_rng(3), 400, [2, 2, 2, 2])
    many = Dataset(few.names, few.states, np.repeat(few.codes, 5, axis=0))
    test = ContingencyTest(many)
    for given in [(), (2,), (2, 3)]:
        truth = p_by_definition(many, 0, 1, given, "g-square", "adaptive")
        assert test.p_value(0, 1, given) == pytest.approx(truth, rel=1e-9)


def test_that_order_of_rows_and_names_of_states_change_no_p_value() -> None:
    data = dependent_dataset(5, 500, [3, 3, 2, 4])
    rng = np.random.default_rng(0)
    shuffled = Dataset(data.names, data.states, rng.permutation(data.codes))
    relabelled = np.stack([rng.permutation(card)[data.codes[:, v]] for v, card in enumerate(data.n_states)], axis=1)
    renamed = Dataset(data.names, data.states, relabelled)
    for given in [(), (2,), (2, 3)]:
        p = ContingencyTest(data).p_value(0, 1, given)
        assert ContingencyTest(shuffled).p_value(0, 1, given) == p
        # another order of the same summands: the last digits may differ
        assert ContingencyTest(renamed).p_value(0, 1, given) == pytest.approx(p, rel=1e-10)


def test_that_the_empty_and_constant_columns_are_independent_of_everything() -> None:
    data = Dataset(["A", "B"], [["a"], ["b", "c"]], np.array([[0, 0], [0, 1], [0, 1]]))
    assert ContingencyTest(data).p_value(0, 1, ()) == 1.0


def test_that_an_answer_is_computed_once() -> None:
    test = ContingencyTest(dependent_dataset(1, 100, [2, 2, 2]))
    first = test.p_value(0, 1, (2,))
    assert test.p_value(1, 0, (2,)) == first
    assert test.n_tests == 1


def separations(
    test: ContingencyTest, size: int, known: tuple[int, ...] = (), budget: Budget | None = None
) -> list[Separation]:
    pool = list(range(2, 8))
    found = test.separations((0, 1), pool, size=size, known=known, budget=budget or Budget(), control=RunControl())
    return list(found)


@pytest.mark.parametrize("size", range(5))
def test_that_a_batch_finds_what_single_tests_find_in_the_same_order(size: int) -> None:
    data = dependent_dataset(11, 300, [2, 3, 2, 3, 2, 2, 3, 2])
    test, single = ContingencyTest(data, 0.3), ContingencyTest(data, 0.3)
    truth = [
        (given, single.p_value(0, 1, given))
        for given in combinations(range(2, 8), size)
        if single.is_independent(0, 1, given)
    ]
    found = separations(test, size)
    assert [one.given for one in found] == [given for given, _ in truth]
    assert [one.p_value for one in found] == [p for _, p in truth]
    assert test.n_tests == single.n_tests


def test_that_subsets_of_known_sets_are_passed_over() -> None:
    data = dependent_dataset(2, 200, [2] * 8)
    test = ContingencyTest(data, 1e-12)
    left = separations(test, 2, known=(1 << 2 | 1 << 3 | 1 << 4, 1 << 4 | 1 << 7))
    assert {one.given for one in left} == set(combinations(range(2, 8), 2)) - {(2, 3), (2, 4), (3, 4), (4, 7)}
    assert separations(test, 0, known=(1 << 2,)) == []


def test_that_a_spent_budget_is_told_and_no_test_is_made_beyond_it() -> None:
    data = dependent_dataset(2, 200, [2] * 8)
    test, budget = ContingencyTest(data, 1 - 1e-12), Budget(7)
    assert separations(test, 2, budget=budget) == []
    assert (test.n_tests, budget.left, budget.is_spent) == (7, 0, True)
    exact = Budget(15)
    separations(ContingencyTest(data, 1 - 1e-12), 2, budget=exact)
    assert (exact.left, exact.is_spent) == (0, False)


def test_that_cancelling_ends_a_batch() -> None:
    data = dependent_dataset(2, 200, [2] * 8)
    control = RunControl(lambda: True)
    found = ContingencyTest(data).separations((0, 1), [2, 3], size=1, budget=Budget(), control=control)
    with pytest.raises(StopRequested) as stopped:
        next(found)
    assert stopped.value.reason is StopReason.CANCELLED


@pytest.mark.parametrize("cards", [[3, 2, 4, 2, 3, 2], [300, 2, 400, 3, 2, 300]])
@pytest.mark.parametrize("statistic", ["g-square", "chi-square"])
def test_that_all_pairs_at_once_are_what_single_tests_say(cards: list[int], statistic: Statistic) -> None:
    data = dependent_dataset(4, 200, cards)
    single, batch = (ContingencyTest(data, statistic=statistic) for _ in range(2))
    for x in range(len(cards)):
        others = list(range(x + 1, len(cards)))
        expected = [(y, Separation((), single.p_value(x, y, ()))) for y in others if single.is_independent(x, y, ())]
        pairs = batch.independent_partners(x, others, budget=Budget(), control=RunControl())
        assert list(pairs) == expected
    assert batch.n_tests == 15


def test_that_pairs_beyond_the_budget_are_not_tested_and_a_budget_that_suffices_is_not_spent() -> None:
    data = random_dataset(np.random.default_rng(0), 100, [2] * 8)
    others = list(range(1, 8))
    for left, is_spent in ((0, True), (4, True), (7, False), (9, False)):
        test, budget = ContingencyTest(data, alpha=0.0), Budget(left)
        reached = [y for y, _ in test.independent_partners(0, others, budget=budget, control=RunControl())]
        assert reached == others[:left]
        assert (test.n_tests, budget.is_spent) == (min(left, 7), is_spent)


def test_that_cancelling_is_heard_between_pairs() -> None:
    test = ContingencyTest(random_dataset(np.random.default_rng(0), 100, [2] * 8))
    with pytest.raises(StopRequested):
        list(test.independent_partners(0, [1, 2], budget=Budget(), control=RunControl(lambda: True)))


def test_that_columns_with_too_many_states_are_refused_with_the_remedy() -> None:
    states = [str(k) for k in range(20_000)]
    data = Dataset(["A", "B"], [states, states], np.zeros((1, 2), dtype=int))
    with pytest.raises(DataError, match="discretise"):
        ContingencyTest(data)
