"""A column that counts rows is no variable: its rows occur as often as it says."""

from __future__ import annotations

import pandas as pd
import pytest
from support.tables import raw_table

from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.offers import accept_offer
from latconf_core.data.preparing.prepare import plan_columns, prepare
from latconf_core.data.preparing.rename_states import take_as_missing
from latconf_core.errors import DataError, OptionError


def test_that_rows_occur_as_often_as_the_column_says() -> None:
    raw = raw_table(A=["a", "b", "a"], B=["x", "x", "y"], n=["2", "1", "3"])
    prepared = prepare(raw, Preparation(counts="n"))
    assert prepared.dataset == Dataset("AB", [("a", "b"), ("x", "y")], [[0, 0]] * 2 + [[1, 0]] + [[0, 1]] * 3)
    assert prepared.rows.tolist() == [0, 0, 1, 2, 2, 2]
    assert [aside.name for aside in prepared.set_aside] == ["n"]


def test_that_a_state_only_in_rows_that_never_occur_is_none() -> None:
    raw = raw_table(A=["a", "b", "c"], B=["x", "y", "y"], n=["2", "1", "0"])
    assert prepare(raw, Preparation(counts="n")).dataset.states[0] == ("a", "b")


def test_that_states_are_counted_with_the_counts() -> None:
    raw = raw_table(A=["a", "b", "?"], B=["x", "y", "y"], n=["2", "9", "1"])
    prepared = prepare(raw, Preparation(counts="n", missing="most frequent"))
    assert prepared.dataset.counts("A").tolist() == [2, 10]
    dropped = prepare(raw, Preparation(counts="n", missing="drop rows"))
    assert dropped.dataset.n_rows == 11
    assert any("1 of 12 rows" in note for note in dropped.notes)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("1.5", "not a whole number"),
        ("-2", "negative"),
        ("?", "missing"),
        ("many", "not a number"),
        ("1e9", "10,000,000"),
    ],
)
def test_that_a_bad_count_is_named(cell: str, reason: str) -> None:
    raw = raw_table(A=["a", "b"], B=["x", "y"], n=["2", cell])
    with pytest.raises(DataError, match=reason) as caught:
        prepare(raw, Preparation(counts="n"))
    assert "'n'" in str(caught.value)


def test_that_counts_may_not_all_be_0_nor_too_many() -> None:
    for cells, reason in ((["0", "0"], "every count"), (["6000000", "6000000"], "12,000,000")):
        with pytest.raises(DataError, match=reason):
            prepare(raw_table(A=["a", "b"], n=cells), Preparation(counts="n"))


def test_that_counts_are_offered_by_name_and_only_for_whole_numbers() -> None:
    raw = raw_table(A=["a", "b"], Freq=["2", "5"], count=["1.5", "2"])
    offers = [offer for plan in plan_columns(raw, Preparation()) for offer in plan.offers if offer.counts]
    assert [offer.column for offer in offers] == ["Freq"]
    taken = accept_offer(Preparation(), raw, offers[0])
    assert taken.counts == "Freq"
    assert not any(offer.counts for plan in plan_columns(raw, taken) for offer in plan.offers)


def test_that_the_choice_survives_its_json_form_and_conflicts_are_refused() -> None:
    choices = Preparation(counts="n", missing_codes=(("A", ("9", "8")),))
    assert Preparation.from_json(choices.to_json()) == choices
    with pytest.raises(OptionError, match="counts rows"):
        Preparation(counts="n", set_aside=frozenset("n"))


def test_that_codes_mean_missing_in_their_column_alone() -> None:
    raw = raw_table(A=["1", "2", "9", "1"], B=["9", "1", "9", "1"])
    plans = plan_columns(raw, Preparation(missing_codes=(("A", ("9",)),)))
    assert [plan.n_missing for plan in plans] == [1, 0]
    assert plans[0].states == ("1", "2")


def test_that_a_state_taken_as_missing_is_one_whatever_it_was_called() -> None:
    raw = raw_table(A=["1", "2", "9", "8"], B=["x", "y", "x", "y"])
    named = Preparation().with_renames("A", {"9": "unknown", "8": "unknown"})
    choices = take_as_missing(named, raw, column="A", state="unknown")
    assert choices.codes_of("A") == ("8", "9")
    plans = plan_columns(raw, choices)
    assert (plans[0].n_missing, plans[0].states, plans[1].n_missing) == (2, ("1", "2"), 0)


def test_that_a_frame_takes_a_column_of_counts() -> None:
    frame = pd.DataFrame({"A": ["a", "b"], "B": ["x", "y"], "n": [3, 4]})
    assert Dataset.from_pandas(frame, counts="n").n_rows == 7
