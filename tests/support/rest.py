"""Waiting until nothing happens any more."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

QUIET_MILLISECONDS = 200
MOST_ROUNDS = 100


def wait_for_rest(qtbot: QtBot, count: Callable[[], int]) -> int:
    """The count once it has stayed the same for a while, however long that takes on a busy machine."""
    before = count()
    for _ in range(MOST_ROUNDS):
        qtbot.wait(QUIET_MILLISECONDS)
        if count() == before:
            return before
        before = count()
    raise AssertionError(f"the count never came to rest; it is {before}")
