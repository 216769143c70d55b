"""Starts the program: application, settings, log, exception hooks, and then the window."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QStyle

from latconf_core.formats.example_choice import default_choice
from latconf_gui.application.plugin_problems import plugin_problems
from latconf_gui.application.recovery_file import recovery_folder
from latconf_gui.application.settings import Settings
from latconf_gui.background.garbage import GarbageCollector
from latconf_gui.background.gil_priority import switch_often
from latconf_gui.background.run_thread import some_are_left
from latconf_gui.background.warm_up import start_warm_up
from latconf_gui.look.icons import program_icon
from latconf_gui.look.theme import Theme
from latconf_gui.pages.catalogue import PAGES
from latconf_gui.window.crash_log import end_crash_log, start_crash_log, take_crash_logs
from latconf_gui.window.exception_hooks import ExceptionHooks
from latconf_gui.window.log import log_folder, start_file_log
from latconf_gui.window.main_window import MainWindow
from latconf_gui.window.system_signals import SystemSignals


@dataclass(frozen=True)
class StartRequest:
    """What the command line asked the window to begin with."""

    file: Path | None = None
    example: str | None = None
    reset_settings: bool = False


def make_application(argv: Sequence[str] = ()) -> QApplication:
    """The one QApplication, with its name set so that settings and log find their folders."""
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication([sys.argv[0], *argv])
    app.setApplicationName("latconf")
    app.setApplicationDisplayName("latconf")
    app.setDesktopFileName("latconf")  # Wayland finds icon and menu entry by it
    app.setWindowIcon(program_icon())
    switch_often()
    return app


def make_window(app: QApplication, settings: Settings) -> MainWindow:
    """The window in its colours; unhandled exceptions go to its Problems dock."""
    window = MainWindow(settings, Theme(app, settings))
    hooks = ExceptionHooks(window)
    hooks.caught.connect(window.problems.report)
    hooks.install()
    app.aboutToQuit.connect(hooks.remove)
    return window


def show_on_screen(window: MainWindow) -> None:
    """Show the window; on a screen that is smaller than it and its frame it fills the screen."""
    frame = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    room = window.screen().availableSize()
    if window.width() > room.width() or window.height() + frame > room.height():
        window.showMaximized()
    else:
        window.show()


def run(request: StartRequest) -> int:
    """Open the window and stay until it is closed."""
    app = make_application()
    settings = Settings()
    if request.reset_settings:
        settings.reset()
    folder = log_folder()
    start_file_log(folder)
    crash_log = start_crash_log(folder)
    collector = GarbageCollector(app)
    collector.start()
    window = make_window(app, settings)
    show_on_screen(window)
    for path in take_crash_logs(folder):
        window.problems.report(f"latconf crashed; details are in {path}", "Previous session")
    signals = SystemSignals(window.leave, window)
    QTimer.singleShot(0, window, lambda: begin(window, request))
    code = app.exec()
    signals.stop()
    collector.stop()
    if crash_log is not None:
        end_crash_log(crash_log)
    if some_are_left():  # kernels may be compiling for a minute yet, and nothing can stop that
        settings.write_now()
        sys.stdout.flush()
        os._exit(code)
    return code


def begin(window: MainWindow, request: StartRequest) -> None:
    """Keep work from now on, open what the command line named, warm the kernels; an example goes all the way."""
    if len(window.pages) == len(PAGES):
        start_warm_up()
    else:  # importing pages and kernels at the same time would keep the window waiting
        window.pages_loaded.connect(lambda: start_warm_up())
    for problem in plugin_problems():
        window.problems.report(problem.sentence, "Plug-ins")
    window.opener.recent.look_for_them()
    window.keep_work(recovery_folder())
    if request.file is not None:
        window.opener.open_path(request.file)
    elif request.example is not None:
        window.example_path.start(default_choice(request.example))
