"""Columns that say the same: found, said, and offered to be excluded."""

from __future__ import annotations

import numpy as np
import pytest
from support.small_runs import confounded

from latconf_core.data.copies import find_copies
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.offers import accept_offer
from latconf_core.data.preparing.prepare_table import prepare_table, table_of_dataset
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner


def with_copies() -> Dataset:
    """A, B, C; A again under other names of its states, and C as it is."""
    data = confounded()
    states = (*data.states, ("f", "t"), data.states[2])
    recoded = 1 - data.codes[:, 0]
    return Dataset("ABCDE", states, np.column_stack([data.codes, recoded, data.codes[:, 2]]))


def test_that_copies_and_recodings_are_found_by_the_first_of_them() -> None:
    assert find_copies(with_copies()) == {"D": "A", "E": "C"}


def test_that_a_column_that_only_follows_from_another_is_no_copy() -> None:
    rng = np.random.default_rng(1)
    fine = rng.integers(4, size=300)
    data = Dataset("AB", [tuple("0123"), ("0", "1")], np.column_stack([fine, fine // 2]))
    assert find_copies(data) == {}


def test_that_equal_counts_alone_make_no_copy() -> None:
    data = Dataset("AB", [("0", "1")] * 2, np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    assert find_copies(data) == {}


@pytest.mark.parametrize("n_rows", [2, 50])
def test_that_brute_force_over_pairs_agrees(n_rows: int) -> None:
    rng = np.random.default_rng(n_rows)
    for _ in range(50):
        codes = rng.integers(2, size=(n_rows, 5))
        codes[:, 3] = rng.choice([codes[:, 0], 1 - codes[:, 1], codes[:, 3]])
        data = Dataset("ABCDE", [("0", "1")] * 5, codes)
        expected = {}
        for later in range(5):
            for earlier in range(later):
                pairs = set(map(tuple, codes[:, [earlier, later]].tolist()))
                is_one_to_one = len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
                if is_one_to_one and "ABCDE"[earlier] not in expected:
                    expected["ABCDE"[later]] = "ABCDE"[earlier]
                    break
        assert find_copies(data) == expected


def test_that_a_copy_is_said_and_excluded_by_its_offer() -> None:
    raw = table_of_dataset(with_copies())
    done = prepare_table(raw, Preparation())
    assert done.prepared is not None
    assert any(note.startswith("'D' is equivalent to 'A'") for note in done.prepared.notes)
    offers = [offer for plan in done.plans for offer in plan.offers]
    assert [(offer.column, offer.action) for offer in offers] == [("D", "Exclude"), ("E", "Exclude")]
    preparation = Preparation()
    for offer in offers:
        preparation = accept_offer(preparation, raw, offer)
    after = prepare_table(raw, preparation)
    assert after.prepared is not None
    assert after.prepared.dataset.names == ("A", "B", "C")
    assert not any(plan.offers for plan in after.plans)


@pytest.mark.parametrize("method", ["fci", "gfci"])
def test_that_the_pag_of_data_with_a_copy_says_so(method: str) -> None:
    learned = run_learner(with_copies(), PagOptions(method=method))
    assert sum("is equivalent to" in note for note in learned.notes) == 2
    assert not any("is equivalent to" in note for note in run_learner(confounded(), PagOptions(method=method)).notes)
