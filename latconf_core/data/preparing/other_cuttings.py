"""The same table with its columns of numbers cut elsewhere: what is found should not hang on where they were cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import MAX_BINS, Discretisation
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.raw_table import RawTable
from latconf_core.errors import DataError

NOTHING_CUT = (
    "no column was cut from numbers, so there are no other cut points to try; discretise a column of numbers, search, "
    "and ask again"
)
Recut = Callable[[Discretisation], Discretisation]


def cut_columns(preparation: Preparation, dataset: Dataset) -> tuple[str, ...]:
    """The variables that were cut from numbers."""
    return tuple(name for name, _ in preparation.discretise if name in dataset.names)


@dataclass(frozen=True, eq=False)
class Cutting:
    """The data with every cut column cut by another rule.

    title : how it is cut, such as "equal width"
    """

    title: str
    dataset: Dataset


def other_cuttings(
    raw: RawTable, preparation: Preparation, digest: str, *, control: RunControl | None = None
) -> tuple[Cutting, ...]:
    """Two to four other cuttings of the cut columns; those that give the data as they are, or one twice, are left out.

    digest : of the data that were searched; DataError where the table as it is gives others, or no column was cut
    """
    dataset = prepare(raw, preparation, control=control).dataset
    if dataset.digest != digest:
        raise DataError("the run was on other data; give the table that was searched, cut and prepared as for the run")
    rules = {name: dict(preparation.discretise)[name] for name in cut_columns(preparation, dataset)}
    if not rules:
        raise DataError(NOTHING_CUT)
    known, cuttings = {digest}, []
    for title, recut in RECUTS.items():
        changed = _cut_anew(preparation, rules, recut)
        cut_dataset = prepare(raw, changed, control=control).dataset
        if cut_dataset.digest not in known and set(cut_dataset.names) == set(dataset.names):
            known.add(cut_dataset.digest)
            cuttings.append(Cutting(title, cut_dataset))
    if not cuttings:
        raise DataError("every other cutting of the numbers gives the same data; cut them into more intervals")
    return tuple(cuttings)


def _cut_anew(preparation: Preparation, rules: dict[str, Discretisation], recut: Recut) -> Preparation:
    """The choices with other rules; that the order of a column is passed over stays so."""
    changed = preparation
    for name, rule in rules.items():
        changed = changed.with_rule(name, recut(rule))
    return replace(changed, unordered=preparation.unordered)


def _at_width(rule: Discretisation) -> Discretisation:
    return Discretisation("equal width", rule.n_bins)


def _at_frequency(rule: Discretisation) -> Discretisation:
    return Discretisation("equal frequency", rule.n_bins)


def _one_more(rule: Discretisation) -> Discretisation:
    return _with_bins(rule, min(rule.n_bins + 1, MAX_BINS))


def _one_fewer(rule: Discretisation) -> Discretisation:
    return _with_bins(rule, max(rule.n_bins - 1, 2))


def _with_bins(rule: Discretisation, n_bins: int) -> Discretisation:
    """The same method with other intervals; points that were given have no method, so equal frequencies stand in."""
    return Discretisation("equal frequency" if rule.method == "cut points" else rule.method, n_bins)


RECUTS: dict[str, Recut] = {
    "equal width": _at_width,
    "equal frequency": _at_frequency,
    "one interval more": _one_more,
    "one interval fewer": _one_fewer,
}
