"""Graph files, knowledge files and pictures of the PAG page: the dialogs, and the reading and writing behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from latconf_core.errors import LatconfError
from latconf_core.formats.graphs.registry import graph_formats, write_graph
from latconf_core.formats.knowledge_file import read_knowledge, write_knowledge
from latconf_core.formats.projects.opening import OpenedGraph, open_graph
from latconf_core.pag.knowledge import Knowledge
from latconf_gui.application.document import Document
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.background.runs import Report
from latconf_gui.drawing.picture_export import export_picture
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.widgets.file_dialogs import ask_picture, ask_where_to_save, format_filter, make_file_dialog

ANY_FORMAT = "Graph files"
KNOWLEDGE_FILES = ("Tetrad knowledge (*.txt)", "Knowledge table (*.csv)")


def read_filters() -> dict[str, str | None]:
    """The choices of the import dialog: text → name of a format, None for any."""
    patterns = sorted({f"*{extension}" for one in graph_formats() for extension in one.extensions})
    filters: dict[str, str | None] = {f"{ANY_FORMAT} ({' '.join(patterns)})": None}
    return filters | {format_filter(one): one.name for one in graph_formats() if one.can_read}


def write_filters() -> dict[str, str]:
    """The choices of the export dialog: text → name of a format."""
    return {format_filter(one): one.name for one in graph_formats() if one.can_write}


class PagFiles(QObject):
    """Reads and writes for the PAG page; a failure is reported and changes nothing.

    `graph_read` carries the opened graph and the file; reading runs in the background.
    """

    graph_read = Signal(object, object)
    knowledge_read = Signal(object, object)

    def __init__(self, document: Document, report: Report, *, window: QWidget) -> None:
        super().__init__(window)
        self._document = document
        self._report = report
        self._window = window
        self.folder: Callable[[], str] = lambda: str(Path.home())
        self._where = ""
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
        dialog = make_file_dialog(self._window, "Import a graph", self.folder(), list(filters))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.import_graph(Path(path), filters[dialog.selectedNameFilter()]))
        dialog.open()
        return dialog

    def import_graph(self, path: Path, format: str | None = None) -> None:
        """Read a graph file; with data, its nodes must be variables of the data."""
        self._where = f"Importing {path.name}"
        if not path.exists():
            self._report(FileNotFoundError(2, "No such file", str(path)), self._where)
        elif path.is_dir():
            self._report(IsADirectoryError(21, "Is a folder", str(path)), self._where)
        else:
            data = self._document.dataset
            names = None if data is None else data.names
            self._reading.ask(lambda _control: (open_graph(path, nodes=names, format=format), path))

    def _on_read(self, answer: tuple[OpenedGraph | Knowledge, Path]) -> None:
        content, path = answer
        if isinstance(content, OpenedGraph):
            self.graph_read.emit(content, path)
            for note in content.notes:
                self._report(f"{path.name}: {note}", self._where)
        else:
            self.knowledge_read.emit(content, path)

    def ask_export(self) -> QFileDialog | None:
        """Let the person choose where to write the graph, and in which format."""
        if self._document.pag is None:
            self._report("There is no graph to export yet; learn, import or draw one first.", "Exporting the graph")
            return None
        filters = write_filters()
        return self._ask("Export the graph", list(filters), lambda path, text: self.export_graph(path, filters[text]))

    def export_graph(self, path: Path, format: str | None = None) -> None:
        """Write the PAG; names that had to change are said."""
        graph = self._document.pag
        if graph is None:
            return
        try:
            changed = write_graph(graph, path, format=format)
        except (LatconfError, OSError) as error:
            self._report(error, f"Exporting {path.name}")
            return
        if changed:
            pairs = ", ".join(f"{real!r} as {written!r}" for written, real in changed.items())
            self._report(f"This format cannot hold every name; written are {pairs}.", f"Exporting {path.name}")

    # Knowledge ------------------------------------------------------------------------------------

    def ask_import_knowledge(self) -> QFileDialog:
        """Let the person choose a knowledge file."""
        dialog = make_file_dialog(self._window, "Import background knowledge", self.folder(), KNOWLEDGE_FILES)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.import_knowledge(Path(path)))
        dialog.open()
        return dialog

    def import_knowledge(self, path: Path) -> None:
        """Read a knowledge file; every variable in it must exist."""
        self._where = f"Importing {path.name}"
        data, graph = self._document.dataset, self._document.pag
        names = data.names if data is not None else graph.nodes if graph is not None else ()

        def read(_control: object) -> tuple[Knowledge, Path]:
            knowledge = read_knowledge(path)
            knowledge.check_names(names)
            return knowledge, path

        self._reading.ask(read)

    def ask_export_knowledge(self) -> QFileDialog:
        """Let the person choose where to write the knowledge."""
        return self._ask("Export background knowledge", KNOWLEDGE_FILES, lambda path, _: self.export_knowledge(path))

    def export_knowledge(self, path: Path) -> None:
        """Write the knowledge as Tetrad does, or as our table."""
        try:
            write_knowledge(self._document.knowledge, path)
        except (LatconfError, OSError) as error:
            self._report(error, f"Exporting {path.name}")

    # Pictures -------------------------------------------------------------------------------------

    def ask_picture(self, scene: GraphScene) -> QDialog:
        """Let the person choose the scale, then the file."""
        return ask_picture(self._window, self.folder, lambda path, scale: self.export_picture(scene, path, scale))

    def export_picture(self, scene: GraphScene, path: Path, scale: float) -> None:
        """Write the drawing with its legend."""
        try:
            export_picture(scene, path, scale=scale)
        except (LatconfError, OSError) as error:
            self._report(error, f"Exporting {path.name}")

    def _ask(self, title: str, filters: Sequence[str], take: Callable[[Path, str], object]) -> QFileDialog:
        return ask_where_to_save(self._window, title, self.folder(), filters, take=take)
