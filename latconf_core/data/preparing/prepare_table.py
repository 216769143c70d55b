"""A table with the choices made about it: what becomes of each column, the data, or what stands in their way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.preparing.prepare import Prepared, offer_to_exclude, plan_columns, prepare
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.errors import DataError


@dataclass(frozen=True, eq=False)
class PreparedTable:
    """What a preparation makes of a table.

    plans : what becomes of each column
    prepared : the data that came of it; None where a choice is still to be made
    obstacle : why there are no data, in a sentence; "" where there are
    """

    preparation: Preparation
    plans: tuple[ColumnPlan, ...]
    prepared: Prepared | None
    obstacle: str = ""


def prepare_table(
    raw: RawTable, preparation: Preparation, *, must_give_data: bool = False, control: RunControl | None = None
) -> PreparedTable:
    """The table prepared, or with its obstacle where that cannot be done.

    must_give_data : raise the DataError instead
    """
    control = control or RunControl()
    plans = plan_columns(raw, preparation, control=control)
    try:
        prepared = prepare(raw, preparation, plans=plans, control=control)
    except DataError as error:
        if must_give_data:
            raise
        return PreparedTable(preparation, plans, None, str(error))
    prepared.dataset.find_distinct(control)  # here, not where somebody waits for it
    return PreparedTable(preparation, offer_to_exclude(plans, prepared.copies), prepared)


def table_of_dataset(dataset: Dataset) -> RawTable:
    """The data as a table whose states are declared."""
    columns = []
    for column, states in zip(dataset.codes.T, dataset.states):
        texts = states if column.dtype.kind == "u" else (*states, "")  # an empty cell is missing
        columns.append(RawColumn(np.where(column < 0, len(states), column), texts, is_declared=True))
    return RawTable(dataset.names, tuple(columns))
