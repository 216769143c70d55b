"""Cycles of garbage are collected on the window's thread only.

Python collects them on whichever thread happens to allocate; a Qt object that a cycle holds would then be
destroyed on a worker's thread, which crashes.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

LOOK_MILLISECONDS = 200


class GarbageCollector(QObject):
    """Takes over from Python's own collector, with its thresholds, until it is stopped."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=LOOK_MILLISECONDS)
        self._timer.timeout.connect(self.collect_if_due)

    def start(self) -> None:
        """From now on nothing is collected on another thread."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Give the work back to Python's own collector."""
        self._timer.stop()
        gc.enable()

    def collect_if_due(self) -> int | None:
        """Collect the oldest generation that is due; which one, or None."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        for generation in (2, 1, 0):
            if thresholds[generation] and counts[generation] > thresholds[generation]:
                gc.collect(generation)
                return generation
        return None
