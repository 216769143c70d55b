"""Which variables have states that are ordered as they stand, and how that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from latconf_core.errors import DataError

LEAST_STATES = 3  # two states have no order


@dataclass(frozen=True)
class ColumnOrder:
    """The states of a variable are ordered as they stand.

    cut_points : ascending, of a column that was cut from numbers; empty for an order that was declared
    """

    cut_points: tuple[float, ...] = ()

    @property
    def is_cut(self) -> bool:
        """Whether the order comes from cutting numbers."""
        return bool(self.cut_points)


def keep_known(
    ordered: Mapping[str, ColumnOrder] | None, names: Sequence[str], states: Sequence[Sequence[str]]
) -> dict[str, ColumnOrder]:
    """The orders of these variables, in their order; those of two states that were only declared are left out."""
    if not ordered:
        return {}
    return {
        name: ordered[name]
        for name, state in zip(names, states)
        if name in ordered and (ordered[name].is_cut or len(state) >= LEAST_STATES)
    }


def order_places(name: str, states: Sequence[str], order: Sequence[str]) -> list[int]:
    """The place that each state has in a declared order; an empty order is the states as they stand."""
    if not order:
        return list(range(len(states)))
    if len(set(order)) != len(order):
        twice = next(state for state in order if list(order).count(state) > 1)
        raise DataError(f"the order of {name!r} names the state {twice!r} twice; name each state once")
    unknown = [state for state in order if state not in states]
    if unknown:
        raise DataError(
            f"the order of {name!r} names {unknown[0]!r}, which is not one of its states: {', '.join(states)}"
        )
    missing = [state for state in states if state not in order]
    if missing:
        raise DataError(f"the order of {name!r} lacks the state {missing[0]!r}; name every state, lowest first")
    return [list(order).index(state) for state in states]
