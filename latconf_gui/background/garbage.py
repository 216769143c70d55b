"""When Python collects cycles of garbage: on the window's thread only, and with little to look at while runs go on.

Python collects them on whichever thread happens to allocate; a Qt object that a cycle holds would then be
destroyed on a worker's thread, which crashes. And a collection that looks at all a run has made stops the window for
tenths of a second.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

LOOK_MILLISECONDS = 200
AGAIN_MILLISECONDS = 3000
AFTERWARDS_MILLISECONDS = 10_000
EVERYTHING_MILLISECONDS = 300_000  # while runs go on: seldom, as it stops the window for tenths of a second


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


class QuietCollector(QObject):
    """While runs go on, what they have made is set aside every few seconds, so that a collection has little to look at.

    Setting aside costs nothing, but garbage that is set aside stays: every few minutes, and some time after the last
    run, everything is looked at once.
    """

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        everything: int = EVERYTHING_MILLISECONDS,
        afterwards: int = AFTERWARDS_MILLISECONDS,
    ) -> None:
        super().__init__(parent)
        self._again = QTimer(self, interval=AGAIN_MILLISECONDS)
        self._again.timeout.connect(gc.freeze)
        self._everything = QTimer(self, interval=everything)
        self._everything.timeout.connect(self._look_at_everything)
        self._afterwards = QTimer(self, interval=afterwards, singleShot=True)
        self._afterwards.timeout.connect(self._look_at_everything)

    def begin(self) -> None:
        """A run starts."""
        self._afterwards.stop()
        gc.freeze()
        self._again.start()
        if not self._everything.isActive():  # runs that begin one after the other do not put it off
            self._everything.start()

    def end(self) -> None:
        """The last run has ended."""
        self._again.stop()
        self._everything.stop()
        self._afterwards.start()

    def _look_at_everything(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
