"""The canvas that every page uses: a scene, its view, its legend, its layouts, and what stands there before."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from latconf_gui.drawing.content.graph_drawing import Drawing, Pair, Positions
from latconf_gui.drawing.content.neighbourhood import Neighbourhood, part_of
from latconf_gui.drawing.geometry.neighbourhood_places import neighbourhood_places
from latconf_gui.drawing.items.node_item import node_size
from latconf_gui.drawing.legend import LegendWidget, legend_of
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.drawing.view import GraphView
from latconf_gui.drawing.view_layouts import Layouts
from latconf_gui.look.colours import Highlight

NOTHING = Drawing()


class GraphCanvas(QWidget):
    """A drawing with the legend below it: of a whole graph, or of the neighbourhood of a node.

    `shown()` after it shows another drawing, or another part of it. `nodes_moved(name → centre)` when a person has
    moved nodes of the whole graph; the places in a neighbourhood are for the moment only.

    scene : one with gestures of its own, or None for the usual one
    empty : what stands there while no graph is shown, such as an invitation; None for an empty drawing
    """

    shown = Signal()
    nodes_moved = Signal(object)

    def __init__(
        self, *, scene: GraphScene | None = None, empty: QWidget | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.scene = GraphScene() if scene is None else scene
        self.scene.setParent(self)
        self.view = GraphView(self.scene)
        self.legend = LegendWidget(legend_of(NOTHING))
        self.layouts = Layouts(self.view, room=self.room, parent=self)
        self._highlights: dict[str, Mapping[Pair, Highlight]] = {}
        self._empty = empty
        self.whole = NOTHING
        self.neighbourhood: Neighbourhood | None = None
        self._whole_places: Positions = {}
        self._part_places: dict[str, tuple[float, float]] = {}
        self._part_sizes: dict[str, tuple[float, float]] = {}  # for which these were made
        self.scene.nodes_moved.connect(self._on_moved)
        self._stack = QStackedWidget()
        for widget in (empty, self.view):
            if widget is not None:
                self._stack.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.legend)

    def show_drawing(self, drawing: Drawing | None, positions: Positions, *, keeps_view: bool = False) -> None:
        """Show a drawing, or what stands there without one; `keeps_view` moves the view only where it must."""
        self._stack.setCurrentWidget(self._empty if drawing is None and self._empty is not None else self.view)
        self.whole, self._whole_places = NOTHING if drawing is None else drawing, positions
        if self.neighbourhood is not None and self.neighbourhood.centre not in self.whole.names:
            self.neighbourhood = None
        self._show(keeps_view=keeps_view)

    def show_again(self, drawing: Drawing) -> None:
        """Show a drawing of the same graph, every node where it is."""
        shown = {} if self.neighbourhood is not None else self.scene.positions()
        self.show_drawing(drawing, {**self._whole_places, **shown})

    def _show(self, *, keeps_view: bool = False) -> None:
        drawing, positions = self.whole, self._whole_places
        if self.neighbourhood is not None:
            drawing = part_of(self.whole, self.neighbourhood)
            positions = self._places_of(drawing, self.neighbourhood)
        self.scene.show_drawing(drawing, positions, keeps_extent=keeps_view)
        self.legend.show_entries(legend_of(drawing))
        self._apply_highlights()
        self.shown.emit()

    # A part of the graph --------------------------------------------------------------------------

    def look_at(self, neighbourhood: Neighbourhood | None) -> None:
        """Show the neighbourhood of a node alone, or the whole graph again with that node in sight."""
        before, self.neighbourhood = self.neighbourhood, neighbourhood
        self._part_places = {}
        self._show()
        self.view.fit()
        if neighbourhood is None and before is not None and not self.view.can_show_all():
            self.view.show_node(before.centre)

    def forget_part(self) -> None:
        """The next drawing is of another document, and is shown whole."""
        self.neighbourhood, self._part_places = None, {}

    def reveal(self, *names: str) -> None:
        """See to it that these nodes of the graph are drawn: around the first of them, or else in the whole graph."""
        if self.neighbourhood is None or set(names) <= set(self.scene.drawing.names):
            return
        around = Neighbourhood(names[0], self.neighbourhood.n_steps)
        is_near = set(names) <= set(part_of(self.whole, around).names)
        self.look_at(around if is_near else None)

    def follow_name(self, old: str, new: str) -> None:
        """The node in the middle of the neighbourhood has another name."""
        if self.neighbourhood is not None and self.neighbourhood.centre == old:
            self.neighbourhood = Neighbourhood(new, self.neighbourhood.n_steps)

    def place_part(self, positions: Positions) -> None:
        """Put the nodes of the neighbourhood elsewhere, as long as it is shown."""
        if self.neighbourhood is not None and positions.keys() <= self._part_places.keys():
            self._part_places |= positions
            self._show()

    def _places_of(self, part: Drawing, neighbourhood: Neighbourhood) -> Positions:
        """Where its nodes stand: made anew only where there are others, or of other sizes."""
        sizes = {node.name: node_size(node) for node in part.nodes}
        if not self._part_places or sizes != self._part_sizes:
            self._part_sizes = sizes
            room = self.view.frame_for_layout(sizes.values(), self.room())
            self._part_places = neighbourhood_places(part, neighbourhood, sizes=sizes, room=room)
        return self._part_places

    def _on_moved(self, moved: dict[str, tuple[float, float]]) -> None:
        if self.neighbourhood is None:
            self.nodes_moved.emit(moved)
        else:
            self.place_part(moved)

    def room(self) -> QSize:
        """The size of the drawing area, also while something else stands there."""
        return self._stack.size()

    def highlight(self, reason: str, highlights: Mapping[Pair, Highlight]) -> None:
        """Highlight edges for one reason; later reasons win where two highlight the same edge."""
        self._highlights.pop(reason, None)
        if highlights:
            self._highlights[reason] = highlights
        self._apply_highlights()

    def _apply_highlights(self) -> None:
        merged: dict[Pair, Highlight] = {}
        for highlights in self._highlights.values():
            merged |= highlights
        self.scene.set_highlights(merged)

    def menu_at(self, actions: list[QAction | None], point: QPoint) -> QMenu:
        """A context menu of these commands; None is a separator."""
        menu = QMenu(self)
        for action in actions:
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)
        return menu
