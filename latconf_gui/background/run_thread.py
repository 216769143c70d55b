"""RunThread: the only QThread. Runs a generator of events and hands them to the window in batches."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator

from PySide6.QtCore import QCoreApplication, QObject, QThread, QTimer, Signal

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_gui.background.gil_priority import GIL_PRIORITY

BATCH_MILLISECONDS = 50
MOST_AT_ONCE = 5000  # events: more would keep the window busy for too long
PATIENCE_MILLISECONDS = 15_000  # to wait for an end: a drive that hangs may never answer
_left_alone: set[RunThread] = set()  # what runs and is not waited for: nothing else may own it


class RunThread(QThread):
    """A run in the background that can be paused and cancelled.

    Every signal is emitted on the thread that made this object, in this order: `events` (as often as there are
    any), then `failed` with the exception if there was one, then `ended`. Connect to `ended`, not to QThread's
    `finished`, which may overtake the last events.

    is_waited_for : whether quitting waits for its end. Work that cannot be cancelled, such as compiling, is not
        waited for; the program then has to end without tidying up, see `some_are_left`
    """

    events = Signal(object)  # a list; as `list` Qt would copy it for every receiver
    failed = Signal(object)
    ended = Signal()

    def __init__(
        self,
        start: Callable[[RunControl], Iterator[object]],
        *,
        time_limit: float | None = None,
        is_waited_for: bool = True,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._start = start
        self._time_limit = time_limit
        self._cancelled = threading.Event()
        self._paused = threading.Event()
        self._waiting: deque[object] = deque()
        self._error: Exception | None = None
        self._is_left = False
        self.stop_reason = StopReason.FINISHED
        self._timer = QTimer(self, interval=BATCH_MILLISECONDS)
        self._timer.timeout.connect(lambda: self._flush())
        self.started.connect(self._timer.start)
        self.finished.connect(self._on_finished)
        app = QCoreApplication.instance()
        if not is_waited_for:
            assert parent is None, "a parent would wait for it"
            _left_alone.add(self)
            self.finished.connect(lambda: _left_alone.discard(self))
            if app is not None:
                app.aboutToQuit.connect(self.cancel)
            return
        if app is not None:
            app.aboutToQuit.connect(self.stop)
        if parent is not None:
            parent.destroyed.connect(self.stop)

    def run(self) -> None:
        """Called by Qt on the new thread."""
        control = RunControl(self._must_end, self._paused.is_set, time_limit=self._time_limit)
        try:
            for event in self._start(control):
                self._waiting.append(event)
        except StopRequested as stop:
            self.stop_reason = stop.reason
        except Exception as error:  # the thread's edge: everything else is shown in the Problems dock
            self._error = error

    def _must_end(self) -> bool:
        """Asked at every checkpoint, also by threads that help: the window goes first."""
        GIL_PRIORITY.wait()
        return self._cancelled.is_set()

    def post(self, event: object) -> None:
        """An event from inside a step of the run that cannot yield, e.g. a progress callback; from any thread."""
        self._waiting.append(event)

    def cancel(self) -> None:
        """Ask the run to end at its next checkpoint."""
        self._cancelled.set()

    def pause(self) -> None:
        """Let the run wait at its next checkpoint."""
        self._paused.set()

    def resume(self) -> None:
        """Let a paused run go on."""
        self._paused.clear()

    @property
    def is_paused(self) -> bool:
        return self._paused.is_set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def stop(self) -> None:
        """Cancel, and return when the thread has ended; one that does not answer is left behind after a while."""
        self.stop_within(PATIENCE_MILLISECONDS)

    def stop_within(self, milliseconds: int) -> None:
        """Cancel, and wait for the end as long as that; then leave it behind."""
        self.cancel()
        if not self._is_left and not self.wait(milliseconds):
            self.leave_behind()

    def leave_behind(self) -> None:
        """Wait for it no more: it counts as cancelled, and whatever it still does is heard by nobody.

        The program then has to end without tidying up, see `some_are_left`.
        """
        if self._is_left or not self.isRunning():
            return
        self.cancel()
        self._is_left = True
        _left_alone.add(self)
        self.setParent(None)
        self._timer.stop()
        self.finished.connect(lambda: _left_alone.discard(self))
        self.stop_reason = StopReason.CANCELLED
        self.ended.emit()

    def discard(self) -> None:
        """It is not needed any more; Qt would end the program where one that was left behind is deleted."""
        if not self._is_left:
            self.deleteLater()

    def _flush(self, most: int = MOST_AT_ONCE) -> None:
        batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), most))]
        if batch:
            with GIL_PRIORITY.window_first():
                self.events.emit(batch)

    def _on_finished(self) -> None:
        self._timer.stop()
        if self._is_left:
            self._waiting.clear()
            return
        self._flush(most=len(self._waiting))
        if self._error is not None:
            self.failed.emit(self._error)
        self.ended.emit()


def some_are_left() -> bool:
    """Whether something still runs that quitting does not wait for."""
    return any(thread.isRunning() for thread in _left_alone)
