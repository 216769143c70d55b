"""Names and numbers as sentences give them: lists, counts, scores, p-values, shares and lengths of time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isinf

from latconf_core.errors import OptionError

SECONDS_PER_UNIT = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
MOST_LETTERS = 60  # of what was written, in a sentence about it
LEAST_P_VALUE = 0.001  # smaller ones are not read as numbers
_CONTROLS = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(seconds?|sec|s|minutes?|min|m|hours?|h|days?|d)?\s*", re.IGNORECASE)


def list_names(names: Iterable[str], word: str = "and", *, most: int | None = None) -> str:
    """Names as a sentence lists them: "A", "A and B", "A, B and C"; "nothing" for none.

    most : how many names the list may have; "A, B and 3 more" where there are more
    """
    *others, last = list(names) or ["nothing"]
    if most is not None and len(others) >= most:
        others, last = others[: most - 1], f"{len(others) - most + 2} more"
    return f"{', '.join(others)} {word} {last}" if others else last


def show_controls(text: str) -> str:
    """The text with the characters that turn or hide its neighbours (such as U+202E) written out."""
    return _CONTROLS.sub(lambda sign: f"[U+{ord(sign[0]):04X}]", text)


def show_unprintable(text: str) -> str:
    """The text with everything that a terminal might act on written out; lines and tabs stay."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else f"[U+{ord(sign):04X}]" for sign in text)


def counted(number: int, thing: str, things: str = "") -> str:
    """The number with the thing it counts, such as "1 row" or "5,000 rows"."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def number_text(number: float, digits: int = 0) -> str:
    """A number with so many decimals, thousands apart and a proper minus sign."""
    return f"{number:,.{digits}f}".replace("-", "−")


def nats(score: float) -> str:
    """A score with two decimals."""
    return number_text(score, 2)


def p_text(p_value: float) -> str:
    """A p-value: "p = 0.076", "p < 0.001"."""
    return f"p = {p_value:.2g}" if p_value >= LEAST_P_VALUE else f"p < {LEAST_P_VALUE}"


def percent(share: float) -> str:
    """A share: "62%"."""
    return f"{share:.0%}"


def seconds_of(text: str) -> float:
    """The seconds of a text such as "1 h 30 min"; a bare number is seconds. OptionError where it is none."""
    total, at, stripped = 0.0, 0, text.strip()
    while part := _PART.match(stripped, at):
        total += float(part[1]) * SECONDS_PER_UNIT[_unit(part[2])]
        at = part.end()
    if at != len(stripped) or not stripped or isinf(total):
        raise OptionError(f"{_short(stripped)!r} is not a duration; write it like 90 s, 5 min or 12 h")
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


def first_upper(text: str) -> str:
    """The text with a capital first letter and the rest as it is."""
    return f"{text[:1].upper()}{text[1:]}"


def rough_duration(seconds: float) -> str:
    """An estimate in words, no finer than an estimate can be: "about 20 minutes"."""
    if seconds < 8:
        return "a few seconds"
    if seconds < 50:
        return f"about {round(seconds, -1):.0f} seconds"
    minutes = seconds / 60
    if minutes < 50:
        return _about(minutes if minutes < 10 else 5 * round(minutes / 5), "minute")
    hours = minutes / 60
    return _about(hours, "hour") if hours < 36 else _about(hours / 24, "day")


def _about(number: float, unit: str) -> str:
    """A whole number of units, at least one."""
    whole = max(round(number), 1)
    article = "an" if unit == "hour" else "a"
    return f"about {article} {unit}" if whole == 1 else f"about {whole:,} {unit}s"
