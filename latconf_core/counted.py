"""Numbers with their things, in the singular where there is one."""

from __future__ import annotations


def counted(number: int, thing: str, things: str = "") -> str:
    """The number with the thing it counts, such as "1 row" or "5,000 rows"."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"
