"""Columns that were excluded by hand, as the rows of the data have them: what no search was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import IntArray
from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.data.raw_table import RawTable

MOST_STATES = 20  # with more, a hidden cause of a few states cannot be read as the column


@dataclass(frozen=True, eq=False)
class HeldColumn:
    """A column that no search was given.

    codes : (n_rows,) the state of each row of the data, written out; −1 where the cell is missing
    """

    name: str
    states: tuple[str, ...]
    codes: IntArray


def held_columns(raw: RawTable, plans: Sequence[ColumnPlan], prepared: Prepared) -> tuple[HeldColumn, ...]:
    """The columns that were excluded by hand and have a few states."""
    held = []
    for plan in plans:
        if plan.by_hand and not plan.is_used and 2 <= len(plan.states) <= MOST_STATES:
            codes = np.asarray(plan.recode)[raw.column(plan.name).codes][prepared.rows].astype(np.int64)
            codes.setflags(write=False)
            held.append(HeldColumn(plan.name, tuple(plan.states), codes))
    return tuple(held)
