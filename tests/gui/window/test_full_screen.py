"""The page alone, for a lecture: F11 begins it, F11 or Esc ends it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolBar, QWidget

from latconf_gui.window.main_window import MainWindow


def frame_of(window: MainWindow) -> list[QWidget]:
    bar = window.findChild(QToolBar, "main_toolbar")
    assert isinstance(bar, QToolBar)
    return [window.menuBar(), window.rail, window.statusBar(), bar]


def test_that_full_screen_has_no_menus_and_no_rail_and_escape_goes_back(window: MainWindow) -> None:
    was_maximised = window.isMaximized()
    window.actions_by_id["view.full_screen"].trigger()
    assert window.isFullScreen()
    assert not any(widget.isVisible() for widget in frame_of(window))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert window.isMaximized() == was_maximised
    assert all(widget.isVisible() for widget in frame_of(window))
    assert not window.actions_by_id["view.full_screen"].isChecked()


def test_that_pages_and_commands_are_reached_by_key_in_full_screen(window: MainWindow) -> None:
    window.load_pages()
    window.actions_by_id["view.full_screen"].trigger()
    window.actions_by_id["page.pag"].trigger()
    assert window.current_page.title == "PAG"
    assert not window.menuBar().isVisible()
    window.actions_by_id["view.full_screen"].trigger()
    assert window.menuBar().isVisible()
