"""Progress on stderr: a bar that redraws itself on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import shutil
import sys
from html import escape
from types import TracebackType
from typing import Any, TextIO

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


class NotebookBar:
    """The same in a notebook: a bar below the cell that redraws itself and goes away at the end."""

    def __init__(self) -> None:
        from IPython import display

        self._display: Any = display
        self._handle = self._display.DisplayHandle()
        self._is_shown = False

    def show(self, progress: Progress) -> None:
        """Draw the bar."""
        amount = f'value="{progress.done}" max="{progress.total}"' if progress.total else ""
        content = self._display.HTML(f"<progress {amount}></progress> {escape(progress.text)}")
        if self._is_shown:
            self._handle.update(content)
        else:
            self._handle.display(content)
        self._is_shown = True

    def __enter__(self) -> NotebookBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_shown:
            self._handle.update(self._display.HTML(""))


def make_bar() -> ProgressBar | NotebookBar:
    """A bar for where the program runs: a notebook's kernel, or anything else with a stderr."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return ProgressBar() if shell is None or not hasattr(shell, "kernel") else NotebookBar()


def _bar(share: float | None) -> str:
    if share is None:
        return "[" + "·" * BAR_WIDTH + "]     "
    filled = round(BAR_WIDTH * min(max(share, 0.0), 1.0))
    return f"[{'#' * filled}{'-' * (BAR_WIDTH - filled)}] {share:4.0%}"
