"""What the data determine of an arrow, in words: labels, legend, and a sentence for each arrow and latent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from latconf_core.determined.arrows import Arrow, ArrowKind, DagClass, Reading
from latconf_core.phrases import counted, list_names

KIND_LABELS: Mapping[ArrowKind, str] = {
    ArrowKind.DETERMINED: "determined",
    ArrowKind.GIVEN_LATENTS: "determined if the hidden causes are right",
    ArrowKind.EITHER_WAY: "either way",
    ArrowKind.KNOWLEDGE: "by your knowledge",
    ArrowKind.EFFECT: "effect",
    ArrowKind.CAUSE_OR_EFFECT: "cause or effect",
}
FULL_ARROW = "arrow: cause in this DAG"
HOLLOW_ARROW = "hollow arrow: direction not determined"
MAG_LEGEND = {
    "-->": "arrow: cause in this MAG, possibly through others",
    "<->": "bidirected edge: neither causes the other; they share a hidden cause",
}
MOST_LATENTS = 3  # named in a condition
STABLE_BUT_OPEN = "An undetermined arrow can still be stable: the same search picks the same member of the class."


def arrow_text(arrow: Arrow) -> str:
    """The arrow and its kind: "A --> B (either way)"."""
    return f"{arrow.parent} --> {arrow.child} ({KIND_LABELS[arrow.kind]})"


def arrow_sentence(arrow: Arrow) -> str:
    """What the data determine of the arrow, with the condition that the claim rests on."""
    a, b = arrow.parent, arrow.child
    match arrow.kind:
        case ArrowKind.DETERMINED:
            return (
                f"{a} → {b} is determined: if this model's independences are right, {a} is a cause of {b}, "
                "whatever hidden causes exist."
            )
        case ArrowKind.GIVEN_LATENTS:
            return _given_latents(arrow)
        case ArrowKind.EITHER_WAY:
            return f"The data do not determine the direction of {a} → {b}: an equally good DAG has {b} → {a}."
        case ArrowKind.KNOWLEDGE:
            return f"{a} → {b} follows from your knowledge; the data alone do not determine its direction."
        case ArrowKind.EFFECT:
            return f"If {a} is modelled correctly, {b} is its effect: every equally good DAG has this arrow."
        case ArrowKind.CAUSE_OR_EFFECT:
            return f"The data do not determine whether {b} is an effect or a cause of {a}."


def pag_clause(arrow: Arrow) -> str:
    """What the PAG has between the two, which does not rest on the latents; empty for an arrow of a latent."""
    return "" if arrow.pag_edge is None else f"The PAG has {arrow.pag_edge}."


def _given_latents(arrow: Arrow) -> str:
    a, b = arrow.parent, arrow.child
    condition = _condition(arrow)
    said = f"{condition}, every equally good DAG has {a} → {b}."
    left = _left_open(arrow)
    return f"{said} Without that assumption, {left}." if left else said


def _condition(arrow: Arrow) -> str:
    """What has to be so that the arrow is compelled."""
    if not arrow.rests_on:
        return "If there is no hidden cause"
    latents = "the hidden causes" if len(arrow.rests_on) > MOST_LATENTS else list_names(arrow.rests_on)
    is_one = len(arrow.rests_on) == 1
    if arrow.is_compelled_freely:
        return f"If {latents} {'is' if is_one else 'are'} modelled correctly"
    if is_one:
        return f"If {latents} is a cause of its children, not the effect of one"
    return f"If {latents} are causes of their children, not effects of them"


def _left_open(arrow: Arrow) -> str:
    """What the PAG leaves open between the two."""
    match None if arrow.pag_edge is None else arrow.pag_edge.arrow:
        case "o->":
            return f"a further hidden cause of {arrow.parent} and {arrow.child} may explain it"
        case "o-o":
            return f"a further hidden cause of {arrow.parent} and {arrow.child}, or the reverse, may explain it"
    return ""


def latent_reading_sentence(dag_class: DagClass, latent: str) -> str:
    """That a latent may be something else than a common cause; empty where it may not."""
    if Reading.MEDIATOR not in dag_class.readings(latent):
        return ""
    open_children = [
        arrow.child for arrow in dag_class.arrows if arrow.parent == latent and arrow.kind is ArrowKind.CAUSE_OR_EFFECT
    ]
    if dag_class.rivals_for_cause(latent):
        return (
            f"{latent} is a common cause, or a link between its children: of two children that no arrow joins, at most "
            f"one is its cause (open: {list_names(open_children)})."
        )
    return f"{list_names(open_children, 'or')} may be a cause of {latent} and not its effect."


def summary_sentence(arrows: Sequence[Arrow]) -> str:
    """How many arrows among measured variables the data determine, and how many they leave open."""
    measured = [arrow for arrow in arrows if arrow.pag_edge is not None]
    if not measured:
        return ""
    counts = {kind: sum(arrow.kind is kind for arrow in measured) for kind in ArrowKind}
    said = [
        f"{counts[kind]} {text}"
        for kind, text in (
            (ArrowKind.DETERMINED, "determined"),
            (ArrowKind.GIVEN_LATENTS, "determined only if the hidden causes are right"),
            (ArrowKind.KNOWLEDGE, "by your knowledge"),
            (ArrowKind.EITHER_WAY, "not determined"),
        )
        if counts[kind]
    ]
    return f"Of {counted(len(measured), 'arrow')} between measured variables: {list_names(said)}."
