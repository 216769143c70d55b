"""Lengths of time as people write them: "90 s", "5 min", "12 h"."""

from __future__ import annotations

import re

from latconf_core.errors import OptionError

SECONDS_PER_UNIT = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(seconds?|sec|s|minutes?|min|m|hours?|h|days?|d)?\s*", re.IGNORECASE)


def seconds_of(text: str) -> float:
    """The seconds of a text such as "1 h 30 min"; a bare number is seconds. OptionError where it is none."""
    total, at = 0.0, 0
    for part in _PART.finditer(text):
        if part.start() != at:
            break
        total += float(part[1]) * SECONDS_PER_UNIT[_unit(part[2])]
        at = part.end()
    if at != len(text) or not text.strip():
        raise OptionError(f"{text!r} is no length of time; write it like 90 s, 5 min or 12 h")
    return total


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
