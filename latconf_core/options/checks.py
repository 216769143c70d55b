"""Sentences for values that an option cannot have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from latconf_core.errors import OptionError

LARGEST = 10**18  # beyond it a number means nothing here, and a kernel could not hold it
_LONGEST = 60  # characters of a wrong value that a sentence repeats


def check_types(options: Any) -> None:
    """Refuse a field of another type than it is declared with; whole and other numbers of numpy become Python's.

    Tuples, sets and the like are left to their owner.
    """
    hints = _hints(type(options))  # type: ignore[arg-type] # types are hashable, whatever mypy thinks
    for each in fields(options):
        value = getattr(options, each.name)
        checked = _check_type(each.name.replace("_", " "), value, hints[each.name])
        if checked is not value:
            object.__setattr__(options, each.name, checked)


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _check_type(name: str, value: Any, hint: Any) -> Any:
    if get_origin(hint) in (Union, UnionType):
        if value is None and NoneType in get_args(hint):
            return None
        (hint,) = (arg for arg in get_args(hint) if arg is not NoneType)
    if hint is int:
        return check_whole(name, value)
    if hint is float:
        return check_number(name, value)
    if hint is bool:
        return _check_kind(name, value, bool, "True or False")
    if hint is str or get_origin(hint) is Literal:
        return _check_kind(name, value, str, "a text")
    if isinstance(hint, type) and get_origin(hint) is None:
        return _check_kind(name, value, hint, hint.__name__)
    return value


def _check_kind(name: str, value: Any, kind: type, called: str) -> Any:
    if not isinstance(value, kind):
        raise OptionError(f"{name} is {shorten(value)}; it must be {called}")
    return value


def check_whole(name: str, value: object) -> int:
    """The value as a whole number; OptionError where it is none, 1.5 and True included."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise OptionError(f"{name} is {shorten(value)}; it must be a whole number")
    return value if isinstance(value, int) else int(value)


def check_number(name: str, value: object) -> float:
    """The value as a number; OptionError where it is none, True included."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise OptionError(f"{name} is {shorten(value)}; it must be a number")
    return value if isinstance(value, int | float) else float(value)


def check_texts(name: str, values: object) -> tuple[str, ...]:
    """The values as texts; OptionError where they are one text, or one of them is none."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise OptionError(f"{name} is {shorten(values)}; it must be several texts")
    texts = tuple(values)
    for text in texts:
        _check_kind(f"one of {name}", text, str, "a text")
    return texts


def one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse what is none of the choices."""
    if value not in choices:
        raise OptionError(f"{name} is {shorten(value)}; choose one of {', '.join(choices)}")


def at_least(name: str, value: float | None, least: float) -> None:
    """Refuse what is below `least`, or not a number."""
    if value is not None and not _sensible(name, value) >= least:
        raise OptionError(f"{name} is {value}; it must be at least {least}")


def above(name: str, value: float | None, bound: float) -> None:
    """Refuse what is not above `bound`."""
    if value is not None and not _sensible(name, value) > bound:
        raise OptionError(f"{name} is {value}; it must be above {bound}")


def _sensible(name: str, value: object) -> float:
    """The value where it is a number of a size that can be meant."""
    number = check_number(name, value)
    if abs(number) > LARGEST:
        raise OptionError(f"{name} is {shorten(number)}; it must be at most {LARGEST:,}")
    return number


def shorten(value: object) -> str:
    """A value as a sentence repeats it: not at all where nobody could read it."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits; lists in lists in lists
        return f"a {type(value).__name__} too large to show"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
