"""What is to be done once the window has painted all that is due."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal

AFTER_PAINTING = Qt.EventPriority.LowEventPriority.value - 100  # Qt paints at the low priority


class AfterPainting(QObject):
    """`reached` when everything that was due at `start` has been handled, layouts and painting among it.

    A timer does not do: one of a fixed time runs out before a slow machine has painted, and one of no time at all is
    handled before painting, too.
    """

    reached = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_waiting = False

    @property
    def is_waiting(self) -> bool:
        return self._is_waiting

    def start(self) -> None:
        """Wait for what is due now, also where something was waited for already."""
        self.stop()
        self._is_waiting = True
        QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), AFTER_PAINTING)

    def stop(self) -> None:
        """Wait no longer."""
        QCoreApplication.removePostedEvents(self, QEvent.Type.User)
        self._is_waiting = False

    def customEvent(self, _event: QEvent) -> None:
        """Called by Qt when its turn has come."""
        self._is_waiting = False
        self.reached.emit()
