"""Offers back what a window that was killed had not saved."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Signal

from latconf_core.control import RunControl
from latconf_core.errors import LatconfError
from latconf_core.files import has_file, is_there, remove_leftovers
from latconf_core.json_form import UNREADABLE
from latconf_gui.application.autosave import AutoSave
from latconf_gui.application.document import Document
from latconf_gui.application.opener import BeforeReplacing
from latconf_gui.application.project_lock import make_lock
from latconf_gui.application.recovery_file import Recovery, is_newer, path_beside, read_recovery
from latconf_gui.background.run_thread import RunThread

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Offer:
    """A recovery file that was found, and what may become of it."""

    recovery: Recovery
    restore: Callable[[], object]
    discard: Callable[[], object]
    decide_later: Callable[[], object]


@dataclass(frozen=True, eq=False)
class _Found:
    """The locks keep other windows from offering the same."""

    recovery: Recovery
    list_file: Path | None
    lock: QLockFile | None


class Recovering(QObject):
    """Looks for recovery files in the background: `offered(Offer)`, one at a time; `restored` when one was taken."""

    offered = Signal(object)
    restored = Signal()

    def __init__(self, document: Document, autosave: AutoSave, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._autosave = autosave
        self.before_replacing: BeforeReplacing | None = None
        self._waiting: list[_Found] = []
        self._is_offering = False
        self._threads: set[RunThread] = set()

    def look_in(self, folder: Path) -> None:
        """Offer what windows that were killed have left."""
        self._look(lambda control: _find_left(folder, control))

    def look_beside(self, project: Path) -> None:
        """Offer what was left beside a project that has just been opened, on this machine or another."""
        self._look(lambda control: _find_beside(project, control))

    @property
    def is_looking(self) -> bool:
        return bool(self._threads)

    def stop(self) -> None:
        """Look no further."""
        for thread in list(self._threads):
            thread.stop()

    def _look(self, start: Callable[[RunControl], Iterator[object]]) -> None:
        thread = RunThread(start, parent=self)
        thread.events.connect(self._on_found)
        thread.failed.connect(lambda error: _log.warning("a recovery file could not be read: %s", error))
        thread.ended.connect(lambda: self._threads.discard(thread))
        self._threads.add(thread)
        thread.start()

    def _on_found(self, events: list[object]) -> None:
        known = {left_over.recovery.path for left_over in self._waiting}
        self._waiting += [
            left_over for left_over in events if isinstance(left_over, _Found) and left_over.recovery.path not in known
        ]
        self._offer_next()

    def _offer_next(self) -> None:
        if not self._waiting or self._is_offering:
            return
        left_over = self._waiting.pop(0)
        if not is_there(left_over.recovery.path):
            self._offer_next()
            return
        self._is_offering = True
        self.offered.emit(
            Offer(
                left_over.recovery,
                self._then_next(lambda: self._restore(left_over)),
                self._then_next(lambda: self._discard(left_over)),
                self._then_next(lambda: _let_go(left_over)),
            )
        )

    def _then_next(self, act: Callable[[], object]) -> Callable[[], None]:
        def call() -> None:
            self._is_offering = False
            act()
            self._offer_next()

        return call

    def _restore(self, left_over: _Found) -> None:
        recovery = left_over.recovery

        def replace() -> None:
            path, stamp = recovery.project, recovery.stamp
            text = f"Restore {recovery.state.name}"
            if self._document.open_state(recovery.state, text, path=path, stamp=stamp):
                self._autosave.adopt(recovery.path, lambda: _remove_list(left_over))
                self.restored.emit()
            else:
                _let_go(left_over)

        if self.before_replacing is None:
            replace()
        else:
            what = f"restoring {recovery.state.name}"
            self.before_replacing(replace, before=what, otherwise=lambda: _let_go(left_over))

    def _discard(self, left_over: _Found) -> None:
        left_over.recovery.path.unlink(missing_ok=True)
        _remove_list(left_over)


def _remove_list(left_over: _Found) -> None:
    if left_over.list_file is not None:
        left_over.list_file.unlink(missing_ok=True)
    _let_go(left_over)


def _let_go(left_over: _Found) -> None:
    if left_over.lock is not None:
        left_over.lock.unlock()


def _find_beside(project: Path, control: RunControl) -> Iterator[object]:
    """The recovery file of a project that no other window has open."""
    remove_leftovers(project.parent)
    yield from _read_one(path_beside(project), None, None, control)


def _find_left(folder: Path, control: RunControl) -> Iterator[object]:
    """The recovery files of windows whose process has ended."""
    remove_leftovers(folder)
    windows = {path.with_suffix(".json") for pattern in ("*.json", "*.lock") for path in folder.glob(pattern)}
    for list_file in sorted(windows):
        control.checkpoint()
        lock = make_lock(list_file.with_suffix(".lock"))
        if not lock.tryLock(0):
            continue
        left: list[object] = []
        for path in _listed(list_file):
            left += _read_one(path, list_file, lock, control)
        if left:
            yield from left
        else:
            list_file.unlink(missing_ok=True)
            lock.unlock()


def _listed(list_file: Path) -> list[Path]:
    try:
        return [Path(path) for path in json.loads(list_file.read_text(encoding="utf-8"))]
    except (*UNREADABLE, OSError):
        return []


def _read_one(path: Path, list_file: Path | None, lock: QLockFile | None, control: RunControl) -> Iterator[object]:
    """What a recovery file holds, where it is newer than its project; one that is older is of no use any more."""
    from latconf_core.formats.projects.run_files import DAMAGED  # with all that reads runs: not when a window starts

    if not has_file(path):
        return
    try:
        recovery = read_recovery(path, control)
    except (*DAMAGED, OSError, LatconfError) as error:
        _log.warning("the recovery file %s cannot be read: %s", path, error)
        return
    if is_newer(recovery):
        yield _Found(recovery, list_file, lock)
    else:
        path.unlink(missing_ok=True)
