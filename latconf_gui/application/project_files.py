"""Saves the document as a project, and knows whether there is anything left to save."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from latconf_core.formats.projects.project_state import ProjectState, save_state
from latconf_gui.application.document import Document
from latconf_gui.application.settings import Settings
from latconf_gui.background.run_thread import RunThread
from latconf_gui.background.runs import Report, Runs

SUFFIX = ".latconf"
FILTER = f"latconf projects (*{SUFFIX})"


class ProjectFiles(QObject):
    """Where the document is kept. `changed` when the file or whether it is up to date changes, `saved(path)`.

    What has just been opened counts as saved; everything after that does not.
    """

    changed = Signal()
    saved = Signal(object)

    def __init__(
        self,
        document: Document,
        settings: Settings,
        runs: Runs,
        *,
        report: Report,
        log: Callable[[], str],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._document = document
        self._settings = settings
        self._runs = runs
        self._report = report
        self._log = log
        self._window = window
        self._saving: RunThread | None = None
        self.path: Path | None = None
        document.undo_stack.cleanChanged.connect(self.changed)
        document.name_changed.connect(self.changed)

    @property
    def name(self) -> str:
        """What the title of the window says."""
        return self._document.name if self.path is None else self.path.name

    @property
    def is_modified(self) -> bool:
        """Whether closing now would lose work."""
        return not self._document.undo_stack.isClean() and self._has_content

    @property
    def _has_content(self) -> bool:
        return self._document.raw is not None or self._document.pag is not None

    def mark_opened_from(self, path: Path | None) -> None:
        """Something was opened: a project from this file, or data that belong to none yet."""
        self.path = path
        self._document.undo_stack.setClean()
        self.changed.emit()

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save to the file it came from, or ask for one; `then` runs when all is on the disk."""
        if self.path is None:
            self.ask_path(then)
        else:
            self.save_to(self.path, then)

    def ask_path(self, then: Callable[[], object] | None = None) -> QFileDialog | None:
        """Let the user choose a file to save to."""
        if not self._has_content:
            self._report("There is nothing to save yet; open a file or an example first.", "Saving")
            return None
        dialog = QFileDialog(self._window, "Save the project", self._proposal(), FILTER)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(SUFFIX.removeprefix("."))
        dialog.fileSelected.connect(lambda chosen: self.save_to(Path(chosen), then))
        dialog.open()
        return dialog

    def _proposal(self) -> str:
        recent = self._settings.recent_files
        folder = self.path.parent if self.path else recent[0].parent if recent else Path.home()
        return str(folder / f"{Path(self._document.name).stem or 'project'}{SUFFIX}")

    def save_to(self, path: Path, then: Callable[[], object] | None = None) -> None:
        """Write the document as it is now to a file, beside the window."""
        where = f"Saving {path.name}"
        if self._saving is not None:
            self._report("The project is being saved already; wait until that is done.", where)
            return
        if not self._has_content:
            self._report("There is nothing to save yet; open a file or an example first.", where)
            return
        state, log = self._document.state, self._log()
        thread = RunThread(lambda control: save_state(state, path, control, post=thread.post, log=log))
        self._saving = thread
        written: list[Path] = []
        thread.events.connect(lambda events: written.extend(event for event in events if isinstance(event, Path)))
        thread.ended.connect(lambda: self._on_ended(state, written, then))
        self._runs.start(thread, where)

    def _on_ended(self, state: ProjectState, written: list[Path], then: Callable[[], object] | None) -> None:
        self._saving = None
        if not written:
            return
        self.path = written[-1]
        self._settings.remember_file(self.path)
        if self._document.state is state:
            self._document.undo_stack.setClean()
        self.changed.emit()
        self.saved.emit(self.path)
        if then is not None:
            QTimer.singleShot(0, self, then)
