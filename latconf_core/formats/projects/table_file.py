"""The table inside a project file: CSV with the text of every cell, read back exactly."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.load import read_table
from latconf_core.data.reading.table_formats.column_names import numbered_names
from latconf_core.data.watch import OnProgress, Watch
from latconf_core.errors import DataError
from latconf_core.json_form import Notes, decode

NAME = "data.csv"
BLOCK_BYTES = 1 << 20
_HEADER = re.compile(rb'(?:[^"\n]|"[^"]*")*\n')
BLOCK_ROWS = 1 << 12  # few, so that the window gets its turn in between
PLAIN = ReadOptions(
    format="delimited", delimiter=",", quote='"', header=True, encoding="utf-8", decimal=".", trim=False
)


def write_raw_table(archive: zipfile.ZipFile, raw: RawTable, watch: Watch) -> None:
    """Write the table as data.csv: a row of names, then every cell as it was read."""
    cells = [np.array([_quote(text) for text in column.texts], dtype=object) for column in raw.columns]
    with (
        archive.open(NAME, "w", force_zip64=True) as binary,
        io.TextIOWrapper(binary, encoding="utf-8", newline="") as file,
    ):
        file.write(",".join(map(_quote, raw.names)) + "\n")
        for start in range(0, raw.n_rows, BLOCK_ROWS):
            watch.step(start, raw.n_rows, "saving the data")
            blocks = [column.codes[start : start + BLOCK_ROWS] for column in raw.columns]
            texts = [cell[codes].tolist() for cell, codes in zip(cells, blocks)]
            file.write("\n".join(map(",".join, zip(*texts))) + "\n")


def _quote(text: str) -> str:
    is_plain = text and text == text.strip() and not any(mark in text for mark in ',"\n\r')
    return text if is_plain else '"' + text.replace('"', '""') + '"'


def read_raw_table(
    archive: zipfile.ZipFile,
    content: Mapping[str, Any],
    *,
    notes: Notes,
    control: RunControl | None = None,
    on_progress: OnProgress | None = None,
) -> RawTable:
    """The table that `write_raw_table` wrote, with the names, states and options of the project's header.

    Its own row of names is passed over: there may be names that no reader would take.
    """
    options = ReadOptions.from_json(content["read_options"], notes)
    decimal = options.decimal or "."
    with tempfile.TemporaryDirectory(prefix="latconf-") as folder:
        path = Path(folder) / NAME
        with archive.open(NAME) as source, path.open("wb") as target:
            n_columns, rest = _take_header(source)
            target.write(",".join(numbered_names(n_columns)).encode() + b"\n" + rest)
            shutil.copyfileobj(source, target, BLOCK_BYTES)
        read = read_table(path, PLAIN, control=control, on_progress=on_progress)
    entries = content["columns"]
    if len(entries) != read.n_columns:
        raise DataError(f"{len(entries)} columns are named but {read.n_columns} are present")
    columns = tuple(_column(column, entry, decimal) for column, entry in zip(read.columns, entries))
    names: tuple[str, ...] = decode(tuple[str, ...], [entry["name"] for entry in entries])
    origin = content["source"].get("path")
    file_path = Path(origin) if isinstance(origin, str) else None
    return RawTable(names, columns, options, file_path, tuple(map(str, content["notes"])))


def read_through(archive: zipfile.ZipFile, name: str, watch: Watch) -> None:
    """Read a file of the archive to its end; BadZipFile where its sum is not right."""
    with archive.open(name) as source:
        while source.read(BLOCK_BYTES):
            watch.step(0, None, "checking what was saved")


def count_cells(archive: zipfile.ZipFile, watch: Watch) -> tuple[int, int]:
    """How many rows and columns the table in the archive has; BadZipFile where it is damaged."""
    n_rows, is_quoted = 0, False
    with archive.open(NAME) as source:
        n_columns, block = _take_header(source)
        while block:
            watch.step(n_rows, None, "checking what was saved")
            parts = block.split(b'"')
            n_rows += sum(part.count(b"\n") for part in parts[is_quoted::2])
            is_quoted ^= len(parts) % 2 == 0
            block = source.read(BLOCK_BYTES)
    return n_rows, n_columns


def _take_header(source: IO[bytes]) -> tuple[int, bytes]:
    """The number of names in the first row, and what was read after it."""
    read = b""
    while block := source.read(BLOCK_BYTES):
        read += block
        hit = _HEADER.match(read)
        if hit is not None:
            outside = b"".join(hit[0].split(b'"')[::2])
            return outside.count(b",") + 1, read[hit.end() :]
    raise DataError("its table lacks the row of names")


def _column(read: RawColumn, entry: Mapping[str, Any], decimal: str) -> RawColumn:
    """The column with its states as declared, or in the order of states."""
    declared = entry.get("states")
    if declared is None:
        return RawColumn.sorted(read.codes, read.texts, decimal=decimal)
    position_of = {text: i for i, text in enumerate(declared)}
    missing = [text for text in read.texts if text not in position_of]
    if missing:
        raise DataError(f"the cell {missing[0]!r} of {entry['name']!r} is not among its states")
    recode = np.array([position_of[text] for text in read.texts], dtype=np.int64)
    return RawColumn(recode[read.codes], declared, is_declared=True)
