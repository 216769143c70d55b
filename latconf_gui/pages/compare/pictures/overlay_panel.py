"""A and one B on one canvas: both over each other, or either alone at the same places."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtWidgets import QGraphicsSceneMouseEvent, QVBoxLayout, QWidget

from latconf_core.comparison.overlay import Overlay
from latconf_core.wording.difference_list import Difference
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.content.graph_drawing import Drawing
from latconf_gui.drawing.content.overlay_drawing import (
    NO_SUPPORT,
    BothSupports,
    Face,
    drawing_of_overlay,
    drawing_of_side,
)
from latconf_gui.drawing.gestures import Gesture
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.pages.compare.pictures.places import Places

FACES: tuple[Face, ...] = ("overlay", "A", "B")
AROUND = 60.0  # what is shown around a difference that is brought into view


class StillScene(GraphScene):
    """A scene in which things are chosen and nothing is moved or changed."""

    def __init__(self) -> None:
        super().__init__(is_editable=False)

    def _gesture_for(self, event: QGraphicsSceneMouseEvent) -> Gesture | None:
        return None


class OverlayPanel(QWidget):
    """`pair_chosen` carries the two nodes of an edge, or a latent alone, that a person clicks."""

    pair_chosen = Signal(object)

    def __init__(self, places: Places, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places = places
        self.canvas = GraphCanvas(scene=StillScene())
        self.canvas.view.setAccessibleName("Overlay")
        self.canvas.view.setAccessibleDescription(
            "A drawing of both graphs. The table of differences below gives the same in words."
        )
        self.overlay: Overlay | None = None
        self.names = ("", "")
        self._supports = NO_SUPPORT
        self.face: Face = "overlay"
        self.differences_only = False
        self._nodes: tuple[str, ...] = ()
        self._is_lighting = False
        self.canvas.scene.selectionChanged.connect(self._on_selected)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)

    def show_overlay(
        self, overlay: Overlay | None, names: tuple[str, str], supports: BothSupports = NO_SUPPORT
    ) -> None:
        """Show another pair, with what the data say of their arrows; the view stays where the same variables stay."""
        self.overlay, self.names, self._supports = overlay, names, supports
        self.redraw()

    def show_face(self, face: Face) -> None:
        """Show both, or one alone."""
        self.face = face
        self.redraw()

    def flip(self) -> Face:
        """A, then B, then both again."""
        self.show_face(FACES[(FACES.index(self.face) + 1) % len(FACES)])
        return self.face

    def show_differences_only(self, is_asked: bool) -> None:
        self.differences_only = is_asked
        self.redraw()

    def redraw(self) -> None:
        """Draw what is to be seen now; no node moves."""
        if self.overlay is None:
            self._nodes = ()
            self.canvas.show_drawing(None, {})
            return
        faded, supports = self.differences_only, self._supports
        whole = drawing_of_overlay(self.overlay, self.names, differences_only=faded, supports=supports)
        places = self._places.of(self.overlay, whole)
        is_similar, self._nodes = self.overlay.nodes == self._nodes, self.overlay.nodes
        self.canvas.show_drawing(self._drawing(self.overlay, whole), places, keeps_view=is_similar)
        if not is_similar:
            self.canvas.view.fit()

    def _drawing(self, overlay: Overlay, whole: Drawing) -> Drawing:
        if self.face == "overlay":
            return whole
        return drawing_of_side(overlay, self.face, supports=self._supports[int(self.face == "B")])

    def light(self, difference: Difference | None) -> None:
        """Make a difference stand out, and bring it into view."""
        scene = self.canvas.scene
        self._is_lighting = True
        scene.clearSelection()
        shown = scene.drawing
        for pair in () if difference is None else difference.pairs:
            if pair in shown.by_pair:
                scene.edge_item(*pair).setSelected(True)
        for name in () if difference is None else difference.nodes:
            if name in shown.names:
                scene.node_item(name).setSelected(True)
        self._is_lighting = False
        if difference is not None:
            self.bring_into_view()

    def bring_into_view(self) -> None:
        """Show what is selected, wherever it is."""
        box = QRectF()
        for item in self.canvas.scene.selectedItems():
            box = box.united(item.sceneBoundingRect())
        if not box.isEmpty():
            self.canvas.view.ensureVisible(box, round(AROUND), round(AROUND))

    def _on_selected(self) -> None:
        scene = self.canvas.scene
        if self._is_lighting:
            return
        pairs, nodes = scene.selected_pairs(), scene.selected_nodes()
        if len(pairs) == 1 and not nodes:
            self.pair_chosen.emit(pairs[0])
        elif len(nodes) == 1 and not pairs:
            self.pair_chosen.emit(frozenset(nodes))
