"""Words that stand in a known order, so that the order of a column can be offered; it is never assumed."""

from __future__ import annotations

from collections.abc import Sequence

from latconf_core.data.column_order import LEAST_STATES
from latconf_core.data.state_order import as_interval, as_number, order_states

MOST_NUMBERS = 20  # states of a scale; more different numbers are measured, and better cut
SCALES: tuple[tuple[tuple[str, ...], ...], ...] = tuple(
    tuple(tuple(step.split("|")) for step in scale.split(" < "))
    for scale in (
        "very low|extremely low|lowest < low|lo|below normal < medium|med|mid|middle|moderate|normal|average|avg "
        "< high|hi|above normal < very high|extremely high|highest",
        "none|no|absent|never|zero < minimal|minor|slight|trace|mild|small < moderate|medium|some "
        "< severe|major|large|strong|marked < very severe|extreme|critical",
        "tiny|very small|xs < small|little|s < medium|m < large|big|l < very large|huge|xl",
        "strongly disagree|disagree strongly|fully disagree|completely disagree < disagree "
        "< rather disagree|somewhat disagree|slightly disagree "
        "< neutral|undecided|neither|neither agree nor disagree|unsure "
        "< rather agree|somewhat agree|slightly agree < agree "
        "< strongly agree|agree strongly|fully agree|completely agree",
        "never < almost never|rarely|seldom < occasionally|sometimes < often|frequently|usually < almost always "
        "< always",
        "very dissatisfied < dissatisfied < neutral < satisfied < very satisfied",
        "very unlikely < unlikely < neutral|possible < likely < very likely",
        "very bad|very poor|terrible < bad|poor < fair|ok|okay|average|acceptable < good "
        "< very good < excellent|outstanding",
        "weak < medium|moderate < strong",
        "short < medium < long",
        "slow < medium < fast",
        "young|child < middle-aged|middle|adult < old|elderly|senior",
        "cold < cool|mild < warm < hot",
        "f|fail < e < d < c < b < a",
        "first|1st < second|2nd < third|3rd < fourth|4th < fifth|5th",
        "primary|elementary < secondary|high school < tertiary|college|bachelor < master < doctorate|phd",
    )
)


def recognise_order(states: Sequence[str], decimal: str = ".") -> tuple[str, ...] | None:
    """The states from lowest to highest where they look ordered; None where nothing is recognised.

    Two states have no order. Numbers are in their order, intervals by their bounds, words as in a known scale.
    """
    if len(states) < LEAST_STATES:
        return None
    if all(as_number(state, decimal) is not None for state in states):
        return tuple(order_states(states, decimal)) if len(states) <= MOST_NUMBERS else None
    if all(as_interval(state, decimal) or as_number(state, decimal) is not None for state in states):
        return tuple(order_states(states, decimal))
    for scale in SCALES:
        order = _in_scale(states, scale)
        if order is not None:
            return order
    return None


def _in_scale(states: Sequence[str], scale: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """The states by their steps of a scale; None where one is no word of it, or two are of the same step."""
    step_of = {word: step for step, words in enumerate(scale) for word in words}
    steps = {state: step_of.get(" ".join(state.replace("_", " ").casefold().split())) for state in states}
    known = [step for step in steps.values() if step is not None]
    if len(known) < len(states) or len(set(known)) < len(known):
        return None
    return tuple(sorted(states, key=lambda state: steps[state] or 0))
