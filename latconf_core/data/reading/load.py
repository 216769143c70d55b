"""Reads table files into a RawTable, and straight into a Dataset."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from latconf_core.control import RunControl
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import Prepared, prepare
from latconf_core.data.raw_table import RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.apart import read_apart
from latconf_core.data.reading.detect import detect
from latconf_core.data.reading.table_formats.registry import table_format
from latconf_core.data.watch import OnProgress, Watch
from latconf_core.errors import FileFormatError


def load_dataset(
    path: str | Path,
    read_options: ReadOptions | None = None,
    *,
    preparation: Preparation | None = None,
    control: RunControl | None = None,
    on_progress: OnProgress | None = None,
) -> Prepared:
    """The Dataset of a table file, with the columns set aside and a report."""
    return prepare(read_table(path, read_options, control=control, on_progress=on_progress), preparation)


def read_table(
    path: str | Path,
    options: ReadOptions | None = None,
    *,
    control: RunControl | None = None,
    on_progress: OnProgress | None = None,
) -> RawTable:
    """The table as it is in the file; what the options leave open is detected.

    `on_progress` hears how many bytes or rows are done; `control` may stop the reading (StopRequested).
    """
    path, watch = Path(path), Watch(control, on_progress)
    detected = detect(path, options)
    assert detected.format is not None, "detect names the format"
    with _text_problems(path, detected):
        record = table_format(detected.format)
        can_abort = record.aborting_package and find_spec(record.aborting_package) is not None
        return read_apart(path, detected, watch) if can_abort else record.read(path, detected, watch)


@contextmanager
def _text_problems(path: Path, options: ReadOptions) -> Iterator[None]:
    """Turns what the standard library says about bad text into one sentence with its place."""
    try:
        yield
    except UnicodeDecodeError:
        line = _first_undecodable_line(path, options.encoding or "utf-8")
        problem = f"this is not {options.encoding or 'utf-8'} text; choose another encoding, such as latin-1"
        raise FileFormatError(problem, path, line) from None
    except csv.Error as error:
        raise FileFormatError(
            f"the text cannot be split into cells ({error}); check quote and delimiter", path
        ) from None


def _first_undecodable_line(path: Path, encoding: str) -> int | None:
    """The first line with a byte that is not of the encoding; None where lines cannot be told apart."""
    if "16" in encoding or "32" in encoding:
        return None
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode(encoding)
            except UnicodeDecodeError:
                return number
    return None
