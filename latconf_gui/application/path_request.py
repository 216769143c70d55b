"""A question for a file: asked by a signal, answered by a dialog that the window opens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


def _do_nothing() -> None:
    """Where nobody waits for the answer."""


@dataclass(frozen=True)
class PathRequest:
    """Which file to open, or where to write.

    start : the folder to begin in, or the file that is proposed
    suffix : given to a name without one, where a file is written; "" asks for a file that is there
    take : gets the path that was chosen
    give_up : called where none was
    """

    title: str
    start: str
    file_filter: str
    take: Callable[[Path], object]
    suffix: str = ""
    give_up: Callable[[], object] = _do_nothing
