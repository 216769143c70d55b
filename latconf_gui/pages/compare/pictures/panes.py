"""Two to four graphs side by side: the same places, one zoom, one selection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from latconf_core.comparison.overlay import Overlay
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.content.graph_drawing import Supports
from latconf_gui.drawing.content.overlay_drawing import drawing_of_overlay, drawing_of_side
from latconf_gui.drawing.legend import LegendWidget, legend_of
from latconf_gui.pages.compare.pictures.overlay_panel import StillScene
from latconf_gui.pages.compare.pictures.places import Places
from latconf_gui.widgets.text import SPACE, Heading

MOST_PANES = 4


@dataclass(frozen=True, eq=False)
class PaneGraph:
    """A graph with its title.

    overlay : with the reference, whose B it is
    supports : what the data say of its arrows
    """

    title: str
    overlay: Overlay
    supports: Supports


class Pane(QWidget):
    """One graph under its name; `moved` and `selected` carry the pane."""

    moved = Signal(object)
    selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = Heading(factor=1.05)
        self.title.setContentsMargins(SPACE, SPACE // 3, SPACE, SPACE // 3)
        self.canvas = GraphCanvas(scene=StillScene())
        self.canvas.legend.hide()  # one stands below all panes
        self.view, self.scene = self.canvas.view, self.canvas.scene
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.title)
        layout.addWidget(self.canvas, 1)
        self.view.zoomed.connect(self._on_moved)
        self.view.horizontalScrollBar().valueChanged.connect(self._on_moved)
        self.view.verticalScrollBar().valueChanged.connect(self._on_moved)
        self.scene.selectionChanged.connect(self._on_selected)

    def _on_moved(self) -> None:
        self.moved.emit(self)

    def _on_selected(self) -> None:
        self.selected.emit(self)


class Panes(QWidget):
    """Shows overlays with the reference, of each the other side alone."""

    def __init__(self, places: Places, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places = places
        self._is_following = False
        self._is_fitted = True  # until the person zooms or pans
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self.fit)
        self.panes = [Pane() for _ in range(MOST_PANES)]
        self.legend = LegendWidget(())
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for index, pane in enumerate(self.panes):
            layout.addWidget(pane, index // 2, index % 2)
            pane.moved.connect(self._on_moved)
            pane.selected.connect(self._select_as)
        layout.addWidget(self.legend, 2, 0, 1, 2)

    def show_graphs(self, graphs: Sequence[PaneGraph]) -> None:
        """Show these; the first is the reference itself."""
        self._is_following = True
        extent, drawings = QRectF(), []
        for pane, graph in zip(self.panes, graphs):
            pane.title.setText(graph.title)
            pane.view.setAccessibleName(graph.title)
            places = self._places.of(graph.overlay, drawing_of_overlay(graph.overlay, ("", "")))
            drawings.append(drawing_of_side(graph.overlay, "B", supports=graph.supports))
            pane.canvas.show_drawing(drawings[-1], places)
            extent = extent.united(pane.scene.sceneRect())
        for index, pane in enumerate(self.panes):
            pane.setVisible(index < len(graphs))
            pane.scene.setSceneRect(extent)
        self.legend.show_entries(tuple(dict.fromkeys(entry for drawing in drawings for entry in legend_of(drawing))))
        self._is_following = False
        if self._is_fitted:
            self._soon.start()

    @property
    def shown(self) -> list[Pane]:
        """The panes with a graph."""
        return [pane for pane in self.panes if not pane.isHidden()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fitted:
            self._soon.start()

    def fit(self) -> None:
        """Show all of every graph, in every pane at the same size."""
        drawn = [pane for pane in self.shown if not pane.scene.sceneRect().isEmpty()]
        if not drawn:  # before there is anything to compare
            return
        self._is_following = True
        extent = QRectF()
        for pane in drawn:
            pane.view.show_all()
            extent = extent.united(pane.scene.sceneRect())
        zoom = min(pane.view.zoom_for(extent) for pane in self.shown)
        for pane in self.shown:
            pane.view.zoom_by(zoom / pane.view.zoom)
            pane.scene.setSceneRect(extent)
            pane.view.centerOn(extent.center())
        self._is_following = False
        self._is_fitted = True

    def _show_at(self, pane: Pane, zoom: float, middle: QPointF) -> None:
        pane.view.zoom_by(zoom / pane.view.zoom)
        pane.view.centerOn(middle)

    def _on_moved(self, leader: Pane) -> None:
        """Zoom and pan the others as this one."""
        if self._is_following or leader.isHidden():
            return
        self._is_following = True
        self._is_fitted = False
        middle: QPointF = leader.view.mapToScene(leader.view.viewport().rect().center())
        for pane in self.shown:
            if pane is not leader:
                self._show_at(pane, leader.view.zoom, middle)
        self._is_following = False

    def _select_as(self, leader: Pane) -> None:
        """Light in every pane what is chosen in one."""
        if self._is_following:
            return
        self._is_following = True
        nodes, pairs = leader.scene.selected_nodes(), leader.scene.selected_pairs()
        for pane in self.shown:
            if pane is leader:
                continue
            pane.scene.clearSelection()
            for name in nodes:
                if name in pane.scene.drawing.names:
                    pane.scene.node_item(name).setSelected(True)
            for pair in pairs:
                if pair in pane.scene.drawing.by_pair:
                    pane.scene.edge_item(*pair).setSelected(True)
        self._is_following = False
