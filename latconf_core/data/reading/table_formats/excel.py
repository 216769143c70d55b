"""Reads and writes Excel workbooks (.xlsx); needs the extra `excel`."""

from __future__ import annotations

import datetime
import errno
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.data.raw_table import RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.table_formats.column_names import (
    check_names_of_header,
    check_width,
    expected_cells,
    numbered_names,
)
from latconf_core.data.reading.table_formats.rows import RowsBuilder
from latconf_core.data.reading.table_formats.table_format import TableFormat
from latconf_core.data.watch import Watch
from latconf_core.errors import FileFormatError
from latconf_core.files import check_archive
from latconf_core.json_form import UNREADABLE

EXCEL_MAX_LETTERS = 32_767  # of one cell: openpyxl cuts what is longer without a word
EXCEL_MAX_ROWS = 1_048_576
CHECK_ROWS = 1000  # between two looks at whether to stop
MAX_WORKBOOK_BYTES = 1 << 32  # unpacked, of a sheet and of all
HEAD_BYTES = 4096
SCAN_BYTES = 1 << 20
MAX_EMPTY_CELLS = 2_000_000  # or as many as the workbook has bytes: no cell with a value takes less
_FORMULA = re.compile(rb"<(?:\w{1,20}:)?f[\s/>]")
_DAMAGE = (
    *UNREADABLE,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    ParseError,
    EOFError,
    NotImplementedError,
    RuntimeError,
)


def _openpyxl(path: Path) -> Any:
    try:
        import openpyxl
    except ImportError:
        problem = "Excel files need the package openpyxl; install it with: pip install 'latconf[excel]'"
        raise FileFormatError(problem, path) from None
    if not openpyxl.DEFUSEDXML:  # without it a few bytes of XML unpack to gigabytes
        raise FileFormatError("Excel files need the package defusedxml; install it with: pip install defusedxml", path)
    return openpyxl


def read_excel(path: Path, options: ReadOptions, watch: Watch) -> RawTable:
    """The table on one sheet; formulas count with the values that Excel stored for them."""
    openpyxl = _openpyxl(path)
    try:
        with path.open("rb") as file:  # by its name, openpyxl would refuse a workbook called .csv
            _check_workbook(file)
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            return _read_sheet(_sheet(book, path, options), path, options, watch)
    except FileFormatError as error:
        raise FileFormatError(error.problem, path, error.line) from None
    except OSError as error:
        if error.errno not in (None, errno.EINVAL):  # of the disk, not of a place that the workbook names
            raise
        raise FileFormatError(f"the workbook is damaged or not .xlsx ({error})", path) from None
    except _DAMAGE as error:
        raise FileFormatError(f"the workbook is damaged or not .xlsx ({type(error).__name__})", path) from None


def _check_workbook(file: IO[bytes]) -> None:
    """Refuse what would take too much room, and XML that declares a document type."""
    with zipfile.ZipFile(file) as archive:
        check_archive(archive, max_member=MAX_WORKBOOK_BYTES, max_total=MAX_WORKBOOK_BYTES)
        for name in archive.namelist():
            with archive.open(name) as member:
                if b"<!DOCTYPE" in member.read(HEAD_BYTES):
                    raise FileFormatError(f"{name!r} in it declares a document type, which no workbook needs")
    file.seek(0)


def _unpacked_bytes(path: Path) -> int:
    with zipfile.ZipFile(path) as archive:
        return sum(member.file_size for member in archive.infolist())


