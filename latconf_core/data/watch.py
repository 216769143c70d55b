"""What the outside sees of long reading and writing: progress, and a chance to stop it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.control import Progress, RunControl
from latconf_core.errors import FileFormatError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_LINE_BYTES = 1 << 25  # of text: a table of 10,000 columns needs a hundredth
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
    """A file of lines that reports every read to a Watch; a line without end is refused before it fills the memory."""

    def __init__(self, path: Path, watch: Watch) -> None:
        self._file = path.open("rb", buffering=0)
        self._size = path.stat().st_size
        self._path = path
        self._line_bytes = 0
        self._watch = watch
        self._text = f"reading {path.name}"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        self._watch.step(self._file.tell(), self._size, self._text)
        n_bytes = self._file.readinto(buffer)
        block = bytes(memoryview(buffer)[:n_bytes])
        line_end = max(block.rfind(b"\n"), block.rfind(b"\r"))
        self._line_bytes = self._line_bytes + n_bytes if line_end < 0 else n_bytes - line_end
        if self._line_bytes > MAX_LINE_BYTES:
            raise FileFormatError(f"a line of more than {MAX_LINE_BYTES >> 20} MB is no row of a table", self._path)
        return n_bytes

    def close(self) -> None:
        self._file.close()
        super().close()
