"""Writes work that is not saved to a recovery file soon after each change, for the case that the program is killed."""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from latconf_core.control import RunControl
from latconf_core.errors import FileFormatError
from latconf_core.files import write_text_atomically
from latconf_core.formats.projects.project_state import ProjectState
from latconf_gui.application.document import Document
from latconf_gui.application.document_file import Snapshot
from latconf_gui.application.project_lock import ProjectLock, make_lock
from latconf_gui.application.recovery_file import SUFFIX, path_beside, write_recovery
from latconf_gui.background.run_thread import RunThread

AFTER_MILLISECONDS = 2000  # from a change to its writing, so that a row of changes is written once
REST_FACTOR = 5  # a large table takes long to write: rest that many times as long before the next
_log = logging.getLogger(__name__)


class AutoSave(QObject):
    """Follows the document from `start` to `close`; `written(path)` when a state is in a recovery file, or `failed`.

    In the folder stands, for each window, a list of the recovery files it has written, and a lock that ends with the
    window's process: a list without its process is that of a window that was killed.
    """

    written = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        document: Document,
        lock: ProjectLock,
        *,
        log: Callable[[], str],
        after: int = AFTER_MILLISECONDS,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._lock = lock
        self._log = log
        self._folder: Path | None = None
        self._own_lock: QLockFile | None = None
        self._list = Path()
        self._files: set[Path] = set()  # that this window has written
        self._adopted: list[Callable[[], object]] = []  # what removes the traces of windows whose work is here now
        self._thread: RunThread | None = None
        self._done: list[Path] = []  # what the thread has written
        self._kept: ProjectState | None = None  # what the recovery file holds
        self._tried: ProjectState | None = None  # what was written last, or could not be
        self.after = after
        self._clock = clock
        self._seconds = 0.0  # that writing took the last time
        self._after_thread: Callable[[], object] | None = None
        self._is_suspended = False
        self._is_leaving = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._write)

    def start(self, folder: Path) -> None:
        """From now on nothing of the work is lost but the last seconds."""
        name = secrets.token_hex(8)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            _log.warning("there is no folder for recovery files: %s", error)
            return
        self._folder = folder
        self._list = folder / f"{name}.json"
        self._own_lock = make_lock(folder / f"{name}.lock")
        self._own_lock.tryLock(0)
        self._document.file_changed.connect(self._on_changed)
        self._on_changed()

    def adopt(self, path: Path, remove_traces: Callable[[], object]) -> None:
        """A recovery file of another window whose work is this document's now; it goes when there is a newer one."""
        self._files.add(path)
        self._adopted.append(remove_traces)

    def suspend(self, then: Callable[[], object]) -> None:
        """Do `then`, a save, when nothing is being written; what is on the disk is then as new as it says."""
        self._is_suspended = True
        self._timer.stop()
        if self._thread is None:
            then()
        else:
            self._after_thread = then
            self._thread.cancel()

    def resume(self) -> None:
        """Follow the document again; what was written before the save would pass for older than the project."""
        self._is_suspended = False
        self._tried = None
        self._on_changed()

    def leave(self, then: Callable[[], object]) -> None:
        """Keep the newest state for the next start, and do `then`; the window may close with work that is not saved."""
        self._is_leaving = True
        if self._folder is None or not self._document.is_modified or self._is_kept():
            then()
            return
        self._after_thread = then
        self._timer.stop()
        if self._thread is None:
            self._write()

    def _is_kept(self) -> bool:
        return self._thread is None and self._document.state is self._kept

    def close(self) -> None:
        """Nothing is left to recover, unless the window was told to leave: it closes as it should."""
        if self._folder is None:
            return
        self._document.file_changed.disconnect(self._on_changed)
        self._folder = None
        self._timer.stop()
        if self._thread is not None:
            self._thread.stop()
            self._files |= set(self._done)
        if not (self._is_leaving and self._document.is_modified):
            self._remove_all()
        if self._own_lock is not None:
            self._own_lock.unlock()

    def _on_changed(self) -> None:
        if self._folder is None or self._is_suspended:
            return
        if not self._document.is_modified:
            self._timer.stop()
            if self._thread is None:
                self._remove_all()
            else:
                self._thread.cancel()
        elif self._document.state is not self._tried and not self._timer.isActive() and self._thread is None:
            self._timer.start(max(self.after, round(1000 * REST_FACTOR * self._seconds)))

    def _remove_all(self) -> None:
        self._remove(set())
        self._list.unlink(missing_ok=True)

    def _remove(self, but: set[Path]) -> None:
        for path in self._files - but:
            path.unlink(missing_ok=True)
        self._files &= but
        for remove_traces in self._adopted:
            remove_traces()
        self._adopted.clear()
        if not but:
            self._kept = self._tried = None

    def _write(self) -> None:
        snapshot, log, places = self._document.snapshot, self._log(), self._places()
        written = replace(snapshot, state=self._document.with_opened_visits(snapshot.state))
        files, done, began = frozenset(self._files), self._done, self._clock()
        done.clear()
        self._tried = snapshot.state

        def start(control: RunControl) -> Iterator[object]:
            write_text_atomically(self._list, json.dumps([str(path) for path in files.union(places)]))
            done.append(_write_to_first(places, written, control, own=files, log=log))
            yield done[-1]

        thread = RunThread(start, parent=self)
        thread.failed.connect(self.failed)
        thread.ended.connect(lambda: self._on_ended(snapshot, self._clock() - began))
        self._thread = thread
        thread.start()

    def _places(self) -> list[Path]:
        """Where to write, best first: beside a project that is this window's own, or in the user's folder."""
        beside = self._list.with_suffix(SUFFIX)
        path = self._document.path
        return [path_beside(path), beside] if path is not None and self._lock.is_held else [beside]

    def _on_ended(self, snapshot: Snapshot, seconds: float) -> None:
        if self._thread is None or self._folder is None:
            return
        if self._thread.is_cancelled:
            self._tried = None
        self._thread.discard()
        self._thread = None
        if self._done:
            path = self._done[-1]
            self._kept, self._seconds = snapshot.state, seconds
            self._files.add(path)
            self._remove({path})
            self.written.emit(path)
        if self._is_leaving and self._document.state is not self._tried:  # it changed while that was written
            self._write()
            return
        then, self._after_thread = self._after_thread, None
        if then is not None:
            then()
        self._on_changed()


def _write_to_first(
    places: list[Path], snapshot: Snapshot, control: RunControl, *, own: frozenset[Path], log: str
) -> Path:
    """Write to the first place that can be written and holds nothing of another window's; which one it was."""
    for path in places[:-1]:
        if path not in own and path.exists():
            continue
        try:
            write_recovery(snapshot, path, control, log=log)
        except FileFormatError as error:
            _log.warning("the recovery file is written elsewhere: %s", error)
        else:
            return path
    write_recovery(snapshot, places[-1], control, log=log)
    return places[-1]
