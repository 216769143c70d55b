"""Variables with other names in the data than in the file."""

from __future__ import annotations

import pytest
from support.tables import raw_table

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.data_changes import changes_of
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.prepare import offer_to_exclude, plan_columns, prepare
from latconf_core.errors import DataError, OptionError

RAW = raw_table(a=["x", "y", "x", "", "y", "x"], b=["1", "2", "3", "4", "5", "6"], c=["x", "y", "x", "y", "y", "x"])
NAMED = Preparation(missing="own state").with_name("a", "sex").with_name("b", "age")


def test_that_the_data_have_the_new_names_and_everything_that_is_known_of_the_columns() -> None:
    cut = NAMED.with_rule("b", Discretisation("equal frequency", 3))
    data = prepare(RAW, cut).dataset
    assert data.names == ("sex", "age", "c")
    assert list(data.ordered) == ["age"]
    assert data.facts.filled_in == {"sex"}
    assert Preparation.from_json(cut.to_json()) == cut
    assert [plan.called for plan in plan_columns(RAW, cut)] == ["sex", "age", "c"]


def test_that_a_name_is_given_to_one_variable_and_taken_back() -> None:
    with pytest.raises(DataError, match="'a' and 'c' would both be called 'c'"):
        prepare(RAW, Preparation().with_name("a", "c"))
    assert prepare(RAW, Preparation().with_name("a", "c").with_name("c", "a")).dataset.names == ("c", "b", "a")
    assert NAMED.with_name("a", "a").with_name("b", "b") == Preparation(missing="own state")
    assert changes_of(NAMED)[1].without(NAMED).names == (("b", "age"),)
    with pytest.raises(OptionError):
        Preparation().with_name("a", " ")


def test_that_a_copy_is_still_offered_to_be_excluded_under_its_new_name() -> None:
    raw = raw_table(a=["x", "y", "x"] * 5, b=["p", "q", "p"] * 5)
    preparation = Preparation().with_name("b", "again")
    plans = plan_columns(raw, preparation)
    offered = offer_to_exclude(plans, prepare(raw, preparation, plans=plans).copies)
    assert [plan.name for plan in offered if any(offer.excludes for offer in plan.offers)] == ["b"]
