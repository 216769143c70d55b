"""Opens files and examples, and prepares the data again after a change, all in the background."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from latconf_core.control import RunControl
from latconf_core.data.reading.read_options import ReadOptions
from latconf_core.data.reading.table_formats.registry import table_suffixes
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.projects.opening import Change, OpenedGraph, change_preparation, draw_example, open_file
from latconf_core.formats.projects.project_state import OpenedProject, ProjectState, open_project
from latconf_gui.application.document import Document
from latconf_gui.application.settings import Settings
from latconf_gui.background.run_thread import RunThread
from latconf_gui.background.runs import Report, Runs

PROJECT_SUFFIX = "latconf"
GRAPH_SUFFIXES = ("txt", "csv", "json", "dot", "gv", "graphml", "dagitty", "tetrad")


def file_filter() -> str:
    """The kinds of files that can be opened, as a file dialog wants them."""
    tables = [suffix.removeprefix(".") for suffix in table_suffixes()]
    everything = dict.fromkeys((PROJECT_SUFFIX, *tables, *GRAPH_SUFFIXES))
    return (
        f"All that latconf opens ({' '.join(f'*.{each}' for each in everything)});;"
        f"Projects (*.{PROJECT_SUFFIX});;"
        f"Tables ({' '.join(f'*.{each}' for each in tables)});;"
        f"Graphs ({' '.join(f'*.{each}' for each in GRAPH_SUFFIXES)});;All files (*)"
    )


class Opener(QObject):
    """Changes the document only when the new data is ready; a failure leaves everything as it was."""

    opened = Signal()
    graph_opened = Signal()
    project_opened = Signal(object)
    prepared = Signal()

    def __init__(
        self, document: Document, settings: Settings, runs: Runs, *, report: Report, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._settings = settings
        self._runs = runs
        self._report = report
        self._running: RunThread | None = None
        self._changes: deque[tuple[Change, str]] = deque()

    def ask(self, parent: QWidget) -> None:
        """Let the user choose a file."""
        dialog = QFileDialog(parent, "Open", self._folder(), file_filter())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda chosen: self.open_path(Path(chosen)))
        dialog.open()

    def _folder(self) -> str:
        recent = self._settings.recent_files
        return str(recent[0].parent) if recent else str(Path.home())

    def open_dropped(self, urls: Sequence[QUrl]) -> None:
        """Open what was dropped on the window."""
        paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        if len(paths) > 1:
            self._report(f"{len(paths)} files were dropped; only {paths[0].name} is opened.", "Drop")
        if paths:
            self.open_path(paths[0])

    def open_path(self, path: Path, options: ReadOptions | None = None) -> None:
        """Read a file in the background and then show it; `options` None detects how.

        The same file read in another way keeps the choices made about its columns, where they still fit.
        """
        if not path.exists():
            self._report(FileNotFoundError(2, "No such file", str(path)), f"Opening {path.name}")
            return
        if path.is_dir():
            self._report(IsADirectoryError(21, "Is a folder", str(path)), f"Opening {path.name}")
            return

        if self._is_held(f"Opening {path.name}"):
            return
        before = self._document.state

        def start(control: RunControl) -> Iterator[object]:
            if path.suffix.lower() == f".{PROJECT_SUFFIX}":
                return open_project(path, control, post=thread.post)
            return open_file(path, options, control, post=thread.post, before=before)

        def show(opened: object) -> None:
            self._settings.remember_file(path)
            if isinstance(opened, ProjectState):
                self._document.open_state(opened, f"Open {path.name}")
                self.opened.emit()
            elif isinstance(opened, OpenedProject):
                self._document.open_state(opened.state, f"Open {path.name}")
                self._report_notes(opened.notes, path)
                self.project_opened.emit(path)
            elif isinstance(opened, OpenedGraph):
                text = f"Open {path.name}"
                self._document.set_pag(opened.graph, text, origin=path.name, positions=opened.positions)
                self._report_notes(opened.notes, path)
                self.graph_opened.emit()

        thread = RunThread(start)
        self._open(thread, f"Opening {path.name}", show=show)

    def _report_notes(self, notes: Sequence[str], path: Path) -> None:
        """Say what the file holds and was left out."""
        for note in notes:
            self._report(f"{path.name}: {note}", f"Opening {path.name}")

    def open_example(self, choice: ExampleChoice) -> None:
        """Draw an example's rows in the background and then show them."""
        if self._is_held("Opening an example"):
            return

        def show(opened: object) -> None:
            assert isinstance(opened, ProjectState)
            self._document.open_state(opened, f"Open the example {opened.name}")
            self.opened.emit()

        thread = RunThread(lambda control: draw_example(choice, control))
        self._open(thread, f"Drawing {choice.n_rows:,} rows of {choice.name}", show=show)

    def prepare(self, change: Change, text: str) -> None:
        """Change how the document's table is prepared; `text` names the change in the undo list.

        Changes made while an earlier one is still being worked on wait for it.
        """
        if self._document.raw is not None and not self._is_held(text):
            self._changes.append((change, text))
            self._prepare_next()

    def _is_held(self, where: str) -> bool:
        """Whether the data cannot be changed now, which is then said."""
        if self._document.held_reason:
            self._report(self._document.held_reason, where)
        return bool(self._document.held_reason)

    def _prepare_next(self) -> None:
        if self._running is not None or not self._changes:
            return
        change, text = self._changes.popleft()
        before = self._document.state

        def show(after: object) -> None:
            assert isinstance(after, ProjectState)
            if self._document.state is before:
                self._document.set_preparation(after, text)
                self.prepared.emit()
            else:  # undone or redone meanwhile: do it to what is there now
                self._changes.appendleft((change, text))

        self._run(RunThread(lambda control: change_preparation(before, change, control)), text, show=show)

    def _open(self, thread: RunThread, text: str, *, show: Callable[[object], None]) -> None:
        """Open something else: what was still being opened or changed is given up."""
        self._changes.clear()
        if self._running is not None:
            self._running.cancel()
        self._run(thread, text, show=show)

    def _run(self, thread: RunThread, text: str, *, show: Callable[[object], None]) -> None:
        self._running = thread

        def on_events(events: list[object]) -> None:
            results = [event for event in events if isinstance(event, ProjectState | OpenedGraph | OpenedProject)]
            if results and not thread.is_cancelled:
                show(results[-1])

        def on_ended() -> None:
            if self._running is thread:
                self._running = None
                self._prepare_next()

        thread.events.connect(on_events)
        thread.ended.connect(on_ended)
        self._runs.start(thread, text)
