"""A window that ends without closing, as if its process had been killed."""

from __future__ import annotations

from latconf_gui.application.autosave import AutoSave
from latconf_gui.application.project_lock import ProjectLock


def kill(autosave: AutoSave, lock: ProjectLock) -> None:
    """Leave everything on the disk as a killed process would; its locks count no longer."""
    autosave._timer.stop()
    if autosave._thread is not None:
        autosave._thread.stop()
    if autosave._own_lock is not None:
        autosave._own_lock.unlock()
        autosave._document.file_changed.disconnect(autosave._on_changed)
        autosave._folder = None
    lock.release()
    lock._document.file_changed.disconnect(lock._follow)
