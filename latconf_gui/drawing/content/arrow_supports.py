"""What the data determine of a DAG's arrows, as a drawing shows it: a hollow head, and a sentence at each arrow."""

from __future__ import annotations

from collections.abc import Mapping

from latconf_core.determined.arrows import DagClass
from latconf_core.wording.arrow_words import arrow_sentence, pag_clause
from latconf_gui.drawing.content.graph_drawing import NO_SUPPORTS, ArrowSupport, Supports


def supports_of(dag_class: DagClass | None, names: Mapping[str, str] | None = None) -> Supports:
    """The support of every arrow; nothing where the class is not known yet.

    names : what latents are called in the drawing, where they have other names there
    """
    if dag_class is None:
        return NO_SUPPORTS
    called = {} if names is None else names
    return {
        (called.get(arrow.parent, arrow.parent), called.get(arrow.child, arrow.child)): ArrowSupport(
            " ".join(filter(None, [arrow_sentence(arrow), pag_clause(arrow)])), arrow.kind.is_open
        )
        for arrow in dag_class.arrows
    }
