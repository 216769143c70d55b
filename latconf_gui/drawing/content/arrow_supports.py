"""What the data determine of a DAG's arrows, as a drawing shows it: a hollow head, and a sentence at each arrow."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from latconf_core.determined.arrows import DagClass
from latconf_core.wording.arrow_words import arrow_sentence, pag_clause
from latconf_gui.drawing.content.graph_drawing import NO_SUPPORTS, ArrowSupport, Supports

NO_NOTES: Mapping[tuple[str, str], str] = MappingProxyType({})


def supports_of(dag_class: DagClass | None, notes: Mapping[tuple[str, str], str] = NO_NOTES) -> Supports:
    """The support of every arrow; nothing where the class is not known yet.

    notes : what is known of an arrow besides, such as how often samples of the rows had it
    """
    if dag_class is None:
        return NO_SUPPORTS
    supports = {}
    for arrow in dag_class.arrows:
        edge = arrow.parent, arrow.child
        note = notes.get(edge, "")
        said = [arrow_sentence(arrow), pag_clause(arrow), f"{note}." if note else ""]
        supports[edge] = ArrowSupport(" ".join(filter(None, said)), arrow.kind.is_open)
    return supports