def _has_formulas(path: Path) -> bool:
    """Whether any sheet has a formula; where none has, two readings are saved."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            with archive.open(name) as member:
                end = b""
                while block := member.read(SCAN_BYTES):
                    if _FORMULA.search(end + block):
                        return True
                    end = block[-HEAD_BYTES:]
    return False


def _sheet(book: Any, path: Path, options: ReadOptions) -> Any:
    if not book.worksheets:
        raise FileFormatError("the workbook has no sheet with cells; save a table in it", path)
    if options.sheet is None:
        return book.worksheets[0]
    if options.sheet not in book.sheetnames:
        raise FileFormatError(f"there is no sheet {options.sheet!r}; choose from {', '.join(book.sheetnames)}", path)
    return book[options.sheet]


def _read_sheet(sheet: Any, path: Path, options: ReadOptions, watch: Watch) -> RawTable:
    total = sheet.max_row
    sheet.reset_dimensions()  # what a file says of its own size is not to be trusted
    rows: Iterator[tuple[int, list[str]]] = _rows(sheet, path, watch)
    number, first = next(rows, (0, []))
    if not first:
        raise FileFormatError(f"the sheet {sheet.title!r} is empty; it needs a row of names and rows of data", path)
    if options.header:
        names, notes = check_names_of_header(first, path=path, line=number)
    else:
        check_width(len(first), path)
        names, notes, rows = numbered_names(len(first)), [], chain([(number, first)], rows)
    builder = RowsBuilder(len(names))
    has_empty, n_cells, max_cells = False, 0, max(MAX_EMPTY_CELLS, _unpacked_bytes(path))
    for number, cells in rows:
        if len(cells) > len(names):
            raise FileFormatError(expected_cells(len(cells), len(names)), path, number)
        texts = [cell.strip() for cell in cells] if options.trim else list(cells)
        texts += [""] * (len(names) - len(texts))
        n_cells += len(names)
        if n_cells > max_cells:
            raise FileFormatError(
                f"the sheet spans more than {max_cells:,} cells, nearly all empty; remove unused rows and columns", path
            )
        has_empty = has_empty or "" in texts
        if builder.add(texts):
            watch.step(number, total, f"reading {path.name}")
    if has_empty and _has_formulas(path):
        _refuse_uncomputed(path, sheet.title)
    columns = builder.build(decimal=options.decimal or ".")
    return RawTable(tuple(names), tuple(columns), options, path, tuple(notes))


def _rows(sheet: Any, path: Path, watch: Watch) -> Iterator[tuple[int, list[str]]]:
    """(row number, texts) of every row that is not empty, empty cells at its end left out."""
    for number, row in enumerate(sheet.iter_rows(max_row=EXCEL_MAX_ROWS + 1), start=1):
        if number > EXCEL_MAX_ROWS:
            raise FileFormatError(f"the sheet has a row beyond {EXCEL_MAX_ROWS:,}, the most that Excel allows", path)
        if number % CHECK_ROWS == 0:
            watch.step(number, None, f"reading {path.name}")
        texts = [_text(cell, path) for cell in row]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            yield number, texts


def _text(cell: Any, path: Path) -> str:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "e":
        raise FileFormatError(f"cell {cell.coordinate} holds the error {value}; correct it in Excel", path)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)


def _refuse_uncomputed(path: Path, title: str) -> None:
    """Refuse a formula whose value was never stored: it would pass for an empty cell."""
    openpyxl = _openpyxl(path)
    with path.open("rb") as file, path.open("rb") as again:
        formulas = openpyxl.load_workbook(file, read_only=True)
        values = openpyxl.load_workbook(again, read_only=True, data_only=True)
        for row, shown in zip(formulas[title].iter_rows(), values[title].iter_rows()):
            for cell, value in zip(row, shown):
                if cell.data_type == "f" and value.value is None:
                    problem = f"cell {cell.coordinate} holds a formula without a stored value; "
                    raise FileFormatError(problem + "open the file in Excel, save it, and read it again", path)


def write_excel(dataset: Dataset, path: Path, suffix: str, watch: Watch) -> None:
    """Write names and rows to the first sheet; every value is kept as text."""
    if dataset.n_rows >= EXCEL_MAX_ROWS:
        raise FileFormatError(f"{dataset.n_rows:,} rows do not fit an Excel sheet; write CSV or Parquet", path)
    openpyxl = _openpyxl(path)
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("data")
    with closing(sheet):  # also where a text is refused
        sheet.append([_as_text(sheet, name) for name in dataset.names])
        texts = [np.array([*state, ""], dtype=object)[dataset.codes[:, i]] for i, state in enumerate(dataset.states)]
        for number, row in enumerate(zip(*texts)):
            if number % CHECK_ROWS == 0:
                watch.step(number, dataset.n_rows, "writing rows")
            sheet.append([_as_text(sheet, cell) for cell in row])
    book.save(path)


def _as_text(sheet: Any, value: str) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils.exceptions import IllegalCharacterError

    if len(value) > EXCEL_MAX_LETTERS:
        raise FileFormatError(f"a text of {len(value):,} letters is longer than an Excel cell; write CSV or Parquet")
    try:
        if "\r" in value:  # a line break of Windows would come back as another
            raise IllegalCharacterError
        cell = WriteOnlyCell(sheet, value=value)
    except IllegalCharacterError:
        raise FileFormatError(f"{value!r} has a character that Excel cannot hold; rename it or write CSV") from None
    cell.data_type = "s"  # a name such as =1 is no formula
    return cell


FORMAT = TableFormat(
    name="excel",
    title="Excel workbook",
    suffixes=(".xlsx",),
    read=read_excel,
    write=write_excel,
    magic=b"PK\x03\x04",
    is_text=False,
)
