"""Splits text into records of cells with the standard library: exact about lines, used where speed is no matter."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterable, Iterator

from latconf_core.data.read_options import ReadOptions

csv.field_size_limit(1 << 30)  # a huge cell is a text like any other; the rules then set its column aside


def records_with_lines(lines: Iterable[str], delimiter: str | None, quote: str) -> Iterator[tuple[int, list[str]]]:
    """(line on which it ends, cells) of every record that is not blank; no delimiter means runs of blanks."""
    if delimiter is None:
        pattern = _blank_pattern(quote)
        for number, line in enumerate(lines, start=1):
            cells = [_unquoted(cell, quote) for cell in pattern.findall(line)]
            if cells:
                yield number, cells
        return
    reader = csv.reader(
        lines,
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        skipinitialspace=delimiter != " ",
    )
    for cells in reader:
        if cells and not (len(cells) == 1 and not cells[0].strip()):
            yield reader.line_num, cells


def _blank_pattern(quote: str) -> re.Pattern[str]:
    if not quote:
        return re.compile(r"\S+")
    q = re.escape(quote)
    return re.compile(rf"{q}(?:[^{q}]|{q}{q})*{q}(?!\S)|\S+")


def _unquoted(cell: str, quote: str) -> str:
    if quote and len(cell) >= 2 and cell.startswith(quote) and cell.endswith(quote):
        return cell[1:-1].replace(quote * 2, quote)
    return cell


def split_records(text: str, delimiter: str | None, quote: str, *, limit: int) -> list[list[str]]:
    """The first records of a text."""
    records = records_with_lines(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter, quote)
    return [cells for _, cells in itertools.islice(records, limit)]


def record_separator(options: ReadOptions) -> str | None:
    """What separates cells under these options: a character, or None for runs of blanks."""
    return None if options.format == "blanks" else options.delimiter
