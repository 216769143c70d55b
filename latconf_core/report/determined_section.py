"""The section of a report on what the data determine of the model: every arrow, every hidden cause, the PAG."""

from __future__ import annotations

from latconf_core.determined.arrows import DagClass
from latconf_core.formats.painter import Painter
from latconf_core.report.contents import ReportContents
from latconf_core.report.page import figure, listing, paragraph, section, table
from latconf_core.wording.arrow_words import (
    KIND_LABELS,
    arrow_sentence,
    latent_reading_sentence,
    summary_sentence,
)

TITLE = "What the data determine"
CLASS = (
    "The model is one of a class of DAGs that fit equally well. An arrow that all of them share is "
    "determined. If another member reverses it, the data do not determine its direction, and the picture "
    "shows a hollow arrow."
)


def determined_section(contents: ReportContents, painter: Painter | None, *, number: int) -> str:
    """Every arrow with its kind and a sentence, and the PAG that the model stands for."""
    best = contents.result.best
    if best is None or contents.result.dag_class is None:
        return ""
    dag_class = DagClass(best.with_latent_names(contents.names), contents.result.dag_class.knowledge)
    rows = [
        (f"{arrow.parent} → {arrow.child}", KIND_LABELS[arrow.kind], arrow_sentence(arrow))
        for arrow in dag_class.arrows
    ]
    if not rows:
        return ""
    readings = (latent_reading_sentence(dag_class, latent.name) for latent in dag_class.dag.latents)
    drawn = None if painter is None or not dag_class.pag.n_edges else painter.graph_svg(dag_class.pag)
    return section(
        TITLE,
        paragraph(CLASS),
        paragraph(summary_sentence(dag_class.arrows)),
        listing(text for text in readings if text),
        table(("Arrow", "Kind", "Meaning"), rows, unbroken=(0,)),
        figure(drawn, "What the data determine without relying on the hidden causes (PAG)", number=number),
    )
