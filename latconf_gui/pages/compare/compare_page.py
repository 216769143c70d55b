"""The Compare page: the list of graphs, the overlay, panes and matrix, the differences and the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from latconf_core.comparison.compare import PairComparison
from latconf_core.comparison.tables import Table
from latconf_core.errors import LatconfError
from latconf_core.formats.projects.compared_graphs import ComparedItem, Content, GraphSource
from latconf_gui.application.document import Document
from latconf_gui.background.gil_priority import GIL_PRIORITY
from latconf_gui.pages.compare import actions as compare_actions
from latconf_gui.pages.compare.adding import ADDING, Adding
from latconf_gui.pages.compare.bench.bench_activity import BenchTabs
from latconf_gui.pages.compare.candidates import Candidates
from latconf_gui.pages.compare.comparable_graphs import kind_of
from latconf_gui.pages.compare.files import CompareFiles
from latconf_gui.pages.compare.layout import CompareLayout
from latconf_gui.pages.compare.pictures.places import Places
from latconf_gui.pages.compare.shown_comparison import ShownComparison
from latconf_gui.pages.compare.shown_numbers import ShownNumbers
from latconf_gui.pages.compare.table_export import TableExport
from latconf_gui.pages.page import Page, PageContext

SCORING = "Scoring the compared graphs"


class ComparePage(Page):
    """Wires the list, the pictures and the tables to the document; scores are computed beside the window."""

    title = "Compare"
    icon = "compare"
    is_step = False

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.setAcceptDrops(True)
        self.candidates, self.places = Candidates(self.document, self), Places()
        self.files = CompareFiles(context.settings, report=context.report, window=self)
        self.files.document = lambda: self.document.name
        self.files.variables = self._variables
        self._file = self.document.file
        self._is_refreshing = False
        self._is_moved = False  # nodes, while nobody looked
        self.parts = CompareLayout(self, self.candidates, self.places)
        self.panel, self.tabs = self.parts.panel, self.parts.tabs
        self.overlay, self.panes, self.matrix = self.parts.overlay, self.parts.panes, self.parts.matrix
        self.tree, self.numbers = self.parts.tree, self.parts.numbers
        self.layouts = self.overlay.canvas.layouts
        self.comparison = ShownComparison(self.parts, self.candidates, self.places, document=self.document)
        self.scores = ShownNumbers(self.parts, self.candidates, self.comparison, document=self.document)
        self.export = TableExport(self.parts, self.comparison, self.scores, files=self.files, report=context.report)
        self.adding = Adding(self)
        compare_actions.add_actions(self)
        self.parts.fill_toolbar([None if id is None else context.actions[id] for id in compare_actions.TOOLBAR])
        self.bench = BenchTabs(self, context)
        self._connect()
        self.refresh()

    @classmethod
    def is_available(cls, document: Document) -> bool:
        state = document.state
        has_graphs = bool(state.pags or state.runs or state.compared) or document.truth is not None
        return has_graphs or document.dataset is not None  # which the bench can run on

    @classmethod
    def needs(cls) -> str:
        return "Compare: open data, or learn, import or draw a PAG first"

    def menu(self) -> Sequence[str | None]:
        return compare_actions.MENU

    @property
    def is_busy(self) -> bool:
        is_drawing = self.layouts.is_running or self.comparison.classes.is_busy
        return self.scores.is_busy or is_drawing or self.files.is_busy or self.bench.activity.is_busy

    def stop(self) -> None:
        """End everything this page runs in the background."""
        self.scores.stop()
        self.layouts.stop()
        self.comparison.classes.stop()
        self.files.stop()
        self.bench.activity.stop()

    def _connect(self) -> None:
        document, report = self.document, self.context.report
        for signal in (document.compared_changed, document.latent_names_changed):
            signal.connect(self.refresh)
        document.dataset_changed.connect(self._on_data_changed)
        document.presenting_changed.connect(lambda: compare_actions.show_enabled(self))
        document.positions_changed.connect(self._on_positions_changed)
        for signal in (document.collections_changed, document.dag_opened):
            signal.connect(self._show_offers)
        document.file_changed.connect(self._on_file_changed)
        self.panel.chosen.connect(lambda _: self.refresh())
        self.panel.list.customContextMenuRequested.connect(self._show_list_menu)
        self.parts.view_as.currentIndexChanged.connect(self.refresh)
        self.parts.against.currentIndexChanged.connect(self.scores.ask)
        self.parts.face_chosen.connect(self.overlay.show_face)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.tree.chosen.connect(self.overlay.light)
        self.overlay.pair_chosen.connect(self.comparison.go_to_nodes)
        self.matrix.cell_chosen.connect(self.comparison.go_to_cell)
        self.scores.scoring.failed.connect(lambda error: report(error, SCORING))
        self.layouts.ready.connect(self._on_laid_out)
        self.layouts.failed.connect(lambda error: report(error, "Laying out the graphs"))

    # The list -------------------------------------------------------------------------------------

    def add(
        self, name: str, content: Content, *, kind: str = "", origin: str = "", source: GraphSource | None = None
    ) -> bool:
        """Compare one more graph, and look at it; False where that cannot be done, which is reported."""
        return self.add_items(ComparedItem(name, content, kind or kind_of(content), origin, source))

    def add_items(self, *items: ComparedItem) -> bool:
        """Compare some more graphs as one step, and look at the last."""
        self.bench.show_graphs()
        GIL_PRIORITY.window_first_until_painted()
        self._is_refreshing = True  # once is enough, when the new one is chosen
        try:
            index = self.candidates.add(*items)
            self.candidates.follow()
            self.panel.choose(index)
        except LatconfError as error:
            self.context.report(error, ADDING)
            return False
        finally:
            self._is_refreshing = False
        self.refresh()
        return True

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.adding.may_drop(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.adding.drop(event.mimeData())
        event.acceptProposedAction()

    def _show_list_menu(self, point: QPoint) -> None:
        ids = compare_actions.LIST_MENU
        self.panel.show_menu([None if id is None else self.context.actions[id] for id in ids], point)

    def remove(self) -> None:
        """Compare the chosen graph no longer."""
        if self.panel.current >= 0:
            self.candidates.remove(self.panel.current)

    def make_reference(self) -> None:
        """Compare everything with the chosen graph, and it with the one that was the reference."""
        if self.panel.current > 0:
            self.candidates.make_reference(self.panel.current)
            self.panel.choose(1)

    def move_candidate(self, by: int) -> None:
        """Move the chosen graph up or down in the list."""
        if self.panel.current >= 0:
            self.candidates.move(self.panel.current, self.panel.current + by)

    def step_candidate(self, by: int) -> None:
        """Compare the next graph with the reference; after the last comes the first."""
        others = len(self.candidates) - 1
        if others > 0:
            self.panel.choose(1 + (max(self.shown, 1) - 1 + by) % others)

    # What is shown --------------------------------------------------------------------------------

    @property
    def shown(self) -> int:
        """The place of B; 0 where the reference stands alone."""
        return self.comparison.place

    @property
    def pair(self) -> PairComparison | None:
        """B against A as far as it is known."""
        return self.comparison.pair

    def refresh(self) -> None:
        """Show everything anew: the graphs, their names or their order have changed."""
        if self._is_refreshing:
            return
        GIL_PRIORITY.window_first_until_painted()
        self._is_refreshing = True
        self.candidates.follow()
        if self.panel.current < 0 and len(self.candidates) > 1:
            self.panel.choose(1)
        self._is_refreshing = False
        self.places.use(self.document.positions)
        compare_actions.show_enabled(self)
        self.parts.show_empty(not len(self.candidates))
        self.parts.offer_truth(self.document.truth is not None)
        if not self.candidates.items:
            self._show_offers()
            self.comparison.clear()
            self.scores.clear()
            return
        self.comparison.show_pair()
        self.comparison.show_rest()
        self.scores.ask()

    def _show_offers(self) -> None:
        """What could be compared, once somebody looks."""
        if self.isVisible():
            self.adding.show_offers()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_offers()
        if self._is_moved:
            self._on_positions_changed()

    def _on_tab_changed(self) -> None:
        GIL_PRIORITY.window_first_until_painted()
        self.comparison.show_rest()

    def flip(self) -> None:
        """Both, A alone, B alone, in place."""
        self.parts.show_face(self.overlay.flip())

    def step_difference(self, by: int) -> None:
        """Light the next difference and bring it into view."""
        self.tree.step(by)

    def fit(self) -> None:
        """Show all of the graphs."""
        if self.tabs.currentWidget() is self.panes:
            self.panes.fit()
        else:
            self.overlay.canvas.view.show_all()

    # The document ---------------------------------------------------------------------------------

    def _variables(self) -> Sequence[str] | None:
        """What a graph from a file has to be about."""
        reference, data = self.candidates.reference, self.document.dataset
        if reference is not None:
            return reference.subject.nodes
        return None if data is None else data.names

    def _on_file_changed(self) -> None:
        """Another document has its own places."""
        if self.document.file is not self._file:
            self._file = self.document.file
            self.places.forget()
            self.refresh()

    def _on_positions_changed(self) -> None:
        """Draw everything at its new place, once somebody looks."""
        self._is_moved = not self.isVisible()
        if not self._is_moved:
            self.places.use(self.document.positions)
            self.overlay.redraw()
            self.comparison.show_rest()

    def _on_data_changed(self) -> None:
        self.candidates.forget_numbers()
        self.refresh()

    def _on_laid_out(self, positions: dict[str, tuple[float, float]]) -> None:
        overlay = self.overlay.overlay
        hidden = set() if overlay is None else {latent.name for latent in overlay.latents}
        self.places.take_layout({name: spot for name, spot in positions.items() if name not in hidden})
        self.overlay.redraw()
        self.overlay.canvas.view.fit()
        self.comparison.show_rest()

    # Files ----------------------------------------------------------------------------------------

    def ask_picture(self) -> None:
        """Write the overlay as a picture."""
        self.files.ask_picture(self.overlay.canvas.scene)

    def tables(self) -> dict[str, Table]:
        """The tables that can be written."""
        return self.export.tables()
