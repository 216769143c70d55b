"""What the pictures and tables of the Compare page show: one pair, several graphs side by side, or all as a matrix."""

from __future__ import annotations

from PySide6.QtCore import QObject

from latconf_core.comparison.compare import PairComparison, compare_pair
from latconf_core.comparison.matrix import Matrix, letter_of, make_matrix
from latconf_core.comparison.overlay import Overlay, lay_over
from latconf_core.comparison.parts import find_blocks
from latconf_core.comparison.subject import View
from latconf_core.errors import LatconfError
from latconf_core.wording.comparison_sentences import describe_pair
from latconf_core.wording.difference_list import (
    Difference,
    DifferenceGroup,
    group_by_blocks,
    group_by_kinds,
    list_differences,
)
from latconf_gui.application.document import Document
from latconf_gui.drawing.content.arrow_supports import supports_of
from latconf_gui.drawing.content.overlay_drawing import NO_SUPPORT, BothSupports, drawing_of_overlay
from latconf_gui.pages.compare.candidates import Candidate, Candidates
from latconf_gui.pages.compare.layout import CompareLayout
from latconf_gui.pages.compare.pictures.panes import MOST_PANES, PaneGraph
from latconf_gui.pages.compare.pictures.places import Places
from latconf_gui.pages.dag_classes import DagClasses

ALONE = "{name} is the reference A. Add another graph to compare with it, or select one in the list."


