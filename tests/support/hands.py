"""The hands of a person at a real window: every input goes through the X server (xdotool), none through Qt."""

from __future__ import annotations

import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QToolButton, QWidget

from latconf_gui.app import make_application, make_window
from latconf_gui.application.settings import Settings
from latconf_gui.window.main_window import MainWindow


def open_window() -> MainWindow:
    """The program's window on the screen."""
    window = make_window(make_application(), Settings())
    window.setGeometry(0, 0, 1270, 780)
    window.show()
    window.activateWindow()
    wait(lambda: len(window.pages) > 4, "the window")
    return window


def x(*words: object) -> None:
    """Send input to the X server."""
    subprocess.run(["xdotool", *map(str, words)], check=True)


def wait(claim: Callable[[], object], what: str, seconds: float = 60) -> None:
    """Let the window work until the claim holds."""
    end = time.monotonic() + seconds
    while not claim():
        QApplication.processEvents()
        time.sleep(0.01)
        if time.monotonic() > end:
            raise TimeoutError(f"waited in vain: {what}")
    for _ in range(20):
        QApplication.processEvents()
        time.sleep(0.005)


def click(widget: QWidget, place: QPoint | None = None) -> None:
    spot = widget.mapToGlobal(place if place is not None else widget.rect().center())
    x("mousemove", spot.x(), spot.y(), "click", 1)
    wait(lambda: True, "the click")


def drag(widget: QWidget, start: QPoint, end: QPoint) -> None:
    first, last = widget.mapToGlobal(start), widget.mapToGlobal(end)
    x("mousemove", first.x(), first.y(), "mousedown", 1)
    wait(lambda: True, "the press")
    for step in range(1, 6):
        spot = first + (last - first) * step / 5
        x("mousemove", spot.x(), spot.y())
        wait(lambda: True, "the move")
    x("mouseup", 1)
    wait(lambda: True, "the release")


def drag_and_drop(start: QWidget, first: QPoint, end: QWidget, last: QPoint) -> None:
    """Drag something from one widget to another: Qt waits for its end, so that the whole way is sent at once."""
    a, b = start.mapToGlobal(first), end.mapToGlobal(last)
    words: list[object] = ["mousemove", a.x(), a.y(), "sleep", 0.2, "mousedown", 1, "sleep", 0.2]
    for step in range(1, 9):
        spot = a + (b - a) * step / 8
        words += ["mousemove", spot.x(), spot.y(), "sleep", 0.1]
    words += ["mousemove", b.x() + 1, b.y(), "sleep", 0.5, "mouseup", 1]
    with subprocess.Popen(["xdotool", *map(str, words)]) as process:
        wait(lambda: process.poll() is not None, "the drag")
    wait(lambda: True, "the drop")


def key(*keys: str) -> None:
    x("key", *keys)
    wait(lambda: True, "the key")


def choose(button: QToolButton, action: QAction) -> None:
    """Choose from the menu behind a button: Qt waits for its end, so that the whole way is sent at once."""
    menu = button.defaultAction().menu()
    assert isinstance(menu, QMenu)
    n_downs = [each for each in menu.actions() if each.isEnabled() and not each.isSeparator()].index(action) + 1
    spot = button.mapToGlobal(button.rect().center())
    words = ["mousemove", spot.x(), spot.y(), "click", 1, "sleep", 0.5, "key", *["Down"] * n_downs, "Return"]
    with subprocess.Popen(["xdotool", *map(str, words)]) as process:
        wait(lambda: process.poll() is not None, "the menu")


def focus(window: QWidget) -> None:
    """What a window manager does when a dialog closes: there is none on this X server."""
    x("windowfocus", "--sync", int(window.winId()))
    wait(window.isActiveWindow, "the window to be active")


def dialog() -> QDialog | None:
    activemodalwidget = QApplication.activeModalWidget()
    return activemodalwidget if isinstance(activemodalwidget, QDialog) and activemodalwidget.isVisible() else None


def answer_file_dialog(path: Path) -> None:
    """Type a name into the file dialog that is open and press Return."""
    wait(lambda: dialog() is not None, "a file dialog")
    found = dialog()
    assert found is not None
    field = next(edit for edit in found.findChildren(QLineEdit) if edit.isVisible())
    focus(found)
    click(field)
    key("ctrl+a")
    x("type", "--delay", 5, str(path))
    key("Return")
    wait(lambda: dialog() is None, "the dialog to close")


def answer_scale_dialog() -> None:
    """Take the scale of a picture as it is proposed; the file dialog follows."""
    wait(lambda: dialog() is not None, "the dialog of the scale")
    scale = dialog()
    assert scale is not None
    focus(scale)
    key("Return")
    wait(lambda: type(dialog()).__name__ == "QFileDialog", "the dialog of the picture")


def act(main: Callable[[Path], int]) -> None:
    """Do it in the folder that the command line names, and end the program."""
    try:
        sys.exit(main(Path(sys.argv[1])))
    except Exception:  # the window's own hook would show it in the Problems dock alone
        traceback.print_exc(file=sys.stdout)
        sys.exit(1)
