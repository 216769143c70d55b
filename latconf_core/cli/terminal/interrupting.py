"""Ctrl-C, and the signals by which a system ends a program: the first asks for an end, the second makes one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

EXIT_INTERRUPTED = 128 + signal.SIGINT
_ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # Windows has no SIGHUP


class Interruption:
    """Whether a signal has asked for the end, and what the program then exits with."""

    def __init__(self) -> None:
        self._number: int | None = None

    def is_set(self) -> bool:
        return self._number is not None

    @property
    def exit_code(self) -> int:
        """As shells write it: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
        return EXIT_INTERRUPTED if self._number is None else 128 + self._number

    def on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._number is not None:
            raise KeyboardInterrupt
        self._number = number


@contextmanager
def hear_signals() -> Iterator[Interruption]:
    """What the first signal sets while the block runs; the second one ends the program at once."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():  # only the main thread hears signals
        yield interruption
        return
    before = {number: signal.signal(number, interruption.on_signal) for number in _ENDING}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
