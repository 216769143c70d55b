"""What a column seems to ask for is offered, and taken up in one step."""

from __future__ import annotations

import pytest
from support.tables import raw_table

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.offers import accept_offer
from latconf_core.data.preparing.prepare import plan_columns, prepare

NUMBERS = ["1", "2", "3", "4", "5"] * 4


def offers(cells: list[str], choices: Preparation | None = None) -> list[str]:
    [plan] = plan_columns(raw_table(A=cells), choices or Preparation())
    return [offer.text for offer in plan.offers if not offer.order]


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ([*NUMBERS, "k.A.", "k.A."], "numbers except 'k.A.' (2 cells): treat as missing?"),
        ([*NUMBERS, "none", "k.A."], "numbers except 'k.A.', 'none' (2 cells): treat as missing?"),
        ([*NUMBERS, "1,5", "k.A."], "numbers except 'k.A.' (1 cell): treat as missing?"),
        ([*NUMBERS, "-99"], "'-99' (1 cell) among numbers from 1 to 5: treat as missing?"),
        ([*NUMBERS, "-99", "-98.0", "-98.0"], "'-99', '-98.0' (3 cells) among numbers from 1 to 5: treat as missing?"),
        ([*NUMBERS, "999"], "'999' (1 cell) among numbers from 1 to 5: treat as missing?"),
    ],
)
def test_that_marks_among_numbers_are_offered_as_missing(cells: list[str], text: str) -> None:
    assert offers(cells) == [text]


@pytest.mark.parametrize(
    "cells",
    [
        NUMBERS,
        [*NUMBERS, "6+"],
        [*NUMBERS, "a", "b", "c", "d"],
        ["1", "2", "x", "x", "x"],
        [*NUMBERS, "-1"],
        [*NUMBERS, "-9", "-5"],
        ["97", "98", "99"] * 4,
        ["yes", "no"] * 4,
        ["1", "k.A."] * 4,
    ],
    ids=" ".join,
)
def test_that_values_that_may_be_meant_are_not(cells: list[str]) -> None:
    assert offers(cells) == []


def test_that_a_mark_taken_up_makes_a_column_of_numbers() -> None:
    raw = raw_table(age=[str(i) for i in range(60)] * 2 + ["k.A.", "k.A."], B=["x", "y"] * 61)
    choices = Preparation().with_renames("age", {"k.A.": "none"})
    [offer] = plan_columns(raw, choices)[0].offers
    after = accept_offer(choices, raw, offer)
    [plan, _] = plan_columns(raw, after)
    assert (plan.is_numeric, plan.n_missing, plan.offers) == (True, 2, ())
    data = prepare(raw, after.with_missing("drop rows").with_rule("age", Discretisation(n_bins=3))).dataset
    assert data.names == ("age", "B")
    assert data.n_rows == 120


def test_that_states_spelt_in_two_ways_are_merged_into_the_more_frequent() -> None:
    raw = raw_table(A=["Ja", "Ja", "ja", "JA", "Nein", "nein", "nein", "?"])
    [plan] = plan_columns(raw, Preparation())
    [offer] = plan.offers
    assert offer.text == "states that look alike: 'JA', 'Ja', 'ja'; 'Nein', 'nein'"
    after = accept_offer(Preparation(), raw, offer)
    [plan] = plan_columns(raw, after)
    assert dict(zip(plan.states, plan.counts.tolist())) == {"Ja": 4, "nein": 3}
    assert plan.offers == ()
    assert not any("look alike" in note for note in plan.notes)


def test_that_blanks_count_as_spelling_and_earlier_names_are_kept() -> None:
    raw = raw_table(A=["yes", "yes", "yes ", "no", "maybe"])
    choices = Preparation().with_renames("A", {"maybe": "No"})
    [plan] = plan_columns(raw, choices)
    [offer] = plan.offers
    [plan] = plan_columns(raw, accept_offer(choices, raw, offer))
    assert dict(zip(plan.states, plan.counts.tolist())) == {"No": 2, "yes": 3}


def test_that_nothing_is_offered_for_what_is_excluded_by_hand_or_discretised() -> None:
    cells = [*NUMBERS, "-99"]
    assert offers(cells, Preparation().with_set_aside("A")) == []
    assert offers(cells, Preparation().with_rule("A", Discretisation())) == []
