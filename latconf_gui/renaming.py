"""Renaming a state that may have been renamed, or merged, before."""

from __future__ import annotations

from latconf_core.data.preparation import Preparation


def renamed(preparation: Preparation, column: str, *, old: str, new: str) -> Preparation:
    """The choices with the state that is now called `old` called `new`, whatever it was called in the file."""
    names = preparation.renames_of(column)
    sources = [first for first, now in names.items() if now == old]
    for source in sources:
        names[source] = new
    if old not in names or names[old] == old:  # `old` is also a state of the file under its own name
        names[old] = new
    return preparation.with_renames(column, names)
