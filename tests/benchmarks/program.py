"""The program's window for the benchmarks that measure it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

from latconf_gui.app import make_application, make_window
from latconf_gui.application.settings import Settings
from latconf_gui.background.garbage import GarbageCollector
from latconf_gui.window.main_window import MainWindow


def make_program(folder: Path) -> MainWindow:
    """A window as `latconf_gui.app.run` makes it, garbage collected by its own thread; settings are in the folder."""
    app = make_application()
    GarbageCollector(app).start()
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))
    return make_window(app, Settings())
