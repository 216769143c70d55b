"""Two to four graphs side by side: the same places, one zoom, one selection."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from latconf_core.comparison.overlay import Overlay
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.overlay_drawing import drawing_of_overlay, drawing_of_side
from latconf_gui.pages.compare.overlay_panel import StillScene
from latconf_gui.pages.compare.places import Places
from latconf_gui.widgets.text import SPACE, Heading

MOST_PANES = 4


class Pane(QWidget):
    """One graph under its name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = Heading(factor=1.05)
        self.title.setContentsMargins(SPACE, SPACE // 3, SPACE, SPACE // 3)
        self.canvas = GraphCanvas(scene=StillScene())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.title)
        layout.addWidget(self.canvas, 1)


class Panes(QWidget):
    """Shows overlays with the reference, of each the other side alone."""

    def __init__(self, places: Places, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places = places
        self._is_following = False
        self.panes = [Pane() for _ in range(MOST_PANES)]
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for place, pane in enumerate(self.panes):
            layout.addWidget(pane, place // 2, place % 2)
            self._link(pane)

    def _link(self, pane: Pane) -> None:
        view = pane.canvas.view
        view.zoomed.connect(lambda _: self._follow(pane))
        for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
            bar.valueChanged.connect(lambda _: self._follow(pane))
        pane.canvas.scene.selectionChanged.connect(lambda: self._select_as(pane))

    def show_graphs(self, graphs: Sequence[tuple[str, Overlay]]) -> None:
        """Show these, each a title and the overlay with the reference whose B it is; the first is A itself."""
        self._is_following = True
        extent = QRectF()
        for pane, (title, overlay) in zip(self.panes, graphs):
            pane.title.setText(title)
            places = self._places.of(overlay, drawing_of_overlay(overlay, ("", "")))
            pane.canvas.show_drawing(drawing_of_side(overlay, "B"), places)
            pane.canvas.view.setAccessibleName(title)
            extent = extent.united(pane.canvas.scene.sceneRect())
        for place, pane in enumerate(self.panes):
            pane.setVisible(place < len(graphs))
            pane.canvas.scene.setSceneRect(extent)
        self._is_following = False
        if graphs:
            self.fit()

    @property
    def shown(self) -> list[Pane]:
        return [pane for pane in self.panes if not pane.isHidden()]

    def fit(self) -> None:
        """Show all of every graph."""
        self.panes[0].canvas.view.fit()
        self._follow(self.panes[0])

    def _follow(self, leader: Pane) -> None:
        """Zoom and pan the others as this one."""
        if self._is_following:
            return
        self._is_following = True
        view = leader.canvas.view
        middle: QPointF = view.mapToScene(view.viewport().rect().center())
        for pane in self.shown:
            if pane is not leader:
                own = pane.canvas.view
                own.zoom_by(view.zoom / own.zoom)
                own.centerOn(middle)
        self._is_following = False

    def _select_as(self, leader: Pane) -> None:
        """Light in every pane what is chosen in one."""
        if self._is_following:
            return
        self._is_following = True
        nodes, pairs = leader.canvas.scene.selected_nodes(), leader.canvas.scene.selected_pairs()
        for pane in self.shown:
            if pane is leader:
                continue
            scene = pane.canvas.scene
            scene.clearSelection()
            for name in nodes:
                if name in scene.drawing.names:
                    scene.node_item(name).setSelected(True)
            for pair in pairs:
                if pair in scene.drawing.by_pair:
                    scene.edge_item(*pair).setSelected(True)
        self._is_following = False
