"""Rows of scores: what they hold, that they are counted once, forgotten where there is no room, and can be stopped."""

from __future__ import annotations

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.control import RunControl, StopRequested
from latconf_core.families import family_rows
from latconf_core.families.family_rows import FamilyRows
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer


class Counted:
    """Scores that say what was asked for."""

    counts_together = True

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, list[int]]] = []

    def log_scores(self, child: int, parents: int, candidates: IntArray) -> FloatArray:
        self.asked.append((child, parents, candidates.tolist()))
        return candidates + 0.5


def test_that_a_row_is_counted_once_and_has_no_number_for_the_child_and_its_parents() -> None:
    families = Counted()
    rows = FamilyRows(families, 5, 100)
    row = rows.row(1, 0b1000, lambda: None)
    np.testing.assert_array_equal(row, [0.5, np.nan, 2.5, np.nan, 4.5])
    assert rows.row(1, 0b1000, lambda: None) is row
    assert families.asked == [(1, 0b1000, [0, 2, 4])]
    assert not row.flags.writeable


def test_that_the_oldest_rows_are_forgotten_where_there_is_no_room_and_counted_again() -> None:
    families = Counted()
    rows = FamilyRows(families, 5, 100, most_bytes=2 * 5 * 8)
    for child in range(4):
        rows.row(child, 0, lambda: None)
        assert rows.n_bytes <= 2 * 5 * 8
    assert rows.n_forgotten == 2
    rows.row(3, 0, lambda: None)
    assert len(families.asked) == 4
    rows.row(0, 0, lambda: None)
    assert len(families.asked) == 5


def test_that_a_row_of_a_large_table_is_counted_in_parts_between_which_it_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(family_rows, "NUMBERS_AT_ONCE", 200)
    families = Counted()
    rows = FamilyRows(families, 6, 100)
    heard = iter(range(10))
    with pytest.raises(StopRequested):
        rows.row(0, 0, RunControl(lambda: next(heard) == 1).checkpoint)
    assert [asked[2] for asked in families.asked] == [[1, 2]]
    assert rows.n_bytes == 0


def test_that_a_scorer_has_rows_of_its_own_scores_and_shares_them_with_other_seeds() -> None:
    scorer = Scorer(random_dataset(np.random.default_rng(1), 200, [2, 3, 4]), VbemOptions())
    assert scorer.family_row is not None
    row = scorer.family_row(0, 0b10)
    assert row[2] == scorer.family_score(0, 0b110)
    other = scorer.with_seed(3).family_row
    assert other is not None
    assert other(0, 0b10) is row
