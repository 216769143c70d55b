"""The visits of a run as history.csv: enough to draw the chart again and to open any visited DAG."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from latconf_core.errors import FileFormatError
from latconf_core.files import read_text
from latconf_core.formats.graphs.pcalg_matrix import csv_rows
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.visit_rows import COLUMNS, OLD_COLUMNS

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


def parse_history(text: str, nodes: Sequence[str]) -> History:
    """The history that `history_text` wrote, or an older program; errors carry the line."""
    n_visits = text.count("\n") + 1
    if len(nodes) * n_visits > MAX_CELLS:
        raise FileFormatError(f"{n_visits:,} visits of {len(nodes):,} variables are more than latconf can hold")
    rows = iter(csv_rows(text))
    line, header = next(rows, (1, []))
    if tuple(header) not in (COLUMNS, OLD_COLUMNS, OLD_COLUMNS[:-1]):
        raise FileFormatError(f"expected the columns {', '.join(COLUMNS)}", line=line)
    return History.from_rows(nodes, rows)
