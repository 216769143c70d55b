"""Column names as a header gives them, made usable or refused, and rows that do not fit them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from latconf_core.errors import FileFormatError
from latconf_core.phrases import counted

MAX_COLUMNS = 4_000  # far more than can be learned from; each takes a good part of a millisecond to look at


def check_width(n_columns: int, path: Path) -> None:
    """Refuse a table that is wider than can be meant, before anything is made for each column."""
    if n_columns > MAX_COLUMNS:
        raise FileFormatError(
            f"{n_columns:,} columns are more than latconf reads ({MAX_COLUMNS:,}); leave some out, or check the "
            "delimiter",
            path,
        )


def check_names_of_header(cells: Sequence[str], *, path: Path, line: int) -> tuple[list[str], list[str]]:
    """The names of a header row, and notes on those that were empty; equal names are refused."""
    check_width(len(cells), path)
    names = [cell.strip() for cell in cells]
    if len(names) > 1 and not names[-1]:
        names.pop()  # a delimiter at the end of the line
    seen: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        if name and name in seen:
            raise FileFormatError(
                f"columns {seen[name]} and {number} are both named {name!r}; rename one in the file, or put a row of "
                "names above this one if it is a row of data",
                path,
                line,
            )
        seen[name] = number
    notes = []
    taken = set(names)
    for i, name in enumerate(names):
        if not name:
            names[i] = _free(f"V{i + 1}", taken)
            taken.add(names[i])
            notes.append(f"column {i + 1} has no name; it is called {names[i]!r}")
    return names, notes


def expected_cells(n_hits: int, expected: int) -> str:
    """What is wrong with a row of another width than the names."""
    return f"{counted(n_hits, 'cell')} where {expected:,} {'is' if expected == 1 else 'are'} expected"


def numbered_names(count: int) -> list[str]:
    """V1, V2, …: names for a file without a row of names."""
    return [f"V{i + 1}" for i in range(count)]


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name
