"""What the window asks before it closes: whether to stop what is running, and whether to save."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMessageBox, QWidget

from latconf_gui.application.autosave import AutoSave
from latconf_gui.application.unsaved_work import UnsavedWork
from latconf_gui.background.run_thread import PATIENCE_MILLISECONDS
from latconf_gui.background.runs import Runs
from latconf_gui.widgets.questions import Answer, Role, ask

KEEPING_MILLISECONDS = 60_000  # for the recovery file of a large table; systems that end a program wait longer


class Closing(QObject):
    """Asks one question at a time; an answer that allows it closes the window."""

    def __init__(self, window: QWidget, runs: Runs, unsaved: UnsavedWork) -> None:
        super().__init__(window)
        self._window = window
        self._runs = runs
        self._unsaved = unsaved
        self._box: QMessageBox | None = None
        self._is_waiting = False  # for runs that were asked to end
        self._is_settled = False  # nothing is lost by closing, or the person wants it so
        self._asks = True
        self.keeping_milliseconds = KEEPING_MILLISECONDS
        self._after_runs: Callable[[], object] = self._close_soon
        self._patience = QTimer(self, interval=PATIENCE_MILLISECONDS, singleShot=True)
        self._patience.timeout.connect(self._on_patience_over)
        runs.changed.connect(self._on_runs_changed)

    def may_close(self) -> bool:
        """Whether there is nothing left to ask; else the question is on the screen."""
        if not self._asks:
            self._runs.stop_all()
            return True
        if self._box is not None:
            self._box.raise_()
            return False
        if self._runs.texts:
            self._ask_to_stop()
            return False
        if self._is_settled:
            return True
        is_asking_now = False

        def settle() -> None:
            self._is_settled = True
            if is_asking_now:
                self._close_soon()

        self._unsaved.settle(settle, before="closing the window", otherwise=lambda: None)
        is_asking_now = True
        return self._is_settled

    def leave(self, autosave: AutoSave) -> None:
        """The system ends the program: stop what is running, keep what is not saved for the next start, and close.

        A drive that hangs may keep it from being written: closing the window all the same, after a while.
        """

        def close() -> None:
            if self._asks:
                self._asks = False
                self._close_soon()

        def keep_and_close() -> None:
            QTimer.singleShot(self.keeping_milliseconds, self, close)
            autosave.leave(close)

        self._after_runs = keep_and_close
        if self._box is not None:
            self._box.close()
            self._box = None
        self._stop()

    def ask_nothing(self) -> None:
        """From now on stop what is running and discard what is not saved."""
        self._asks = False

    def _ask_to_stop(self) -> None:
        self._box = ask(
            self._window,
            "Still running",
            f"{self._runs.texts[-1]} is still running.",
            explanation="Stop it and close the window? A search keeps its best DAG.",
            answers=(
                Answer("Stop and close", Role.AcceptRole, self._stop),
                Answer("Keep running", Role.RejectRole, self._keep_running),
            ),
        )

    def _keep_running(self) -> None:
        self._box = None
        self._is_settled = False

    def _stop(self) -> None:
        """Ask every run to end, and close when the last one has: a search hands over its best first."""
        self._box = None
        self._is_waiting = True
        self._patience.start()
        self._runs.cancel_all()
        self._on_runs_changed()

    def _on_patience_over(self) -> None:
        """What was asked to end has not answered: close without it."""
        if self._is_waiting:
            self._runs.leave_behind()

    def _on_runs_changed(self) -> None:
        if self._is_waiting and not self._runs.texts:
            self._is_waiting = False
            self._patience.stop()
            self._after_runs()

    def _close_soon(self) -> None:
        QTimer.singleShot(0, self._window, self._window.close)
