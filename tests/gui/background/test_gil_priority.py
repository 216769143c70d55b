from __future__ import annotations

import threading
import time

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from latconf_gui.background.gil_priority import LONGEST_SECONDS, GilPriority


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
    turns, receiver = GilPriority(), QObject()
    turns.window_first_until_painted(receiver)
    assert not turns._is_free.is_set()
    qtbot.waitUntil(turns._is_free.is_set)
