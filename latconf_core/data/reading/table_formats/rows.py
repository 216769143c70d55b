"""Builds columns from rows of texts, for formats that are read cell by cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latconf_core.data.raw_table import ColumnBuilder, RawColumn

BLOCK_ROWS = 8192


class RowsBuilder:
    """Takes rows one at a time and codes them block by block."""

    def __init__(self, n_columns: int) -> None:
        self._builders = [ColumnBuilder() for _ in range(n_columns)]
        self._block: list[Sequence[str]] = []

    def add(self, row: Sequence[str]) -> bool:
        """Append one row; True where a block is full and was coded (time to report progress)."""
        self._block.append(row)
        if len(self._block) < BLOCK_ROWS:
            return False
        self._code_block()
        return True

    def _code_block(self) -> None:
        for builder, cells in zip(self._builders, zip(*self._block)):
            code_of: dict[str, int] = {}
            codes = np.array([code_of.setdefault(cell, len(code_of)) for cell in cells], dtype=np.intp)
            builder.add(codes, list(code_of))
        self._block.clear()

    def build(self, *, decimal: str = ".") -> list[RawColumn]:
        """The columns of all rows added."""
        return [builder.build(decimal=decimal) for builder in self.builders()]

    def builders(self) -> list[ColumnBuilder]:
        """The columns of all rows added, each still to be built."""
        self._code_block()
        return self._builders
