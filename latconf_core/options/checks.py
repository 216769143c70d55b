"""Sentences for values that an option cannot have."""

from __future__ import annotations

from latconf_core.errors import OptionError


def one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse what is none of the choices."""
    if value not in choices:
        raise OptionError(f"{name} is {value!r}; choose one of {', '.join(choices)}")


def at_least(name: str, value: float | None, least: float) -> None:
    """Refuse what is below `least`, or not a number."""
    if value is not None and not value >= least:
        raise OptionError(f"{name} is {value}; it must be at least {least}")


def above(name: str, value: float | None, bound: float) -> None:
    """Refuse what is not above `bound`."""
    if value is not None and not value > bound:
        raise OptionError(f"{name} is {value}; it must be above {bound}")
