"""What is known of one effect, in lines: a label and a sentence each."""

from __future__ import annotations

import math
from collections.abc import Iterator

from latconf_core.effects.effect import EffectAnswer
from latconf_core.effects.effect_question import EffectQuestion, Ends, Pair
from latconf_core.effects.pag_range import PagRange
from latconf_core.effects.plug_in import PlugIn
from latconf_core.effects.routes import Identified, Route
from latconf_core.effects.strength import Strength
from latconf_core.phrases import counted, list_names

Line = tuple[str, str]
SAME_SHOWN = 5e-4  # a difference that no number with three digits shows


def identification_sentence(identified: Identified) -> str:
    """Whether measured variables suffice in this DAG, and how."""
    pair = f"the effect of {identified.cause} on {identified.effect}"
    match identified.route:
        case Route.NO_EFFECT:
            return f"In this DAG {identified.cause} has no effect on {identified.effect}."
        case Route.AS_SEEN:
            return f"If this DAG is right, {pair} needs no adjustment: observing {identified.cause} suffices."
        case Route.BACK_DOOR:
            return f"If this DAG is right, {pair} can be computed by adjusting for {list_names(identified.by)}."
        case Route.FRONT_DOOR:
            return f"If this DAG is right, {pair} can be computed through {list_names(identified.by)} (front door)."
        case Route.GENERAL:
            return f"If this DAG is right, {pair} can be computed from the measured variables, by a longer formula."
        case Route.NOT_IDENTIFIED:
            return f"{pair[:1].upper()}{pair[1:]} cannot be computed from the measured variables in this DAG."


def effect_lines(answer: EffectAnswer) -> Iterator[Line]:
    """All lines of an answer, in the order in which they are read."""
    question = answer.question
    yield "In this DAG", _pair_text(answer.in_dag, question, answer.interval)
    yield "In equally good DAGs", _class_text(answer)
    yield "From measured variables", identification_sentence(answer.identified)
    if answer.identified.formula and answer.identified.route is not Route.NO_EFFECT:
        yield "Formula", answer.identified.formula
    if answer.plug_in is not None and answer.identified.route is not Route.NO_EFFECT:
        yield "Estimate from the rows", _plug_in_text(answer.plug_in, question)
    if answer.rests_on:
        latents = list_names(answer.rests_on)
        is_one = len(answer.rests_on) == 1
        its = "its states, its tables" if is_one else "their states, their tables"
        said = f"The answer of this DAG depends on the fitted {latents}: {its}, and no further hidden cause."
        yield "Assumptions", said
    yield "Over the PAG", _pag_text(answer.over_pag)
    if answer.strength is not None:
        yield "Sensitivity", strength_sentence(answer.strength)


def _outcome(question: EffectQuestion) -> str:
    return f"P({question.effect} = {question.state})"


def _pair_text(pair: Pair, question: EffectQuestion, interval: Ends | None) -> str:
    said = (
        f"{_outcome(question)} is {pair.first:.3f} after setting {question.cause} = {question.first} and "
        f"{pair.second:.3f} after {question.cause} = {question.second}: a difference of {_signed(pair.difference)}"
    )
    return f"{said}{_interval_text(interval)}."


def _interval_text(interval: Ends | None) -> str:
    if interval is None:
        return ""
    low, high = interval.difference
    return f" (95 % interval {_signed(low)} to {_signed(high)})"


def _class_text(answer: EffectAnswer) -> str:
    over_class = answer.over_class
    if over_class.is_same:
        return "The same in every equally good DAG."
    low, high = over_class.ends.difference
    at_least = "" if over_class.is_complete else " at least"
    said = f"The difference lies{at_least} between {_signed(low)} and {_signed(high)}, depending on the DAG."
    if over_class.n_undefined:
        said += f" In {counted(over_class.n_undefined, 'case')} there is no answer."
    return said


def _plug_in_text(plug_in: PlugIn, question: EffectQuestion) -> str:
    said = _pair_text(plug_in.value, question, plug_in.interval)
    if not plug_in.empty:
        return said
    missing = max(plug_in.missing)
    cells = sum(term.n_empty for term in plug_in.empty)
    return f"{said} {counted(cells, 'cell')} of the formula have no rows; {missing:.1%} of its weight lies there."


def _pag_text(pag_range: PagRange) -> str:
    """The range without relying on hidden causes, where there is none, and whether more MAGs were not looked at."""
    more = "" if pag_range.ways.is_complete else " The PAG has more MAGs, which may widen this."
    return f"{_pag_span(pag_range)} This relies on no latent.{more}"


def _pag_span(pag_range: PagRange) -> str:
    ways = pag_range.ways
    total = counted(ways.n_mags, "MAG")
    if pag_range.ends is None:
        return f"Not identified in any of {total}: the data alone do not give this effect."
    low, high = pag_range.ends.difference
    if high - low < SAME_SHOWN and pag_range.is_identified:
        return f"The difference is {_signed(low)} in all {total}."
    span = f"between {_signed(low)} and {_signed(high)}" if high - low >= SAME_SHOWN else _signed(low)
    if not ways.n_not_identified:
        return f"The difference is {span}, over {total}."
    failed = ways.n_not_identified
    identified = f"In {ways.n_mags - failed:,} of {total} the difference is {span}"
    return f"{identified}; in the other {failed:,} it is not identified."


def strength_sentence(strength: Strength) -> str:
    """The E-value of the adjusted risk ratio beside the strength of the hidden causes of the model."""
    if math.isinf(strength.needed_factor):
        return "One of the two risks is 0: no hidden cause of finite strength explains that away."
    adjusted = f", adjusted for {list_names(strength.adjusted_for)}," if strength.adjusted_for else ""
    said = (
        f"The risk ratio{adjusted} is {strength.risk_ratio:.2f}: to explain it away a hidden cause needs a bounding "
        f"factor of {strength.needed_factor:.2f} (both ratios {strength.e_value:.1f})"
    )
    beside = [
        f"{link.latent} has {_ratio(link.on_cause)} and {_ratio(link.on_effect)}, a factor of {_ratio(link.factor, 2)}"
        for link in strength.latents
    ]
    return f"{'; '.join([said, *beside])}."


def _ratio(value: float, digits: int = 1) -> str:
    return "infinite" if math.isinf(value) else f"{value:.{digits}f}"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")
