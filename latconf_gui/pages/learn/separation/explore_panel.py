"""What is asked about, in the column of text: which graph, as DAG, MAG or PAG, and what was chosen in it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from latconf_core.teaching.separation.separation_graph import GraphKind
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_gui.application.document import Document
from latconf_gui.pages.learn.graph_choice import GraphChoice
from latconf_gui.pages.learn.separation.separation_examples import EXAMPLES
from latconf_gui.pages.learn.text_column import Paragraph
from latconf_gui.widgets.text import SPACE

NOTES = {
    GraphKind.DAG: "A hidden variable can lie on paths, but you cannot condition on it.",
    GraphKind.MAG: "The MAG has the same separations as the DAG, without the hidden variables.",
    GraphKind.PAG: (
        "In a PAG a path counts only if its marks decide for each inner variable whether it is a collider. "
        "All MAGs of a PAG agree on what is separated."
    ),
}
TIPS = {
    GraphKind.DAG: "Use the DAG, with hidden variables (1)",
    GraphKind.MAG: "Use the MAG of the measured variables (2)",
    GraphKind.PAG: "Use the PAG, which is all that data can determine (3)",
}
CHOSEN = "QToolButton:checked { font-weight: bold; border: 2px solid palette(highlight); }"
PAG_ALONE = "This graph is a PAG; its DAG or MAG is unknown"


class ExplorePanel(QWidget):
    """`source_chosen` carries a SourceGraph, `kind_chosen` a GraphKind."""

    source_chosen = Signal(object)
    kind_chosen = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.graphs = GraphChoice(document, EXAMPLES)
        self.graphs.chosen.connect(self.source_chosen)
        self._group = QButtonGroup(self)
        self.note = Paragraph(is_quiet=True)
        self.chosen = Paragraph()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.graphs)
        layout.addLayout(self._kind_row())
        layout.addWidget(self.note)
        layout.addWidget(self.chosen)
        self._group.idClicked.connect(lambda index: self.kind_chosen.emit(list(GraphKind)[index]))

    def _kind_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE // 3)
        for index, kind in enumerate(GraphKind):
            button = QToolButton()
            button.setText(kind.value)
            button.setCheckable(True)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setStyleSheet(CHOSEN)
            button.setToolTip(TIPS[kind])
            self._group.addButton(button, index)
            row.addWidget(button)
        return row

    def kind_button(self, kind: GraphKind) -> QToolButton:
        """The button that shows the graph as this kind."""
        button = self._group.button(list(GraphKind).index(kind))
        assert isinstance(button, QToolButton)
        return button

    def show_choice(self, source: SourceGraph, kind: GraphKind, sentence: str) -> None:
        """Show which graph it is, as what, and what was chosen in it."""
        self.note.setText(NOTES[kind])
        self.chosen.setText(sentence)
        for graph_kind in GraphKind:
            button = self.kind_button(graph_kind)
            button.setEnabled(graph_kind in source.kinds)
            button.setChecked(graph_kind == kind)
            button.setToolTip(
                TIPS[graph_kind] if graph_kind in source.kinds else "This graph is a PAG; its DAG is unknown"
            )
