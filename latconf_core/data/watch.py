"""What the outside sees of long reading and writing: progress, and a chance to stop it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.control import Progress, RunControl

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

OnProgress = Callable[[Progress], None]


class Watch:
    """Reports how much is done of a total and asks the control whether to go on."""

    def __init__(self, control: RunControl | None = None, on_progress: OnProgress | None = None) -> None:
        self._control = control
        self._on_progress = on_progress

    def step(self, done: int, total: int | None, text: str) -> None:
        """Say how far the work is; raises StopRequested when it must end."""
        if self._control is not None:
            self._control.checkpoint()
        if self._on_progress is not None:
            self._on_progress(Progress(done, total, text))


class WatchedFile(io.RawIOBase):
    """A file that reports every read to a Watch."""

    def __init__(self, path: Path, watch: Watch) -> None:
        self._file = path.open("rb", buffering=0)
        self._size = path.stat().st_size
        self._watch = watch
        self._text = f"reading {path.name}"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        self._watch.step(self._file.tell(), self._size, self._text)
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()
