"""Small computations beside the window, of which only the latest answer counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, Signal

from latconf_core.control import RunControl
from latconf_gui.background.run_thread import RunThread

Job = Callable[[RunControl], object]
Answers = Callable[[RunControl], Iterator[object]]


class LatestJob(QObject):
    """Runs a function in the background; asking again makes the answers of earlier questions unwanted.

    `answered` carries what the function returned, `failed` the exception it raised; `changed` when it begins to be
    busy and when it ends.
    """

    answered = Signal(object)
    failed = Signal(object)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: RunThread | None = None
        self._next: Answers | None = None

    @property
    def is_busy(self) -> bool:
        return self._running is not None

    def ask(self, job: Job) -> None:
        """Answer this question next; one still under way is cancelled first."""

        def answer(control: RunControl) -> Iterator[object]:
            yield job(control)

        self.ask_for_answers(answer)

    def ask_for_answers(self, answers: Answers) -> None:
        """The same for a question with several answers, each emitted when it comes."""
        self._next = answers
        if self._running is None:
            self._begin()
        else:
            self._running.cancel()

    def forget(self) -> None:
        """Want no answer any more."""
        self._next = None
        if self._running is not None:
            self._running.cancel()

    def stop(self) -> None:
        """Want no answer, and return when nothing runs."""
        self._next = None
        if self._running is not None:
            self._running.stop()

    def _begin(self) -> None:
        answers, self._next = self._next, None
        if answers is not None:
            thread = RunThread(answers, parent=self)
            thread.events.connect(self._on_events)
            thread.failed.connect(self._on_failed)
            thread.ended.connect(self._on_ended)
            self._running = thread
            thread.start()
        self.changed.emit()

    def _is_wanted(self) -> bool:
        return self._running is not None and not self._running.is_cancelled

    def _on_events(self, events: list[object]) -> None:
        for event in events:
            if self._is_wanted():
                self.answered.emit(event)

    def _on_failed(self, error: object) -> None:
        if self._is_wanted():
            self.failed.emit(error)

    def _on_ended(self) -> None:
        if self._running is not None:
            self._running.discard()
        self._running = None
        self._begin()
