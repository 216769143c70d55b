"""The visits of a run as history.csv: enough to draw the chart again and to open any visited DAG."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from latconf_core.errors import FileFormatError
from latconf_core.files import read_text
from latconf_core.formats.graphs.pcalg_matrix import csv_rows
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.visit_rows import COLUMNS, OLD_COLUMNS

MAX_LINE = 1 << 22  # characters; a visit of a thousand variables needs a hundredth
MAX_CELLS = 30_000_000  # visits times variables: every visit knows the parents of every variable


def history_text(history: History) -> str:
    """The history as CSV, every edge and latent by name, numbers with every digit."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(history.rows())
    return out.getvalue()


def read_history(path: str | Path, nodes: Sequence[str]) -> History:
    """The history that a run wrote; `nodes` are those of its result.json."""
    text = read_text(path)
    try:
        return parse_history(text, nodes)
    except FileFormatError as error:
        raise FileFormatError(error.problem, path, error.line) from None


def parse_history(text: str | TextIO, nodes: Sequence[str]) -> History:
    """The history that `history_text` wrote, or an older program; errors carry the line. Streams are read by lines."""
    lines = io.StringIO(text, newline="") if isinstance(text, str) else text
    rows = iter(csv_rows(_bounded_lines(lines, MAX_CELLS // max(len(nodes), 1))))
    line, header = next(rows, (1, []))
    if tuple(header) not in (COLUMNS, OLD_COLUMNS, OLD_COLUMNS[:-1]):
        raise FileFormatError(f"expected the columns {', '.join(COLUMNS)}", line=line)
    return History.from_rows(nodes, rows)


def _bounded_lines(lines: TextIO, max_lines: int) -> Iterator[str]:
    """The lines, no more and none longer than latconf can hold."""
    for number, line in enumerate(iter(partial(lines.readline, MAX_LINE), ""), start=1):
        if number > max_lines:
            raise FileFormatError(f"more than {max_lines:,} visits of so many variables are more than latconf can hold")
        if len(line) == MAX_LINE:
            raise FileFormatError(f"a line of {MAX_LINE:,} characters is no visit", line=number)
        yield line
