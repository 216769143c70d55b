"""Dataset: what it refuses, what it promises, and its distinct rows against a plain count."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builders import random_dataset

from latconf_core.control import RunControl, StopRequested
from latconf_core.data.dataset import MAX_STATES, Dataset
from latconf_core.errors import DataError


def small() -> Dataset:
    return Dataset(["A", "B"], [["no", "yes"], ["x", "y", "z"]], [[0, 2], [1, 0], [0, 2], [1, 1]])


def test_that_codes_are_small_column_major_and_read_only() -> None:
    data = small()
    assert data.codes.dtype == np.uint8
    assert data.codes.flags.f_contiguous
    with pytest.raises(ValueError, match="read-only"):
        data.codes[0, 0] = 1


def test_that_the_caller_keeps_its_own_array() -> None:
    codes = np.asfortranarray(np.zeros((3, 1), dtype=np.uint8))
    data = Dataset(["A"], [["x", "y"]], codes)
    codes[0, 0] = 1
    assert data.codes[0, 0] == 0


def test_that_more_than_256_states_need_two_bytes() -> None:
    states = [str(i) for i in range(300)]
    data = Dataset(["A"], [states], [[299], [0]])
    assert data.codes.dtype == np.uint16
    assert data.codes[0, 0] == 299


@pytest.mark.parametrize(
    ("names", "states", "codes", "error", "words"),
    [
        (["A", "A"], [["x"], ["x"]], [[0, 0]], DataError, "same name"),
        (["A"], [["x", "x"]], [[0]], DataError, "two states of the same name"),
        (["A"], [["x", "y"]], [[2]], ValueError, "outside its 2 states"),
        (["A"], [["x", "y"]], [[-2]], ValueError, "outside its 2 states"),
        (["A"], [["x", "y"]], [[0.5]], ValueError, "integers"),
        (["A", "B"], [["x"], ["y"]], [[0]], ValueError, "do not fit"),
        (["A"], [["x"]], [0], ValueError, "do not fit"),
        (["A"], [[str(i) for i in range(MAX_STATES + 1)]], [[0]], DataError, "discretise it first"),
    ],
)
def test_that_a_broken_table_is_refused(
    names: list[str], states: list[list[str]], codes: object, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Dataset(names, states, codes)  # type: ignore[arg-type]


def check_distinct(data: Dataset) -> None:
    truth = Counter(map(tuple, data.codes.tolist()))
    distinct = data.distinct
    assert {tuple(row): count for row, count in zip(distinct.codes.tolist(), distinct.counts.tolist())} == truth
    assert np.array_equal(distinct.codes[distinct.of_row], data.codes)
    assert [tuple(row) for row in distinct.codes.tolist()] == sorted(truth)
    for array in (distinct.codes, distinct.counts, distinct.of_row):
        assert not array.flags.writeable


@given(st.integers(0, 2**32), st.integers(0, 60), st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_that_distinct_rows_are_those_of_a_plain_count(seed: int, n_rows: int, cards: list[int]) -> None:
    check_distinct(random_dataset(np.random.default_rng(seed), n_rows, cards))


@given(st.integers(0, 2**32), st.integers(1, 200), st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_that_rows_sorted_in_blocks_are_those_of_a_plain_count(seed: int, n_rows: int, cards: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("latconf_core.data.distinct_rows.BLOCK", 16)
        check_distinct(random_dataset(np.random.default_rng(seed), n_rows, cards))


def test_that_no_more_than_a_block_of_rows_is_sorted_between_two_chances_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("latconf_core.data.distinct_rows.BLOCK", 1000)
    sorted_at_once: list[int] = []
    argsort = np.argsort

    def watched(keys: npt.NDArray[np.integer], **kind: Any) -> npt.NDArray[np.intp]:
        if not kind:
            assert len(keys) <= 2000  # blocks end where a sample says, not to the row
            sorted_at_once.append(asked)
        return argsort(keys, **kind)

    asked = 0

    def count() -> bool:
        nonlocal asked
        asked += 1
        return False

    monkeypatch.setattr("latconf_core.data.distinct_rows.np.argsort", watched)
    random_dataset(np.random.default_rng(0), 50_000, [6] * 40).find_distinct(RunControl(count))
    assert len(sorted_at_once) > 100  # two keys of forty columns
    assert len(set(sorted_at_once)) == len(sorted_at_once)


def test_that_a_count_of_rows_can_be_stopped_and_begun_again() -> None:
    data = random_dataset(np.random.default_rng(0), 500, [3, 4])
    with pytest.raises(StopRequested):
        data.find_distinct(RunControl(lambda: True))
    assert "distinct" not in vars(data)
    check_distinct(data)


def test_that_distinct_rows_are_right_where_one_key_cannot_hold_a_row() -> None:
    rng = np.random.default_rng(1)
    few = rng.integers(0, 300, size=(40, 24))
    rows = few[rng.integers(0, 40, size=500)]
    check_distinct(Dataset([f"V{i}" for i in range(24)], [[str(k) for k in range(300)]] * 24, rows))


def test_that_counts_and_selection_follow_the_columns() -> None:
    data = small()
    assert data.counts("B").tolist() == [1, 1, 2]
    chosen = data.select(["B", "A"])
    assert chosen.names == ("B", "A")
    assert chosen.codes.tolist() == [[2, 0], [0, 1], [2, 0], [1, 1]]
    assert data.n_states == (2, 3)


def test_that_an_unknown_variable_is_named() -> None:
    with pytest.raises(DataError, match="'Z'"):
        small().column("Z")
    with pytest.raises(DataError, match="'Z'"):
        small().select(["A", "Z"])


def test_that_equal_tables_are_equal_keys_and_survive_pickling() -> None:
    data = small()
    again = pickle.loads(pickle.dumps(data))
    assert again == data
    assert hash(again) == hash(data)
    assert again.digest == data.digest
    assert not again.codes.flags.writeable


@pytest.mark.parametrize(
    "other",
    [
        Dataset(["A", "C"], [["no", "yes"], ["x", "y", "z"]], [[0, 2], [1, 0], [0, 2], [1, 1]]),
        Dataset(["A", "B"], [["no", "Yes"], ["x", "y", "z"]], [[0, 2], [1, 0], [0, 2], [1, 1]]),
        Dataset(["A", "B"], [["no", "yes"], ["x", "y", "z"]], [[1, 2], [1, 0], [0, 2], [1, 1]]),
        Dataset(["A", "B"], [["no", "yes"], ["x", "y", "z"]], [[1, 0], [0, 2], [0, 2], [1, 1]]),
    ],
)
def test_that_names_states_cells_and_row_order_all_count(other: Dataset) -> None:
    assert other != small()
    assert other.digest != small().digest


def test_that_a_dataset_differs_from_other_things() -> None:
    assert small() != "a table"


def test_that_a_variable_without_a_name_is_refused() -> None:
    with pytest.raises(DataError, match="has no name"):
        Dataset(["", "B"], [("x", "y"), ("0", "1")], [[0, 1], [1, 0]])
