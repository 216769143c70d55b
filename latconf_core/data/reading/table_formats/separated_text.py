"""Text in lines, cells separated by a delimiter or by runs of blanks; the only module that knows pandas."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.data.raw_table import ColumnBuilder, RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.table_formats.column_names import (
    check_names_of_header,
    check_width,
    expected_cells,
    numbered_names,
)
from latconf_core.data.reading.table_formats.plain_text import read_plain
from latconf_core.data.reading.table_formats.records import record_separator, records_with_lines
from latconf_core.data.reading.table_formats.row_writer import write_rows
from latconf_core.data.reading.table_formats.rows import RowsBuilder
from latconf_core.data.reading.table_formats.small_text import MAX_CHARACTERS, read_small
from latconf_core.data.reading.table_formats.table_format import TableFormat
from latconf_core.data.watch import Watch, WatchedFile
from latconf_core.errors import FileFormatError

CHUNK_ROWS = 1 << 15
WIDE = 300  # columns beyond which pandas takes longer than record by record, in a small table
SEPARATORS = {".csv": ",", ".data": ",", ".tsv": "\t", ".tab": "\t", ".txt": " ", ".dat": " "}


def read_separated(path: Path, options: ReadOptions, watch: Watch) -> RawTable:
    """Delimited or blank-separated text."""
    with _open_text(path, options, watch) as text:
        line, cells = _first_record(text, path, options)
        if options.header:
            names, notes = check_names_of_header(cells, path=path, line=line)
            plain = read_plain(path, options, len(names), watch, header_line=line)
            builders = plain or _read_text(text, path, options, len(names))
    if not options.header:
        check_width(len(cells), path)
        names, notes = numbered_names(len(cells) - (len(cells) > 1 and not cells[-1].strip())), []
        with _open_text(path, options, watch) as text:
            builders = read_plain(path, options, len(names), watch) or _read_text(text, path, options, len(names))
    decimal = options.decimal or "."
    columns = []
    while builders:  # each is let go as soon as it is built
        columns.append(builders.pop(0).build(decimal=decimal))
    return RawTable(tuple(names), tuple(columns), options, path, tuple(notes))


def _open_text(path: Path, options: ReadOptions, watch: Watch) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedReader(WatchedFile(path, watch)), encoding=options.encoding, newline="")


def _first_record(text: io.TextIOWrapper, path: Path, options: ReadOptions) -> tuple[int, list[str]]:
    for line, cells in records_with_lines(text, record_separator(options), options.quote or ""):
        return line, cells
    raise FileFormatError("the file is empty; it needs a row of names and rows of data", path)


def _read_text(text: io.TextIOWrapper, path: Path, options: ReadOptions, n_columns: int) -> list[ColumnBuilder]:
    """The columns of what is left of the text; pandas is quick with many rows, and slow with many columns."""
    can_pandas = f"{options.delimiter or ''}{options.quote or ''}".isascii()  # it knows no other delimiter or quote
    if path.stat().st_size > MAX_CHARACTERS:
        return (_read_rows if can_pandas else _read_records)(text, path, options, n_columns)
    rest = text.read()
    plain = read_small(rest, options, n_columns)
    read = _read_rows if can_pandas and n_columns <= WIDE else _read_records
    return plain or read(io.StringIO(rest, newline=""), path, options, n_columns)


def _read_records(text: io.TextIOBase, path: Path, options: ReadOptions, n_columns: int) -> list[ColumnBuilder]:
    """As `_read_rows`, record by record."""
    builder = RowsBuilder(n_columns)
    for line, record in records_with_lines(text, record_separator(options), options.quote or ""):
        cells = record[:-1] if len(record) == n_columns + 1 and not record[-1].strip() else record
        if len(cells) != n_columns:
            _check_widths(path, options, n_columns)
            raise FileFormatError(expected_cells(len(cells), n_columns), path, line)
        builder.add([cell.strip() for cell in cells] if options.trim else cells)
    return builder.builders()


def _read_rows(text: io.TextIOBase, path: Path, options: ReadOptions, n_columns: int) -> list[ColumnBuilder]:
    """The columns of what is left of the text; rows of another width are refused with their line."""
    import pandas as pd

    _check_widths(path, options, n_columns, limit=3)  # pandas cuts first rows that are too long without a word
    builders = [ColumnBuilder() for _ in range(n_columns)]
    is_suspect = False
    try:
        with pd.read_csv(text, **_pandas_options(options, n_columns)) as chunks:
            for chunk in chunks:
                for i, builder in enumerate(builders):
                    codes, texts = pd.factorize(chunk[i].to_numpy())
                    builder.add(codes, _cleaned(texts, options))
                is_suspect = is_suspect or _has_odd_width(chunk.iloc[:, -2:].to_numpy())
    except pd.errors.EmptyDataError:
        for builder in builders:
            builder.add(np.zeros(0, dtype=np.intp), [])
    except pd.errors.ParserError as error:
        _check_widths(path, options, n_columns, has_open_quote="EOF inside string" in str(error))
        raise FileFormatError(f"the rows cannot be separated ({_reason(error)}); check the delimiter", path) from None
    if is_suspect:
        _check_widths(path, options, n_columns)
    return builders


def _pandas_options(options: ReadOptions, n_columns: int) -> dict[str, Any]:
    return {
        "sep": r"\s+" if options.format == "blanks" else options.delimiter,
        "quotechar": options.quote or '"',
        "quoting": csv.QUOTE_MINIMAL if options.quote else csv.QUOTE_NONE,
        "skipinitialspace": True,
        "header": None,
        "names": range(n_columns + 1),  # one more than the names: it shows rows that are too long
        "index_col": False,
        "dtype": object,  # the text as it is in the file: 01 stays 01
        "na_filter": False,
        "low_memory": False,
        "engine": "c",
        "chunksize": CHUNK_ROWS,
    }


def _cleaned(texts: Any, options: ReadOptions) -> list[str]:
    return [text.strip() for text in texts] if options.trim else list(texts)


def _has_odd_width(last_two: Any) -> bool:
    """Whether a row may be too short (its last cell is empty) or is too long (a cell beyond the last)."""
    return bool((last_two[:, 0] == "").any() or (last_two[:, 1] != "").any())


def _check_widths(
    path: Path, options: ReadOptions, n_columns: int, *, limit: int | None = None, has_open_quote: bool = False
) -> None:
    """Refuse the first row that has more or fewer cells than there are columns; exact, but slow."""
    with _open_text(path, options, Watch()) as text:
        last_line = began = 0
        records = records_with_lines(text, record_separator(options), options.quote or "")
        for line, cells in islice(records, limit):
            width = len(cells)
            if width == n_columns or (width == n_columns + 1 and not cells[-1].strip()):
                last_line, began = line, last_line + 1
                continue
            n_breaks = sum(cell.count("\n") or cell.count("\r") for cell in cells)  # only a quote keeps them in a cell
            if n_breaks and options.quote:
                problem = f"a quoted cell continues to line {line}; close the quote, or choose another quote character"
                raise FileFormatError(problem, path, line - n_breaks)
            raise FileFormatError(expected_cells(width, n_columns), path, line)
    if has_open_quote:
        raise FileFormatError(
            "a quoted cell is never closed; close the quote, or choose another quote character", path, began
        )


def _reason(error: Exception) -> str:
    return str(error).removeprefix("Error tokenizing data. C error: ").strip()


def write_separated(dataset: Dataset, path: Path, suffix: str, watch: Watch) -> None:
    """Write names and rows with the separator that goes with the suffix."""
    separator = SEPARATORS[suffix]
    quote = _quoter(separator)
    head = separator.join(quote(name) for name in dataset.names) + "\n"
    write_rows(dataset, path, head=head, separator=separator, quote=quote, watch=watch)


def _quoter(separator: str) -> Callable[[str], str]:
    """Quotes a cell where a reader would else take it for something other than one text."""

    def quoted(text: str) -> str:
        awkward = not text or any(c in text for c in (separator, '"', "\n", "\r")) or text != text.strip()
        if separator == " ":
            if "\n" in text or "\r" in text:
                problem = f"{text!r} has a line break, which blank-separated text cannot hold; rename it or write CSV"
                raise FileFormatError(problem)
            awkward = awkward or len(text.split()) != 1
        return '"' + text.replace('"', '""') + '"' if awkward else text

    return quoted


DELIMITED = TableFormat(
    name="delimited",
    title="Delimited text (CSV, TSV)",
    suffixes=(".csv", ".tsv", ".tab", ".data"),
    read=read_separated,
    write=write_separated,
    is_separated=True,
)
BLANKS = TableFormat(
    name="blanks",
    title="Blank-separated text",
    suffixes=(".txt", ".dat"),
    read=read_separated,
    write=write_separated,
    is_separated=True,
)
