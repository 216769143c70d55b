"""Reads small plain delimited text without pandas, whose import takes longer than the table.

Plain is where lines and cells are told apart by splitting alone: every row is as wide as the header, and a quote only
opens and closes a whole cell. What is not plain is left to the general reader, which gives the same for what is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latconf_core.data.raw_table import ColumnBuilder
from latconf_core.data.read_options import ReadOptions

MAX_CHARACTERS = 1 << 22  # above, the readers for large tables are faster


def read_small(text: str, options: ReadOptions, n_columns: int) -> list[ColumnBuilder] | None:
    """The columns of the rows of a text; None where it needs the general reader."""
    delimiter = options.delimiter or ""
    if options.format != "delimited" or len(delimiter) != 1 or delimiter.isspace() or n_columns < 2 or "\0" in text:
        return None
    code_of: list[dict[str, int]] = [{} for _ in range(n_columns)]
    codes: list[list[int]] = [[] for _ in range(n_columns)]
    for line in text.removesuffix("\n").removesuffix("\r").split("\n"):
        cells = line.removesuffix("\r").split(delimiter)
        if len(cells) != n_columns or "\r" in cells[-1]:
            return None
        for column, known, cell in zip(codes, code_of, cells):
            code = known.get(cell)
            column.append(known.setdefault(cell, len(known)) if code is None else code)
    return _build(code_of, codes, options)


def _build(
    code_of: Sequence[dict[str, int]], codes: Sequence[list[int]], options: ReadOptions
) -> list[ColumnBuilder] | None:
    builders = []
    for known, column in zip(code_of, codes):
        texts = [_unquote(cell, options.quote or "") for cell in known]
        plain = [text for text in texts if text is not None]
        if len(set(plain)) < len(texts):  # a cell that is not plain, or one with and without quotes
            return None
        builder = ColumnBuilder()
        builder.add(np.array(column, dtype=np.intp), [text.strip() for text in plain] if options.trim else plain)
        builders.append(builder)
    return builders


def _unquote(cell: str, quote: str) -> str | None:
    """The text of a cell; None where it is not plain."""
    if cell[:1].isspace() or "\r" in cell:
        return None
    if not quote or quote not in cell:
        return cell
    inner = cell[1:-1]
    is_whole = len(cell) >= 2 and cell[0] == quote == cell[-1] and quote not in inner
    return inner if is_whole else None
