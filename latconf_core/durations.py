"""Lengths of time as people write them: "90 s", "5 min", "12 h"."""

from __future__ import annotations

import re
from math import isinf

from latconf_core.errors import OptionError

SECONDS_PER_UNIT = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
MOST_LETTERS = 60  # of what was written, in a sentence about it
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(seconds?|sec|s|minutes?|min|m|hours?|h|days?|d)?\s*", re.IGNORECASE)


def seconds_of(text: str) -> float:
    """The seconds of a text such as "1 h 30 min"; a bare number is seconds. OptionError where it is none."""
    total, at, own = 0.0, 0, text.strip()
    while part := _PART.match(own, at):
        total += float(part[1]) * SECONDS_PER_UNIT[_unit(part[2])]
        at = part.end()
    if at != len(own) or not own or isinf(total):
        raise OptionError(f"{_short(own)!r} is no length of time; write it like 90 s, 5 min or 12 h")
    return total


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"


def _unit(word: str | None) -> str:
    letter = (word or "s")[0].lower()
    return "min" if letter == "m" else letter


def duration(seconds: float) -> str:
    """About how long that is, in at most two units."""
    if seconds < 1:
        return "less than 1 s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, left = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {left} s" if left else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{hours / 24:,.0f} days"
