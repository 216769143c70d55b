"""How far answers of do() differ between DAGs that fit as well, in sentences."""

from __future__ import annotations

from latconf_core.effects.class_range import AnswerRange
from latconf_core.phrases import counted

SAME_SHOWN = 5e-4  # a difference that no number with three digits shows
NO_RANGE_YET = "Comparing with equally good DAGs…"


def range_sentence(answers: AnswerRange) -> str:
    """What the answers of all equally good DAGs have in common, or how far they lie apart at most."""
    if answers.is_same:
        return "The same in every equally good DAG."
    widest = _widest(answers)
    start = "" if answers.is_complete else "At least "
    said = (
        f"{start}{counted(answers.n_choices, 'different parent set')} fit the data equally well. The answers "
        f"differ by up to {answers.width:.3f}, most for {widest}."
    )
    return said + _undefined(answers)


def effect_range_sentence(answers: AnswerRange, effect: str) -> str:
    """The same for one effect: between which probabilities each of its states lies."""
    spans = [(state, least, greatest) for state, (least, greatest) in answers.of(effect).items()]
    if all(greatest - least < SAME_SHOWN for _, least, greatest in spans):
        at_least = "" if answers.is_complete else ", among those tried"
        return (
            f"P({effect}) after the intervention is the same in every equally good DAG{at_least}.{_undefined(answers)}"
        )
    state, least, greatest = max(spans, key=lambda span: span[2] - span[1])
    width = "At least this range" if not answers.is_complete else "This range"
    return (
        f"P({effect} = {state}) lies between {least:.3f} and {greatest:.3f}, depending on which of the "
        f"equally good DAGs is true. {width} comes from "
        f"{counted(answers.n_choices, 'possible parent set')}.{_undefined(answers)}"
    )


def _widest(answers: AnswerRange) -> str:
    """The variable whose answers lie furthest apart."""
    return max(answers.least, key=lambda name: float((answers.greatest[name] - answers.least[name]).max()))


def _undefined(answers: AnswerRange) -> str:
    if not answers.n_undefined:
        return ""
    return (
        f" In {counted(answers.n_undefined, 'case')} there is no answer: the state set never occurs with these "
        "parent states."
    )
