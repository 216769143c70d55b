"""What the window asks before it closes: whether to stop what is running, and whether to save."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QMessageBox, QWidget

from latconf_gui.application.project_files import ProjectFiles
from latconf_gui.background.runs import Runs

Role = QMessageBox.ButtonRole


class Closing(QObject):
    """Asks one question at a time; an answer that allows it closes the window."""

    def __init__(self, window: QWidget, runs: Runs, project: ProjectFiles) -> None:
        super().__init__(window)
        self._window = window
        self._runs = runs
        self._project = project
        self._box: QMessageBox | None = None
        self._is_waiting = False  # for runs that were asked to end
        self._may_discard = False
        self._asks = True
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
        if self._project.is_modified and not self._may_discard:
            self._ask_to_save()
            return False
        return True

    def ask_nothing(self) -> None:
        """From now on stop what is running and discard what is not saved."""
        self._asks = False

    def _ask_to_stop(self) -> None:
        box = self._make_box("Still running", f"{self._runs.texts[-1]} is still going on.")
        box.setInformativeText("Stop it and close the window? A search keeps the best it has found.")
        box.addButton("Stop and close", Role.AcceptRole).clicked.connect(self._stop)
        box.addButton("Keep running", Role.RejectRole)
        box.open()

    def _ask_to_save(self) -> None:
        box = self._make_box("Not saved", f"{self._project.name} has changes that are not saved.")
        box.setInformativeText("Save them as a project before the window closes?")
        save = box.addButton("Save", Role.AcceptRole)
        save.clicked.connect(lambda: self._project.save(self._window.close))
        box.addButton("Discard", Role.DestructiveRole).clicked.connect(self._discard)
        box.addButton("Cancel", Role.RejectRole)
        box.setDefaultButton(save)
        box.open()

    def _make_box(self, title: str, text: str) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(title)
        box.setText(text)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.finished.connect(self._on_answered)
        self._box = box
        return box

    def _on_answered(self) -> None:
        self._box = None

    def _stop(self) -> None:
        """Ask every run to end, and close when the last one has: a search hands over its best first."""
        self._is_waiting = True
        self._runs.cancel_all()
        self._on_runs_changed()

    def _on_runs_changed(self) -> None:
        if self._is_waiting and not self._runs.texts:
            self._is_waiting = False
            QTimer.singleShot(0, self._window, self._window.close)

    def _discard(self) -> None:
        self._may_discard = True
        QTimer.singleShot(0, self._window, self._window.close)
