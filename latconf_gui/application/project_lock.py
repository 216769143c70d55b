"""Tells other windows that a project is open here, and this one that it is open elsewhere."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Signal

from latconf_gui.application.document import Document


def make_lock(path: Path) -> QLockFile:
    """A lock file with the process and the machine in it; it counts as long as that process lives."""
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # only the end of its process makes a lock stale, not its age
    return lock


class ProjectLock(QObject):
    """Holds the lock beside the project that is open; `taken_elsewhere(sentence)` where another window has it."""

    taken_elsewhere = Signal(str)

    def __init__(self, document: Document, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._path: Path | None = None
        self._lock: QLockFile | None = None

    def start(self) -> None:
        """Follow the document."""
        self._document.file_changed.connect(self._follow)
        self._follow()

    @property
    def is_held(self) -> bool:
        """Whether the project that is open is this window's own."""
        return self._lock is not None and self._path == self._document.path

    def _follow(self) -> None:
        path = self._document.path
        if path == self._path:
            return
        self.release()
        self._path = path
        if path is None:
            return
        lock = make_lock(path.with_name(f".{path.name}.lock"))
        if lock.tryLock(0):
            self._lock = lock
        elif lock.error() == QLockFile.LockError.LockFailedError:  # else the folder cannot be written
            process, machine, _ = lock.getLockInfo()
            self.taken_elsewhere.emit(
                f"{path.name} is also open in another window (process {process} on {machine}). Close it there "
                "or save here under another name: the last save will overwrite the other."
            )

    def release(self) -> None:
        """Let another window have it."""
        if self._lock is not None:
            self._lock.unlock()
        self._lock = self._path = None
