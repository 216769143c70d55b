"""Saves the document as a project: in the background, and never over what somebody else has written there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from latconf_core.control import RunControl
from latconf_core.formats.projects.project_state import save_state
from latconf_gui.application.document import Document
from latconf_gui.application.document_file import FileStamp, Snapshot, is_changed, read_stamp
from latconf_gui.application.path_request import PathRequest
from latconf_gui.application.recent_files import RecentFiles
from latconf_gui.background.run_thread import RunThread
from latconf_gui.background.runs import Report, Runs

SUFFIX = ".latconf"
FILTER = f"latconf projects (*{SUFFIX})"
NOTHING = "There is nothing to save yet; open a file or an example first."
BUSY = "The project is already being saved; wait until it finishes."
Act = Callable[[], object]


def _do_nothing() -> None:
    """Where nobody waits for the save."""


def _at_once(act: Act) -> None:
    act()


@dataclass(frozen=True)
class _Written:
    """A save that has reached the disk."""

    path: Path
    stamp: FileStamp


@dataclass(frozen=True)
class ChangedOnDisk:
    """A save that was not begun, because the file is no longer the one that was opened or saved here.

    overwrite : write all the same
    save_elsewhere : ask for another file
    cancel : leave it
    """

    path: Path
    overwrite: Act
    save_elsewhere: Act
    cancel: Act


class ProjectFiles(QObject):
    """Writes the document to its project. `saved(path)` when it is on the disk; `ended` when a save is over."""

    saved = Signal(object)
    ended = Signal()
    path_asked = Signal(object)  # a PathRequest
    overwrite_asked = Signal(object)  # a ChangedOnDisk

    def __init__(
        self,
        document: Document,
        recent: RecentFiles,
        runs: Runs,
        *,
        report: Report,
        log: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._recent = recent
        self._runs = runs
        self._report = report
        self._log = log
        self._saving: RunThread | None = None
        self.before_saving: Callable[[Act], None] = _at_once

    @property
    def is_saving(self) -> bool:
        return self._saving is not None

    def save(self, then: Act = _do_nothing, *, otherwise: Act = _do_nothing) -> None:
        """Save to the file it came from, or ask for one; `then` runs when all is on the disk, or else `otherwise`."""
        if self._document.path is None:
            self.ask_path(then, otherwise=otherwise)
        else:
            self.save_to(self._document.path, then, otherwise=otherwise)

    def ask_path(self, then: Act = _do_nothing, *, otherwise: Act = _do_nothing) -> None:
        """Let the person choose a file to save to."""
        if not self._document.has_content:
            self._report(NOTHING, "Saving")
            otherwise()
            return

        def take(path: Path) -> None:  # the dialog has asked before it gives a file that is there
            self.save_to(path, then, otherwise=otherwise, may_overwrite=True)

        title = "Save the project"
        self.path_asked.emit(PathRequest(title, self._proposal(), FILTER, take, suffix=SUFFIX, give_up=otherwise))

    def _proposal(self) -> str:
        former_path = self._document.path or self._document.file.former_path
        if former_path is not None:
            return str(former_path)
        recent = self._recent.paths
        folder = recent[0].parent if recent else Path.home()
        return str(folder / f"{Path(self._document.name).stem or 'project'}{SUFFIX}")

    def save_to(
        self, path: Path, then: Act = _do_nothing, *, otherwise: Act = _do_nothing, may_overwrite: bool = False
    ) -> None:
        """Write the document as it is now to a file, in the background."""
        problem = BUSY if self.is_saving else NOTHING if not self._document.has_content else ""
        if problem:
            self._report(problem, f"Saving {path.name}")
            otherwise()
            return
        path = Path(os.path.abspath(path))
        snapshot, log = self._document.snapshot, self._log()
        state = self._document.with_opened_visits(snapshot.state)

        def start(control: RunControl) -> Iterator[object]:
            if not may_overwrite and snapshot.file.path == path and is_changed(path, snapshot.file.stamp):
                yield ChangedOnDisk(path, overwrite, lambda: self.ask_path(then, otherwise=otherwise), otherwise)
                return
            yield from save_state(state, path, control, post=thread.post, log=log)
            yield _Written(path, read_stamp(path))

        def overwrite() -> None:
            self.save_to(path, then, otherwise=otherwise, may_overwrite=True)

        thread = RunThread(start)
        self._follow(thread, snapshot, then, otherwise)
        self.before_saving(lambda: self._runs.start(thread, f"Saving {path.name}"))

    def _follow(self, thread: RunThread, snapshot: Snapshot, then: Act, otherwise: Act) -> None:
        outcome: list[object] = []
        wanted = (_Written, ChangedOnDisk)
        thread.events.connect(lambda events: outcome.extend(event for event in events if isinstance(event, wanted)))
        thread.ended.connect(lambda: self._on_ended(snapshot, outcome, then, otherwise))
        self._saving = thread

    def _on_ended(self, snapshot: Snapshot, outcome: list[object], then: Act, otherwise: Act) -> None:
        self._saving = None
        match outcome:
            case [_Written(path, stamp)]:
                self._document.mark_saved(snapshot, path, stamp)
                self._recent.remember(path)
                self.saved.emit(path)
                QTimer.singleShot(0, self, then)
            case [ChangedOnDisk() as question]:
                self.overwrite_asked.emit(question)
            case _:  # failed, which the runs report, or cancelled
                QTimer.singleShot(0, self, otherwise)
        self.ended.emit()
