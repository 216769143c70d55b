"""A table in a model's numbers of states: what it lacks, what it has besides, and states unknown to the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import CodeArray, FloatArray, IntArray, WeightArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import MISSING, Dataset
from latconf_core.data.preparing.choices import MISSING_STATE, Preparation
from latconf_core.data.preparing.discretise import bins_of, cut_points_of
from latconf_core.data.preparing.row_counts import read_row_counts
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.data.state_order import as_number
from latconf_core.errors import DataError


@dataclass(frozen=True)
class UnknownState:
    """A state of a table that the model does not know; its cells count as missing."""

    variable: str
    state: str
    n_rows: int


@dataclass(frozen=True, eq=False)
class NewRows:
    """Rows as a model sees them.

    names : the measured variables of the model
    codes : (n_given, n_measured) in their order, MISSING where a cell is missing or its state unknown
    weights : (n_given,) how often each row occurs; None where each is one row
    absent : those among them that the table lacks
    passed_over : columns of the table that the model does not need
    into_intervals : variables whose numbers were put into the intervals of the model
    """

    names: tuple[str, ...]
    codes: CodeArray
    weights: WeightArray | None
    unknown: tuple[UnknownState, ...]
    absent: tuple[str, ...]
    passed_over: tuple[str, ...]
    into_intervals: tuple[str, ...]

    @property
    def n_rows(self) -> float:
        """Rows, written out."""
        return len(self.codes) if self.weights is None else self.weights.sum().item()

    @property
    def n_missing(self) -> int:
        """Cells that the model must do without, in the columns that the table has."""
        present = [index for index, name in enumerate(self.names) if name not in self.absent]
        return int(np.count_nonzero(self.codes[:, present] == MISSING))


def encode_rows(
    network: BayesNet,
    table: RawTable | Dataset,
    *,
    preparation: Preparation | None = None,
    control: RunControl | None = None,
) -> NewRows:
    """The rows of a table in the model's numbers of states.

    preparation : which texts mean a missing cell and whether these are a state, what states were renamed to, and
        which column counts rows
    """
    control, preparation = control or RunControl(), preparation or Preparation()
    measured = tuple(name for name in network.variables if name not in network.latents)
    weights = table.weights if isinstance(table, Dataset) else read_row_counts(table, preparation)
    n_given = len(table.rows) if isinstance(table, Dataset) else table.n_rows
    if not n_given:
        raise DataError("the table has no rows; give one with at least one")
    if not any(name in table.index for name in measured):
        raise DataError(
            f"the table has no column of the model; its variables are {', '.join(measured[:5])}"
            f"{', …' if len(measured) > 5 else ''}"
        )
    codes = np.full((n_given, len(measured)), MISSING, dtype=np.int16, order="F")
    unknown: list[UnknownState] = []
    into_intervals = []
    for index, name in enumerate(measured):
        control.checkpoint()
        if name not in table.index:
            continue
        states = network.states(name)
        column = _cells(table, name, preparation, states)
        number_of, is_interval = _numbers_of(column, states)
        codes[:, index] = number_of[column.codes]
        into_intervals += [name] if is_interval else []
        unknown += _unknown_states(name, column, number_of, weights)
    passed_over = (name for name in table.names if name not in measured and name != preparation.counts)
    return NewRows(
        measured,
        codes,
        weights,
        tuple(unknown),
        tuple(name for name in measured if name not in table.index),
        tuple(passed_over),
        tuple(into_intervals),
    )


@dataclass(frozen=True, eq=False)
class _Cells:
    """One column: codes into its different texts, None where a text means a missing cell."""

    codes: IntArray
    texts: tuple[str | None, ...]
    numbers: FloatArray


def _cells(table: RawTable | Dataset, name: str, preparation: Preparation, states: Sequence[str]) -> _Cells:
    """The cells of a column; `states` are those of the model."""
    if isinstance(table, Dataset):
        known = table.states[table.index[name]]
        codes = table.rows[:, table.index[name]].astype(np.int64)
        numbers = np.array([_number(state) for state in known] + [np.nan])
        return _Cells(np.where(codes < 0, len(known), codes), (*known, None), numbers)
    raw: RawColumn = table.column(name)
    missing = preparation.are_missing(raw.texts, name)
    renames = preparation.renames_of(name)
    for_missing = MISSING_STATE if preparation.missing == "own state" and MISSING_STATE in states else None
    texts = tuple(
        for_missing if is_missing else renames.get(text, text) for text, is_missing in zip(raw.texts, missing)
    )
    return _Cells(raw.codes.astype(np.int64), texts, raw.numbers(table.decimal))


def _numbers_of(column: _Cells, states: Sequence[str]) -> tuple[CodeArray, bool]:
    """The model's number of each text, −1 where it is missing or unknown; and whether numbers went into intervals."""
    position_of = {state: number for number, state in enumerate(states)}
    by_value = {_number(state): number for state, number in position_of.items()}
    numbers = [MISSING if text is None else position_of.get(text, MISSING) for text in column.texts]
    for k, (text, value) in enumerate(zip(column.texts, column.numbers)):
        if text is not None and numbers[k] == MISSING and not np.isnan(value):
            numbers[k] = by_value.get(float(value), MISSING)
    number_of = np.array(numbers, dtype=np.int16)
    cut_points = cut_points_of(states)
    is_number = np.array([text is not None for text in column.texts]) & ~np.isnan(column.numbers)
    outside = is_number & (number_of == MISSING)
    if cut_points is not None and outside.any():
        number_of[outside] = bins_of(column.numbers[outside], cut_points)
    return number_of, cut_points is not None and bool(outside.any())


def _number(text: str) -> float:
    value = as_number(text, ".")
    return np.nan if value is None else value


def _unknown_states(name: str, column: _Cells, number_of: CodeArray, weights: WeightArray | None) -> list[UnknownState]:
    counts = np.bincount(column.codes, weights=weights, minlength=len(column.texts))
    return [
        UnknownState(name, text, int(count))
        for text, number, count in zip(column.texts, number_of, counts)
        if text is not None and number == MISSING and count
    ]
