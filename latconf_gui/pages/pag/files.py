"""Graph files and pictures of the PAG page: the dialogs, and the reading and writing behind them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from latconf_core.files import has_folder, is_there
from latconf_core.formats.graphs.registry import graph_formats, write_graph
from latconf_core.formats.projects.opening import OpenedGraph, open_graph
from latconf_gui.application.document import Document
from latconf_gui.application.settings import Settings
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.background.runs import Report
from latconf_gui.drawing.picture_export import export_picture
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.widgets.file_dialogs import FileDialogs, format_filter, propose_name

ANY_FORMAT = "Graph files"


def read_filters() -> dict[str, str | None]:
    """The choices of the import dialog: text → name of a format, None for any."""
    patterns = sorted({f"*{extension}" for graph_format in graph_formats() for extension in graph_format.extensions})
    filters: dict[str, str | None] = {f"{ANY_FORMAT} ({' '.join(patterns)})": None}
    return filters | {
        format_filter(graph_format): graph_format.name for graph_format in graph_formats() if graph_format.can_read
    }


def write_filters() -> dict[str, str]:
    """The choices of the export dialog: text → name of a format."""
    return {
        format_filter(graph_format): graph_format.name for graph_format in graph_formats() if graph_format.can_write
    }


class PagFiles(QObject):
    """Reads and writes for the PAG page; a failure is reported and changes nothing.

    `graph_read` carries the opened graph and the file; reading runs in the background.
    """

    graph_read = Signal(object, object)

    def __init__(self, document: Document, settings: Settings, *, report: Report, window: QWidget) -> None:
        super().__init__(window)
        self._document = document
        self._report = report
        self._dialogs = FileDialogs(settings, report, window=window)
        self._where = ""
        self._ticket = document.ticket()  # for which data the graph is read
        self._reading = LatestJob(self)
        self._reading.answered.connect(self._on_read)
        self._reading.failed.connect(lambda error: report(error, self._where))

    @property
    def is_busy(self) -> bool:
        return self._reading.is_busy

    def stop(self) -> None:
        """End what runs in the background."""
        self._reading.stop()

    # Graphs ---------------------------------------------------------------------------------------

    def ask_import(self) -> QFileDialog:
        """Let the person choose a graph file."""
        filters = read_filters()
        return self._dialogs.ask_open(
            "Import a graph", list(filters), take=lambda path, text: self.import_graph(path, filters[text])
        )

    def import_graph(self, path: Path, format: str | None = None) -> None:
        """Read a graph file; with data, its nodes must be variables of the data."""
        self._where = f"Importing {path.name}"
        if not is_there(path):
            self._report(FileNotFoundError(2, "No such file", str(path)), self._where)
        elif has_folder(path):
            self._report(IsADirectoryError(21, "Is a folder", str(path)), self._where)
        else:
            data = self._document.dataset
            names = None if data is None else data.names
            self._ticket = self._document.ticket()
            self._reading.ask(lambda _control: (open_graph(path, nodes=names, format=format), path))

    def _on_read(self, answer: tuple[OpenedGraph, Path]) -> None:
        content, path = answer
        if self._document.is_valid(self._ticket):
            self.graph_read.emit(content, path)
            for note in content.notes:
                self._report(f"{path.name}: {note}", self._where)

    def ask_export(self) -> QFileDialog | None:
        """Let the person choose where to write the graph, and in which format."""
        if self._document.pag is None:
            self._report("There is no graph to export yet; learn, import or draw one first.", "Exporting the graph")
            return None
        filters = write_filters()
        return self._dialogs.ask_save(
            "Export the graph",
            list(filters),
            name=self._proposed("PAG"),
            take=lambda path, text: self.export_graph(path, filters[text]),
        )

    def export_graph(self, path: Path, format: str | None = None) -> None:
        """Write the PAG; names that had to change are said."""
        graph = self._document.pag
        if graph is not None:
            self._dialogs.write(path, lambda: write_graph(graph, path, format=format))

    # Pictures -------------------------------------------------------------------------------------

    def ask_picture(self, scene: GraphScene) -> QDialog:
        """Let the person choose the scale, then the file."""
        take = self.export_picture
        return self._dialogs.ask_picture(self._proposed("PAG"), lambda path, scale: take(scene, path, scale))

    def export_picture(self, scene: GraphScene, path: Path, scale: float) -> None:
        """Write the drawing with its legend."""
        self._dialogs.write(path, lambda: export_picture(scene, path, scale=scale))

    def _proposed(self, what: str) -> str:
        return propose_name(self._document.name, what)