class ShownComparison(QObject):
    """Fills the widgets of the page from the list of graphs and the choices that a person made.

    pair : B against A as far as it is known; None where there is no B, or where the two cannot be compared
    """

    def __init__(self, parts: CompareLayout, candidates: Candidates, places: Places, *, document: Document) -> None:
        super().__init__(parts)
        self._parts, self._candidates, self._places = parts, candidates, places
        self._document = document
        self.pair: PairComparison | None = None
        self.classes = DagClasses(document, self)
        self.classes.changed.connect(self._on_classes_changed)

    @property
    def place(self) -> int:
        """The place of B; 0 where the reference stands alone."""
        return max(self._parts.panel.current, 0) if len(self._candidates) > 1 else 0

    @property
    def view(self) -> View | None:
        """As what the graphs are compared; None to choose by their kinds."""
        chosen: View | None = self._parts.view_as.currentData()
        return chosen

    def clear(self) -> None:
        """Nothing is compared."""
        self.pair = None
        self._parts.overlay.show_overlay(None, ("", ""))
        self._parts.tree.show_groups((), is_scored=False)

    # One pair -------------------------------------------------------------------------------------

    def show_pair(self) -> None:
        """A and B over each other, with the table of their differences and the sentence."""
        a, b = self._candidates.items[0], self._candidates.items[self.place]
        self._parts.show_names(a.name, b.name if self.place else None, letter_of(self.place))
        try:
            overlay = self._lay_over(a, b)
            self.pair = compare_pair(a.subject, b.subject, view=self.view) if self.place else None
        except LatconfError as error:
            self.clear()
            self._parts.say(str(error))
            return
        self._parts.overlay.show_overlay(overlay, (a.name, b.name), self._supports(a, b, overlay))
        layouts = self._parts.overlay.canvas.layouts
        if self._places.lacks(overlay.nodes) and not layouts.is_running:
            layouts.ask(drawing_of_overlay(overlay, (a.name, b.name)))
        self._show_differences(overlay)
        self._say()

    def _lay_over(self, a: Candidate, b: Candidate) -> Overlay:
        return lay_over(a.subject, b.subject, self.view, latent_names=self._document.latent_names)

    def _supports(self, a: Candidate, b: Candidate, overlay: Overlay) -> BothSupports:
        """What the data say of the arrows of both, where they are shown as DAGs."""
        if not overlay.is_dag or a.subject.dag is None or b.subject.dag is None:
            return NO_SUPPORT
        names_a = {latent.pair.a.name: latent.name for latent in overlay.latents if latent.pair.a is not None}
        names_b = {latent.pair.b.name: latent.name for latent in overlay.latents if latent.pair.b is not None}
        classes = (
            self.classes.class_of(dag.with_latent_names(names))
            for dag, names in ((a.subject.dag, names_a), (b.subject.dag, names_b))
        )
        in_a, in_b = (supports_of(dag_class) for dag_class in classes)
        return in_a, in_b

    def _on_classes_changed(self) -> None:
        """Draw anew with what is known now of the arrows."""
        if self._parts.overlay.overlay is not None and self._candidates.items:
            a, b = self._candidates.items[0], self._candidates.items[self.place]
            overlay = self._parts.overlay.overlay
            self._parts.overlay.show_overlay(overlay, (a.name, b.name), self._supports(a, b, overlay))
        self.show_rest()

    def take_scores(self, pair: PairComparison) -> None:
        """Fill in what the differences are worth, where they are still those that are shown."""
        if self.pair is None or (pair.a, pair.b) != (self.pair.a, self.pair.b):
            return
        self.pair = pair
        if self._parts.overlay.overlay is not None:
            self._show_differences(self._parts.overlay.overlay)
        self._say()

    def _say(self) -> None:
        if self.pair is None:
            self._parts.say(ALONE.format(name=self._candidates.items[0].name))
            return
        self._parts.say(describe_pair(self.pair))
        self._parts.say_ground(self.pair.view)

    def groups(self, overlay: Overlay) -> tuple[DifferenceGroup, ...]:
        """The differences, by blocks of variables where they have scores."""
        items, data = self._candidates.items, self._document.dataset
        a, b = items[0].subject, items[self.place].subject
        differences = list_differences(overlay)
        is_about_data = data is not None and set(a.nodes) == set(data.names)
        if a.dag is None or b.dag is None or data is None or not is_about_data or not overlay.is_dag:
            return group_by_kinds(differences)
        parts = None if self.pair is None else self.pair.parts
        return group_by_blocks(differences, find_blocks(a.dag, b.dag, data), parts)

    def _show_differences(self, overlay: Overlay) -> None:
        is_scored = overlay.is_dag and self._document.dataset is not None
        self._parts.tree.show_groups(self.groups(overlay), is_scored=is_scored)

    # Several --------------------------------------------------------------------------------------

    def show_rest(self) -> None:
        """The panes or the matrix, where a person looks at them."""
        shown = self._parts.tabs.currentWidget()
        if shown is self._parts.panes:
            self._parts.panes.show_graphs(self._graphs_side_by_side())
        elif shown is self._parts.matrix:
            self._parts.matrix.show_matrix(self.make_matrix())

    def _graphs_side_by_side(self) -> list[PaneGraph]:
        """The reference and up to three others, the chosen one among them."""
        items = self._candidates.items
        last = min(max(self.place, MOST_PANES - 1), len(items) - 1)
        graphs_side = []
        for index in (0, *range(max(last - MOST_PANES + 2, 1), last + 1)) if items else ():
            try:
                overlay = self._lay_over(items[0], items[index])
            except LatconfError:  # the list says which kind it is, the overlay why not
                continue
            supports = self._supports(items[0], items[index], overlay)[1]
            graphs_side.append(PaneGraph(f"{letter_of(index)}: {items[index].name}", overlay, supports))
        return graphs_side

    def make_matrix(self) -> Matrix | None:
        """All graphs; None where they cannot be compared, which is said."""
        if not self._candidates.items:
            return None
        try:
            return make_matrix([item.subject for item in self._candidates.items], view=self.view)
        except LatconfError as error:
            self._parts.say(str(error))
            return None

    # Going to a difference ------------------------------------------------------------------------

    def go_to_nodes(self, nodes: frozenset[str]) -> None:
        """Mark the difference of an edge or latent that was clicked in the picture."""
        listed = self._parts.tree.differences
        self._parts.tree.go_to(
            next(
                (difference for difference in listed if nodes in difference.pairs or nodes == set(difference.nodes)),
                None,
            )
        )

    def go_to_cell(self, column: int, names: tuple[str, ...]) -> None:
        """Show a cell of the matrix in the overlay."""
        parts = self._parts
        if column:
            parts.panel.choose(column)
        parts.tabs.setCurrentWidget(parts.overlay)
        difference = next(
            (
                listed_difference
                for listed_difference in parts.tree.differences
                if _is_about(listed_difference, set(names))
            ),
            None,
        )
        parts.tree.go_to(difference)
        if difference is not None:
            parts.overlay.light(difference)
        elif frozenset(names) in parts.overlay.canvas.scene.drawing.by_pair:
            parts.overlay.canvas.scene.select_edge(*names)
            parts.overlay.bring_into_view()


def _is_about(difference: Difference, names: set[str]) -> bool:
    return set(difference.nodes) == names or (difference.kind == "latent" and names <= difference.effects)
