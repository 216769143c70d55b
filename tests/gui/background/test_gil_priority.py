from __future__ import annotations

import threading

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latconf_gui.application.settings import Settings
from latconf_gui.background.gil_priority import GIL_PRIORITY, LONGEST_SECONDS, GilPriority
from latconf_gui.look.theme import Theme
from latconf_gui.window.main_window import MainWindow


class WatchedTurn(threading.Event):
    """Says whether somebody waits for it, and how long at most, and lets them go at once."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        return self.is_set()


def test_that_a_run_waits_while_the_window_goes_first_but_not_for_ever() -> None:
    turns, turn = GilPriority(), WatchedTurn()
    turn.set()
    turns._is_free = turn
    with turns.window_first(), turns.window_first():
        turns.wait()
    assert turn.waits == [LONGEST_SECONDS]
    turns.wait()
    assert turn.waits == [LONGEST_SECONDS]


def test_that_the_turn_ends_when_what_is_due_is_done(qtbot: QtBot) -> None:
    turns = GilPriority()
    turns.window_first_until_painted()
    assert not turns._is_free.is_set()
    qtbot.waitUntil(turns._is_free.is_set)


def test_that_a_page_shown_by_a_window_that_goes_at_once_leaves_no_run_waiting(
    qapp: QApplication, own_settings: Settings, qtbot: QtBot
) -> None:
    theme = Theme(qapp, own_settings)
    window = MainWindow(own_settings, theme)
    window.show_page("Start")
    assert not GIL_PRIORITY._is_free.is_set()
    window.close_at_once()
    for each in (window, theme):
        each.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(GIL_PRIORITY._is_free.is_set)
