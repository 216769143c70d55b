"""Progress on stderr: a bar that redraws itself on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import shutil
import sys
from types import TracebackType
from typing import TextIO

from latconf_core.control import Progress

BAR_WIDTH = 24
LINE_EVERY = 0.25  # of the whole, where the stream is not a terminal


class ProgressBar:
    """Shows `Progress` values: `with ProgressBar() as bar: bar.show(Progress(1, 4, "drawing rows"))`."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._redraws = self._stream.isatty()
        self._shown_text: str | None = None
        self._shown_share = 0.0

    def show(self, progress: Progress) -> None:
        """Draw the bar, or add a line when the text changes or another quarter is done."""
        share = None if not progress.total else progress.done / progress.total
        line = f"{_bar(share)} {progress.text}".rstrip()
        if self._redraws:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r{line[:width]:<{width}}")
        elif progress.text != self._shown_text or (share or 0.0) >= self._shown_share + LINE_EVERY:
            self._stream.write(f"{line}\n")
            self._shown_share = share or 0.0
        self._shown_text = progress.text
        self._stream.flush()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._redraws and self._shown_text is not None:
            self._stream.write("\n")
            self._stream.flush()


def _bar(share: float | None) -> str:
    if share is None:
        return "[" + "·" * BAR_WIDTH + "]     "
    filled = round(BAR_WIDTH * min(max(share, 0.0), 1.0))
    return f"[{'#' * filled}{'-' * (BAR_WIDTH - filled)}] {share:4.0%}"
