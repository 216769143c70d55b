"""What the user has changed about the data, one entry each, with the way back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from latconf_core.data.preparing.choices import DEFAULT_MISSING_MARKS, Preparation


@dataclass(frozen=True)
class DataChange:
    """One change, and what takes it back."""

    text: str
    without: Callable[[Preparation], Preparation]


def changes_of(preparation: Preparation, *, default_marks: tuple[str, ...] = DEFAULT_MISSING_MARKS) -> list[DataChange]:
    """Every choice that differs from the default."""
    changes = []
    if preparation.missing_marks != default_marks:
        text = f"Missing marks are {marks_text(preparation.missing_marks)}"
        changes.append(DataChange(text, lambda now: replace(now, missing_marks=default_marks)))
    if preparation.missing != "keep":
        changes.append(DataChange(f"Missing cells: {preparation.missing}", lambda now: now.with_missing("keep")))
    if preparation.rows_are_real:
        changes.append(DataChange("Repeated rows are real", lambda now: replace(now, rows_are_real=False)))
    if preparation.counts is not None:
        changes.append(DataChange(f"{preparation.counts}: counts the rows", lambda now: now.with_counts(None)))
    for name, called in preparation.names:
        changes.append(DataChange(f"{name}: called {called}", partial(_with_name_of, name=name)))
    for name, texts in preparation.missing_codes:
        without = partial(_without_codes, name=name)
        changes.append(DataChange(f"{name}: {marks_text(texts)} means missing", without))
    for name, rule in preparation.discretise:
        changes.append(DataChange(f"{name}: discretised ({rule})", partial(_as_it_is, name=name)))
    for name, pairs in preparation.rename:
        shown = ", ".join(f"{old} → {new}" for old, new in pairs)
        changes.append(DataChange(f"{name}: states renamed ({shown})", partial(_without_names, name=name)))
    for name, states in preparation.ordered:
        shown = f" ({' < '.join(states)})" if states else ""
        changes.append(DataChange(f"{name}: ordered{shown}", partial(_with_order_of, name=name, states=None)))
    for name in sorted(preparation.unordered):
        changes.append(DataChange(f"{name}: treated as unordered", partial(_with_order_of, name=name, states=())))
    for name in sorted(preparation.set_aside):
        changes.append(DataChange(f"{name}: excluded", partial(by_the_rules, name=name)))
    for name in sorted(preparation.include):
        changes.append(DataChange(f"{name}: included anyway", partial(by_the_rules, name=name)))
    return changes


def _as_it_is(preparation: Preparation, name: str) -> Preparation:
    return preparation.with_rule(name, None)


def _with_name_of(preparation: Preparation, name: str) -> Preparation:
    return preparation.with_name(name, name)


def _without_codes(preparation: Preparation, name: str) -> Preparation:
    return preparation.with_missing_codes(name, ())


def _without_names(preparation: Preparation, name: str) -> Preparation:
    return preparation.with_renames(name, {})


def _with_order_of(preparation: Preparation, name: str, states: tuple[str, ...] | None) -> Preparation:
    return preparation.with_order(name, states)


def by_the_rules(preparation: Preparation, name: str) -> Preparation:
    """The rules decide about this column again."""
    return replace(preparation, set_aside=preparation.set_aside - {name}, include=preparation.include - {name})


def marks_text(marks: tuple[str, ...]) -> str:
    """The marks as a person would write them down; the empty cell by name."""
    return ", ".join(_shown_mark(mark) for mark in marks) or "none"


def _shown_mark(mark: str) -> str:
    if not mark:
        return "empty cell"
    return f'"{mark}"' if " " in mark else mark
