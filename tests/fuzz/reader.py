"""What a reader is: a way of reading files, with small good files to begin from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from latconf_core.errors import LatconfError

Read = Callable[[Path], object]
Make = Callable[[Random], bytes]


@dataclass(frozen=True)
class Reader:
    """A way of reading files, small files that it reads, and other files that parts may be taken from.

    make : draws an input of its own where changed files would not do
    """

    name: str
    suffix: str
    read: Read
    seeds: tuple[bytes, ...]
    others: tuple[bytes, ...] = ()
    make: Make | None = None

    def try_read(self, place: Path) -> None:
        """Read a file that may be refused with a sentence."""
        try:
            self.read(place)
        except LatconfError:
            return


def written(write: Callable[[Path], object], suffix: str) -> bytes:
    """What is written to a file of this extension."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        write(path)
        return path.read_bytes()
