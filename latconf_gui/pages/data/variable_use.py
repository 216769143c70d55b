"""What using or excluding the selected variables changes, and what a button says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.phrases import counted

RULED_OUT = "A rule excludes each of them: discretise them, or choose one alone to use it anyway."


@dataclass(frozen=True)
class UseChange:
    """What the button of the Inspector would do; `text` names it."""

    text: str
    is_to_use: bool


NOTHING_CHOSEN = UseChange("Use", True)


def plans_to_change(plans: Sequence[ColumnPlan], used: bool) -> list[ColumnPlan]:
    """Those that would change; of several, one that a rule excludes stays excluded."""
    differ = [plan for plan in plans if plan.is_used != used]
    return differ if len(plans) == 1 or not used else [plan for plan in differ if plan.by_hand]


def use_change(plans: Sequence[ColumnPlan], current: ColumnPlan | None) -> UseChange:
    """What one press is to do with the selected variables.

    The opposite of what is done with the current one, or with the others where no rule lets that be done.
    """
    if current is None:
        return NOTHING_CHOSEN
    is_to_use = not current.is_used
    if len(plans) == 1:
        return UseChange("Exclude" if not is_to_use else "Use it" if current.by_hand else "Use it anyway", is_to_use)
    if not plans_to_change(plans, is_to_use) and plans_to_change(plans, not is_to_use):
        is_to_use = not is_to_use
    n = len(plans_to_change(plans, is_to_use))
    return UseChange(
        f"{'Use' if is_to_use else 'Exclude'} {counted(n, 'variable') if n else 'the variables'}", is_to_use
    )
