"""Changes that a column seems to ask for: marks of missing cells, states spelt in two ways, a copy of another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from latconf_core.arrays import BoolArray, FloatArray, IntArray
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.known_orders import recognise_order
from latconf_core.data.raw_table import RawTable
from latconf_core.data.state_order import as_number
from latconf_core.phrases import counted

MAX_ODD_TEXTS = 3
MIN_NUMBERS = 2  # different ones, beside what may be a mark
SHOWN_GROUPS = 3
SAID_STATES = 6  # of an order; of a longer one the first three and the last
_NEGATIVE_MARK = re.compile(r"-[789]+(?:[.,]0+)?", re.ASCII)  # -9, -99, -98, -777
_POSITIVE_MARK = re.compile(r"99+(?:[.,]0+)?", re.ASCII)
_FAR = 3  # a 999 is a mark where the largest other number is less than a third of it


@dataclass(frozen=True)
class Offer:
    """A change of the choices, in words and as a value.

    action : what a button says
    marks : texts to count as missing, in the whole table
    merge : (state, the name it gets) pairs
    excludes : the column would no longer be used
    counts : the column would count rows
    order : its states from lowest to highest, where it would be declared as ordered
    """

    column: str
    text: str
    action: str
    marks: tuple[str, ...] = ()
    merge: tuple[tuple[str, str], ...] = ()
    excludes: bool = False
    counts: bool = False
    order: tuple[str, ...] = ()


def offer_exclusion(copy: str, original: str) -> Offer:
    """Offer to exclude a column that says the same as another."""
    text = f"is equivalent to {original!r}, state by state; with both, a learner misses edges of either: exclude it?"
    return Offer(copy, text, "Exclude", excludes=True)


def accept_offer(preparation: Preparation, raw: RawTable, offer: Offer) -> Preparation:
    """The choices with the offer taken up."""
    if offer.excludes:
        return preparation.with_set_aside(offer.column)
    if offer.counts:
        return preparation.with_counts(offer.column)
    if offer.order:
        return preparation.with_order(offer.column, offer.order)
    if offer.marks:
        kept = [
            (name, tuple(pair for pair in pairs if pair[0] not in offer.marks)) for name, pairs in preparation.rename
        ]
        return replace(preparation, missing_marks=(*preparation.missing_marks, *offer.marks), rename=tuple(kept))
    names, merge = preparation.renames_of(offer.column), dict(offer.merge)
    now = {text: names.get(text, text) for text in raw.column(offer.column).texts}
    changed = {text: merge[called] for text, called in now.items() if called in merge}
    return preparation.with_renames(offer.column, {**names, **changed})


def offer_order(name: str, states: Sequence[str], *, decimal: str) -> tuple[Offer, ...]:
    """Offer to declare a column as ordered where its states are words of a known order, intervals or numbers."""
    order = recognise_order(states, decimal)
    if order is None:
        return ()
    said = order if len(order) <= SAID_STATES else (*order[:3], "…", order[-1])
    return (Offer(name, f"states that look ordered: {' < '.join(said)}", "Declare as ordered", order=order),)


def offer_counts(column: str) -> Offer:
    """Offer to count rows by a column that is called so."""
    text = "looks like row counts, which are not a variable"
    return Offer(column, text, "Use as row counts", counts=True)


def offer_missing(name: str, texts: Sequence[str], counts: IntArray, *, numbers: FloatArray) -> Offer | None:
    """Offer to count texts among numbers as missing: a few words, or a number such as -99 that stands far out.

    texts, counts, numbers : of the cells that are not missing; NaN where a text is no number
    """
    is_mark = np.isnan(numbers)
    if is_mark.any():
        if not _are_words_among_numbers(texts, counts, is_mark):
            return None
        text = f"numbers except {_with_cells(texts, counts, is_mark)}: treat as missing?"
    else:
        is_mark = _number_marks(texts, numbers)
        if not is_mark.any():
            return None
        rest = numbers[~is_mark]
        span = f"from {rest.min():g} to {rest.max():g}"
        text = f"{_with_cells(texts, counts, is_mark)} among numbers {span}: treat as missing?"
    return Offer(name, text, "Treat as missing", marks=_chosen(texts, is_mark))


def _are_words_among_numbers(texts: Sequence[str], counts: IntArray, is_word: BoolArray) -> bool:
    n_words = int(is_word.sum())
    if n_words > MAX_ODD_TEXTS or len(texts) - n_words < MIN_NUMBERS or counts[is_word].sum() >= counts[~is_word].sum():
        return False
    letters = "".join(_chosen(texts, is_word))
    return not any(letter.isdigit() for letter in letters)  # 3+ and 10-20 are values


def _number_marks(texts: Sequence[str], numbers: FloatArray) -> BoolArray:
    """Which numbers look like marks: the only negative ones, or a 99 far above the others."""
    none: BoolArray = np.zeros(len(texts), dtype=bool)
    negative = numbers < 0
    if negative.any():
        are_few = int(negative.sum()) <= MAX_ODD_TEXTS
        is_mark = negative if are_few and _all_match(_NEGATIVE_MARK, texts, negative) else none
    else:
        largest = numbers == numbers.max(initial=0)
        is_far = numbers[~largest].max(initial=0) * _FAR < numbers.max(initial=0)
        is_mark = largest if is_far and _all_match(_POSITIVE_MARK, texts, largest) else none
    return is_mark if np.count_nonzero(~is_mark) >= MIN_NUMBERS else none


def _all_match(pattern: re.Pattern[str], texts: Sequence[str], which: BoolArray) -> bool:
    return all(pattern.fullmatch(text.strip()) for text in _chosen(texts, which))


def _chosen(texts: Sequence[str], which: BoolArray) -> tuple[str, ...]:
    return tuple(texts[int(i)] for i in np.flatnonzero(which))


def _with_cells(texts: Sequence[str], counts: IntArray, which: BoolArray) -> str:
    named = ", ".join(map(repr, _chosen(texts, which)))
    return f"{named} ({counted(int(counts[which].sum()), 'cell')})"


def offer_merge(name: str, states: Sequence[str], counts: IntArray, *, decimal: str) -> Offer | None:
    """Offer to merge states that are equal as numbers, or but for case and blanks, into the most frequent of them."""
    groups: dict[object, list[int]] = {}
    for i, state in enumerate(states):
        value = as_number(state, decimal)
        groups.setdefault(" ".join(state.casefold().split()) if value is None else value, []).append(i)
    alike = [group for group in groups.values() if len(group) > 1]
    if not alike:
        return None
    merge = []
    for group in alike:
        most = max(group, key=lambda i: int(counts[i]))
        merge += [(states[i], states[most]) for i in group if i != most]
    named = "; ".join(", ".join(repr(states[i]) for i in group) for group in alike[:SHOWN_GROUPS])
    rest = f" and {counted(len(alike) - SHOWN_GROUPS, 'more group')}" if len(alike) > SHOWN_GROUPS else ""
    return Offer(name, f"states that look alike: {named}{rest}", "Merge", merge=tuple(merge))
