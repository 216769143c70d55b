"""Knowledge files in and out of the editor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from latconf_core.formats.knowledge_file import read_knowledge, write_knowledge
from latconf_core.knowledge.knowledge import Knowledge
from latconf_gui.application.settings import Settings
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.background.runs import Report
from latconf_gui.widgets.file_dialogs import FileDialogs

READ_FILTERS = ("Knowledge files (*.json *.txt *.csv *.knowledge)", "All files (*)")
WRITE_FILTERS = ("Knowledge of latconf (*.json)", "Tetrad knowledge (*.txt)", "Knowledge table (*.csv)")


class KnowledgeFiles(QObject):
    """`read(Knowledge, path)` when a file has been read, `written(path)`; a failure is reported and changes nothing."""

    read = Signal(object, object)
    written = Signal(object)

    def __init__(self, settings: Settings, report: Report, *, window: QWidget) -> None:
        super().__init__(window)
        self._report = report
        self._dialogs = FileDialogs(settings, report, window=window)
        self._path = Path()
        self._reading = LatestJob(self)
        self._reading.answered.connect(lambda knowledge: self.read.emit(knowledge, self._path))
        self._reading.failed.connect(lambda error: report(error, f"Importing {self._path.name}"))

    @property
    def is_busy(self) -> bool:
        return self._reading.is_busy

    def stop(self) -> None:
        """End what runs in the background."""
        self._reading.stop()

    def ask_import(self) -> QFileDialog:
        """Let the person choose a knowledge file."""
        return self._dialogs.ask_open("Import knowledge", READ_FILTERS, take=lambda path, _: self.import_file(path))

    def import_file(self, path: Path) -> None:
        """Read a knowledge file beside the window."""
        self._path = path
        self._reading.ask(lambda _control: read_knowledge(path))

    def ask_export(self, find: Callable[[], Knowledge | None], *, name: str) -> QFileDialog:
        """Let the person choose where to write what `find` gives when the place is chosen."""
        return self._dialogs.ask_save(
            "Export knowledge", WRITE_FILTERS, name=name, take=lambda path, _: self.export(find(), path)
        )

    def export(self, knowledge: Knowledge | None, path: Path) -> None:
        """Write knowledge as the ending of the file says."""
        if knowledge is not None and self._dialogs.write(path, lambda: write_knowledge(knowledge, path)):
            self.written.emit(path)
