"""How far answers of do() differ between DAGs that fit as well, in sentences."""

from __future__ import annotations

from latconf_core.effects.class_range import AnswerRange
from latconf_core.phrases import counted

SAME_SHOWN = 5e-4  # a difference that no number with three digits shows
NO_RANGE_YET = "Comparing with equally good DAGs…"


def range_sentence(found: AnswerRange) -> str:
    """What the answers of all equally good DAGs have in common, or how far they lie apart at most."""
    if found.is_same:
        return "The same in every equally good DAG."
    widest = _widest(found)
    start = "" if found.is_complete else "At least "
    said = (
        f"{start}{counted(found.n_choices, 'different parent set')} fit the data equally well. The answers "
        f"differ by up to {found.width:.3f}, most for {widest}."
    )
    return said + _undefined(found)


def effect_range_sentence(found: AnswerRange, effect: str) -> str:
    """The same for one effect: between which probabilities each of its states lies."""
    spans = [(state, least, greatest) for state, (least, greatest) in found.of(effect).items()]
    if all(greatest - least < SAME_SHOWN for _, least, greatest in spans):
        at_least = "" if found.is_complete else ", among those tried"
        return f"P({effect}) after the intervention is the same in every equally good DAG{at_least}.{_undefined(found)}"
    state, least, greatest = max(spans, key=lambda span: span[2] - span[1])
    width = "At least this range" if not found.is_complete else "This range"
    return (
        f"P({effect} = {state}) lies between {least:.3f} and {greatest:.3f}, depending on which of the "
        f"equally good DAGs is true. {width} comes from "
        f"{counted(found.n_choices, 'possible parent set')}.{_undefined(found)}"
    )


def _widest(found: AnswerRange) -> str:
    """The variable whose answers lie furthest apart."""
    return max(found.least, key=lambda name: float((found.greatest[name] - found.least[name]).max()))


def _undefined(found: AnswerRange) -> str:
    if not found.n_undefined:
        return ""
    return (
        f" In {counted(found.n_undefined, 'case')} there is no answer: the state set never occurs with these "
        "parent states."
    )
