"""The long work under way: what the status bar shows and what closing the window must stop."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QDeadlineTimer, QObject, Signal

from latconf_core.control import Progress
from latconf_gui.background.garbage import QuietCollector
from latconf_gui.background.run_thread import PATIENCE_MILLISECONDS, RunThread

Report = Callable[[BaseException | str, str], None]
_log = logging.getLogger(__name__)


class Runs(QObject):
    """Starts threads, follows their progress and reports their errors; `changed` when anything of it changes."""

    changed = Signal()

    def __init__(self, report: Report, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self._texts: dict[RunThread, str] = {}
        self._collector = QuietCollector(self)
        self._progress: dict[RunThread, Progress] = {}

    def start(self, thread: RunThread, text: str) -> None:
        """Run a thread; `text` says what it does, e.g. "Learning the PAG with FCI"."""
        thread.setParent(self)
        self._texts[thread] = text
        thread.events.connect(lambda events: self._on_events(thread, events))
        thread.failed.connect(lambda error: self._report(error, text))
        thread.ended.connect(lambda: self._on_ended(thread))
        self._collector.begin()
        thread.start()
        self.changed.emit()

    @property
    def current(self) -> RunThread | None:
        """The run that was started last and still goes on."""
        return next(reversed(self._texts), None)

    @property
    def texts(self) -> list[str]:
        """What is being done, oldest first."""
        return list(self._texts.values())

    def text_of(self, thread: RunThread) -> str:
        return self._texts[thread]

    def progress_of(self, thread: RunThread) -> Progress | None:
        """How far it is, where it has said so."""
        return self._progress.get(thread)

    def cancel_current(self) -> None:
        if self.current is not None:
            self.current.cancel()

    def cancel_all(self) -> None:
        """Ask everything to end."""
        for thread in self._texts:
            thread.cancel()

    def stop_all(self) -> None:
        """Cancel everything, and return when it has ended; what does not answer is left behind after a while."""
        self.cancel_all()
        limit = QDeadlineTimer(PATIENCE_MILLISECONDS)
        for thread in list(self._texts):
            thread.stop_within(limit.remainingTime())

    def leave_behind(self) -> None:
        """Wait no more for what still runs, such as a file on a drive that hangs."""
        for thread, text in list(self._texts.items()):
            _log.warning("%s did not end when it was asked to and was left behind", text)
            thread.leave_behind()

    def _on_events(self, thread: RunThread, events: list[object]) -> None:
        steps = [event for event in events if isinstance(event, Progress)]
        if steps:
            self._progress[thread] = steps[-1]
            self.changed.emit()

    def _on_ended(self, thread: RunThread) -> None:
        self._texts.pop(thread, None)
        self._progress.pop(thread, None)
        thread.discard()
        if not self._texts:
            self._collector.end()
        self.changed.emit()
