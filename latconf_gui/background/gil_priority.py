"""Lets the window go first: Python runs one thread at a time, and a search would take its turn at every call to Qt."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from latconf_gui.background.after_painting import AfterPainting

SWITCH_SECONDS = 0.0005  # a thread that wants to go on waits this long, not Python's 5 ms
LONGEST_SECONDS = 0.1  # a run waits no longer at one checkpoint, whatever the window does


class GilPriority:
    """Whose turn it is. Runs ask `wait` at their checkpoints; the window takes the turn for what takes it a while."""

    def __init__(self) -> None:
        self._is_free = threading.Event()
        self._is_free.set()
        self._depth = 0
        self._after_painting: AfterPainting | None = None

    def wait(self) -> None:
        """Return when the window has nothing to do, or has taken very long. Called by the threads of runs."""
        if not self._is_free.is_set():
            self._is_free.wait(LONGEST_SECONDS)

    @contextmanager
    def window_first(self) -> Iterator[None]:
        """Runs wait at their checkpoints meanwhile. Only for the window's thread."""
        self._take()
        try:
            yield
        finally:
            self._give_back()

    def window_first_until_painted(self) -> None:
        """Runs wait until the window has handled everything that is due now, such as painting another page.

        Who waits for that belongs to no window: it would go with the window, and leave runs waiting.
        """
        if self._after_painting is None:
            self._after_painting = AfterPainting()
            self._after_painting.reached.connect(self._give_back)
        if not self._after_painting.is_waiting:
            self._take()
        self._after_painting.start()

    def _take(self) -> None:
        self._depth += 1
        self._is_free.clear()

    def _give_back(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._is_free.set()


GIL_PRIORITY = GilPriority()  # Python has one lock for all threads, so there is one


def switch_often() -> None:
    """Let waiting threads wait less than Python lets them."""
    sys.setswitchinterval(SWITCH_SECONDS)
