from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from support.rest import wait_for_rest

from latconf_core.control import RunControl, StopReason
from latconf_core.errors import DataError
from latconf_gui.background.run_thread import PATIENCE_MILLISECONDS, RunThread, some_are_left
from latconf_gui.background.runs import Runs


def count_to(n: int, pause: float = 0.0):  # type: ignore[no-untyped-def]
    def start(control: RunControl) -> Iterator[object]:
        for i in range(n):
            control.checkpoint()
            time.sleep(pause)
            yield i

    return start


def test_that_all_events_arrive_in_order_before_the_run_is_said_to_have_ended(qtbot: QtBot) -> None:
    thread = RunThread(count_to(1000))
    seen: list[object] = []
    thread.events.connect(seen.extend)
    with qtbot.waitSignal(thread.ended):
        thread.start()
    assert seen == list(range(1000))
    assert thread.stop_reason is StopReason.FINISHED


def test_that_events_come_in_few_batches(qtbot: QtBot) -> None:
    thread = RunThread(count_to(3000))
    batches: list[int] = []
    thread.events.connect(lambda batch: batches.append(len(batch)))
    with qtbot.waitSignal(thread.ended):
        thread.start()
    assert sum(batches) == 3000
    assert len(batches) < 100


def test_that_cancelling_ends_an_endless_run(qtbot: QtBot) -> None:
    thread = RunThread(count_to(10**9, 0.001))
    with qtbot.waitSignal(thread.events):
        thread.start()
    with qtbot.waitSignal(thread.ended):
        thread.cancel()
    assert thread.stop_reason is StopReason.CANCELLED


def test_that_a_paused_run_yields_nothing_until_it_is_resumed(qtbot: QtBot) -> None:
    thread = RunThread(count_to(10**9, 0.001))
    seen: list[object] = []
    thread.events.connect(seen.extend)
    with qtbot.waitSignal(thread.events):
        thread.start()
    thread.pause()
    assert thread.is_paused
    at_rest = wait_for_rest(qtbot, lambda: len(seen))
    thread.resume()
    qtbot.waitUntil(lambda: len(seen) > at_rest)
    thread.stop()


def test_that_the_time_limit_ends_a_run(qtbot: QtBot) -> None:
    thread = RunThread(count_to(10**9, 0.001), time_limit=0.05)
    with qtbot.waitSignal(thread.ended):
        thread.start()
    assert thread.stop_reason is StopReason.TIME_LIMIT


def test_that_an_error_is_passed_on_after_the_events_that_came_before_it(qtbot: QtBot) -> None:
    def start(control: RunControl) -> Iterator[object]:
        yield "first"
        raise DataError("column 'Age' is empty")

    thread = RunThread(start)
    order: list[object] = []
    thread.events.connect(order.extend)
    thread.failed.connect(order.append)
    with qtbot.waitSignal(thread.ended):
        thread.start()
    assert order[0] == "first"
    assert isinstance(order[1], DataError)


@pytest.mark.parametrize("paused", [False, True])
def test_that_the_end_of_its_parent_waits_for_the_thread(qtbot: QtBot, paused: bool) -> None:
    ended: list[bool] = []

    def start(control: RunControl) -> Iterator[object]:
        try:
            yield from count_to(10**9, 0.001)(control)
        finally:
            ended.append(True)

    parent = QObject()
    thread = RunThread(start, parent=parent)
    with qtbot.waitSignal(thread.events):
        thread.start()
    if paused:
        thread.pause()
    with qtbot.waitSignal(parent.destroyed):
        parent.deleteLater()
    assert ended


def test_that_a_run_that_does_not_answer_is_left_behind_and_heard_no_more(qtbot: QtBot) -> None:
    answers, parent = threading.Event(), QObject()
    waits: list[int] = []

    def hang(_control: RunControl) -> Iterator[object]:
        answers.wait()
        yield "late"

    class Impatient(RunThread):
        def wait(self, milliseconds: int) -> bool:  # type: ignore[override]
            waits.append(milliseconds)
            return False

    thread = Impatient(hang, parent=parent)
    heard: list[object] = []
    thread.events.connect(heard.extend)
    thread.ended.connect(lambda: heard.append("ended"))
    thread.start()
    thread.stop()
    thread.stop()  # as when the program quits: it is not waited for twice
    assert waits == [PATIENCE_MILLISECONDS]
    assert some_are_left()
    assert heard == ["ended"]
    assert thread.stop_reason is StopReason.CANCELLED
    thread.discard()
    parent.deleteLater()
    answers.set()
    qtbot.waitUntil(lambda: not some_are_left())
    assert heard == ["ended"]


def test_that_everything_under_way_shares_one_patience(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    answers, waits = threading.Event(), []

    def hang(_control: RunControl) -> Iterator[object]:
        answers.wait()
        yield "late"

    def stop_within(thread: RunThread, milliseconds: int) -> None:
        waits.append(milliseconds)
        thread.leave_behind()

    monkeypatch.setattr(RunThread, "stop_within", stop_within)
    runs = Runs(lambda *_: None)
    for number in range(3):
        runs.start(RunThread(hang), f"Opening {number}")
    runs.stop_all()
    assert runs.texts == []
    assert sorted(waits, reverse=True) == waits
    assert len(waits) == 3
    assert max(waits) <= PATIENCE_MILLISECONDS
    answers.set()
    qtbot.waitUntil(lambda: not some_are_left())
