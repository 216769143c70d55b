"""Orders of columns: cut from numbers always, words and numbers only where they are declared."""

from __future__ import annotations

import pickle

import pandas as pd
import pytest
from support.tables import raw_table

from latconf_core.data.column_order import ColumnOrder
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.data_changes import changes_of
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.known_orders import recognise_order
from latconf_core.data.preparing.offers import accept_offer
from latconf_core.data.preparing.prepare import plan_columns, prepare
from latconf_core.errors import DataError
from latconf_core.formats.projects.migrations import FORMAT_VERSION, migrate_header

GRADES = ["high", "low", "medium", "low"] * 5
AGES = [str(20 + i) for i in range(20)]


def prepared(**choices: object) -> Dataset:
    return prepare(raw_table(grade=GRADES, age=AGES), Preparation(set_aside=frozenset(), **choices)).dataset  # type: ignore[arg-type]


def cut(n_bins: int = 4) -> tuple[tuple[str, Discretisation], ...]:
    return (("age", Discretisation("equal width", n_bins)),)


def test_that_a_cut_column_is_ordered_and_keeps_its_cut_points() -> None:
    data = prepared(discretise=cut())
    assert data.is_ordered == (False, True)
    assert data.ordered["age"].cut_points == pytest.approx((24.75, 29.5, 34.25))


def test_that_a_column_cut_in_two_has_cut_points_and_no_order() -> None:
    data = prepared(discretise=cut(2))
    assert data.is_ordered == (False, False)
    assert data.ordered["age"].cut_points == (29.5,)


def test_that_words_are_offered_as_ordered_and_are_not_until_that_is_taken_up() -> None:
    raw = raw_table(grade=GRADES, age=AGES)
    choices = Preparation(discretise=cut())
    plan = plan_columns(raw, choices)[0]
    assert prepare(raw, choices).dataset.is_ordered == (False, True)
    (offer,) = [offer for offer in plan.offers if offer.order]
    assert offer.order == ("low", "medium", "high")
    taken = accept_offer(choices, raw, offer)
    data = prepare(raw, taken).dataset
    assert data.states[0] == ("low", "medium", "high")
    assert data.is_ordered == (True, True)
    assert [data.states[0][code] for code in data.column("grade")] == GRADES
    assert Preparation.from_json(taken.to_json()) == taken
    (change,) = [change for change in changes_of(taken) if change.text.startswith("grade: ordered")]
    assert change.without(taken) == choices


def test_that_merging_states_keeps_an_order_of_neighbours_alone() -> None:
    choices = Preparation(discretise=cut())
    raw = raw_table(grade=GRADES, age=AGES)
    names = plan_columns(raw, choices)[1].states
    near = prepare(raw, choices.with_renames("age", {names[0]: "young", names[1]: "young"})).dataset
    assert near.ordered["age"].cut_points == pytest.approx((29.5, 34.25))
    far = prepare(raw, choices.with_renames("age", {names[0]: "edge", names[3]: "edge"})).dataset
    assert "age" not in far.ordered


def test_that_renaming_a_state_renames_it_in_the_order() -> None:
    choices = Preparation(ordered=(("grade", ("low", "medium", "high")),)).with_renames("grade", {"low": "poor"})
    assert choices.order_of("grade") == ("poor", "medium", "high")
    back = choices.with_renames("grade", {})
    assert back.order_of("grade") == ("low", "medium", "high")


def test_that_a_state_for_missing_cells_ends_the_order() -> None:
    raw = raw_table(grade=[*GRADES, ""], ill=["a", "b", "a"] * 7)
    choices = Preparation(missing="own state", ordered=(("grade", ("low", "medium", "high")),))
    assert prepare(raw, choices).dataset.is_ordered == (False, False)


def test_that_two_declared_states_have_no_order() -> None:
    done = prepare(raw_table(ill=["a", "b"] * 10, grade=GRADES), Preparation(ordered=(("ill", ()),)))
    assert done.dataset.is_ordered == (False, False)
    assert any("without a known order" in note for note in done.notes)


def test_that_an_order_that_misses_a_state_is_refused() -> None:
    with pytest.raises(DataError, match="lacks the state 'high'"):
        prepared(discretise=cut(), ordered=(("grade", ("low", "medium")),))


def test_that_only_an_order_that_counts_changes_the_fingerprint() -> None:
    plain = prepared(discretise=cut()).with_rows(prepared(discretise=cut()).rows)
    unordered = Dataset(plain.names, plain.states, plain.rows)
    two = Dataset("AB", ["xy", "uv"], [[0, 1], [1, 0]])
    assert plain.digest != unordered.digest
    assert plain != unordered
    assert Dataset("AB", ["xy", "uv"], [[0, 1], [1, 0]], ordered={"A": ColumnOrder((0.5,))}).digest == two.digest


def test_that_an_order_travels_with_rows_columns_and_processes() -> None:
    data = prepared(discretise=cut())
    for other in (data.select(["age"]), data.take_rows(data.rows[:, 0] > 0), pickle.loads(pickle.dumps(data))):
        assert other.ordered["age"] == data.ordered["age"]


def test_that_ordered_categories_of_a_frame_stay_ordered() -> None:
    frame = pd.DataFrame({"grade": pd.Categorical(GRADES, ["low", "medium", "high"], ordered=True), "age": AGES})
    data = Dataset.from_pandas(frame.astype({"age": "category"}))
    assert data.is_ordered[0]
    assert data.to_pandas()["grade"].cat.ordered
    declared = Dataset.from_pandas(pd.DataFrame({"grade": GRADES}), ordered={"grade": ["low", "medium", "high"]})
    assert declared.states == (("low", "medium", "high"),)


@pytest.mark.parametrize(
    ("states", "order"),
    [
        (["HIGH", "LOW", "NORMAL"], ("LOW", "NORMAL", "HIGH")),
        (["agree", "neutral", "strongly_agree"], ("neutral", "agree", "strongly_agree")),
        (["10-20", "<10", ">20"], ("<10", "10-20", ">20")),
        (["3", "1", "2"], ("1", "2", "3")),
        (["red", "green", "blue"], None),
        (["yes", "no"], None),
        (["low", "high", "unknown"], None),
    ],
)
def test_that_known_orders_are_recognised(states: list[str], order: tuple[str, ...] | None) -> None:
    assert recognise_order(states) == order


def test_that_projects_from_before_orders_keep_their_cuts_unordered() -> None:
    older = {
        "version": 3,
        "positions": {},
        "preparation": {"discretise": {"age": {"method": "equal width", "n_bins": 4}}},
    }
    assert migrate_header(older)["preparation"]["unordered"] == ["age"]
    assert FORMAT_VERSION >= 4
    assert prepared(discretise=cut(), unordered=frozenset({"age"})).is_ordered == (False, False)
