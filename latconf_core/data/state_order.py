"""The order of states: numbers and intervals by value, all else as a person would sort it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

_NUMBER_TEXT = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_NUMBER = re.compile(_NUMBER_TEXT, re.ASCII)
_DIGITS = re.compile(r"(\d+)", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}[.,]\d{3}", re.ASCII)

_UNIT = r"(?:\s*(?:[a-z]{1,12}|%))?"
_BELOW_WORDS = ("<=", "<", "≤", "under", "below", "up to", "less than", "unter", "bis")
_ABOVE_WORDS = (">=", ">", "≥", "over", "above", "more than", "at least", "über", "ab")
_BOUND = re.compile(rf"\s*({_NUMBER_TEXT}){_UNIT}", re.ASCII)
_OPEN_ABOVE = re.compile(rf"({_NUMBER_TEXT})\s*(?:\+|and over|and more|or more|or over){_UNIT}", re.ASCII)
_BETWEEN = re.compile(rf"({_NUMBER_TEXT}){_UNIT}\s*(?:-|–|—|to|bis|\.\.\.?|…)\s*({_NUMBER_TEXT}){_UNIT}", re.ASCII)
_BRACKETS = re.compile(rf"[\[(\]]\s*({_NUMBER_TEXT}|-inf)\s*(?:,|;|to|-|–)\s*({_NUMBER_TEXT}|inf)\s*[\])\[]", re.ASCII)
_LONGEST_INTERVAL = 60
_SHORT = 24  # characters of a text that is worth remembering
MANY = 20_000  # states that nobody looks through; their order need not be found with care

StateKey = tuple[int, float, float, tuple[tuple[int, int, str], ...], str]


def as_number(text: str, decimal: str = ".") -> float | None:
    """The finite number that a text stands for, or None."""
    plain = text.strip()
    if decimal != ".":
        if "." in plain:
            return None
        plain = plain.replace(decimal, ".")
    return _finite(plain) if len(plain) < _SHORT else _finite.__wrapped__(plain)


@lru_cache(maxsize=1 << 15)  # the same few numbers stand in every column, and each is asked for several times
def _finite(plain: str) -> float | None:
    if not _NUMBER.fullmatch(plain):
        return None
    value = float(plain)
    return value if math.isfinite(value) else None


def decimal_of_texts(texts: Iterable[str], default: str = ".") -> str:
    """The decimal mark of these texts: the other one than the default where only it makes numbers of them."""
    texts, other = list(texts), "," if default == "." else "."
    marked = [text for text in texts if other in text and as_number(text, other) is not None]
    if not marked or all(_THOUSANDS.fullmatch(text.strip()) for text in marked):
        return default
    return default if any(default in text and as_number(text, default) is not None for text in texts) else other


def as_interval(text: str, decimal: str = ".") -> tuple[float, float] | None:
    """The bounds that a text such as `<=1`, `1 to 2.5`, `18-24 years`, `(5,10]` or `65+` names, or None."""
    if len(text) > _LONGEST_INTERVAL:
        return None
    plain = text.strip().casefold()
    if decimal != ".":
        plain = plain.replace(decimal, ".")
    for words, is_below in ((_BELOW_WORDS, True), (_ABOVE_WORDS, False)):
        if plain.startswith(words):
            word = next(word for word in words if plain.startswith(word))
            bound = _BOUND.fullmatch(plain, len(word))
            return bound and ((-math.inf, float(bound[1])) if is_below else (float(bound[1]), math.inf))
    if match := _OPEN_ABOVE.fullmatch(plain):
        return float(match[1]), math.inf
    if match := _BETWEEN.fullmatch(plain) or _BRACKETS.fullmatch(plain):
        low, high = float(match[1]), float(match[2])
        return (low, high) if low <= high else None
    return None


def state_key(text: str, decimal: str = ".") -> StateKey:
    """Sorts numbers and intervals first by value, then texts with their digits read as numbers, case ignored."""
    value = as_number(text, decimal)
    if value is not None:
        return 0, value, value, (), text
    bounds = as_interval(text, decimal)
    if bounds is not None:
        return 0, *bounds, (), text
    # every second part is a run of ASCII digits; more of them without zeros in front are a larger number
    parts = enumerate(_DIGITS.split(text.casefold()))
    keys = tuple(_digits_key(part) if index % 2 else (1, 0, part) for index, part in parts if part)
    return 1, 0.0, 0.0, keys, text


def _digits_key(digits: str) -> tuple[int, int, str]:
    significant = digits.lstrip("0")
    return 0, len(significant), significant


def order_states(states: Sequence[str], decimal: str = ".") -> list[str]:
    """The states in the order in which they are shown and coded."""
    text_decimal = decimal_of_texts(states, decimal)
    if len(states) > MANY:
        return sorted(states, key=lambda state: _quick_key(state, text_decimal))
    return sorted(states, key=lambda state: state_key(state, text_decimal))


def _quick_key(text: str, decimal: str) -> tuple[int, float, str]:
    """Numbers by value, then texts letter by letter."""
    try:
        value = float(text if decimal == "." else text.replace(decimal, "."))
    except ValueError:
        return 1, 0.0, text
    return (0, value, text) if math.isfinite(value) else (1, 0.0, text)
