"""Sentences for values that an option cannot have."""

from __future__ import annotations

from latconf_core.errors import OptionError


def one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse what is none of the choices."""
    if value not in choices:
        raise OptionError(f"{name} is {value!r}; choose one of {', '.join(choices)}")


LARGEST = 10**18  # beyond it a number means nothing here, and a kernel could not hold it


def at_least(name: str, value: float | None, least: float) -> None:
    """Refuse what is below `least`, or not a number."""
    if value is not None and not _number(name, value) >= least:
        raise OptionError(f"{name} is {value}; it must be at least {least}")


def above(name: str, value: float | None, bound: float) -> None:
    """Refuse what is not above `bound`."""
    if value is not None and not _number(name, value) > bound:
        raise OptionError(f"{name} is {value}; it must be above {bound}")


def _number(name: str, value: object) -> float:
    """The value where it is a number of a size that can be meant."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise OptionError(f"{name} is {value!r}; it must be a number")
    if value > LARGEST:
        raise OptionError(f"{name} is {value:.3g}; it must be at most {LARGEST:,}")
    return value
