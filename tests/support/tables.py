"""Tables for tests, written column by column."""

from __future__ import annotations

import numpy as np

from latconf_core.data.raw_table import RawColumn, RawTable


def raw_table(**columns: list[str]) -> RawTable:
    """A table as it would be read from a file."""
    built = []
    for cells in columns.values():
        texts = sorted(set(cells))
        built.append(RawColumn.sorted(np.array([texts.index(cell) for cell in cells]), texts))
    return RawTable(tuple(columns), tuple(built))
