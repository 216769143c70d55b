from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from latconf_gui.background.after_painting import AfterPainting
from latconf_gui.background.gil_priority import GilPriority


class Canvas(QWidget):
    """Writes down when it is painted, and whose turn it was then."""

    def __init__(self, turns: GilPriority) -> None:
        super().__init__()
        self.log: list[str] = []
        self._turns = turns

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.log.append("painted, runs go on" if self._turns._is_free.is_set() else "painted, runs wait")


def shown_canvas(qtbot: QtBot, turns: GilPriority) -> Canvas:
    canvas = Canvas(turns)
    qtbot.addWidget(canvas)
    with qtbot.waitExposed(canvas):
        canvas.show()
    qtbot.waitUntil(lambda: bool(canvas.log))
    canvas.log.clear()
    return canvas


def test_that_what_is_to_be_done_after_painting_waits_for_it_and_a_timer_of_no_time_does_not(qtbot: QtBot) -> None:
    canvas = shown_canvas(qtbot, GilPriority())
    after = AfterPainting()
    after.reached.connect(lambda: canvas.log.append("after"))
    canvas.update()
    after.start()
    QTimer.singleShot(0, lambda: canvas.log.append("timer"))
    assert after.is_waiting
    qtbot.waitUntil(lambda: "after" in canvas.log)
    assert canvas.log == ["timer", "painted, runs go on", "after"]
    assert not after.is_waiting


def test_that_waiting_twice_is_told_once_and_given_up_not_at_all(qtbot: QtBot) -> None:
    once, never, log = AfterPainting(), AfterPainting(), []
    once.reached.connect(lambda: log.append("once"))
    never.reached.connect(lambda: log.append("never"))
    for each in (once, once, never):
        each.start()
    never.stop()
    assert not never.is_waiting
    last = AfterPainting()
    with qtbot.waitSignal(last.reached):
        last.start()
    assert log == ["once"]


def test_that_runs_wait_until_the_picture_is_painted(qtbot: QtBot) -> None:
    turns = GilPriority()
    canvas = shown_canvas(qtbot, turns)
    turns.window_first_until_painted()
    turns.window_first_until_painted()
    canvas.update()
    qtbot.waitUntil(turns._is_free.is_set)
    assert canvas.log == ["painted, runs wait"]
