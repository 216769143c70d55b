"""Preparation: every choice, its report, and its undoing."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from support.tables import raw_table as table

from latconf_core.control import RunControl
from latconf_core.data.preparing.choices import MISSING_POLICIES, Preparation
from latconf_core.data.preparing.column_numbers import numbers_of
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.prepare import count_complete_rows, missing_cells, plan_columns, prepare
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.errors import DataError, OptionError


def rows(raw: RawTable, choices: Preparation | None = None) -> list[tuple[str, ...]]:
    data = prepare(raw, choices).dataset
    return [tuple(data.states[i][code] for i, code in enumerate(row)) for row in data.codes.tolist()]


HOLES = table(A=["x", "", "y", "x", "x"], B=["p", "q", "NA", "q", "q"])


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("drop rows", [("x", "p"), ("x", "q"), ("x", "q")]),
        ("own state", [("x", "p"), ("missing", "q"), ("y", "missing"), ("x", "q"), ("x", "q")]),
        ("most frequent", [("x", "p"), ("x", "q"), ("y", "q"), ("x", "q"), ("x", "q")]),
    ],
)
def test_that_each_policy_fills_or_drops_as_its_name_says(policy: str, expected: list[tuple[str, str]]) -> None:
    choices = Preparation(missing=policy, include=frozenset({"A"}))  # type: ignore[arg-type]
    assert rows(HOLES, choices) == expected
    assert any("missing cell" in note for note in prepare(HOLES, choices).notes)


def test_that_missing_cells_are_counted_and_kept_unless_told_otherwise() -> None:
    assert missing_cells(HOLES, Preparation()) == {"A": 1, "B": 1}
    prepared = prepare(HOLES)
    assert [prepared.dataset.count_missing(name) for name in "AB"] == [1, 1]
    assert prepared.rows.tolist() == [0, 1, 2, 3, 4]
    assert any("2 cells are missing in 2 columns ('A': 1, 'B': 1)" in note for note in prepared.notes)


def test_that_the_rows_that_are_left_are_known() -> None:
    prepared = prepare(HOLES, Preparation(missing="drop rows"))
    assert prepared.rows.tolist() == [0, 3, 4]
    assert "2 of 5 rows with missing cells were dropped" in prepared.notes


def test_that_a_column_left_with_one_state_is_set_aside() -> None:
    prepared = prepare(HOLES, Preparation(missing="drop rows"))
    assert prepared.dataset.names == ("B",)
    assert prepared.set_aside[0].reason == "it has one state, 'x', in the remaining rows"


def test_that_missing_cells_of_columns_set_aside_do_not_matter() -> None:
    choices = Preparation().with_set_aside("A")
    raw = table(A=["x", "", "y"], B=["p", "q", "q"])
    assert prepare(raw, choices).dataset.names == ("B",)


def test_that_marks_are_a_choice() -> None:
    raw = table(A=["x", "NA", "y", "-"])
    assert prepare(raw, Preparation(missing_marks=())).dataset.states == (("-", "NA", "x", "y"),)
    assert missing_cells(raw, Preparation(missing_marks=("-",))) == {"A": 1}


@pytest.mark.parametrize("mark", ["NA", " NA ", "n a", " n  a"])
def test_that_blanks_around_and_within_a_mark_do_not_matter(mark: str) -> None:
    raw = table(A=["x", " NA ", "y", "n  a", "n a", "NA", "   "])
    assert missing_cells(raw, Preparation(missing_marks=(mark,))) == {"A": 2}
    assert missing_cells(raw, Preparation(missing_marks=("", "NA", "n a"))) == {"A": 5}


@pytest.mark.parametrize("decimal", [".", ","])
def test_that_a_column_with_decimal_commas_is_a_column_of_numbers(decimal: str) -> None:
    raw = replace(
        table(A=["1,5", "10,25", "2,5", "NA", "2"] * 4, B=["1.5", "2.5", "3.5", "1.5", "10.25"] * 4),
        options=ReadOptions(decimal=decimal),
    )
    plans = plan_columns(raw, Preparation())
    assert [plan.is_numeric for plan in plans] == [True, True]
    assert plans[0].states == ("1,5", "2", "2,5", "10,25")
    cut = Discretisation("cut points", cut_points=(2,))
    choices = Preparation(missing="drop rows").with_rule("A", cut).with_rule("B", cut)
    assert prepare(raw, choices).dataset.states == (("<=2", ">2"), ("<=2", ">2"))
    [numbers] = numbers_of(raw, "A", Preparation(), RunControl())
    assert numbers.values.tolist() == [1.5, 2, 2.5, 10.25]  # type: ignore[attr-defined]


def test_that_the_rows_that_dropping_would_leave_are_counted() -> None:
    raw = table(A=["x", "", "y", "x", "NA"], B=["p", "q", "", "q", "q"], C=["", "", "", "", ""])
    plans = plan_columns(raw, Preparation())
    assert count_complete_rows(raw, plans, RunControl()) == 2
    assert len(prepare(raw, Preparation(missing="drop rows", include=frozenset("A"))).rows) == 2


def test_that_one_of_a_thing_is_said_in_the_singular() -> None:
    raw = table(A=["x", "y", "", "x"], B=["p", "q", "p", "q"])
    notes = [prepare(raw, Preparation(missing=policy)).notes for policy in MISSING_POLICIES]
    assert notes[0] == ("1 cell is missing in 1 column ('A': 1) and kept missing",)
    assert notes[1][0] == "1 of 4 rows with missing cells was dropped"
    assert notes[2][0] == "1 missing cell of 'A' became the state 'missing'"


def test_that_a_state_called_missing_is_not_mixed_up_with_missing_cells() -> None:
    raw = table(A=["missing", "", "y", "y"])
    assert prepare(raw, Preparation(missing="own state")).dataset.states == (("missing", "y", "missing 2"),)


def test_that_dropping_every_row_names_the_worst_column() -> None:
    raw = table(A=["", "", "x", "y"], B=["p", "q", "", ""], C=["1", "2", "1", ""])
    with pytest.raises(DataError, match=r"exclude 'A' \(2 missing\)"):
        prepare(raw, Preparation(missing="drop rows"))


def test_that_states_are_in_numeric_order_where_all_are_numbers() -> None:
    raw = table(A=["10", "9", "-1", "1e1", "09"], B=["b10", "b9", "a", "B9", "a"], C=["3+", "1", "2", "1", "2"])
    assert prepare(raw).dataset.states == (("-1", "09", "9", "10", "1e1"), ("a", "B9", "b9", "b10"), ("1", "2", "3+"))


def test_that_useless_columns_are_set_aside_with_their_reasons() -> None:
    n = 120
    raw = table(
        id=[f"p{i}" for i in range(n)],
        one=["x"] * n,
        none=["NA"] * n,
        many=[str(i % 60) for i in range(n)],
        words=[f"w{i % 60}" for i in range(n)],
        good=["a", "b"] * (n // 2),
    )
    prepared = prepare(raw)
    assert prepared.dataset.names == ("good",)
    assert {aside.name: aside.reason for aside in prepared.set_aside} == {
        "id": "its 120 values are all different, as in an identifier",
        "one": "it has one state, 'x'",
        "none": "all its cells are missing",
        "many": "it has 60 states, more than 50; discretise it to use it",
        "words": "it has 60 states, more than 50; merge states to use it",
    }
    assert not any(aside.by_hand for aside in prepared.set_aside)


def test_that_a_tiny_table_has_no_identifier() -> None:
    assert prepare(table(A=["yes", "no"])).dataset.n_states == (2,)
    assert prepare(table(A=list("abcdefghi"))).dataset.n_states == (9,)
    with pytest.raises(DataError, match="identifier"):
        prepare(table(A=list("abcdefghij")))


def test_that_any_column_can_be_forced_in_or_out() -> None:
    raw = table(id=[str(i) for i in range(30)], A=["x", "y", "z"] * 10)
    assert prepare(raw, Preparation().with_included("id")).dataset.names == ("id", "A")
    aside = prepare(raw, Preparation().with_included("id").with_set_aside("A")).set_aside
    assert [(excluded.name, excluded.reason, excluded.by_hand) for excluded in aside] == [
        ("A", "excluded manually", True)
    ]
    assert Preparation().with_set_aside("A").with_included("A") == Preparation(include=frozenset({"A"}))


def test_that_a_discretised_column_is_no_longer_too_wide() -> None:
    raw = table(A=[str(i / 4) for i in range(100)], B=["x", "y"] * 50)
    prepared = prepare(raw, Preparation().with_rule("A", Discretisation("equal frequency", 4)))
    assert prepared.dataset.names == ("A", "B")
    assert prepared.dataset.counts("A").tolist() == [25, 25, 25, 25]
    assert any("cut at 6.125, 12.375, 18.625" in note for note in prepared.notes)


def test_that_bins_without_values_are_no_states_and_are_told() -> None:
    raw = table(A=["0", "1", "100", "1"])
    prepared = prepare(raw, Preparation().with_rule("A", Discretisation("equal width", 4)))
    assert prepared.dataset.states == (("<=25", ">75"),)
    assert any("2 bins with values, not the requested 4" in note for note in prepared.notes)


def test_that_missing_cells_stay_missing_when_discretised() -> None:
    raw = table(A=["1", "2", "?", "4"])
    choices = Preparation(missing="own state").with_rule("A", Discretisation("cut points", cut_points=(2,)))
    assert rows(raw, choices) == [("<=2",), ("<=2",), ("missing",), (">2",)]


def test_that_a_word_cannot_be_discretised() -> None:
    with pytest.raises(DataError, match="column 'A' has the value 'abc', which is not a number"):
        prepare(table(A=["1", "abc", "3"]), Preparation().with_rule("A", Discretisation()))


def test_that_renaming_keeps_the_order_and_merging_adds_the_counts() -> None:
    raw = table(A=["1", "2", "2", "3"])
    prepared = prepare(raw, Preparation().with_renames("A", {"1": "low", "2": "high", "3": "high"}))
    assert prepared.dataset.states == (("low", "high"),)
    assert prepared.dataset.counts("A").tolist() == [1, 3]
    assert any("1 → low" in note for note in prepared.notes)


def test_that_merging_states_brings_a_wide_column_back() -> None:
    raw = table(A=[f"w{i % 60}" for i in range(120)], B=["x", "y"] * 60)
    merge = {f"w{i}": "other" for i in range(20)}
    assert prepare(raw, Preparation().with_renames("A", merge)).dataset.names == ("A", "B")


def test_that_an_unknown_column_or_state_is_named() -> None:
    raw = table(A=["1", "2"])
    with pytest.raises(DataError, match="name the column 'Z'"):
        prepare(raw, Preparation().with_set_aside("Z"))
    with pytest.raises(DataError, match="no state '7' to rename"):
        prepare(raw, Preparation().with_renames("A", {"7": "x"}))


def test_that_a_new_rule_drops_renames_of_states_that_are_gone() -> None:
    choices = Preparation().with_renames("A", {"1": "low"}).with_rule("A", Discretisation())
    assert choices.renames_of("A") == {}
    assert choices.rule_of("A") == Discretisation()
    assert choices.with_rule("A", None) == Preparation()


def test_that_the_order_in_which_choices_were_made_does_not_matter() -> None:
    rule = Preparation().with_rule("A", Discretisation()).with_rule("B", Discretisation("k-means"))
    other = Preparation().with_rule("B", Discretisation("k-means")).with_rule("A", Discretisation())
    assert rule == other
    assert hash(rule) == hash(other)


def test_that_choices_survive_json() -> None:
    choices = Preparation(
        missing_marks=("-", "NA"),
        missing="own state",
        include=frozenset({"id"}),
        set_aside=frozenset({"C", "D"}),
        discretise=(("A", Discretisation("cut points", cut_points=(1.5, 2))), ("B", Discretisation("k-means", 4))),
        rename=(("E", (("1", "low"), ("2", "high"))),),
        max_states=20,
    )
    assert Preparation.from_json(json.loads(json.dumps(choices.to_json()))) == choices
    assert Preparation.from_json({}) == Preparation()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"missing": "guess"}, ", ".join(MISSING_POLICIES)),
        ({"include": {"A"}, "set_aside": {"A"}}, "both included and excluded"),
        ({"max_states": 1}, "at least 2"),
        ({"discretise": (("A", Discretisation()), ("A", Discretisation("k-means")))}, "discretised twice"),
    ],
)
def test_that_choices_that_contradict_are_refused(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        Preparation(**arguments)  # type: ignore[arg-type]


def test_that_unknown_entries_of_a_stored_preparation_are_refused() -> None:
    with pytest.raises(OptionError, match="'colour'"):
        Preparation.from_json({"colour": 1})


def test_that_declared_states_stay_although_no_row_has_them() -> None:
    column = RawColumn(np.array([0, 2, 0]), ["low", "mid", "high"], is_declared=True)
    raw = RawTable(("A",), (column,))
    assert prepare(raw).dataset.states == (("low", "mid", "high"),)
    assert plan_columns(raw, Preparation())[0].counts.tolist() == [2, 0, 1]


def test_that_plans_that_are_known_are_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    choices = Preparation(missing="drop rows").with_set_aside("C")
    raw = table(A=["1", "2", "3", "4"], B=["x", "y", "", "y"], C=["p", "q", "p", "q"])
    plans, expected = plan_columns(raw, choices), prepare(raw, choices)
    monkeypatch.delattr("latconf_core.data.preparing.prepare.plan_column")
    found = prepare(raw, choices, plans=plans)
    assert found.dataset == expected.dataset
    assert found.rows.tolist() == expected.rows.tolist()
    assert (found.set_aside, found.notes) == (expected.set_aside, expected.notes)


def test_that_undoing_is_going_back_to_the_value_before() -> None:
    raw = table(A=["1", "2", "3", "4"], B=["x", "y", "x", "y"])
    before = Preparation()
    after = replace(before.with_rule("A", Discretisation(n_bins=2)), max_states=3)
    assert prepare(raw, after).dataset != prepare(raw, before).dataset
    assert prepare(raw, before).dataset == prepare(raw).dataset


def test_that_a_raw_column_guards_its_codes() -> None:
    with pytest.raises(ValueError, match="outside the texts"):
        RawColumn([2], ["a", "b"])
    with pytest.raises(ValueError, match="different texts"):
        RawColumn([0], ["a", "a"])
    with pytest.raises(ValueError, match="read-only"):
        table(A=["x"]).columns[0].codes[0] = 1


def test_that_a_raw_table_guards_its_shape() -> None:
    column = table(A=["x", "y"]).columns[0]
    with pytest.raises(ValueError, match="do not fit"):
        RawTable(("A", "B"), (column,))
    with pytest.raises(ValueError, match="number of rows"):
        RawTable(("A", "B"), (column, table(A=["x"]).columns[0]))
    with pytest.raises(DataError, match="same name"):
        RawTable(("A", "A"), (column, column))
    with pytest.raises(DataError, match="no column 'Z'"):
        table(A=["x"]).column("Z")
