"""The files opened last. Whether they are still there is asked in the background: a disk may take long to answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from latconf_core.control import RunControl
from latconf_core.files import has_file
from latconf_gui.application.settings import Settings
from latconf_gui.background.run_thread import RunThread


class RecentFiles(QObject):
    """The recent files of the settings; `changed` when there are others."""

    changed = Signal()

    def __init__(self, settings: Settings, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._thread: RunThread | None = None

    @property
    def paths(self) -> list[Path]:
        """Newest first, without those that were found to be gone."""
        return self._settings.recent_files

    def remember(self, path: Path) -> None:
        """Put a file at the head of the list."""
        self._settings.remember_file(path)
        self.changed.emit()

    def forget(self) -> None:
        """Name none any more."""
        self._settings.forget_files()
        self.changed.emit()

    def look_for_them(self) -> None:
        """Leave those out that are gone."""
        if self._thread is not None:
            return
        paths = self.paths

        def start(control: RunControl) -> Iterator[object]:
            for path in paths:
                control.checkpoint()
                if not has_file(path):
                    yield path

        self._thread = RunThread(start, is_waited_for=False)
        self._thread.events.connect(self._on_gone)
        self._thread.ended.connect(self._on_ended)
        self._thread.start()

    def _on_gone(self, paths: list[object]) -> None:
        self._settings.leave_out(path for path in paths if isinstance(path, Path))
        self.changed.emit()

    def _on_ended(self) -> None:
        self._thread = None
