"""The order of states: as numbers where they are numbers, else as a person would sort them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DIGITS = re.compile(r"(\d+)", re.ASCII)

StateKey = tuple[int, float, tuple[tuple[int, int, str], ...], str]


def as_number(text: str, decimal: str = ".") -> float | None:
    """The finite number that a text stands for, or None."""
    plain = text.strip()
    if decimal != ".":
        if "." in plain:
            return None
        plain = plain.replace(decimal, ".")
    if not _NUMBER.fullmatch(plain):
        return None
    value = float(plain)
    return value if math.isfinite(value) else None


def state_key(text: str, decimal: str = ".") -> StateKey:
    """Sorts numbers first by value, then texts with their digits read as numbers, case ignored."""
    value = as_number(text, decimal)
    if value is not None:
        return 0, value, (), text
    parts = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in _split(text))
    return 1, 0.0, parts, text


def _split(text: str) -> list[str]:
    return [part for part in _DIGITS.split(text.casefold()) if part]


def order_states(states: Iterable[str], decimal: str = ".") -> list[str]:
    """The states in the order in which they are shown and coded."""
    return sorted(states, key=lambda state: state_key(state, decimal))
