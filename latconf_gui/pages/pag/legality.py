"""Whether the PAG is one, live: the broken rule in a sentence, its edges lit, and a repair shown before it is done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
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

from latconf_core.graph.meanings import edge_sentence
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.validity import PagCheck, Repair, check_pag, repair_pag
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.drawing.graph_drawing import Pair
from latconf_gui.look.colours import Highlight
from latconf_gui.widgets.text import SPACE


class LegalityBar(QFrame):
    """Follows a graph and says whether it is a valid PAG.

    `highlights_changed` carries the edges of the reason shown; `repair_ready` carries a Repair that was asked for.
    """

    highlights_changed = Signal(object)
    repair_ready = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the drawing keeps its size when the first graph comes
        self.setSizePolicy(policy)
        self.check: PagCheck | None = None
        self._graph: MixedGraph | None = None
        self._shown = 0
        self._checking, self._repairing = LatestJob(self), LatestJob(self)
        self._checking.answered.connect(self._on_checked)
        self._repairing.answered.connect(self.repair_ready)
        for job in (self._checking, self._repairing):
            job.failed.connect(self.failed)
        self._build()

    def _build(self) -> None:
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setAccessibleName("Is it a PAG?")
        self.next = QPushButton("Next reason")
        self.next.setToolTip("Show the next reason and light its edges")
        self.next.clicked.connect(self.show_next)
        self.repair = QPushButton("Repair…")
        self.repair.setToolTip("Show the nearest valid PAG before anything is changed")
        self.repair.clicked.connect(self.ask_repair)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE, SPACE // 2, SPACE, SPACE // 2)
        row.addWidget(self.text, 1)
        row.addWidget(self.next)
        row.addWidget(self.repair)
        self._show()

    @property
    def is_busy(self) -> bool:
        return self._checking.is_busy or self._repairing.is_busy

    def stop(self) -> None:
        """End what runs in the background."""
        self._checking.stop()
        self._repairing.stop()

    def follow(self, graph: MixedGraph | None) -> None:
        """Check another graph."""
        if graph == self._graph:
            return
        self._graph, self.check, self._shown = graph, None, 0
        self._show()
        if graph is None:
            self._checking.forget()
        else:
            self._checking.ask(lambda control: (graph, check_pag(graph, control=control)))

    def _on_checked(self, answer: tuple[MixedGraph, PagCheck]) -> None:
        graph, check = answer
        if graph == self._graph:
            self.check = check
            self._show()

    def ask_repair(self) -> None:
        """Work out the nearest valid PAG; nothing is changed yet."""
        graph = self._graph
        if graph is not None:
            self._repairing.ask(lambda control: (graph, repair_pag(graph, control=control)))

    def show_next(self) -> None:
        """Show the next reason."""
        if self.check is not None and self.check.reasons:
            self._shown = (self._shown + 1) % len(self.check.reasons)
            self._show()

    def _show(self) -> None:
        reasons = () if self.check is None else self.check.reasons
        self.setVisible(self._graph is not None)
        self.next.setVisible(len(reasons) > 1)
        self.repair.setVisible(bool(reasons))
        self.text.setText(self._sentence())
        self.highlights_changed.emit(self.highlights())

    def _sentence(self) -> str:
        if self.check is None:
            return "Checking…" if self._graph is not None else ""
        if self.check.valid:
            return "This is a valid PAG."
        reason = self.check.reasons[self._shown].sentence
        count = len(self.check.reasons)
        number = f" ({self._shown + 1} of {count})" if count > 1 else ""
        return f"Not a valid PAG{number}: {reason}."

    def highlights(self) -> dict[Pair, Highlight]:
        """The edges of the reason that is shown."""
        if self.check is None or not self.check.reasons:
            return {}
        edges = self.check.reasons[self._shown].edges
        return {frozenset((edge.first, edge.second)): Highlight.PROBLEM for edge in edges}


class RepairDialog(QDialog):
    """What a repair would change, edge by edge, before it is applied."""

    def __init__(self, repair: Repair, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.repair = repair
        self.setWindowTitle("Repair the PAG")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(640, 420)
        count = len(repair.diff)
        intro = QLabel(
            f"The nearest valid PAG differs in {count} {'edge' if count == 1 else 'edges'}. "
            "Nothing is changed until you apply it, and it can be undone."
        )
        intro.setWordWrap(True)
        self.table = QTreeWidget()
        self.table.setHeaderLabels(["Now", "Repaired", "What the repaired edge means"])
        self.table.setRootIsDecorated(False)
        self.table.setAccessibleName("Edges that the repair changes")
        for before, after in repair.diff:
            meaning = "no longer adjacent" if after is None else edge_sentence(after)
            texts = ["no edge" if before is None else str(before), "no edge" if after is None else str(after), meaning]
            row = QTreeWidgetItem(texts)
            row.setToolTip(2, meaning)
            self.table.addTopLevelItem(row)
        for column in (0, 1):
            self.table.resizeColumnToContents(column)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply = self.buttons.addButton("Apply the repair", QDialogButtonBox.ButtonRole.AcceptRole)
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
