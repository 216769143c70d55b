"""The m-separation query: two nodes, a conditioning set, the verdict and the paths; and what to adjust for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.graph.separation import Verdict, explain_m_separation
from latconf_core.inference.adjustment import Adjustment
from latconf_core.inference.adjustment_in_pag import adjust_in_pag
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.pag.validity import check_pag
from latconf_core.wording.adjustment_sentences import adjustment_sentences, set_text
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.drawing.content.graph_drawing import Pair
from latconf_gui.look.colours import Highlight
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import Heading, Quiet, keep_arrows_whole

MAX_PATHS = 30
MOST_SETS = 8  # adjustment sets that are listed
LEAST_LINES = 6  # of each list; where that is too much, the panel scrolls


@dataclass(frozen=True, eq=False)
class PairInPag:
    """What a PAG says of two nodes.

    verdict : in one MAG of the PAG
    adjustment : the first as a cause of the second; None where the PAG is not valid, so that its MAGs may differ
    """

    verdict: Verdict
    adjustment: Adjustment | None


def separation_in_pag(
    graph: MixedGraph, first: str, second: str, given: Collection[str], *, control: RunControl | None = None
) -> PairInPag:
    """Whether two nodes are separated, and what to hold fixed to learn the effect of the first on the second."""
    mag = LowestLevel(graph).along_search()
    verdict = explain_m_separation(mag, first, second, given, max_paths=MAX_PATHS)
    is_valid = check_pag(graph).valid
    return PairInPag(verdict, adjust_in_pag(graph, first, second, control=control) if is_valid else None)


class SeparationPanel(QWidget):
    """Asks whether two nodes are separated; `highlights_changed` carries the open paths, `given_changed` the set."""

    highlights_changed = Signal(object)
    given_changed = Signal(list)
    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Separation")
        self.verdict: Verdict | None = None
        self._graph: MixedGraph | None = None
        self._job = LatestJob(self)
        self._job.answered.connect(self._on_answered)
        self._job.failed.connect(self._on_failed)
        self._build()

    def _build(self) -> None:
        self.first, self.second = QComboBox(), QComboBox()
        self.first.setAccessibleName("First node")
        self.second.setAccessibleName("Second node")
        self.given = QListWidget()
        self.given.setAccessibleName("Conditioning set")
        self.given.setSpacing(1)
        self.given.setToolTip("Tick the variables to condition on")
        self.verdict_text = TermLabel()
        self.verdict_text.setAccessibleName("Verdict")
        self.paths = QListWidget()
        self.paths.setWordWrap(True)
        self.paths.setResizeMode(QListWidget.ResizeMode.Adjust)  # longer lines wrap anew in a narrower panel
        self.paths.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.paths.setAccessibleName("Paths between the two nodes")
        self.paths.currentRowChanged.connect(self._show_lights)
        self.adjustment = TermLabel()
        self.adjustment.setAccessibleName("Adjustment set")
        self.adjustment.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.swap = QPushButton("Swap")
        self.swap.setToolTip("Swap cause and effect")
        self.swap.clicked.connect(lambda: self.ask_about(self.second.currentText(), self.first.currentText()))
        self.clear_given = QPushButton("Clear the set")
        self.clear_given.setToolTip("Condition on nothing")
        self.clear_given.clicked.connect(lambda: self.set_given(()))
        form = QFormLayout()
        form.addRow("Between", self.first)
        form.addRow("and", self.second)
        scroll = ScrollColumn("Separation")
        column = scroll.column
        column.addWidget(Quiet("Are these variables dependent, conditional on others?"))
        column.addLayout(form)
        column.addWidget(QLabel("conditioning on"))
        column.addWidget(self.given, 2)
        column.addWidget(self.clear_given)
        column.addWidget(self.verdict_text)
        column.addWidget(self.paths, 3)
        column.addWidget(Heading("Adjustment set", factor=1.0))
        column.addWidget(Quiet("For the effect of the first on the second:"))
        column.addWidget(self.adjustment)
        column.addWidget(self.swap)
        for shown in (self.given, self.paths):
            shown.setMinimumHeight(self.fontMetrics().height() * LEAST_LINES)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)
        for box in (self.first, self.second):
            box.currentTextChanged.connect(self._ask)
        self.given.itemChanged.connect(self._ask)

    def stop(self) -> None:
        """End what runs in the background."""
        self._job.stop()

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy

    def follow(self, graph: MixedGraph | None) -> None:
        """Ask about another graph; the choice is kept where its nodes are still there."""
        old = () if self._graph is None else self._graph.nodes
        self._graph = graph
        nodes = () if graph is None else graph.nodes
        if nodes != old:
            self._show_nodes(nodes)
        self._ask()

    def _show_nodes(self, nodes: Sequence[str]) -> None:
        kept, given = (self.first.currentText(), self.second.currentText()), self.given_names()
        for box, name, fallback in ((self.first, kept[0], 0), (self.second, kept[1], 1)):
            box.blockSignals(True)
            box.clear()
            box.addItems(nodes)
            box.setCurrentIndex(nodes.index(name) if name in nodes else min(fallback, len(nodes) - 1))
            box.blockSignals(False)
        self.given.blockSignals(True)
        self.given.clear()
        for name in nodes:
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in given else Qt.CheckState.Unchecked)
            self.given.addItem(item)
        self.given.blockSignals(False)

    def ask_about(self, first: str, second: str) -> None:
        """Ask about two nodes."""
        for box, name in ((self.first, first), (self.second, second)):
            box.blockSignals(True)
            box.setCurrentText(name)
            box.blockSignals(False)
        self._ask()

    def set_given(self, names: Collection[str]) -> None:
        """Hold exactly these variables fixed."""
        self.given.blockSignals(True)
        for row in range(self.given.count()):
            item = self.given.item(row)
            item.setCheckState(Qt.CheckState.Checked if item.text() in names else Qt.CheckState.Unchecked)
        self.given.blockSignals(False)
        self._ask()

    def toggle_given(self, name: str) -> None:
        """Put a variable into the conditioning set, or take it out."""
        given = set(self.given_names())
        self.set_given(given ^ {name})

    def given_names(self) -> list[str]:
        items = (self.given.item(row) for row in range(self.given.count()))
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    def is_asked(self) -> bool:
        """Whether the panel is open: it neither works nor highlights anything while it is not."""
        return self.isVisible()

    def showEvent(self, event: object) -> None:
        self._ask()

    def hideEvent(self, event: object) -> None:
        self._job.forget()
        self.highlights_changed.emit({})
        self.given_changed.emit([])

    def _ask(self) -> None:
        self.verdict = None
        self.paths.clear()
        self.adjustment.setText("")
        first, second = self.first.currentText(), self.second.currentText()
        given = [name for name in self.given_names() if name not in (first, second)]
        graph = self._graph
        if not self.is_asked():
            return
        self.given_changed.emit(given)
        if graph is None or not first or first == second:
            self.verdict_text.setText(
                "Choose two different nodes."
                if graph is not None
                else "There is no graph yet: learn, import or draw one first."
            )
            self._job.forget()
            self._show_lights()
            return
        self._job.ask(lambda control: separation_in_pag(graph, first, second, given, control=control))

    def _on_failed(self, error: object) -> None:
        if isinstance(error, GraphError):
            self.verdict_text.setText(f"No verdict: {error}.")
            self._show_lights()
        else:
            self.failed.emit(error)

    def _on_answered(self, answer: PairInPag) -> None:
        self.verdict = answer.verdict
        self.verdict_text.setText(_verdict_sentence(self.verdict, answer.adjustment is not None))
        self.adjustment.setText(_adjustment_text(answer.adjustment))
        self.paths.blockSignals(True)
        for path in (*self.verdict.open_paths, *self.verdict.blocked_paths):
            self.paths.addItem(path.sentence)
        self.paths.blockSignals(False)
        self._show_lights()

    def _show_lights(self) -> None:
        """Highlight the chosen path, or all open ones."""
        highlights: dict[Pair, Highlight] = {}
        if self.verdict is not None:
            paths = (*self.verdict.open_paths, *self.verdict.blocked_paths)
            row = self.paths.currentRow()
            for path in (paths[row],) if 0 <= row < len(paths) else self.verdict.open_paths:
                highlight = Highlight.PATH if path.is_open else Highlight.CHANGED
                highlights |= {frozenset(step): highlight for step in zip(path.nodes, path.nodes[1:])}
        self.highlights_changed.emit(highlights)


def _verdict_sentence(verdict: Verdict, is_valid: bool) -> str:
    if is_valid:
        return verdict.sentence
    return f"{verdict.sentence} The graph is not a valid PAG, so this holds only for one completion of its circles."


def _adjustment_text(adjustment: Adjustment | None) -> str:
    if adjustment is None:
        return "The graph is not a valid PAG, so there is no verdict; repair it first."
    sentences = adjustment_sentences(adjustment)
    sets = [set_text(names) for names in adjustment.sets if names] if adjustment.is_cause else []
    shown = [*sets[:MOST_SETS], *(["…"] if len(sets) > MOST_SETS else [])]
    return keep_arrows_whole("\n".join([sentences[0], *shown, *sentences[1:]]))
