"""What the data determine of the DAG that is shown: the support of its arrows, and its PAG in its place."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.determined.arrows import Arrow, DagClass
from latconf_core.graph.mixed import MixedGraph
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.arrow_words import KIND_LABELS, STABLE_BUT_OPEN, arrow_sentence
from latconf_core.wording.mark_meanings import edge_sentence
from latconf_gui.drawing.content.arrow_supports import supports_of
from latconf_gui.drawing.content.graph_drawing import NO_SUPPORTS, Pair, Supports
from latconf_gui.pages.dag_classes import DagClasses, shown_knowledge
from latconf_gui.pages.model.sentences import Rows
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.stability.drawn_shares import dag_shares

COMMAND = "model.determined"
NOT_KNOWN_YET = "Computing what the data determine…"
ABOUT_PAG = "This holds for any hidden causes; it does not depend on those of the model."


class DeterminedView(QObject):
    """`changed` when more is known, or when the PAG is to be shown instead of the DAG, or no longer."""

    changed = Signal()

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.classes = DagClasses(context.document, self)
        self.classes.changed.connect(self.changed)
        self.classes.failed.connect(lambda error: context.report(error, "What the data determine"))
        self._class: DagClass | None = None
        tip = "Show what the data determine (the PAG) instead of this DAG"
        context.actions.add(
            COMMAND, "&What the data determine (PAG)", slot=self._on_toggled, shortcut="F6", tip=tip, checkable=True
        )

    @property
    def is_on(self) -> bool:
        """Whether the PAG is shown in the place of the DAG."""
        return self._context.actions[COMMAND].isChecked()

    def set_on(self, is_on: bool) -> None:
        """Show the PAG, or the DAG."""
        self._context.actions[COMMAND].setChecked(is_on)

    def _on_toggled(self, _is_on: bool) -> None:
        self.changed.emit()

    def follow(self, dag: LatentDag | None) -> None:
        """The DAG that is shown, its latents under the names given to them."""
        self._class = None if dag is None else self.classes.class_of(dag, shown_knowledge(self._context.document))

    @property
    def pag(self) -> MixedGraph | None:
        """What is shown in the place of the DAG; None where the DAG itself is shown."""
        return self._class.pag if self.is_on and self._class is not None else None

    def supports(self, stability: Stability | None) -> Supports:
        """Of every arrow, once it is known; with how often samples had it where that was measured."""
        if self._class is None:
            return NO_SUPPORTS
        dag = self._class.dag
        arrows = {} if stability is None else {edge: frozenset(edge) for edge in dag.all_edges()}
        notes = {edge: _share_note(pair, dag, stability) for edge, pair in arrows.items()}
        return supports_of(self._class, notes)

    def explain(self, pair: Pair, dag: LatentDag, stability: Stability | None) -> tuple[str, Rows, str] | None:
        """Title, rows and sentence for an edge that is chosen; None where there is none.

        dag : under the names given to its latents
        """
        if self.pag is not None:
            first, second = sorted(pair, key=self.pag.index.__getitem__)
            edge = self.pag.edge(first, second)
            return str(edge), [], f"{edge_sentence(edge)} {ABOUT_PAG}"
        arrow = next((edge for edge in dag.all_edges() if frozenset(edge) == pair), None)
        if arrow is None:
            return None
        title = f"{arrow[0]} --> {arrow[1]}"
        known = () if self._class is None else self._class.arrows
        known_arrow = next((other for other in known if (other.parent, other.child) == arrow), None)
        if known_arrow is None:
            return title, [], NOT_KNOWN_YET
        note = _share_note(pair, dag, stability)
        rows = [("Direction", KIND_LABELS[known_arrow.kind])]
        rows += [] if known_arrow.pag_edge is None else [("PAG", str(known_arrow.pag_edge))]
        rows += [("In samples", note)] if note else []
        return title, rows, _sentence(known_arrow, has_note=bool(note))


def _sentence(arrow: Arrow, *, has_note: bool) -> str:
    """What is known of an arrow, and what its share of samples does not mean."""
    beside = f"\n\n{STABLE_BUT_OPEN}" if has_note and arrow.kind.is_open else ""
    return f"{arrow_sentence(arrow)}{beside}"


def _share_note(pair: Pair, dag: LatentDag, stability: Stability | None) -> str:
    """How often samples of the rows had the arrow; empty where that was not measured."""
    if stability is None or not stability.n_samples:
        return ""
    names: Mapping[str, str] = {}
    share = dag_shares(stability, dag, names).get(pair)
    return "" if share is None else share.note
