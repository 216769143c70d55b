from __future__ import annotations

from math import lgamma

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.control import RunControl, StopRequested
from latconf_core.counts import families
from latconf_core.counts.families import count_family, counting_table, family_log_score, group_rows
from latconf_core.data import dataset as dataset_module
from latconf_core.data.dataset import Dataset


def counts_by_hand(dataset: Dataset, child: int, parents: list[int]) -> np.ndarray:
    seen: dict[tuple[int, ...], np.ndarray] = {}
    for row in dataset.codes:
        key = tuple(int(row[p]) for p in parents)
        seen.setdefault(key, np.zeros(dataset.n_states[child], dtype=np.int64))[row[child]] += 1
    return np.array([seen[key] for key in sorted(seen)])


@pytest.mark.parametrize("parents", [[], [1], [2, 0], [0, 1, 2, 4]])
@pytest.mark.parametrize("n_rows", [1, 37, 3000])
def test_that_counts_are_those_of_a_loop_over_rows(n_rows: int, parents: list[int]) -> None:
    dataset = random_dataset(np.random.default_rng(n_rows), n_rows, [2, 3, 4, 5, 2])
    np.testing.assert_array_equal(count_family(dataset, 3, parents), counts_by_hand(dataset, 3, parents))


def test_that_more_configurations_than_memory_holds_are_counted_by_those_seen() -> None:
    dataset = random_dataset(np.random.default_rng(1), 200, [40] * 15)
    parents = list(range(1, 15))  # 40**14 configurations, beyond 62 bits
    np.testing.assert_array_equal(count_family(dataset, 0, parents), counts_by_hand(dataset, 0, parents))


@pytest.mark.parametrize("cards", [[2, 3, 2], [30, 40, 50, 60], [40] * 14])
def test_that_grouped_rows_are_the_distinct_rows(cards: list[int]) -> None:
    dataset = random_dataset(np.random.default_rng(2), 500, cards)
    columns = list(range(len(cards)))
    grouped = group_rows(dataset, columns)
    codes, counts = np.unique(dataset.codes, axis=0, return_counts=True)
    np.testing.assert_array_equal(grouped.codes, codes)
    np.testing.assert_array_equal(grouped.counts, counts)


def test_that_few_distinct_rows_are_counted_instead_of_all() -> None:
    dataset = random_dataset(np.random.default_rng(3), 5000, [2, 2, 3])
    codes, weights = counting_table(dataset)
    assert len(codes) == 12
    assert weights.sum() == 5000
    many = random_dataset(np.random.default_rng(3), 500, [9] * 8)
    assert counting_table(many)[0] is many.codes


def sequential_probability(rows: list[int], prior: np.ndarray) -> float:
    """Polya's urn: each row's predictive probability given those before it."""
    seen = prior.copy()
    total = 0.0
    for state in rows:
        total += np.log(seen[state] / seen.sum())
        seen[state] += 1
    return total


def test_that_the_family_score_is_the_product_of_predictive_probabilities() -> None:
    prior = np.array([0.2, 0.7, 1.6])
    rows = [[0, 1, 1, 2, 0, 1], [2, 2], [1]]
    counts = np.array([np.bincount(row, minlength=3) for row in rows])
    expected = sum(sequential_probability(row, prior) for row in rows)
    assert family_log_score(counts, prior) == pytest.approx(expected, abs=1e-12)


def test_that_a_number_as_prior_means_every_cell() -> None:
    counts = np.array([[5, 0], [3, 3]])
    by_hand = sum(
        lgamma(0.5) - lgamma(0.5 + row.sum()) + sum(lgamma(0.25 + n) - lgamma(0.25) for n in row) for row in counts
    )
    assert family_log_score(counts, 0.25) == pytest.approx(by_hand, abs=1e-12)


def test_that_empty_configurations_change_nothing() -> None:
    counts = np.array([[5, 1], [3, 3]])
    with_empty = np.array([[5, 1], [0, 0], [3, 3]])
    assert family_log_score(counts, 0.4) == family_log_score(with_empty, 0.4)


def test_that_rows_which_repeat_too_rarely_for_a_sample_to_show_it_are_counted_once_each() -> None:
    rng = np.random.default_rng(8)
    kinds = random_dataset(rng, 20_000, [6] * 12)
    codes = kinds.codes[rng.integers(kinds.n_rows, size=200_000)]
    n_different = len(np.unique(codes, axis=0))
    table, weights = counting_table(Dataset(kinds.names, kinds.states, codes))
    assert len(table) == n_different
    assert n_different > 19_000
    assert weights.sum() == 200_000


@pytest.mark.parametrize(("n_repeated", "is_raw"), [(499, True), (500, False)])
def test_that_rows_are_counted_once_each_where_at_most_half_of_them_are_different(
    n_repeated: int, is_raw: bool
) -> None:
    codes = np.arange(1000 - n_repeated)
    codes = np.concatenate([codes, np.zeros(n_repeated, dtype=int)])
    dataset = Dataset("AB", [[str(k) for k in range(40)]] * 2, np.stack([codes // 40, codes % 40], axis=1))
    assert (counting_table(dataset)[0] is dataset.codes) == is_raw


def test_that_rows_which_all_differ_are_never_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = random_dataset(np.random.default_rng(9), 5000, [9] * 20)
    monkeypatch.setattr(dataset_module, "distinct_rows", lambda *_, **__: pytest.fail("the rows were sorted"))
    assert counting_table(dataset)[0] is dataset.codes


def test_that_comparing_rows_can_be_stopped_at_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(families, "ROWS_BETWEEN_CHECKPOINTS", 100)
    asked: list[bool] = []
    dataset = random_dataset(np.random.default_rng(9), 1000, [9] * 20)
    counting_table(dataset, control=RunControl(lambda: bool(asked.append(True))))
    assert len(asked) == 6  # half of the rows differ after 501
    with pytest.raises(StopRequested):
        counting_table(random_dataset(np.random.default_rng(9), 10, [2, 2]), control=RunControl(lambda: True))


def test_that_rows_whose_repeats_are_known_are_not_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    few = random_dataset(np.random.default_rng(3), 500, [2, 2])
    many = random_dataset(np.random.default_rng(3), 500, [9] * 8)
    monkeypatch.setattr(families, "_has_many_different_rows", lambda *_: pytest.fail("the rows were compared"))
    for dataset in (few, many):
        dataset.find_distinct(RunControl())
    assert len(counting_table(few)[0]) == 4
    assert counting_table(many)[0] is many.codes
