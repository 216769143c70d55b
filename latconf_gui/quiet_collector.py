"""Keeps Python's garbage collector from stopping the window for tenths of a second while a run makes many objects."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

AGAIN_MILLISECONDS = 3000
AFTERWARDS_MILLISECONDS = 10_000


class QuietCollector(QObject):
    """While runs go on, what they have made is set aside every few seconds, so that a collection has little to look at.

    Setting aside costs nothing. Some time after the last run everything is looked at once.
    """

    def __init__(self, parent: QObject | None = None, *, afterwards: int = AFTERWARDS_MILLISECONDS) -> None:
        super().__init__(parent)
        self._again = QTimer(self, interval=AGAIN_MILLISECONDS)
        self._again.timeout.connect(gc.freeze)
        self._afterwards = QTimer(self, interval=afterwards, singleShot=True)
        self._afterwards.timeout.connect(self._look_at_everything)

    def begin(self) -> None:
        """A run starts."""
        self._afterwards.stop()
        gc.freeze()
        self._again.start()

    def end(self) -> None:
        """The last run has ended."""
        self._again.stop()
        self._afterwards.start()

    def _look_at_everything(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
