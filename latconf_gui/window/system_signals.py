"""The system asks the program to end (log-out, shutdown, `kill`): Qt would not let Python hear of it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class SystemSignals(QObject):
    """Calls `end` in the window's thread when such a signal comes; `stop` gives the signals back."""

    def __init__(self, end: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reading, self._writing = socket.socketpair()
        for one in (self._reading, self._writing):
            one.setblocking(False)
        self._end = end
        self._notifier = QSocketNotifier(self._reading.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)
        self._fd_before = signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, _pass) for number in _ENDING}

    def _on_signal(self) -> None:
        if any(number in _ENDING for number in self._reading.recv(16)):
            self._end()

    def stop(self) -> None:
        """Hear nothing any more."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._fd_before)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._reading.close()
        self._writing.close()


def _pass(*_: object) -> None:
    """The number arrives through the socket."""
