from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from latconf_gui.background.garbage import GarbageCollector, QuietCollector


class Node:
    """Something that can stand in a cycle."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector(qapp: object) -> Iterator[GarbageCollector]:
    collector = GarbageCollector()
    yield collector
    collector.stop()
    gc.disable()  # as every test of the window has it


def test_that_python_collects_nothing_by_itself_while_the_window_does(collector: GarbageCollector) -> None:
    gc.enable()
    collector.start()
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()


def test_that_cycles_go_while_the_event_loop_runs(collector: GarbageCollector, qtbot: QtBot) -> None:
    gc.collect()
    gone = weakref.ref(Node())
    keep = [Node() for _ in range(gc.get_threshold()[0] + 100)]
    assert gone() is not None
    collector.start()
    qtbot.waitUntil(lambda: gone() is None)
    assert keep


def test_that_nothing_is_collected_before_it_is_due(collector: GarbageCollector) -> None:
    gc.collect()
    assert collector.collect_if_due() is None


def test_that_garbage_of_a_run_is_collected_after_it(qtbot: QtBot) -> None:
    collector = QuietCollector(afterwards=20)
    gone = weakref.ref(Node())
    collector.begin()
    gc.collect()
    assert gone() is not None  # set aside while the run goes on
    collector.end()
    qtbot.waitUntil(lambda: gone() is None, timeout=10_000)


def test_that_garbage_goes_while_a_run_goes_on(qtbot: QtBot) -> None:
    collector = QuietCollector(everything=20, afterwards=10_000_000)
    collector.begin()
    gone = weakref.ref(Node())
    gc.freeze()  # set aside with what the run has made
    gc.collect()
    assert gone() is not None
    qtbot.waitUntil(lambda: gone() is None, timeout=10_000)
    collector.end()
