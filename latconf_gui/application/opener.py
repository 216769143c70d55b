"""Opens files and examples, and prepares the data again after a change, all in the background."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_changes
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QUrl, Signal

from latconf_core.control import RunControl
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.table_formats.registry import table_suffixes
from latconf_core.files import has_folder, is_there
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.measured_examples import is_measured, measured_example
from latconf_core.formats.projects.opening import Change, OpenedGraph, change_preparation, open_example, open_file
from latconf_core.formats.projects.project_state import OpenedProject, ProjectState, open_project
from latconf_core.phrases import counted
from latconf_gui.application.document import Document
from latconf_gui.application.document_file import FileStamp, read_stamp
from latconf_gui.application.path_request import PathRequest
from latconf_gui.application.recent_files import RecentFiles
from latconf_gui.application.settings import Settings
from latconf_gui.background.run_thread import RunThread
from latconf_gui.background.runs import Report, Runs

PROJECT_SUFFIX = "latconf"
NO_GRAPHS = (
    ".tsv",
    ".arff",
    ".xlsx",
    ".parquet",
    f".{PROJECT_SUFFIX}",
)  # tables and projects
GRAPH_SUFFIXES = ("txt", "csv", "json", "dot", "gv", "graphml", "dagitty", "tetrad")


def file_filter() -> str:
    """The kinds of files that can be opened, as a file dialog wants them."""
    tables = [suffix.removeprefix(".") for suffix in table_suffixes()]
    everything = dict.fromkeys((PROJECT_SUFFIX, *tables, *GRAPH_SUFFIXES))
    return (
        f"All supported files ({' '.join(f'*.{each}' for each in everything)});;Projects "
        f"(*.{PROJECT_SUFFIX});;Tables ({' '.join(f'*.{each}' for each in tables)});;Graphs "
        f"({' '.join(f'*.{each}' for each in GRAPH_SUFFIXES)});;All files (*)"
    )


class BeforeReplacing(Protocol):
    """Asks what is to become of work that is not saved, before another document takes its place."""

    def __call__(self, then: Callable[[], object], *, before: str, otherwise: Callable[[], object]) -> None: ...


def _ask_nothing(then: Callable[[], object], *, before: str, otherwise: Callable[[], object]) -> None:
    then()


@dataclass(frozen=True, eq=False)
class _StampedProject:
    """A project that was read, and what its file looked like."""

    project: OpenedProject
    stamp: FileStamp


class Opener(QObject):
    """Changes the document only when the new data is ready; a failure leaves everything as it was.

    `begun` when something is being opened; then one of `opened`, `graph_opened`, `project_opened(path)` and
    `given_up`.
    """

    begun = Signal()
    opened = Signal()
    graph_opened = Signal()
    project_opened = Signal(object)
    given_up = Signal()
    closed = Signal()
    prepared = Signal()
    path_asked = Signal(object)  # a PathRequest

    def __init__(
        self, document: Document, settings: Settings, runs: Runs, *, report: Report, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self.recent = RecentFiles(settings, parent=self)
        self._runs = runs
        self._report = report
        self._running: RunThread | None = None
        self._changes: deque[tuple[Change, str]] = deque()
        self.before_replacing: BeforeReplacing = _ask_nothing

    def ask(self) -> None:
        """Let the person choose a file."""
        recent = self.recent.paths
        folder = str(recent[0].parent if recent else Path.home())
        self.path_asked.emit(PathRequest("Open", folder, file_filter(), self.open_path))

    def open_dropped(self, urls: Sequence[QUrl]) -> None:
        """Open what was dropped on the window."""
        paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        if paths:
            self.open_path(paths[0])
        if len(paths) > 1:
            self._report(f"{len(paths)} files were dropped; only {paths[0].name} is opened.", "Drop")

    def open_path(self, path: Path, options: ReadOptions | None = None) -> None:
        """Read a file in the background and then show it; `options` None detects how.

        The same file read in another way keeps the choices made about its columns, where they still fit.
        """
        if self._is_held(f"Opening {path.name}"):
            return
        path = Path(os.path.abspath(path))
        before, ticket = self._document.state, self._document.ticket()

        def start(control: RunControl) -> Iterator[object]:
            if not is_there(path):
                raise FileNotFoundError(2, "No such file", str(path))
            if has_folder(path):
                raise IsADirectoryError(21, "Is a folder", str(path))
            if path.suffix.lower() == f".{PROJECT_SUFFIX}":
                yield from _read_project(path, control, post=thread.post)
            else:
                yield from open_file(path, options, control, post=thread.post, before=before)

        def show(opened: object) -> None:
            if isinstance(opened, OpenedGraph):
                self._take_graph(opened, path, is_valid=self._document.is_valid(ticket))
            elif isinstance(opened, ProjectState) and options is not None and before.source == path:
                self._read_again(opened, path, is_valid=self._document.is_valid(ticket))
            elif isinstance(opened, ProjectState | _StampedProject):
                self._replace(opened, path)

        thread = RunThread(start)
        self._open(thread, f"Opening {path.name}", show=show)

    def _take_graph(self, opened: OpenedGraph, path: Path, *, is_valid: bool) -> None:
        """A graph becomes the PAG of the data it was read for."""
        text = f"Open {path.name}"
        if is_valid and self._document.set_pag(opened.graph, text, origin=path.name, positions=opened.positions):
            self.recent.remember(path)
            self._report_notes(opened.notes, path)
            self.graph_opened.emit()
        else:
            self.given_up.emit()

    def _read_again(self, state: ProjectState, path: Path, *, is_valid: bool) -> None:
        """The same table read in another way: a change of this document, not another one."""
        if is_valid and self._document.change(state, f"Reread {path.name}"):
            self.opened.emit()
        else:
            self.given_up.emit()

    def _replace(self, opened: ProjectState | _StampedProject, path: Path) -> None:
        """Another document, when what was there is saved or given up."""

        def replace() -> None:
            text = f"Open {path.name}"
            if isinstance(opened, ProjectState):
                is_done = self._document.open_state(opened, text, is_saved=True)
            else:
                state, stamp = opened.project.state, opened.stamp
                is_done = self._document.open_state(state, text, path=path, stamp=stamp, is_saved=True)
            if not is_done:
                self.given_up.emit()
                return
            self.recent.remember(path)
            if isinstance(opened, ProjectState):
                self.opened.emit()
            else:
                self._report_notes(opened.project.notes, path)
                self.project_opened.emit(path)

        self.before_replacing(replace, before=f"opening {path.name}", otherwise=self.given_up.emit)

    def _report_notes(self, notes: Sequence[str], path: Path) -> None:
        """Say what the file holds and was left out."""
        for note in notes:
            self._report(f"{path.name}: {note}", f"Opening {path.name}")

    def open_example(self, choice: ExampleChoice) -> None:
        """Draw an example's rows, or read a measured table, in the background and then show them."""
        doing = f"Drawing {counted(choice.n_rows, 'row')} of {choice.name}"
        if is_measured(choice.name):
            doing = f"Opening {measured_example(choice.name).title}"
        self._open_rows(lambda control: open_example(choice, control), doing=doing, called="the example ")

    def open_lesson_rows(self, draw: Callable[[RunControl], Iterator[object]], *, doing: str) -> None:
        """Draw rows of a graph of the Lessons page in the background; what was done there goes along.

        draw : ends with a ProjectState, as `draw_example`
        """
        self._open_rows(draw, doing=doing, keeps_learning=True)

    def _open_rows(
        self,
        draw: Callable[[RunControl], Iterator[object]],
        *,
        doing: str,
        called: str = "",
        keeps_learning: bool = False,
    ) -> None:
        if self._is_held("Opening an example" if called else doing):
            return

        def show(opened: object) -> None:
            assert isinstance(opened, ProjectState)

            def replace() -> None:
                state = with_changes(opened, learn=self._document.learn) if keeps_learning else opened
                is_saved = not state.learn
                is_done = self._document.open_state(state, f"Open {called}{opened.name}", is_saved=is_saved)
                (self.opened if is_done else self.given_up).emit()

            now = self._document.state
            if keeps_learning and now.raw is None and not now.pags and not now.runs:
                replace()  # nothing is lost
            else:
                self.before_replacing(replace, before=f"opening {opened.name}", otherwise=self.given_up.emit)

        self._open(RunThread(draw), doing, show=show)

    def close_document(self, text: str) -> None:
        """An empty document in place of this one."""
        if self._is_held(text):
            return
        self.give_up()

        def replace() -> None:
            if self._document.open_state(ProjectState(), text, is_saved=True):
                self.begun.emit()
                self.closed.emit()

        self.before_replacing(replace, before="closing it", otherwise=self.given_up.emit)

    def give_up(self) -> None:
        """End what is being opened or prepared; the document stays as it is."""
        self._changes.clear()
        if self._running is not None:
            self._running.cancel()

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
            self.given_up.emit()
        return bool(self._document.held_reason)

    def _prepare_next(self) -> None:
        if self._running is not None or not self._changes:
            return
        change, text = self._changes.popleft()
        before = self._document.state

        def show(after: object) -> None:
            assert isinstance(after, ProjectState)
            if self._document.state is before:
                if self._document.set_preparation(after, text):
                    self.prepared.emit()
            elif self._document.raw is before.raw:  # undone or redone meanwhile: do it to what is there now
                self._changes.appendleft((change, text))

        self._run(RunThread(lambda control: change_preparation(before, change, control)), text, show=show)

    def _open(self, thread: RunThread, text: str, *, show: Callable[[object], None]) -> None:
        """Open something else: what was still being opened or changed is given up."""
        self.give_up()
        self.begun.emit()
        shown: list[object] = []

        def show_once(opened: object) -> None:
            shown.append(opened)
            show(opened)

        def on_ended() -> None:
            if not shown and self._running is thread:  # else something else is being opened in its place
                self.given_up.emit()

        thread.ended.connect(on_ended)
        self._run(thread, text, show=show_once)

    def _run(self, thread: RunThread, text: str, *, show: Callable[[object], None]) -> None:
        self._running = thread
        wanted = (ProjectState, OpenedGraph, _StampedProject)

        def on_events(events: list[object]) -> None:
            results = [event for event in events if isinstance(event, wanted)]
            if results and not thread.is_cancelled:
                show(results[-1])

        def on_ended() -> None:
            if self._running is thread:
                self._running = None
                self._prepare_next()

        thread.events.connect(on_events)
        thread.ended.connect(on_ended)
        self._runs.start(thread, text)


def _read_project(path: Path, control: RunControl, *, post: Callable[[object], None]) -> Iterator[object]:
    """Read a project; the stamp comes first, so that a file replaced meanwhile counts as changed."""
    stamp = read_stamp(path)
    for event in open_project(path, control, post=post):
        yield _StampedProject(event, stamp) if isinstance(event, OpenedProject) else event
