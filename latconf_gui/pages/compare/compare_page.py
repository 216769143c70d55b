"""The Compare page: the list of graphs, the overlay, panes and matrix, the differences and the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from latconf_core.comparison.compare import PairComparison, compare_pair
from latconf_core.comparison.difference_list import (
    Difference,
    DifferenceGroup,
    group_by_blocks,
    group_by_kinds,
    list_differences,
)
from latconf_core.comparison.matrix import Matrix, make_matrix
from latconf_core.comparison.numbers import Numbers
from latconf_core.comparison.overlay import Overlay, lay_over
from latconf_core.comparison.parts import find_blocks
from latconf_core.comparison.sentences import describe_pair
from latconf_core.comparison.subject import Subject, View
from latconf_core.comparison.tables import Table, tabulate_differences, tabulate_matrix, tabulate_numbers, to_markdown
from latconf_core.errors import LatconfError
from latconf_core.options.scoring import VbemOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.application.document import Document
from latconf_gui.background.gil_priority import GIL_PRIORITY
from latconf_gui.drawing.overlay_drawing import drawing_of_overlay
from latconf_gui.pages.compare import actions as compare_actions
from latconf_gui.pages.compare.candidates import Candidates, letter_of
from latconf_gui.pages.compare.comparable_graphs import Content, Offer, kind_of, list_offers
from latconf_gui.pages.compare.files import CompareFiles
from latconf_gui.pages.compare.layout import CompareLayout
from latconf_gui.pages.compare.panes import MOST_PANES
from latconf_gui.pages.compare.places import Places
from latconf_gui.pages.compare.scoring import CompareScoring, Described, Measured, Question
from latconf_gui.pages.page import Page, PageContext

ADDING = "Adding to Compare"
SCORING = "Scoring what is compared"
ALONE = "{name} is the reference A. Add another graph to compare with it, or choose one in the list."
MESSAGE_MILLISECONDS = 8_000
PAINT_FIRST_MILLISECONDS = 30  # scores wait until the picture is there


class ComparePage(Page):
    """Wires the list, the pictures and the tables to the document; scores are computed beside the window."""

    title = "Compare"
    icon = "compare"
    is_step = False

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.candidates, self.places = Candidates(self), Places()
        self.scoring = CompareScoring(self)
        self.files = CompareFiles(context.settings, report=context.report, window=self)
        self.files.document = lambda: self.document.name
        self.files.variables = self._variables
        self._file = self.document.file
        self._soon = QTimer(self, interval=PAINT_FIRST_MILLISECONDS, singleShot=True)
        self._soon.timeout.connect(self._begin_scoring)
        self._pair: PairComparison | None = None
        self._is_adding = False
        self._is_moved = False  # nodes, while nobody looked
        self._measured: tuple[PairComparison, ...] = ()
        self.parts = CompareLayout(self, self.candidates, self.places)
        self.panel, self.tabs = self.parts.panel, self.parts.tabs
        self.overlay, self.panes, self.matrix = self.parts.overlay, self.parts.panes, self.parts.matrix
        self.tree, self.numbers = self.parts.tree, self.parts.numbers
        self.layouts = self.overlay.canvas.layouts
        compare_actions.add_actions(self)
        self.parts.fill_toolbar([None if id is None else context.actions[id] for id in compare_actions.TOOLBAR])
        self._connect()
        self.refresh()

    @classmethod
    def is_available(cls, document: Document) -> bool:
        return bool(document.state.pags or document.state.runs) or document.truth is not None

    @classmethod
    def needs(cls) -> str:
        return "Compare: learn, import or draw a PAG, or run a search first"

    def menu(self) -> Sequence[str | None]:
        return compare_actions.MENU

    @property
    def is_busy(self) -> bool:
        return self._soon.isActive() or self.scoring.is_busy or self.layouts.is_running or self.files.is_busy

    def stop(self) -> None:
        """End everything this page runs in the background."""
        self._soon.stop()
        self.scoring.stop()
        self.layouts.stop()
        self.files.stop()

    def _connect(self) -> None:
        document, report = self.document, self.context.report
        document.compare_asked.connect(self._on_asked)
        document.dataset_changed.connect(self._on_data_changed)
        document.positions_changed.connect(self._on_positions_changed)
        document.collections_changed.connect(self._show_offers)
        document.file_changed.connect(self._on_file_changed)
        self.candidates.changed.connect(self.refresh)
        self.candidates.renamed.connect(self.refresh)
        self.panel.chosen.connect(lambda _: self.refresh())
        self.panel.list.customContextMenuRequested.connect(self._show_list_menu)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.panel.add.setMenu(self._menu)
        self.parts.invitation.chosen.connect(self._on_suggested)
        self.parts.view_as.currentIndexChanged.connect(self.refresh)
        self.parts.against.currentIndexChanged.connect(self._ask_scores)
        self.parts.face_chosen.connect(self.overlay.show_face)
        self.tabs.currentChanged.connect(self._show_rest)
        self.tree.chosen.connect(self.overlay.light)
        self.overlay.pair_chosen.connect(self._on_pair_chosen)
        self.matrix.cell_chosen.connect(self._on_cell_chosen)
        self.files.graph_read.connect(self._on_read)
        self.scoring.answered.connect(self._on_answered)
        self.scoring.failed.connect(lambda error: report(error, SCORING))
        self.layouts.ready.connect(self._on_laid_out)
        self.layouts.failed.connect(lambda error: report(error, "Laying out the graphs"))

    # The list -------------------------------------------------------------------------------------

    def add(self, name: str, content: Content, *, kind: str = "", origin: str = "") -> bool:
        """Compare one more graph, and look at it; False where that cannot be done, which is reported."""
        self._is_adding = True
        try:
            place = self.candidates.add(name, content, kind=kind or kind_of(content), origin=origin)
        except LatconfError as error:
            self.context.report(error, ADDING)
            return False
        finally:
            self._is_adding = False
        if place == self.panel.current:
            self.refresh()
        self.panel.choose(place)
        return True

    def add_offer(self, offer: Offer) -> bool:
        """Compare what the document has."""
        content = offer.make()
        if content is None:
            self.context.report(f"{offer.name} cannot be made: the PAG is not valid; repair it first.", ADDING)
            return False
        return self.add(offer.name, content, kind=offer.kind, origin=offer.origin)

    def offers(self) -> tuple[Offer, ...]:
        """What the document has."""
        return list_offers(self.document)

    def _fill_menu(self) -> None:
        self._menu.clear()
        origin = None
        for offer in self.offers():
            if origin not in (None, offer.origin):
                self._menu.addSeparator()
            origin = offer.origin
            action = self._menu.addAction(f"{offer.name}  ({offer.kind})")
            action.triggered.connect(lambda _=False, offer=offer: self.add_offer(offer))
        self._menu.addSeparator()
        self._menu.addAction(self.context.actions["compare.file"])

    def _show_list_menu(self, place: QPoint) -> None:
        ids = compare_actions.LIST_MENU
        self.panel.show_menu([None if id is None else self.context.actions[id] for id in ids], place)

    def _on_suggested(self, offers: list[Offer]) -> None:
        for offer in offers:
            self.add_offer(offer)

    def _on_asked(self, graph: ComparedGraph) -> None:
        """Another page hands a graph over."""
        window = self.window()
        if self.add(graph.name, graph.content, origin=graph.origin) and isinstance(window, QMainWindow):
            count = len(self.candidates)
            text = f"Added to Compare: {graph.name} ({count} graph{'' if count == 1 else 's'})"
            window.statusBar().showMessage(text, MESSAGE_MILLISECONDS)

    def _on_read(self, subject: Subject) -> None:
        self.add(subject.name, subject.content, origin="file")

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
        return max(self.panel.current, 0) if len(self.candidates) > 1 else 0

    @property
    def view(self) -> View | None:
        """As what the graphs are compared; None to choose by their kinds."""
        chosen: View | None = self.parts.view_as.currentData()
        return chosen

    @property
    def pair(self) -> PairComparison | None:
        """B against A as far as it is known."""
        return self._pair

    def refresh(self) -> None:
        """Show everything anew: the graphs, their names or their order have changed."""
        if self._is_adding:  # once is enough, when the new one is chosen
            return
        self.places.use(self.document.positions)
        compare_actions.show_enabled(self)
        self.parts.show_empty(not len(self.candidates))
        self.parts.offer_truth(self.document.truth is not None)
        if not self.candidates.items:
            self._show_offers()
            self._pair, self._measured = None, ()
            self.overlay.show_overlay(None, ("", ""))
            self.tree.show_groups((), is_scored=False)
            self._soon.stop()
            self.scoring.forget()
            return
        GIL_PRIORITY.window_first_until_painted()
        self._show_pair()
        self._show_rest()
        self._ask_scores()

    def _show_pair(self) -> None:
        a, b = self.candidates.items[0], self.candidates.items[self.shown]
        self.parts.show_names(a.name, b.name if self.shown else None, letter_of(self.shown))
        try:
            overlay = lay_over(a.subject, b.subject, self.view)
            self._pair = compare_pair(a.subject, b.subject, view=self.view) if self.shown else None
        except LatconfError as error:
            self._pair = None
            self.parts.say(str(error))
            self.overlay.show_overlay(None, ("", ""))
            self.tree.show_groups((), is_scored=False)
            return
        self.overlay.show_overlay(overlay, (a.name, b.name))
        if self.places.lacks(overlay.nodes) and not self.layouts.is_running:
            self.layouts.ask(drawing_of_overlay(overlay, (a.name, b.name)))
        self._show_differences(overlay)
        self._say(a.name)

    def _say(self, reference: str) -> None:
        if self._pair is None:
            self.parts.say(ALONE.format(name=reference))
            return
        self.parts.say(describe_pair(self._pair))
        self.parts.say_ground(self._pair.view)

    def _groups(self, overlay: Overlay) -> tuple[DifferenceGroup, ...]:
        a, b, data = self.candidates.items[0].subject, self.candidates.items[self.shown].subject, self.document.dataset
        differences = list_differences(overlay)
        is_about_data = data is not None and set(a.nodes) == set(data.names)
        if a.dag is None or b.dag is None or data is None or not is_about_data or not overlay.is_dag:
            return group_by_kinds(differences)
        parts = None if self._pair is None else self._pair.parts
        return group_by_blocks(differences, find_blocks(a.dag, b.dag, data), parts)

    def _show_differences(self, overlay: Overlay) -> None:
        self.tree.show_groups(self._groups(overlay), is_scored=overlay.is_dag and self.document.dataset is not None)

    def _show_rest(self) -> None:
        """The panes or the matrix, where a person looks at them."""
        if self.tabs.currentWidget() is self.panes:
            self.panes.show_graphs(self._graphs_side_by_side())
        elif self.tabs.currentWidget() is self.matrix:
            self.matrix.show_matrix(self._make_matrix())

    def _graphs_side_by_side(self) -> list[tuple[str, Overlay]]:
        """The reference and up to three others, the chosen one among them."""
        items = self.candidates.items
        last = min(max(self.shown, MOST_PANES - 1), len(items) - 1)
        found = []
        for place in (0, *range(max(last - MOST_PANES + 2, 1), last + 1)) if items else ():
            try:
                overlay = lay_over(items[0].subject, items[place].subject, self.view)
            except LatconfError:  # the list says which kind it is, the overlay why not
                continue
            found.append((f"{letter_of(place)}: {items[place].name}", overlay))
        return found

    def _make_matrix(self) -> Matrix | None:
        if not self.candidates.items:
            return None
        try:
            return make_matrix([one.subject for one in self.candidates.items], view=self.view)
        except LatconfError as error:
            self.parts.say(str(error))
            return None

    def _show_offers(self) -> None:
        """What could be compared, while nothing is."""
        if not self.candidates.items and self.isVisible():
            self.parts.invitation.show_offers(self.offers())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_offers()
        if self._is_moved:
            self._on_positions_changed()

    # Scores ---------------------------------------------------------------------------------------

    def _ask_scores(self) -> None:
        """What is computed for another pair is given up, and for this one begun once it is painted."""
        self._measured = ()
        self._show_numbers()
        self.scoring.forget()
        self._soon.start()

    def _begin_scoring(self) -> None:
        items = self.candidates.items
        if items:
            subjects = tuple(one.subject for one in items)
            truth = self._truth() if self.parts.against.currentIndex() == 1 else None
            data = self.document.dataset
            self.scoring.ask(Question(subjects, self.shown, self.view, data, self._options(), against=truth))

    def _options(self) -> VbemOptions:
        result = self.document.result
        return replace(result.options.vbem, seed=result.seed) if isinstance(result, SearchResult) else VbemOptions()

    def _truth(self) -> Subject | None:
        offer = next((one for one in self.offers() if one.role == "truth"), None)
        content = None if offer is None else offer.make()
        return None if content is None else Subject("the truth", content)

    def _on_answered(self, answer: PairComparison | Described | Measured) -> None:
        items = self.candidates.items
        if isinstance(answer, Described):
            self.candidates.set_numbers(answer.subject.content, answer.numbers)
        elif isinstance(answer, Measured):
            self._measured = answer.pairs
        elif self._pair is not None and (answer.a, answer.b) == (self._pair.a, self._pair.b):
            self._pair = answer
            if self.overlay.overlay is not None:
                self._show_differences(self.overlay.overlay)
            self._say(items[0].name)
            return
        self._show_numbers()

    def _known_numbers(self) -> dict[str, Numbers]:
        found = {one.name: self.candidates.numbers(one.content) for one in self.candidates.items}
        return {name: own for name, own in found.items() if own is not None}

    def _show_numbers(self) -> None:
        titles = {one.name: f"{letter_of(place)}: {one.name}" for place, one in enumerate(self.candidates.items)}
        self.numbers.show_numbers(titles, self._known_numbers(), self._measured)

    # Walking --------------------------------------------------------------------------------------

    def flip(self) -> None:
        """Both, A alone, B alone, in place."""
        self.parts.show_face(self.overlay.flip())

    def step_difference(self, by: int) -> None:
        """Light the next difference and bring it into view."""
        self.tree.step(by)

    def _on_pair_chosen(self, nodes: frozenset[str]) -> None:
        self.tree.go_to(self._difference_at(nodes))

    def _difference_at(self, nodes: frozenset[str]) -> Difference | None:
        return next((one for one in self.tree.differences if nodes in one.pairs or nodes == set(one.nodes)), None)

    def _on_cell_chosen(self, column: int, names: tuple[str, ...]) -> None:
        """Show a cell of the matrix in the overlay."""
        if column:
            self.panel.choose(column)
        self.tabs.setCurrentWidget(self.overlay)
        own = set(names)
        found = next(
            (
                one
                for one in self.tree.differences
                if set(one.nodes) == own or (one.kind == "latent" and own <= one.effects)
            ),
            None,
        )
        self.tree.go_to(found)
        if found is not None:
            self.overlay.light(found)
        elif frozenset(names) in self.overlay.canvas.scene.drawing.by_pair:
            self.overlay.canvas.scene.select_edge(*names)

    def fit(self) -> None:
        """Show all of the graphs."""
        if self.tabs.currentWidget() is self.panes:
            self.panes.fit()
        else:
            self.overlay.canvas.view.fit()

    # The document ---------------------------------------------------------------------------------

    def _variables(self) -> Sequence[str] | None:
        """What a graph from a file has to be about."""
        reference, data = self.candidates.reference, self.document.dataset
        if reference is not None:
            return reference.subject.nodes
        return None if data is None else data.names

    def _on_file_changed(self) -> None:
        """Another document: its graphs are not those that were compared."""
        if self.document.file is not self._file:
            self._file = self.document.file
            self.places.forget()
            self.candidates.clear()
            self.refresh()

    def _on_positions_changed(self) -> None:
        """Draw everything at its new place, once somebody looks."""
        self._is_moved = not self.isVisible()
        if not self._is_moved:
            self.places.use(self.document.positions)
            self.overlay.redraw()
            self._show_rest()

    def _on_data_changed(self) -> None:
        self.candidates.forget_numbers()
        self.refresh()

    def _on_laid_out(self, positions: dict[str, tuple[float, float]]) -> None:
        overlay = self.overlay.overlay
        hidden = set() if overlay is None else {one.name for one in overlay.latents}
        self.places.take_layout({name: spot for name, spot in positions.items() if name not in hidden})
        self.overlay.redraw()
        self.overlay.canvas.view.fit()
        self._show_rest()

    # Files ----------------------------------------------------------------------------------------

    def ask_picture(self) -> None:
        """Write the overlay as a picture."""
        self.files.ask_picture(self.overlay.canvas.scene)

    def tables(self) -> dict[str, Table]:
        """The tables that can be written."""
        overlay, matrix = self.overlay.overlay, self._make_matrix()
        found = {"numbers": tabulate_numbers(self._known_numbers(), self._measured)}
        if overlay is not None:
            found["differences"] = tabulate_differences(self._groups(overlay))
        if matrix is not None:
            found["matrix"] = tabulate_matrix(matrix)
        return found

    def _ask_table(self, what: str) -> None:
        table = self.tables().get(what)
        if table is None:
            self.context.report(f"There is no table of {what}: these graphs cannot be compared.", "Exporting a table")
        else:
            self.files.ask_table(table, what)

    def ask_differences(self) -> None:
        self._ask_table("differences")

    def ask_numbers(self) -> None:
        self._ask_table("numbers")

    def ask_matrix(self) -> None:
        self._ask_table("matrix")

    def copy_table(self) -> None:
        """Copy the table that is seen as Markdown."""
        what = "matrix" if self.tabs.currentWidget() is self.matrix else self.parts.shown_table
        table = self.tables().get(what)
        if table is not None:
            QGuiApplication.clipboard().setText(to_markdown(table))
