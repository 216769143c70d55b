"""What the Compare page reads and writes: graphs to compare, pictures, and tables as CSV, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from latconf_core.comparison.subject import Subject
from latconf_core.comparison.tables import TABLE_FORMATS, Table
from latconf_core.control import RunControl
from latconf_core.files import write_atomically
from latconf_gui.application.settings import Settings
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.background.runs import Report
from latconf_gui.drawing.picture_export import export_picture
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.widgets.file_dialogs import FileDialogs, propose_name

TABLES = {"CSV (*.csv)": "csv", "Markdown (*.md)": "md", "LaTeX (*.tex)": "tex"}
GRAPHS = ("Graphs and networks (*)",)
READING = "Adding a graph from a file"


class CompareFiles(QObject):
    """`graph_read` carries the Subject of a file; a failure is reported and leaves no half file."""

    graph_read = Signal(object)

    def __init__(self, settings: Settings, *, report: Report, window: QWidget) -> None:
        super().__init__(window)
        self._dialogs = FileDialogs(settings, report, window=window)
        self.document: Callable[[], str] = lambda: ""  # the name of what is open
        self.variables: Callable[[], Sequence[str] | None] = lambda: None  # that a graph has to be about
        self._reading = LatestJob(self)
        self._waiting: list[Path] = []
        self._reading.answered.connect(self.graph_read)
        self._reading.failed.connect(lambda error: report(error, READING))
        self._reading.changed.connect(self._read_next)

    @property
    def is_busy(self) -> bool:
        return self._reading.is_busy or bool(self._waiting)

    def stop(self) -> None:
        self._waiting.clear()
        self._reading.stop()

    def ask_graph(self) -> QFileDialog:
        """Which file to compare."""
        return self._dialogs.ask_open("Compare a graph", GRAPHS, take=lambda path, _: self.read_graph(path))

    def read_graphs(self, paths: Sequence[Path]) -> None:
        """Read several files, one after the other: the first may say which variables the others have to be about."""
        self._waiting += paths
        self._read_next()

    def _read_next(self) -> None:
        if self._waiting and not self._reading.is_busy:
            self.read_graph(self._waiting.pop(0))

    def read_graph(self, path: Path) -> None:
        """Read a graph or network beside the window; variables that the others lack are taken as hidden."""
        variables = self.variables()

        def read(_control: RunControl) -> Subject:
            from latconf_core.formats.compared_files import read_compared, to_subject, variables_of

            file = read_compared(path, nodes=variables)
            subject = to_subject(file, variables_of([file]) if variables is None else variables, is_truth=True)
            return Subject(path.name, subject.content)

        self._reading.ask(read)

    def ask_picture(self, scene: GraphScene) -> QDialog:
        """The scale, then where to write the picture."""
        name = propose_name(self.document(), "comparison")
        return self._dialogs.ask_picture(name, lambda path, scale: self.write_picture(scene, path, scale))

    def write_picture(self, scene: GraphScene, path: Path, scale: float = 2.0) -> None:
        """Write the overlay with its legend and the names of A and B."""
        self._dialogs.write(path, lambda: export_picture(scene, path, scale=scale))

    def ask_table(self, table: Table, what: str) -> QFileDialog:
        """Where to write a table, and as what."""
        return self._dialogs.ask_save(
            f"Export the {what}",
            list(TABLES),
            name=propose_name(self.document(), what),
            take=lambda path, chosen: self.write_table(table, path, TABLES[chosen]),
        )

    def write_table(self, table: Table, path: Path, format: str | None = None) -> None:
        """Write a table; where no format is given as the ending of the name says."""
        kind = format or path.suffix.lower().removeprefix(".")
        write = TABLE_FORMATS.get(kind, TABLE_FORMATS["csv"])

        def save() -> None:
            with write_atomically(path) as temporary:
                temporary.write_text(write(table), encoding="utf-8")

        self._dialogs.write(path, save)
