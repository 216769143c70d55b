"""A column that counts rows: how often each row of the table occurs, and which column looks like one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from latconf_core.arrays import IntArray
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.errors import DataError
from latconf_core.phrases import counted

NAMES_OF_COUNTS = frozenset({"count", "counts", "freq", "freqs", "frequency", "frequencies", "n", "cases", "weight"})
MOST_ROWS = 10_000_000  # halves, folds and bootstrap samples number the rows one by one


def read_row_counts(raw: RawTable, preparation: Preparation) -> IntArray | None:
    """How often each row of the table occurs, (n_rows,); None where no column counts rows."""
    name = preparation.counts
    if name is None:
        return None
    column = raw.column(name)
    numbers = column.numbers(raw.decimal)
    for text, number, n_cells in zip(column.texts, numbers.tolist(), column.counts.tolist()):
        if n_cells:
            _check_count(name, text, number, is_missing=preparation.are_missing([text])[0])
    counts: IntArray = np.nan_to_num(numbers).astype(np.int64)[column.codes]
    total = int(counts.sum())
    if total == 0:
        raise DataError(f"every count in {name!r} is 0, so there are no rows; choose another column")
    if total > MOST_ROWS:
        raise DataError(
            f"the counts in {name!r} add up to {total:,} rows, more than {MOST_ROWS:,}; use a sample of the rows"
        )
    return counts


def _check_count(name: str, text: str, number: float, *, is_missing: bool) -> None:
    remedy = "correct the cell, or do not use this column as counts"
    if is_missing:
        raise DataError(f"column {name!r} counts rows, but a count is missing; {remedy}")
    if np.isnan(number):
        raise DataError(f"column {name!r} counts rows, but {text!r} is not a number; {remedy}")
    if number < 0:
        raise DataError(f"column {name!r} counts rows, but {text!r} is negative; {remedy}")
    if not float(number).is_integer():
        raise DataError(f"column {name!r} counts rows, but {text!r} is not a whole number; {remedy}")
    if number > MOST_ROWS:
        raise DataError(f"the count {text!r} in {name!r} is more than {MOST_ROWS:,} rows; use a sample of the rows")


def weigh_cells(raw: RawTable, counts: IntArray) -> RawTable:
    """The table with every text counted as often as its rows occur."""
    return replace(raw, columns=tuple([_weighed(column, counts) for column in raw.columns]))


def _weighed(column: RawColumn, counts: IntArray) -> RawColumn:
    weighed = RawColumn(column.codes, column.texts, is_declared=column.is_declared)
    of_text = np.bincount(column.codes, weights=counts, minlength=len(column.texts))
    weighed.__dict__["counts"] = np.rint(of_text).astype(np.int64)
    return weighed


def looks_like_counts(raw: RawTable, name: str) -> bool:
    """Whether a column is called like counts and holds whole numbers from 0 up."""
    if name.strip().casefold() not in NAMES_OF_COUNTS or raw.n_columns < 2:
        return False
    column = raw.column(name)
    numbers = column.numbers(raw.decimal)[column.counts > 0]
    return bool(len(numbers) and (np.isfinite(numbers) & (numbers >= 0) & (numbers == np.floor(numbers))).all())


def describe_counts(name: str, n_given: int, n_rows: int) -> str:
    """What counting rows by a column came to."""
    return f"{name!r} counts rows: {counted(n_given, 'row')} of the table {'is' if n_given == 1 else 'are'} {n_rows:,}"
