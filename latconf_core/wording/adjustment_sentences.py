"""What adjustment sets mean, in words."""

from __future__ import annotations

from latconf_core.effects.routes import Identified
from latconf_core.graph.marks import Edge, Mark
from latconf_core.inference.adjustment import Adjustment, Names
from latconf_core.phrases import list_names


def adjustment_sentences(adjustment: Adjustment, identified: Identified | None = None) -> list[str]:
    """What to hold fixed, or that no set is enough, and whether the effect can be computed all the same.

    identified : the same effect in the same DAG; a hidden cause has to be measured only where nothing identifies it
    """
    if not adjustment.is_cause:
        return [_no_cause(adjustment)]
    if adjustment.not_amenable:
        return _not_amenable(adjustment)
    said = [_sets_sentence(adjustment)] if adjustment.sets else _without_sets(adjustment, identified)
    if adjustment.forbidden:
        said.append(f"Do not condition on {list_names(adjustment.forbidden, 'or')}: {_comes_after(adjustment)}.")
    return said


def _comes_after(adjustment: Adjustment) -> str:
    may = "may lie" if adjustment.kind == "PAG" else "comes"
    many = "may lie" if adjustment.kind == "PAG" else "come"
    return (
        f"{'it ' + may if len(adjustment.forbidden) == 1 else 'they ' + many} downstream of {adjustment.cause}, on the "
        "path to the effect"
    )


def _no_cause(adjustment: Adjustment) -> str:
    where = "In this DAG" if adjustment.kind == "DAG" else "In every DAG of this PAG"
    return (
        f"{where} {adjustment.cause} is not a cause of {adjustment.effect}: intervening on it does not change "
        f"{adjustment.effect}, so no adjustment is needed."
    )


def _sets_sentence(adjustment: Adjustment) -> str:
    where = "" if adjustment.kind == "DAG" else ", in every DAG of this PAG"
    if adjustment.sets == ((),):
        return (
            f"No adjustment is needed{where}: observing {adjustment.cause} predicts {adjustment.effect} as well as "
            "intervening would."
        )
    more = " at least" if adjustment.truncated else ""
    count = len(adjustment.sets)
    sets = "This set" if count == 1 else f"Each of these{more} {count} sets"
    return (
        f"{sets} of measured variables is a minimal adjustment set{where}: conditional on it, observing "
        f"{adjustment.cause} predicts {adjustment.effect} as intervening would."
    )


def _without_sets(adjustment: Adjustment, identified: Identified | None) -> list[str]:
    start = "No set of measured variables suffices"
    if adjustment.kind == "PAG":
        return [f"{start} in every DAG of this PAG: in some DAGs a hidden common cause stays unblocked."]
    if identified is None:
        return [f"{start} for adjustment in this DAG."]
    if identified.is_identified:
        by = f" through {list_names(identified.by)}" if identified.by else ""
        return [f"{start} for adjustment, but the effect can be computed{by}: {identified.formula}."]
    said = "The effect cannot be computed from the measured variables in this DAG"
    if not adjustment.to_measure:
        return [f"{said}: a hidden variable would have to be measured."]
    groups = [list_names(names) for names in adjustment.to_measure]
    return [f"{said}: {', or '.join(groups)} would have to be measured."]


def _not_amenable(adjustment: Adjustment) -> list[str]:
    start = (
        f"The PAG is not amenable: it leaves too much open about {adjustment.cause} for one adjustment set to be "
        "valid in all its DAGs."
    )
    return [start, *map(_edge_sentence, adjustment.not_amenable)]


def _edge_sentence(edge: Edge) -> str:
    if edge.at_first == Mark.TAIL:
        return f"{edge} is not visible: {edge.first} and {edge.second} may also share a hidden cause."
    return f"{edge} leaves open whether {edge.first} causes {edge.second}."


def set_text(names: Names) -> str:
    """A set as it is listed."""
    return "{ " + ", ".join(names) + " }" if names else "the empty set"
