"""A table in columns of one width, as a terminal shows it."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from latconf_core.comparison.tables import Table


def align(table: Table, *, left: Collection[str]) -> Iterator[str]:
    """The lines of a table; the columns of these titles begin at the left, the others end at the right."""
    from latconf_core.comparison.tables import show_value

    plain = {"−": "-", "–": "-"} if (sys.stdout.encoding or "").lower() not in ("utf-8", "utf8") else {}
    lines = [table.titles, *(tuple(map(show_value, row)) for row in table.rows)]
    lines = [tuple("".join(plain.get(sign, sign) for sign in cell) for cell in line) for line in lines]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.titles))]
    for line in lines:
        cells = [
            cell.ljust(width) if title in left else cell.rjust(width)
            for cell, width, title in zip(line, widths, table.titles)
        ]
        yield "  ".join(cells).rstrip()
