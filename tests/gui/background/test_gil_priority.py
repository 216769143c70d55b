from __future__ import annotations

import threading
import time

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latconf_gui.application.settings import Settings
from latconf_gui.background.gil_priority import GIL_PRIORITY, LONGEST_SECONDS, GilPriority
from latconf_gui.look.theme import Theme
from latconf_gui.window.main_window import MainWindow


def test_that_a_run_waits_while_the_window_goes_first_but_not_for_ever() -> None:
    turns, passed = GilPriority(), threading.Event()

    def run() -> None:
        turns.wait()
        passed.set()

    with turns.window_first(), turns.window_first():
        thread = threading.Thread(target=run)
        began = time.perf_counter()
        thread.start()
        assert not passed.wait(LONGEST_SECONDS / 4)
        assert passed.wait(10)
        assert time.perf_counter() - began >= LONGEST_SECONDS * 0.9
        thread.join()
    began = time.perf_counter()
    turns.wait()
    assert time.perf_counter() - began < LONGEST_SECONDS / 2


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
