"""Whether the PAG is one, live: the broken rule in a sentence, its edges lit, and a repair shown before it is done."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from latconf_core.control import RunControl
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.handling import has_ancestral_member
from latconf_core.pag.standing import Kind, Standing, count_remaining, find_standing
from latconf_core.pag.validity import PagCheck, Reason, Repair, repair_pag
from latconf_core.pag.weak_tests import WeakTests
from latconf_core.phrases import counted
from latconf_core.wording.mark_meanings import edge_sentence
from latconf_core.wording.validity_sentences import validity_sentence
from latconf_core.wording.weak_test_sentences import weak_pairs_text, weak_tests_sentence
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.drawing.content.graph_drawing import Pair
from latconf_gui.look.colours import Highlight
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.widgets.actions import follow_action
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, keep_arrows_whole
from latconf_gui.widgets.text_size import FollowTextSize

ROOM_LINES = 3  # kept free for the sentence, so that the drawing below does not move when it changes
NARROW_CHARACTERS = 72  # a bar narrower than this has its buttons below the sentence
PRESENTING = "Presentation mode blocks editing."


@dataclass(frozen=True)
class Finding:
    """What a graph is, and whether a search takes it as it is; None while that is not known."""

    graph: MixedGraph
    standing: Standing
    is_searched_as_given: bool | None


def _find(graph: MixedGraph, control: RunControl) -> Finding:
    standing = find_standing(graph, control=control)
    has_knowledge = standing.kind == Kind.PAG_WITH_KNOWLEDGE
    return Finding(graph, standing, has_ancestral_member(graph, control=control) if has_knowledge else None)


class LegalityBar(QFrame):
    """Follows a graph and says, where it is seen, whether it is a valid PAG, a MAG, or a PAG with knowledge added.

    `highlights_changed` carries the edges of the reason shown; `repair_ready` carries a Repair that was asked for;
    `checked` says that the answer is there.
    """

    highlights_changed = Signal(object)
    repair_ready = Signal(object)
    checked = Signal()
    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the drawing keeps its size when the first graph comes
        self.setSizePolicy(policy)
        self.finding: Finding | None = None
        self._graph: MixedGraph | None = None
        self._remaining: tuple[int, int] | None = None
        self._weak: WeakTests | None = None
        self._shown = 0
        self._is_presenting = False
        self._is_asked = False  # whether the graph is checked or being checked
        self._checking, self._counting, self._repairing = LatestJob(self), LatestJob(self), LatestJob(self)
        self._trying = LatestJob(self)
        self._trying.answered.connect(self._on_tried)
        self._checking.answered.connect(self._on_checked)
        self._counting.answered.connect(self._on_counted)
        self._repairing.answered.connect(self.repair_ready)
        for job in self._jobs:
            job.failed.connect(self.failed)
        self._build()

    @property
    def _jobs(self) -> tuple[LatestJob, ...]:
        return self._checking, self._counting, self._repairing, self._trying

    def _build(self) -> None:
        self.text = TermLabel()
        self.text.setAccessibleName("Is it a PAG?")
        self.next = QPushButton("Next reason")
        self.next.setToolTip("Show the next reason and highlight its edges")
        self.next.clicked.connect(self.show_next)
        self.repair = QPushButton()
        scroll = ScrollColumn("Status of the PAG")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.column.setContentsMargins(0, 0, 0, 0)
        scroll.setMinimumHeight(1)  # the bar has its own height, and Qt's least one does not fit into it
        scroll.column.addWidget(self.text)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.next)
        buttons.addWidget(self.repair)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(SPACE, SPACE // 2, SPACE, SPACE // 2)
        self._layout.addWidget(scroll, 1)
        self._layout.addLayout(buttons)
        self._show()
        FollowTextSize(self, self._take_room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._take_room()

    def _take_room(self) -> None:
        """Take the height that any sentence needs in this width, whatever is said now."""
        metrics = self.fontMetrics()
        is_narrow = self.width() < metrics.averageCharWidth() * NARROW_CHARACTERS
        ways = QBoxLayout.Direction
        self._layout.setDirection(ways.TopToBottom if is_narrow else ways.LeftToRight)
        button = self.repair.sizeHint().height() + SPACE // 2
        lines = ROOM_LINES * metrics.lineSpacing() + SPACE // 2
        height = (lines + button if is_narrow else max(lines, button)) + SPACE
        if height != self.maximumHeight():
            self.setFixedHeight(height)
            self._layout.invalidate()  # within a resize Qt keeps what is inside at the height before

    def offer_repair(self, action: QAction) -> None:
        """Make the button of the bar another face of this command."""
        follow_action(self.repair, action)
        action.changed.connect(lambda: self.repair.setText(action.iconText()))
        self.repair.setText(action.iconText())

    @property
    def check(self) -> PagCheck | None:
        """Whether the graph is a valid PAG; None while that is not known."""
        return None if self.finding is None else self.finding.standing.check

    @property
    def kind(self) -> Kind | None:
        """What the graph is; None while that is not known."""
        return None if self.finding is None else self.finding.standing.kind

    @property
    def is_busy(self) -> bool:
        return any(job.is_busy for job in self._jobs)

    def stop(self) -> None:
        """End what runs in the background."""
        for job in self._jobs:
            job.stop()

    def set_presenting(self, is_presenting: bool) -> None:
        """Whether nothing can be edited, which is then said here."""
        self._is_presenting = is_presenting
        self._show()

    def follow(self, graph: MixedGraph | None) -> None:
        """Check another graph."""
        if graph == self._graph:
            return
        self._graph, self.finding, self._remaining, self._shown = graph, None, None, 0
        self._is_asked = False
        for job in (self._checking, self._counting, self._trying):
            job.forget()
        self._show()
        self._ask()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    def _ask(self) -> None:
        """Check the graph, once and only when somebody sees the answer."""
        graph = self._graph
        if graph is not None and self.isVisible() and not self._is_asked:
            self._is_asked = True
            self._checking.ask(lambda control: _find(graph, control))

    def _on_checked(self, finding: Finding) -> None:
        if finding.graph != self._graph:
            return
        self.finding = finding
        self._show()
        graph, standing = finding.graph, finding.standing
        if standing.kind == Kind.PAG_WITH_KNOWLEDGE and standing.pag is not None:
            pag = standing.pag
            self._counting.ask(lambda control: (graph, count_remaining(graph, pag, control=control)))
        if standing.kind == Kind.OTHER:
            self._trying.ask(lambda control: (graph, has_ancestral_member(graph, control=control)))
        self.checked.emit()

    def _on_tried(self, answer: tuple[MixedGraph, bool]) -> None:
        graph, is_searched_as_given = answer
        if graph == self._graph and self.finding is not None:
            self.finding = replace(self.finding, is_searched_as_given=is_searched_as_given)
            self._show()

    def show_weak_tests(self, weak: WeakTests | None) -> None:
        """Say how many edges weak tests removed; None where that is not known."""
        self._weak = weak
        self._show()

    def _on_counted(self, answer: tuple[MixedGraph, tuple[int, int] | None]) -> None:
        graph, remaining = answer
        if graph == self._graph:
            self._remaining = remaining
            self._show()

    def ask_repair(self) -> None:
        """Work out the nearest valid PAG; nothing is changed yet."""
        graph = self._graph
        if graph is not None:
            self._repairing.ask(lambda control: (graph, repair_pag(graph, control=control)))

    def show_next(self) -> None:
        """Show the next reason."""
        if self._reasons():
            self._shown = (self._shown + 1) % len(self._reasons())
            self._show()

    def _reasons(self) -> tuple[Reason, ...]:
        """What is wrong with the graph; nothing is wrong with a MAG, or with what a person knows."""
        return () if self.finding is None or self.kind != Kind.OTHER else self.finding.standing.check.reasons

    def _show(self) -> None:
        self.setVisible(self._graph is not None or self._is_presenting)
        self.next.setVisible(len(self._reasons()) > 1)
        self.repair.setVisible(self.kind in (Kind.MAG, Kind.OTHER) and not self._is_presenting)
        weak = None if self.kind is None else self._weak
        said = (
            PRESENTING if self._is_presenting else "",
            self._sentence(),
            "" if weak is None else weak_tests_sentence(weak),
        )
        self.text.setToolTip(plain_tip(weak_pairs_text(weak)) if weak is not None and weak.pairs else "")
        self.text.setText(keep_arrows_whole(" ".join(part for part in said if part)))
        self.highlights_changed.emit(self.highlights())

    def _sentence(self) -> str:
        if self.finding is None:
            return "Checking…" if self._graph is not None else ""
        return validity_sentence(
            self.finding.standing,
            is_searched_as_given=self.finding.is_searched_as_given,
            remaining=self._remaining,
            reason=self._shown,
        )

    def highlights(self) -> dict[Pair, Highlight]:
        """The edges of the reason that is shown."""
        if not self._reasons():
            return {}
        edges = self._reasons()[self._shown].edges
        return {frozenset((edge.first, edge.second)): Highlight.PROBLEM for edge in edges}


@dataclass(frozen=True)
class RepairWords:
    """What the dialog says of a kind of graph."""

    title: str
    whose: str
    column: str
    button: str


REPAIR_WORDS: dict[Kind | None, RepairWords] = {
    Kind.MAG: RepairWords("The PAG of this MAG", "Its PAG", "Its PAG", "Show its PAG"),
    Kind.PAG_WITH_KNOWLEDGE: RepairWords(
        "The PAG without knowledge", "The PAG without your knowledge", "Without", "Remove the knowledge"
    ),
    Kind.OTHER: RepairWords("Repair the PAG", "The nearest valid PAG", "Repaired", "Apply the repair"),
}


class RepairDialog(QDialog):
    """What a repair would change, edge by edge, before it is applied."""

    def __init__(self, repair: Repair, kind: Kind | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.repair = repair
        words = REPAIR_WORDS.get(kind, REPAIR_WORDS[Kind.OTHER])
        self.setWindowTitle(words.title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(640, 420)
        intro = QLabel(
            f"{words.whose} differs in {counted(len(repair.diff), 'edge')}. Nothing changes until you apply "
            "it, and you can undo it."
        )
        intro.setWordWrap(True)
        self.table = QTreeWidget()
        self.table.setHeaderLabels(["Now", words.column, "What the new edge means"])
        self.table.setRootIsDecorated(False)
        self.table.setAccessibleName("Edges that change")
        for before, after in repair.diff:
            meaning = "no longer adjacent" if after is None else edge_sentence(after)
            texts = ["no edge" if before is None else str(before), "no edge" if after is None else str(after), meaning]
            row = QTreeWidgetItem(texts)
            row.setToolTip(2, plain_tip(meaning))
            self.table.addTopLevelItem(row)
        for column in (0, 1):
            self.table.resizeColumnToContents(column)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply = self.buttons.addButton(words.button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(intro)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.buttons)


def highlight_repair(repair: Repair) -> dict[Pair, Highlight]:
    """How the edges that a repair changes are lit while it is being looked at."""
    highlights: dict[Pair, Highlight] = {}
    for before, after in repair.diff:
        edge = before or after
        assert edge is not None, "a difference has an edge before or after"
        pair = frozenset((edge.first, edge.second))
        highlights[pair] = (
            Highlight.ADDED if before is None else Highlight.REMOVED if after is None else Highlight.CHANGED
        )
    return highlights
