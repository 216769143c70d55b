"""From a table as read and the user's choices to a Dataset, with a report of what was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import BoolArray, IntArray
from latconf_core.control import RunControl
from latconf_core.data.column_order import ColumnOrder
from latconf_core.data.copies import describe_copies, find_copies
from latconf_core.data.dataset import MAX_STATES, MOST_SIGNED, Dataset
from latconf_core.data.facts import TableFacts
from latconf_core.data.preparing.choices import MISSING_STATE, Preparation
from latconf_core.data.preparing.column_plans import ColumnPlan, plan_column
from latconf_core.data.preparing.offers import offer_exclusion
from latconf_core.data.preparing.row_counts import describe_counts, read_row_counts, weigh_cells
from latconf_core.data.raw_table import RawTable, recode_cells, smallest_dtype
from latconf_core.data.row_warnings import warn_of_rows
from latconf_core.errors import DataError
from latconf_core.phrases import counted

_NAMED_IN_A_SENTENCE = 5


@dataclass(frozen=True)
class SetAside:
    """A column that is not used, and why; `by_hand` where the user said so."""

    name: str
    reason: str
    by_hand: bool = False


@dataclass(frozen=True, eq=False)
class Prepared:
    """The data ready for learning, and what was done to get there.

    rows : (n_rows,) which row of the raw table each row of the data is
    copies : variables that say the same as another, each with that one
    warnings : what claims about hidden causes depend on; also among the notes
    notes : one sentence each
    """

    dataset: Dataset
    rows: npt.NDArray[np.intp]
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = ()
    copies: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def plan_columns(
    raw: RawTable, preparation: Preparation, *, control: RunControl | None = None
) -> tuple[ColumnPlan, ...]:
    """What the choices make of every column, in file order; needs no policy for missing cells."""
    _check_names(raw, preparation)
    control = control or RunControl()
    counts = read_row_counts(raw, preparation)
    raw = raw if counts is None else weigh_cells(raw, counts)
    plans = []
    for name in raw.names:
        control.checkpoint()
        plans.append(plan_column(raw, name, preparation))
    return tuple(plans)


def missing_cells(raw: RawTable, preparation: Preparation) -> dict[str, int]:
    """How many cells are missing in each used column that has any."""
    plans = plan_columns(raw, preparation)
    return {plan.name: plan.n_missing for plan in plans if plan.is_used and plan.n_missing}


def prepare(
    raw: RawTable,
    preparation: Preparation | None = None,
    *,
    plans: Sequence[ColumnPlan] | None = None,
    control: RunControl | None = None,
) -> Prepared:
    """The Dataset that these choices make of the table, with the columns excluded and a report.

    plans : what `plan_columns` gives for the same table and choices, where that is known already
    """
    preparation, control = preparation or Preparation(), control or RunControl()
    if raw.n_rows == 0:
        raise DataError(f"{_source(raw)} has names but no rows; add at least one row of data")
    if plans is None:
        plans = plan_columns(raw, preparation, control=control)
    notes = list(raw.notes) + [note for plan in plans if plan.is_used for note in plan.notes]
    used = [plan for plan in plans if plan.is_used]
    counts = read_row_counts(raw, preparation)
    keep = _rows_kept(raw, used, preparation, counts)
    aside = {plan.name: SetAside(plan.name, plan.reason, plan.by_hand) for plan in plans if not plan.is_used}
    columns: list[tuple[str, list[str], npt.NDArray[np.integer]]] = []
    ordered: dict[str, ColumnOrder] = {}
    for plan in used:
        control.checkpoint()
        states, codes, note = _finish(plan, raw, keep, preparation)
        if len(states) < 2 and plan.name not in preparation.include:
            aside[plan.name] = SetAside(plan.name, f"it has one state, {states[0]!r}, in the remaining rows")
            continue
        columns.append((plan.called, states, codes))
        if plan.order is not None and _keeps_order(states, plan):
            ordered[plan.called] = _narrowed(plan.order, states, plan.states)
        notes += [note] if note else []
    n_whole, n_dropped = _rows_dropped(raw, keep, counts)
    if counts is not None:
        notes.append(describe_counts(str(preparation.counts), raw.n_rows, n_whole))
    if n_dropped:
        dropped = f"{n_dropped:,} of {counted(n_whole, 'row')} with missing cells"
        notes.append(f"{dropped} {'was' if n_dropped == 1 else 'were'} dropped")
    set_aside = tuple(aside[name] for name in raw.names if name in aside)
    if not columns:
        raise DataError(f"no column of {_source(raw)} can be used: {_join([_aside_text(a) for a in set_aside])}")
    _check_called([plan for plan in used if plan.name not in aside])
    rows = np.arange(raw.n_rows) if keep is None else keep
    weights = None if counts is None else counts[rows]
    rows = rows if weights is None else np.repeat(rows, weights)
    rows.setflags(write=False)
    dataset = _dataset(columns, weights, _facts(used, preparation, n_dropped), ordered)
    warnings = tuple(warn_of_rows(dataset))
    notes += [*_describe_kept(dataset), *warnings]
    copies = find_copies(dataset, control)
    return Prepared(dataset, rows, set_aside, (*notes, *describe_copies(copies)), copies, warnings)


def offer_to_exclude(plans: Sequence[ColumnPlan], copies: Mapping[str, str]) -> tuple[ColumnPlan, ...]:
    """The plans of the columns, those of copies with the offer to exclude them."""
    return tuple(
        replace(plan, offers=(*plan.offers, offer_exclusion(plan.name, copies[plan.called])))
        if plan.called in copies and plan.is_used
        else plan
        for plan in plans
    )


def _check_called(used: Sequence[ColumnPlan]) -> None:
    """Refuse two variables of one name."""
    first: dict[str, str] = {}
    for plan in used:
        if plan.called in first:
            both = f"{first[plan.called]!r} and {plan.name!r}"
            raise DataError(f"columns {both} would both be called {plan.called!r}; choose another name")
        first[plan.called] = plan.name


def _rows_dropped(raw: RawTable, keep: npt.NDArray[np.intp] | None, counts: IntArray | None) -> tuple[int, int]:
    """How many rows there are, written out, and how many of them were dropped."""
    if counts is None:
        return raw.n_rows, 0 if keep is None else raw.n_rows - len(keep)
    n_whole = int(counts.sum())
    return n_whole, 0 if keep is None else n_whole - int(counts[keep].sum())


def _facts(used: Sequence[ColumnPlan], preparation: Preparation, n_dropped: int) -> TableFacts:
    fills = preparation.missing in ("own state", "most frequent")
    filled_in = frozenset(plan.called for plan in used if fills and plan.n_missing)
    return TableFacts(filled_in, preparation.counts is not None, preparation.rows_are_real, n_dropped)


def _describe_kept(dataset: Dataset) -> list[str]:
    """What stays missing, in a sentence."""
    cells = {name: dataset.count_missing(name) for name in dataset.names if dataset.is_missing[dataset.index[name]]}
    if not cells:
        return []
    total, where = sum(cells.values()), _join([f"{name!r}: {count}" for name, count in cells.items()])
    missing = counted(total, "cell is", "cells are")
    return [f"{missing} missing in {counted(len(cells), 'column')} ({where}) and kept missing"]


def _keeps_order(states: Sequence[str], plan: ColumnPlan) -> bool:
    """Whether no state was added whose place in the order nobody knows, such as that of missing cells."""
    return set(states) <= set(plan.states)


def _narrowed(order: ColumnOrder, states: Sequence[str], before: Sequence[str]) -> ColumnOrder:
    """The order of the states that are left; of cut points those that still part two of them."""
    if not order.is_cut or len(states) == len(before):
        return order
    left = [before.index(state) for state in states]
    return ColumnOrder(tuple(order.cut_points[index - 1] for index in left[1:]))


def _dataset(
    columns: Sequence[tuple[str, list[str], npt.NDArray[np.integer]]],
    weights: IntArray | None,
    facts: TableFacts,
    ordered: Mapping[str, ColumnOrder],
) -> Dataset:
    for name, states, _ in columns:
        if len(states) > MAX_STATES:
            raise DataError(f"column {name!r} has {len(states)} states; discretise it or exclude it")
    largest = max(len(states) for _, states, _ in columns)
    dtype = np.dtype(np.uint8 if largest <= 256 else np.uint16)
    if any(codes.dtype.kind == "i" for _, _, codes in columns):  # cells are missing
        dtype = np.dtype(np.int16 if largest <= MOST_SIGNED else np.int32)
    codes = np.empty((len(columns[0][2]), len(columns)), dtype=dtype, order="F")
    for i, (_, _, cells) in enumerate(columns):
        codes[:, i] = cells
    codes.setflags(write=False)
    every_state = [states for _, states, _ in columns]
    return Dataset([name for name, _, _ in columns], every_state, codes, weights, facts, ordered=ordered)


def _finish(
    plan: ColumnPlan, raw: RawTable, keep: npt.NDArray[np.intp] | None, preparation: Preparation
) -> tuple[list[str], npt.NDArray[np.integer], str]:
    """States and codes of one used column after the policy for missing cells, and a note of what it did."""
    states, note = list(plan.states), ""
    if not states:
        raise DataError(f"column {plan.name!r} has only missing cells; exclude it")
    recode = plan.recode.copy()
    missing, missing_cells = recode < 0, counted(plan.n_missing, "missing cell")
    if plan.n_missing and preparation.missing == "own state":
        states.append(_free_name(states))
        recode[missing] = len(states) - 1
        note = f"{missing_cells} of {plan.name!r} became the state {states[-1]!r}"
    elif plan.n_missing and preparation.missing == "most frequent":
        recode[missing] = int(np.argmax(plan.counts))
        note = f"{missing_cells} of {plan.name!r} became its most frequent state "
        note += repr(states[int(np.argmax(plan.counts))])
    stays = plan.n_missing and preparation.missing == "keep"
    small: npt.NDArray[np.integer] = recode.astype(np.int32 if stays else smallest_dtype(len(states)))
    texts = raw.column(plan.name).codes
    codes = recode_cells(texts if keep is None else texts[keep], small)
    if keep is not None and not plan.is_declared:
        states, codes = _keep_observed(states, codes)
    return states, codes, note


def _keep_observed(states: list[str], codes: npt.NDArray[np.integer]) -> tuple[list[str], npt.NDArray[np.integer]]:
    """The states that still occur after rows were dropped."""
    seen = np.bincount(codes[codes >= 0], minlength=len(states)) > 0
    if seen.all():
        return states, codes
    recode = np.append(np.cumsum(seen) - 1, -1)  # the last serves missing cells
    return [state for state, here in zip(states, seen) if here], recode[codes]


def _free_name(states: Sequence[str]) -> str:
    name, number = MISSING_STATE, 2
    while name in states:
        name, number = f"{MISSING_STATE} {number}", number + 1
    return name


def _rows_kept(
    raw: RawTable, used: Sequence[ColumnPlan], preparation: Preparation, counts: IntArray | None
) -> npt.NDArray[np.intp] | None:
    """The rows that occur, without missing cells where these are dropped; None where all stay."""
    occurs = None if counts is None or counts.all() else counts > 0
    if preparation.missing != "drop rows" or not any(plan.n_missing for plan in used):
        return None if occurs is None else np.flatnonzero(occurs)
    complete = _complete_rows(raw, used, RunControl())
    if occurs is not None:
        complete &= occurs
    if not complete.any():
        most = max(used, key=lambda plan: plan.n_missing)
        raise DataError(
            f"every row has a missing cell, so dropping rows leaves none; exclude {most.name!r} "
            f"({most.n_missing} missing) or keep missing cells"
        )
    return np.flatnonzero(complete)


def count_complete_rows(
    raw: RawTable, plans: Sequence[ColumnPlan], control: RunControl, *, counts: IntArray | None = None
) -> int:
    """How many rows would be left if those with missing cells in a used column were dropped.

    counts : how often each row of the table occurs; None where each is one row
    """
    complete = _complete_rows(raw, [plan for plan in plans if plan.is_used], control)
    return int(np.count_nonzero(complete) if counts is None else counts[complete].sum())


def _complete_rows(raw: RawTable, used: Sequence[ColumnPlan], control: RunControl) -> BoolArray:
    complete: BoolArray = np.ones(raw.n_rows, dtype=bool)
    for plan in used:
        if plan.n_missing:
            control.checkpoint()
            complete &= (plan.recode >= 0)[raw.column(plan.name).codes]
    return complete


def _check_names(raw: RawTable, preparation: Preparation) -> None:
    for name in preparation.named_columns():
        if name not in raw.index:
            raise DataError(f"the data choices name the column {name!r}, which {_source(raw)} does not have")


def _join(texts: Sequence[str]) -> str:
    shown = ", ".join(texts[:_NAMED_IN_A_SENTENCE])
    rest = len(texts) - _NAMED_IN_A_SENTENCE
    return f"{shown} and {rest} more" if rest > 0 else shown


def _aside_text(aside: SetAside) -> str:
    return f"{aside.name!r} ({aside.reason})"


def _source(raw: RawTable) -> str:
    return "the table" if raw.source is None else raw.source.name
