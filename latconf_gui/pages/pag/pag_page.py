"""The PAG page: draw, learn, import, edit and understand a PAG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from latconf_core.errors import OptionError
from latconf_core.formats.projects.kept_items import DRAWN, WITH_KNOWLEDGE
from latconf_core.formats.projects.opening import OpenedGraph
from latconf_core.formats.projects.project_state import NO_POSITIONS, Positions
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.pag.events import LearnedPag, PagEvent
from latconf_core.pag.learners.catalogue import find_learner
from latconf_core.pag.standing import Kind
from latconf_core.pag.validity import Repair
from latconf_core.phrases import counted
from latconf_core.wording.knowledge_sentences import conflict_sentence
from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.application.document_file import Ticket
from latconf_gui.application.opener import NO_GRAPHS
from latconf_gui.drawing.content.graph_drawing import Pair, drawing_of_graph
from latconf_gui.drawing.content.neighbourhood import Neighbourhood
from latconf_gui.drawing.items.node_item import NodeItem
from latconf_gui.drawing.layout.graphviz_layout import Engine
from latconf_gui.pages.knowledge.knowledge_command import KnowledgeLine
from latconf_gui.pages.large_graphs.neighbourhood_bar import NeighbourhoodBar
from latconf_gui.pages.pag import actions as pag_actions
from latconf_gui.pages.pag.canvas import PagCanvas
from latconf_gui.pages.pag.commands import PagCommands
from latconf_gui.pages.pag.edges_panel import EdgePanel
from latconf_gui.pages.pag.editor import PagEditor
from latconf_gui.pages.pag.explanation import Explanation
from latconf_gui.pages.pag.files import PagFiles
from latconf_gui.pages.pag.inspector import PagInspector
from latconf_gui.pages.pag.learn_panel import LearnPanel
from latconf_gui.pages.pag.learning import PagLearning
from latconf_gui.pages.pag.legality import LegalityBar, RepairDialog, highlight_repair
from latconf_gui.pages.pag.separation_panel import SeparationPanel
from latconf_gui.pages.pag.tool_row import make_tool_row
from latconf_gui.pages.page import Page, PageContext
from latconf_gui.pages.stability.page_commands import add_pag_command
from latconf_gui.widgets.actions import follow_action
from latconf_gui.widgets.collection import PAGS, Collection
from latconf_gui.widgets.collection_box import CollectionBox
from latconf_gui.widgets.collection_dialog import CollectionDialog
from latconf_gui.widgets.text import SPACE
from latconf_gui.widgets.text_size import FollowTextSize

SIDE_CHARACTERS, LEAST_CHARACTERS = 57, 24  # the first and the least width of the panels beside the drawing
MOST_OF_WINDOW, MOST_FOR_TABS = 0.45, 0.65  # that these panels take at first, whatever the size of the text


@dataclass(frozen=True)
class _Newcomer:
    """A graph that becomes a PAG of the document it was made for."""

    graph: MixedGraph
    text: str
    origin: str
    events: tuple[PagEvent, ...]
    knowledge: Knowledge
    ticket: Ticket


class PagPage(Page):
    """Wires the canvas, the tables and the panels to the document; edits go through `editor`."""

    title = "PAG"
    icon = "pag"

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.setAcceptDrops(True)
        self.editor = PagEditor(self.document, context.report, parent=self)
        self.files = PagFiles(self.document, context.settings, report=context.report, window=self)
        self.learning = PagLearning(self.document, context.runs, report=context.report, parent=self)
        self.pags = Collection(PAGS, self.document, context.report, parent=self)
        self.pag_box = CollectionBox(self.pags)
        self.canvas = PagCanvas()
        self.layouts = self.canvas.layouts
        self.legality = LegalityBar()
        self.edges, self.learn_panel, self.separation = EdgePanel(), LearnPanel(), SeparationPanel()
        self.knowledge = KnowledgeLine(self.document, context.actions)
        self.learn_panel.show_line(self.knowledge)
        self.pag_inspector = PagInspector()
        self.commands = PagCommands(self)
        self.part_bar = NeighbourhoodBar(self.canvas, context.actions, "pag")
        self.explanation = Explanation(self)
        self.run = self.explanation.run
        self._learned: tuple[MixedGraph, str] | None = None  # the graph learned last, and what was said about it
        self._waiting: _Newcomer | None = None  # a graph whose nodes are still being placed
        self._shown_file = self.document.file
        self._asked_layout: tuple[Engine, Ticket, Neighbourhood | None] | None = None
        self._wants_width = True
        self._is_revealing = False
        FollowTextSize(self, self._on_text_resized)
        self._fallback: dict[str, tuple[float, float]] = {}  # places of nodes that the document has none for
        self.stability = add_pag_command(context, self)
        self.canvas.find_shares = self.stability.pag_shares
        pag_actions.add_actions(self)
        self._build()
        self._connect_document()
        self._connect_canvas()
        self._connect_panels()
        self._on_pag_changed()

    # Building -------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.tabs = QTabWidget()
        for title, widget in (
            ("Learn", self.learn_panel),
            ("Edges", self.edges),
            ("Separation", self.separation),
        ):
            widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # large text may scroll
            self.tabs.addTab(widget, title)
        self.tabs.setAccessibleName("Learn, edges, separation")
        drawing = QWidget()
        column = QVBoxLayout(drawing)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(make_tool_row(self))
        banner = QVBoxLayout()
        banner.setContentsMargins(SPACE // 2, 0, SPACE // 2, SPACE // 2)
        banner.addWidget(self.legality)
        column.addLayout(banner)
        column.addWidget(self.part_bar)
        column.addWidget(self.canvas, 1)
        self.splitter = QSplitter()
        self.splitter.addWidget(drawing)
        self.splitter.addWidget(self.tabs)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        actions = self.context.actions
        self.canvas.invite([actions[id] for id in ("pag.learn", "pag.import", "pag.new")])

    def _connect_document(self) -> None:
        self.document.pag_changed.connect(self._on_pag_changed)
        self.document.positions_changed.connect(self._show_graph)
        self.stability.changed.connect(self._show_graph)
        self.document.dataset_changed.connect(self._on_dataset_changed)
        self.document.collections_changed.connect(self._show_enabled)
        self.context.opener.opened.connect(lambda: self.tabs.setCurrentWidget(self.learn_panel))
        self.document.hold_changed.connect(self._show_learnable)

    def _connect_canvas(self) -> None:
        scene = self.canvas.scene
        scene.mark_clicked.connect(self.editor.cycle_mark)
        scene.edge_drawn.connect(self.commands.draw_edge)
        self.canvas.nodes_moved.connect(self.editor.move_nodes)
        scene.menu_requested.connect(self._show_menu)
        scene.selectionChanged.connect(self._on_selected)
        scene.active_end_changed.connect(self._on_selected)
        self.editor.edge_added.connect(self.commands.show_edge)
        self.editor.busy_reason = lambda: self.commands.presenting_reason() or self.learning.busy_reason()
        self.layouts.ready.connect(self._on_laid_out)
        self.layouts.failed.connect(self._on_layout_failed)

    def _connect_panels(self) -> None:
        report = self.context.report
        follow_action(self.pag_box.manage, self.context.actions["pag.manage"])
        self.legality.highlights_changed.connect(lambda highlights: self.canvas.highlight("legality", highlights))
        self.legality.repair_ready.connect(self._on_repair_ready)
        self.legality.checked.connect(self._show_enabled)
        self.legality.offer_repair(self.context.actions["pag.repair"])
        follow_action(self.edges.delete, self.context.actions["pag.delete"])
        self.legality.failed.connect(lambda error: report(error, "Checking the PAG"))
        self.edges.selected.connect(self._on_rows_selected)
        self.edges.mark_chosen.connect(self.editor.set_mark)
        self.edges.edge_asked.connect(self.editor.add_edge)
        self.explanation.changed.connect(self._show_enabled)
        self.separation.highlights_changed.connect(lambda highlights: self.canvas.highlight("separation", highlights))
        self.separation.given_changed.connect(self.canvas.scene.set_given)
        self.separation.failed.connect(lambda error: report(error, "Separation"))
        self.learn_panel.learn_asked.connect(self.learning.start)
        self.learn_panel.cancel_asked.connect(self.learning.cancel)
        self.learn_panel.data_asked.connect(lambda: self.context.actions["page.data"].trigger())
        self.learning.changed.connect(self._on_learning_changed)
        self.learning.progressed.connect(self.learn_panel.show_progress)
        self.learning.learned.connect(self._on_learned)
        self.learning.cancelled.connect(lambda: self.learn_panel.state.setText("Cancelled; the PAG is unchanged."))
        self.files.graph_read.connect(self._on_graph_read)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._share_width()
        QTimer.singleShot(0, self, self._lay_out_missing)

    def _on_text_resized(self) -> None:
        self._wants_width = True
        self._share_width()

    def _share_width(self) -> None:
        """Give the panels the width that their text needs, once for each size of text, when the page has its own."""
        if not self._wants_width or not self.isVisible():
            return
        self._wants_width = False
        self.tabs.setMinimumWidth(self.fontMetrics().averageCharWidth() * LEAST_CHARACTERS)
        side = self._first_side_width()
        self.splitter.setSizes([self.width() - side, side])

    def _first_side_width(self) -> int:
        """Wide enough for the panels, in a small window for their titles at least."""
        metrics, letter = self.fontMetrics(), self.fontMetrics().averageCharWidth()
        titles = [self.tabs.tabText(index) for index in range(self.tabs.count())]
        needed = sum(metrics.horizontalAdvance(title) + metrics.height() for title in titles)
        for_titles = min(needed + SPACE, round(self.width() * MOST_FOR_TABS))
        return min(letter * SIDE_CHARACTERS, max(round(self.width() * MOST_OF_WINDOW), for_titles))

    def menu(self) -> Sequence[str | None]:
        return pag_actions.MENU

    def view_menu(self) -> Sequence[str]:
        return pag_actions.VIEW_MENU

    def inspector(self) -> QWidget | None:
        return self.pag_inspector

    def stop(self) -> None:
        """End everything this page runs in the background."""
        self.layouts.stop()
        for part in (self.legality, self.separation, self.files, self.run):
            part.stop()

    # Following the document ------------------------------------------------------------------------

    def _on_pag_changed(self) -> None:
        graph = self.document.pag
        if self._shown_file is not self.document.file:  # what was chosen in another document is not chosen in this one
            self._shown_file = self.document.file
            self.canvas.scene.clearSelection()
            self.canvas.forget_part()
        self._show_graph()
        self._say_learned()
        kept = self.document.state.kept_pag
        self.learn_panel.follow_learned(None if kept is None else kept.learned)
        self.edges.follow(graph)
        self.explanation.follow()
        self.legality.follow(graph)
        self.separation.follow(graph)
        self._on_selected()
        self._lay_out_missing()

    def _on_dataset_changed(self) -> None:
        self._say_learned()
        self.explanation.follow()
        self.explanation.show()
        self._show_enabled()

    def _say_learned(self) -> None:
        """What was said about a learned graph stands there while that graph does."""
        is_shown = self._learned is not None and self._learned[0] == self.document.pag
        self.learn_panel.state.setText(self._learned[1] if self._learned is not None and is_shown else "")

    def _lay_out_missing(self) -> None:
        """Place the nodes of a graph that came from elsewhere without places; no step to undo."""
        graph = self.document.pag
        if graph is not None and self.isVisible() and self._missing(graph) and not self.layouts.is_running:
            self.layouts.ask(drawing_of_graph(graph))

    def _show_graph(self) -> None:
        self.canvas.show_graph(self.document.pag, {**self._fallback, **self.document.positions})

    def _missing(self, graph: MixedGraph) -> bool:
        """Whether a node has no place yet."""
        return bool(set(graph.nodes) - set(self.document.positions) - set(self._fallback))

    def introduce(
        self,
        graph: MixedGraph,
        text: str,
        *,
        origin: str,
        positions: Positions = NO_POSITIONS,
        events: tuple[PagEvent, ...] = (),
        knowledge: Knowledge = NO_KNOWLEDGE,
    ) -> None:
        """Take over a new graph; where its nodes have no places yet, they are laid out first."""
        if self.editor.refuses():
            return
        newcomer = _Newcomer(graph, text, origin, events, knowledge, self.document.ticket())
        if set(graph.nodes) <= self.document.positions.keys() | positions.keys():
            self._add(newcomer, positions)
            return
        self._waiting = newcomer
        self.layouts.ask(drawing_of_graph(graph))

    def _add(self, new: _Newcomer, positions: Positions = NO_POSITIONS) -> None:
        if self.document.is_valid(new.ticket):
            self.editor.add_graph(
                new.graph,
                new.text,
                origin=new.origin,
                positions=positions,
                events=new.events,
                knowledge=new.knowledge,
            )

    def add_to_compare(self) -> None:
        """Compare this graph with others."""
        kept = self.document.state.kept_pag
        if kept is not None:
            self.document.compare_asked.emit(ComparedGraph(kept.name, kept.origin, kept.graph))

    def lay_out(self, engine: Engine) -> None:
        """Redo layout."""
        if self.document.pag is None:
            return
        try:
            self.layouts.ask(self.canvas.scene.drawing, engine)
        except OptionError as error:
            self.context.report(error, "Laying out the graph")
        else:
            self._asked_layout = (engine, self.document.ticket(), self.canvas.neighbourhood)

    def _on_laid_out(self, positions: dict[str, tuple[float, float]]) -> None:
        waiting, self._waiting = self._waiting, None
        asked, self._asked_layout = self._asked_layout, None
        if waiting is not None:
            self._add(waiting, positions)
        elif asked is not None:
            engine, ticket, neighbourhood = asked
            if neighbourhood != self.canvas.neighbourhood or not self.document.is_valid(ticket):
                return
            if neighbourhood is None:
                self.editor.move_nodes(positions, f"Layout with {engine}")
            else:
                self.canvas.place_part(positions)
        else:
            self._fallback |= positions
            self._show_graph()
        self.canvas.view.fit()

    def _on_layout_failed(self, error: object) -> None:
        waiting, self._waiting, self._asked_layout = self._waiting, None, None
        self.context.report(error if isinstance(error, Exception) else str(error), "Laying out the graph")
        if waiting is not None:
            self._add(waiting)

    # Learning, files, drawing ---------------------------------------------------------------------

    @property
    def is_learning(self) -> bool:
        return self.learning.is_running

    def learn(self) -> None:
        """Learn with the settings of the panel."""
        self.tabs.setCurrentWidget(self.learn_panel)
        self.learning.start(self.learn_panel.options())

    def _on_learning_changed(self) -> None:
        self._show_enabled()

    def _on_learned(self, result: LearnedPag) -> None:
        learner = find_learner(result.options.method)
        counts = f"{counted(result.graph.n_edges, 'edge')}, {counted(result.n_tests, 'test')}"
        conflicts = map(conflict_sentence, result.knowledge_conflicts)
        self._learned = result.graph, " ".join([f"{counts}, {result.seconds:.1f}\u00a0s.", *result.notes, *conflicts])
        self.learn_panel.state.setText("")
        known, events = self.learning.knowledge, self.learning.events
        origin = f"{learner.say_settings(result.options)}{WITH_KNOWLEDGE if known else ''}"
        self.introduce(
            result.graph, f"Learn the PAG with {learner.title}", origin=origin, events=events, knowledge=known
        )

    def _on_graph_read(self, opened: OpenedGraph, path: Path) -> None:
        self.introduce(opened.graph, f"Import {path.name}", origin=path.name, positions=opened.positions)

    def manage_pags(self) -> None:
        """Show a list of all PAGs, to rename and delete them."""
        self.pags_dialog = CollectionDialog(self.pags, self)
        self.pags_dialog.open()

    def start_drawing(self) -> None:
        """A graph without edges, to draw on."""
        graph = self.editor.empty_graph()
        if graph is not None:
            self.introduce(graph, "Start an empty PAG", origin=DRAWN)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """A file dropped on this page is a graph, unless it cannot be one."""
        urls = [url for url in event.mimeData().urls() if url.isLocalFile()]
        path = Path(urls[0].toLocalFile())
        if path.suffix.lower() in NO_GRAPHS:
            self.context.opener.open_dropped(urls)
        else:
            self.files.import_graph(path)
        event.acceptProposedAction()

    # Selection ------------------------------------------------------------------------------------

    def _on_selected(self) -> None:
        if self._is_revealing:
            return
        scene = self.canvas.scene
        pairs = scene.selected_pairs()
        ends = [scene.edge_item(*pair).active_end for pair in pairs]
        self.edges.select(pairs, ends[0] if ends else None)
        self.explanation.show()
        self._show_enabled()

    def _on_rows_selected(self, pairs: list[Pair], end: str) -> None:
        scene = self.canvas.scene
        self._is_revealing = True  # the rows stay selected
        if pairs:
            self.canvas.reveal(*sorted(pairs[0]), *frozenset[str]().union(*pairs[1:]))
        self._is_revealing = False
        was_blocked = scene.blockSignals(True)
        scene.clearSelection()
        for pair in pairs:
            item = scene.edge_item(*pair)
            if end in pair:
                item.set_active_end(end)
            item.setSelected(True)
        scene.blockSignals(was_blocked)
        if len(pairs) == 1:
            self.canvas.view.bring_into_view(min(pairs[0]))
        self.explanation.show()
        self._show_enabled()

    def show_editable(self, is_editable: bool) -> None:
        """Say how to edit, or not, and offer it, or not."""
        self.pag_inspector.is_editable = is_editable
        self.explanation.show()
        self._show_enabled()

    def _show_enabled(self) -> None:
        pag_actions.show_enabled(self)
        self._show_learnable()

    def _show_learnable(self) -> None:
        """One state for everything that learns: the command with its buttons, and the panel."""
        presenting = self.commands.presenting_reason()
        reason = presenting or self.learning.why_not()
        self.context.actions.allow("pag.learn", reason)
        is_about_data = self.document.raw is not None and reason == self.learning.why_not_from_data()
        self.learn_panel.show_running(self.is_learning, reason=reason, is_about_data=is_about_data)
        self.learn_panel.learn.setToolTip(self.context.actions["pag.learn"].toolTip())

    # Menus and repair -----------------------------------------------------------------------------

    def _show_menu(self, item: object, point: QPoint) -> None:
        if item is None:
            ids = pag_actions.GROUND_MENU
        elif isinstance(item, NodeItem):
            ids = pag_actions.NODE_MENU
        else:
            ids = pag_actions.EDGE_MENU
        actions: list[QAction | None] = [None if id is None else self.context.actions[id] for id in ids]
        self.canvas.menu_at(actions, point)

    def _on_repair_ready(self, answer: tuple[MixedGraph, Repair]) -> None:
        graph, repair = answer
        if graph != self.document.pag:
            return
        if not repair.diff:
            self.context.report("This is already a valid PAG; there is nothing to repair.", "Repairing the PAG")
            return
        self.canvas.highlight("repair", highlight_repair(repair))
        self.repair_dialog = RepairDialog(repair, self.legality.kind, self)
        self.repair_dialog.accepted.connect(lambda: self._apply(graph, repair))
        self.repair_dialog.finished.connect(lambda _code: self.canvas.highlight("repair", {}))
        self.repair_dialog.open()

    def _apply(self, graph: MixedGraph, repair: Repair) -> None:
        if graph == self.document.pag and not self.editor.refuses():
            text, how = {
                Kind.MAG: ("Show the PAG of the MAG", "its PAG"),
                Kind.PAG_WITH_KNOWLEDGE: ("Remove the knowledge from the PAG", "without knowledge"),
            }.get(self.legality.kind or Kind.OTHER, ("Repair the PAG", "repaired"))
            origin = self.document.pag_origin
            self.editor.replace_graph(repair.graph, text, origin=f"{origin}, {how}" if origin else "")
