"""What knowledge may not say: sentences that name both things that contradict each other."""

from __future__ import annotations

from collections import Counter
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from latconf_core.errors import GraphError

if TYPE_CHECKING:
    from latconf_core.knowledge.knowledge import Knowledge


def check_knowledge(knowledge: Knowledge) -> None:
    """Raise GraphError where what is said means nothing or contradicts itself."""
    _check_tiers(knowledge)
    _check_pairs(knowledge)
    _check_groups(knowledge)
    _check_required(knowledge)


def _check_tiers(knowledge: Knowledge) -> None:
    for tier in knowledge.closed_tiers:
        if not 0 <= tier < len(knowledge.tiers):
            raise GraphError(f"tier {tier} is closed but there is no such tier")
    for name, count in Counter(name for tier in knowledge.tiers for name in tier).items():
        if count > 1:
            raise GraphError(f"{name!r} is listed twice in the tiers; keep one")


def _check_pairs(knowledge: Knowledge) -> None:
    for a, b in (*knowledge.forbidden, *knowledge.required, *knowledge.forbidden_indirect):
        if a == b:
            raise GraphError(f"knowledge cannot relate {a!r} to itself; remove it")


def _check_groups(knowledge: Knowledge) -> None:
    for group in knowledge.no_hidden_cause:
        if len(set(group)) < 2:
            raise GraphError(
                "'no hidden cause' needs at least two variables and names only "
                f"{', '.join(map(repr, group))}; add another variable, or list this one as exogenous"
            )
    for name in knowledge.hidden_causes_only_among or ():
        if name in knowledge.exogenous:
            raise GraphError(
                f"{name!r} is exogenous, so it has no hidden cause, but is listed in 'hidden causes only "
                "among'; remove one"
            )


def _check_required(knowledge: Knowledge) -> None:
    for a, b in knowledge.required:
        if (a, b) in knowledge.forbidden:
            raise GraphError(f"{a} --> {b} is both required and forbidden; remove one")
        if knowledge.forbids_ancestor(a, b):
            raise GraphError(f"{a} --> {b} is required, but {_reason(knowledge, a, b)}; remove one")
    _check_acyclic(knowledge)
    effects: dict[str, list[str]] = {}
    for a, b in knowledge.required:
        effects.setdefault(a, []).append(b)
    for start in effects:
        for path in _paths(effects, start):
            if knowledge.forbids_ancestor(start, path[-1]):
                said = " --> ".join(path)
                raise GraphError(f"{said} is required, but {_reason(knowledge, start, path[-1])}; remove one")


def _paths(effects: dict[str, list[str]], start: str) -> list[list[str]]:
    """One path of required edges from a variable to each that it reaches."""
    paths, seen = [[start]], {start}
    for path in paths:
        for name in effects.get(path[-1], ()):
            if name not in seen:
                seen.add(name)
                paths.append([*path, name])
    return paths[1:]


def _reason(knowledge: Knowledge, a: str, b: str) -> str:
    """Why a cannot have an effect on b."""
    if b in knowledge.exogenous:
        return f"{b} is exogenous"
    if (a, b) in knowledge.forbidden_indirect:
        return f"any effect of {a} on {b}, direct or indirect, is forbidden"
    if knowledge.tier_of[a] == knowledge.tier_of[b]:
        return f"{a} and {b} are in one tier without effects within it"
    return f"{a} is in a later tier than {b}"


def _check_acyclic(knowledge: Knowledge) -> None:
    causes: dict[str, list[str]] = {}
    for a, b in knowledge.required:
        causes.setdefault(b, []).append(a)
    try:
        tuple(TopologicalSorter(causes).static_order())
    except CycleError as error:
        raise GraphError(f"the required edges form a cycle: {' --> '.join(reversed(error.args[1]))}") from None
