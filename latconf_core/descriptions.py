"""How a value says in words what it is: a port that the package fills, since wording/ stands above all values."""

from __future__ import annotations

from collections.abc import Callable

_WORDED_BY: list[Callable[[object], str]] = []


def word_by(describe: Callable[[object], str]) -> None:
    """Let this function word values from now on."""
    _WORDED_BY[:] = [describe]


def describe(value: object) -> str:
    """What a value says, in sentences."""
    return _WORDED_BY[0](value)
