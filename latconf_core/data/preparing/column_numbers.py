"""The numbers of a column, read once, so that a rule can be tried on them at every key stroke."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latconf_core.control import RunControl
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation, bin_labels, bins_of
from latconf_core.data.raw_table import RawTable
from latconf_core.data.state_order import as_number
from latconf_core.errors import DataError

_CHECK_EVERY = 10_000


@dataclass(frozen=True, eq=False)
class Numbers:
    """Different numbers, ascending, with how often each occurs."""

    values: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]


def numbers_of(raw: RawTable, name: str, preparation: Preparation, control: RunControl) -> Iterator[object]:
    """The numbers of a column, missing cells left out, as one event."""
    column = raw.column(name)
    decimal, are_missing = column.decimal(raw.decimal), preparation.are_missing(column.texts, name)
    values, counts = [], []
    for index, (text, count) in enumerate(zip(column.texts, column.counts)):
        if index % _CHECK_EVERY == 0:
            control.checkpoint()
        if are_missing[index] or not count:
            continue
        value = as_number(text, decimal)
        if value is None:
            raise DataError(f"column {name!r} has the value {text!r}, which is not a number; mark it as missing first")
        values.append(value)
        counts.append(int(count))
    different, which = np.unique(np.array(values, dtype=np.float64), return_inverse=True)
    yield Numbers(different, np.bincount(which, weights=counts, minlength=len(different)).astype(np.int64))


def bin_numbers(numbers: Numbers, rule: Discretisation) -> tuple[list[str], npt.NDArray[np.int64]]:
    """The states that a rule makes of the numbers, with their counts; empty bins are left out."""
    points = rule.fit(numbers.values, numbers.counts)
    bins = bins_of(numbers.values, points)
    counts = np.bincount(bins, weights=numbers.counts, minlength=len(points) + 1).astype(np.int64)
    labels = bin_labels(points)
    used = np.unique(bins)
    return [labels[i] for i in used], counts[used]
