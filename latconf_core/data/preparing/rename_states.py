"""Renaming a state that may have been renamed, or merged, before."""

from __future__ import annotations

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.column_plans import plan_column
from latconf_core.data.raw_table import RawTable
from latconf_core.errors import DataError


def rename_state(preparation: Preparation, raw: RawTable, *, column: str, old: str, new: str) -> Preparation:
    """The choices with the state that is now called `old` called `new`, whatever it was called in the file."""
    names = preparation.renames_of(column)
    in_file = plan_column(raw, column, preparation.with_renames(column, {})).states
    now = {state: names.get(state, state) for state in in_file}
    return preparation.with_renames(column, {state: new if called == old else called for state, called in now.items()})


def take_as_missing(preparation: Preparation, raw: RawTable, *, column: str, state: str) -> Preparation:
    """The choices with every text of a state meaning a missing cell, in this column alone."""
    plan = plan_column(raw, column, preparation)
    if preparation.rule_of(column) is not None:
        raise DataError(f"column {column!r} is discretised; name its missing codes before that")
    number = plan.states.index(state)
    texts = [text for text, code in zip(raw.column(column).texts, plan.recode.tolist()) if code == number]
    return preparation.with_missing_codes(column, (*preparation.codes_of(column), *texts))
