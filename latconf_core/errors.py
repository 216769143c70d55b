"""What can be wrong with what a person gives us.

LatconfError
├── DataError         a table that cannot be used
├── GraphError        a graph that is not what it should be
├── OptionError       a setting out of range
└── FileFormatError   a file that cannot be read, with its place
"""

from __future__ import annotations

from pathlib import Path


class LatconfError(Exception):
    """Bad input: the message names the thing and the remedy."""


class DataError(LatconfError):
    """A table that cannot be used as it is."""


class GraphError(LatconfError):
    """A graph that is not what it should be, or does not fit the data."""


class OptionError(LatconfError):
    """A setting out of its range."""


class FileFormatError(LatconfError):
    """A file that cannot be read.

    The message reads `FILE, line N: problem`; `path` and `line` are kept for the window.
    """

    def __init__(self, problem: str, path: str | Path | None = None, line: int | None = None) -> None:
        self.problem = problem
        self.path = None if path is None else Path(path)
        self.line = line
        name = "" if self.path is None else self.path.name
        if line is not None:
            name = f"{name}, line {line}" if name else f"line {line}"
        super().__init__(f"{name}: {problem}" if name else problem)
