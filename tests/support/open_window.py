"""The whole window on the screen while a block of a test goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from latconf_gui.application.settings import Settings
from latconf_gui.look.theme import Theme
from latconf_gui.window.main_window import MainWindow


@contextmanager
def open_window(
    app: QApplication,
    settings: Settings,
    *,
    shown: Callable[[MainWindow], AbstractContextManager[object]] = nullcontext,
) -> Iterator[MainWindow]:
    """The window with all its pages; afterwards it is gone, and the font of the program is as it was.

    shown : what is waited for while it comes up
    """
    font, theme = app.font(), Theme(app, settings)
    window = MainWindow(settings, theme)
    with shown(window):
        window.show()
    window.load_pages()
    yield window
    window.close_at_once()
    for each in (window, theme):
        each.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    app.setFont(font)
