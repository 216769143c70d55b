"""What the user's choices make of one column: its states, its missing cells, or why it is excluded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from latconf_core.arrays import IntArray
from latconf_core.data.column_order import LEAST_STATES, ColumnOrder, order_places
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation, bin_labels, bins_of
from latconf_core.data.preparing.offers import Offer, offer_counts, offer_merge, offer_missing, offer_order
from latconf_core.data.preparing.row_counts import looks_like_counts
from latconf_core.data.preparing.small_bars import MOST_BARS, number_bars, state_bars
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.data.table_load import MANY_STATES
from latconf_core.errors import DataError
from latconf_core.phrases import counted

# Below this many rows, all-different values are no sign of an id: two rows with yes and no differ too.
MIN_ROWS_OF_ID = 10
_WHOLE = re.compile(r"[+-]?\d+(?:[.,]0*)?", re.ASCII)  # also as a program writes a column with gaps: 233.0
COUNTS_ROWS = "it counts the rows"


@dataclass(frozen=True, eq=False)
class ColumnPlan:
    """One column after marks, discretisation and renames, before missing cells are filled or dropped.

    name : of the column in the table
    called : the name of its variable in the data
    states, counts : the states with how often each occurs
    recode : (n_texts,) the state of each text of the raw column, −1 where it means missing
    is_numeric : whether every text that is not missing is a number (it can be discretised)
    reason : why the column is excluded; "" where it is used
    offers : what the column seems to ask for
    order : how it is known that the states are ordered as they stand; None where they are not
    overruled : why a rule would exclude the column, had the user not chosen to use it
    bars : the heights of a small bar chart: the states, or a histogram of many numbers
    is_cut : whether it was discretised
    """

    name: str
    states: tuple[str, ...]
    counts: IntArray
    recode: IntArray
    n_missing: int
    is_numeric: bool
    is_declared: bool
    bars: IntArray
    called: str
    reason: str = ""
    by_hand: bool = False
    notes: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    order: ColumnOrder | None = None
    overruled: str = ""
    is_cut: bool = False

    @property
    def has_many_states(self) -> bool:
        """Whether it is used with more states than tests and tables bear well."""
        return self.is_used and len(self.states) > MANY_STATES and not self.is_cut

    @property
    def is_used(self) -> bool:
        return not self.reason

    @property
    def asks_for_bins(self) -> bool:
        """Whether its many numbers exclude it; whole numbers that all differ are rather an identifier."""
        if (
            self.is_used
            or self.by_hand
            or self.reason == COUNTS_ROWS
            or not self.is_numeric
            or len(self.states) < MIN_ROWS_OF_ID
        ):
            return False
        all_differ = len(self.states) == int(self.counts.sum())
        return not all_differ or not all(_WHOLE.fullmatch(state.strip()) for state in self.states)


def plan_column(raw: RawTable, name: str, preparation: Preparation) -> ColumnPlan:
    """What the choices make of one column."""
    column = raw.column(name)
    present = _present(column, preparation, name)
    rule = preparation.rule_of(name)
    notes: list[str] = []
    points: tuple[float, ...] = ()
    if rule is not None:
        cut = _discretise_states(column, present, rule, name=name, decimal=raw.decimal, notes=notes)
        before, recode, points = cut.states, cut.recode, cut.points
    else:
        before, recode = _as_they_are(column, present)
    states, recode = _rename_states(before, recode, preparation.renames_of(name), name=name, notes=notes)
    states, recode, order = _order_states(
        states, recode, preparation, name=name, before=before, points=points, notes=notes
    )
    counts = np.zeros(len(states), dtype=np.int64)
    np.add.at(counts, recode[recode >= 0], column.counts[recode >= 0])
    n_missing = int(column.counts[recode < 0].sum())
    is_numeric = bool(present) and not np.isnan(column.numbers(raw.decimal)[present]).any()
    by_hand = name in preparation.set_aside
    reason, overruled = _exclusion(name, preparation, states, counts, is_numeric=is_numeric)
    offers: tuple[Offer, ...] = ()
    if name == preparation.counts:
        notes = []
    elif preparation.counts is None and not by_hand and looks_like_counts(raw, name):
        offers = (offer_counts(name),)
    elif rule is None and not by_hand and not column.is_declared:
        offers = _offers(
            raw, name, present, states=states if len(states) <= preparation.max_states else (), counts=counts
        )
        if order is None and not reason and not offers:
            offers += offer_order(name, states, decimal=column.decimal(raw.decimal))
        notes += [
            f"{name!r} has {offer.text}; rename them to one name to merge them" for offer in offers if offer.merge
        ]
    return ColumnPlan(
        name,
        tuple(states),
        counts,
        recode,
        n_missing,
        is_numeric,
        column.is_declared,
        bars=_bars(raw, name, present, counts=counts, has_numbers=is_numeric and rule is None),
        called=preparation.name_of(name),
        reason=reason,
        by_hand=by_hand,
        notes=tuple(notes),
        offers=offers,
        order=order,
        overruled=overruled,
        is_cut=rule is not None,
    )


def _present(column: RawColumn, preparation: Preparation, name: str) -> list[int]:
    """The places of the texts that are not missing; those of a file that declares its states need not occur."""
    are_missing = preparation.are_missing(column.texts, name)
    return [i for i, missing in enumerate(are_missing) if not missing and (column.is_declared or column.counts[i])]


def _offers(
    raw: RawTable, name: str, present: list[int], *, states: Sequence[str], counts: IntArray
) -> tuple[Offer, ...]:
    """What the texts that are not missing, and the states with their counts, seem to ask for."""
    column = raw.column(name)
    texts, numbers = [column.texts[i] for i in present], column.numbers(raw.decimal)[present]
    offers = (
        offer_missing(name, texts, column.counts[present], numbers=numbers),
        offer_merge(name, states, counts, decimal=column.decimal(raw.decimal)),
    )
    return tuple(offer for offer in offers if offer is not None)


def _bars(raw: RawTable, name: str, present: list[int], *, counts: IntArray, has_numbers: bool) -> IntArray:
    """The heights of the small chart of a column."""
    column = raw.column(name)
    if not has_numbers or len(counts) <= MOST_BARS:
        return state_bars(counts)
    return number_bars(column.numbers(raw.decimal)[present], column.counts[present])


class _Rule(NamedTuple):
    """Why a rule excludes a column, and what makes it usable, "" where nothing does."""

    why: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.why}; {self.remedy} to use it" if self.remedy else self.why


def _exclusion(
    name: str, preparation: Preparation, states: Sequence[str], counts: IntArray, *, is_numeric: bool
) -> tuple[str, str]:
    """Why the column is excluded, "" where it is used; and which rule the user overruled by using it, ""."""
    if name == preparation.counts:
        return COUNTS_ROWS, ""
    if name in preparation.set_aside:
        return "excluded manually", ""
    rule = _excluding_rule(states, counts, is_numeric=is_numeric, max_states=preparation.max_states)
    if rule is None:
        return "", ""
    return ("", rule.why) if name in preparation.include else (str(rule), "")


def _excluding_rule(states: Sequence[str], counts: IntArray, *, is_numeric: bool, max_states: int) -> _Rule | None:
    """The rule that excludes the column."""
    n_seen, n_cells = int(np.count_nonzero(counts)), int(counts.sum())
    if n_seen == 0:
        return _Rule("all its cells are missing")
    if n_seen == 1:
        return _Rule(f"it has one state, {states[int(np.argmax(counts))]!r}")
    if n_seen == n_cells >= MIN_ROWS_OF_ID:
        return _Rule(f"its {n_cells:,} values are all different, as in an identifier")
    if len(states) > max_states:
        remedy = "discretise it" if is_numeric else "merge states"
        return _Rule(f"it has {len(states):,} states, more than {max_states}", remedy)
    return None


def _as_they_are(column: RawColumn, present: Sequence[int]) -> tuple[list[str], IntArray]:
    recode = np.full(len(column.texts), -1, dtype=np.int64)
    recode[list(present)] = np.arange(len(present))
    return [column.texts[i] for i in present], recode


class _Cut(NamedTuple):
    """The intervals that hold values, and the points between them."""

    states: list[str]
    recode: IntArray
    points: tuple[float, ...]


def _discretise_states(
    column: RawColumn, present: Sequence[int], rule: Discretisation, *, name: str, decimal: str, notes: list[str]
) -> _Cut:
    numbers = column.numbers(decimal)[list(present)]
    for i in np.flatnonzero(np.isnan(numbers)):
        raise DataError(
            f"column {name!r} has the value {column.texts[present[int(i)]]!r}, which is not a number; "
            "mark it as missing or do not discretise the column"
        )
    recode = np.full(len(column.texts), -1, dtype=np.int64)
    if not present:
        return _Cut([], recode, ())
    values, which = np.unique(numbers, return_inverse=True)
    counts = np.bincount(which, weights=column.counts[list(present)]).astype(np.int64)
    points = rule.fit(values[counts > 0], counts[counts > 0]) if counts.any() else ()
    bins = bins_of(values, points)
    used = np.unique(bins)
    recode[list(present)] = np.searchsorted(used, bins)[which]
    labels = bin_labels(points)
    shown = ", ".join(f"{point:.6g}" for point in points) or "none"
    notes.append(f"{name!r} was discretised ({rule}): {counted(len(used), 'state')}, cut at {shown}")
    if len(used) < rule.n_bins:
        bins_filled = counted(len(used), "bin")
        notes.append(f"{name!r} has {bins_filled} with values, not the requested {rule.n_bins}")
    return _Cut([labels[i] for i in used], recode, tuple(float(points[i - 1]) for i in used[1:]))


def _order_states(
    states: list[str],
    recode: IntArray,
    preparation: Preparation,
    *,
    name: str,
    before: Sequence[str],
    points: tuple[float, ...],
    notes: list[str],
) -> tuple[list[str], IntArray, ColumnOrder | None]:
    """The states in their declared order, or cut from numbers, with how their order is known.

    before, points : the intervals before they were renamed, and the cut points between them
    """
    if points:
        renames = preparation.renames_of(name)
        rank_of = [states.index(renames.get(state, state)) for state in before]
        if name in preparation.unordered or rank_of != sorted(rank_of):  # intervals far apart were merged
            return states, recode, None
        kept = tuple(point for point, (a, b) in zip(points, pairwise(rank_of)) if a != b)
        return states, recode, ColumnOrder(kept) if kept else None
    declared = preparation.order_of(name)
    if declared is None:
        return states, recode, None
    if len(states) < LEAST_STATES:
        notes.append(f"{name!r} has {counted(len(states), 'state')} without a known order; it is treated as unordered")
        return states, recode, None
    places = order_places(name, states, declared)
    recode = np.array([*places, -1], dtype=np.int64)[recode]  # the last serves code −1
    states = list(declared) or states
    notes.append(f"the states of {name!r} are ordered: {' < '.join(states)}")
    return states, recode, ColumnOrder()


def _rename_states(
    states: list[str], recode: IntArray, renames: dict[str, str], *, name: str, notes: list[str]
) -> tuple[list[str], IntArray]:
    """The states under their new names; equal names become one state."""
    for old in renames:
        if old not in states:
            raise DataError(f"column {name!r} has no state {old!r} to rename")
    if not renames:
        return states, recode
    names = [renames.get(state, state) for state in states]
    merged = list(dict.fromkeys(names))
    new_codes = np.array([merged.index(new) for new in names] + [-1], dtype=np.int64)  # the last serves code −1
    notes.append(f"states of {name!r} were renamed: {', '.join(f'{a} → {b}' for a, b in renames.items())}")
    return merged, new_codes[recode]
