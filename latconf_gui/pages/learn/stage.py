"""The stage of an activity: one to three graphs with headings, every node at the same place in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from latconf_core.graph.marks import Edge, Mark
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnEdge, DrawnKind, DrawnNode, Positions, note_of
from latconf_gui.drawing.legend import LegendWidget, legend_of_several
from latconf_gui.pages.learn.arrangement import Arrangement, best_arrangement
from latconf_gui.pages.learn.stage_keys import HELP, StageKeys
from latconf_gui.pages.learn.stage_scene import StageScene
from latconf_gui.pages.learn.tightening import tighten
from latconf_gui.widgets.text import SPACE, Heading

HEADINGS = ("DAG: the truth", "MAG: measured variables", "PAG: what data can determine")
LEGEND_LINES = 36  # a stage less high than so many lines of text keeps its room for the graphs
ALMOST_READABLE = 0.85  # of that zoom, which is taken where all of a graph is seen then
READABLE = 1.15  # of the least zoom at which labels can be read


def drawing_of_drawn_dag(dag: DrawnDag) -> Drawing:
    """The picture of a drawn DAG: hidden variables as dashed ellipses, their edges emphasised."""
    nodes = tuple(DrawnNode(name, is_latent=name in dag.hidden) for name in dag.nodes)
    arrows = ((Edge(a, b, Mark.TAIL, Mark.ARROW), bool({a, b} & dag.hidden)) for a, b in dag.edges)
    edges = (DrawnEdge(edge, is_hidden, note=note_of(edge, DrawnKind.DRAWN)) for edge, is_hidden in arrows)
    return Drawing(nodes, tuple(edges), kind=DrawnKind.DRAWN)


class StagePane(QWidget):
    """One graph under its heading; its keys are those of `stage_keys`.

    looked : emitted with the pane where a person zooms or pans
    """

    looked = Signal(object)

    def __init__(self, heading: str, scene: StageScene) -> None:
        super().__init__()
        self.heading = Heading(heading, factor=1.1)
        self.heading.setContentsMargins(SPACE, SPACE // 3, SPACE, SPACE // 3)
        self.scene = scene
        self.canvas = GraphCanvas(scene=scene)
        self.canvas.legend.hide()  # one stands below all panes
        self.view = self.canvas.view
        self.fitted_size = QSize()  # of the view, when it was fitted or followed another one
        self.keys = StageKeys(self.canvas, scene)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self.canvas, 1)
        self.set_heading(heading)
        self.view.zoomed.connect(self._on_looked)
        self.view.horizontalScrollBar().valueChanged.connect(self._on_looked)
        self.view.verticalScrollBar().valueChanged.connect(self._on_looked)

    def _on_looked(self) -> None:
        self.looked.emit(self)

    def set_heading(self, text: str) -> None:
        """Another heading, which is also what a screen reader calls the drawing."""
        self.heading.setText(text)
        self.view.setAccessibleName(text)
        self.view.setAccessibleDescription(HELP)


class Stage(QWidget):
    """Canvases side by side, below each other or the first above two, whichever shows most; all at one zoom.

    scenes : one per heading with gestures of its own; None for the usual ones
    Where there is little room, nodes stand nearer to each other than their positions say. `moved` and `place_of` speak
    of positions.

    moved : name → position of the nodes that were dragged in one canvas; they stand there in all
    reached : what the keys have selected, in words
    """

    moved = Signal(object)
    reached = Signal(str)

    def __init__(self, *headings: str, scenes: Sequence[StageScene] | None = None) -> None:
        super().__init__()
        stage_scenes = [StageScene() for _ in headings] if scenes is None else scenes
        self.panes = tuple(StagePane(heading, scene) for heading, scene in zip(headings, stage_scenes, strict=True))
        self.legend = LegendWidget(())
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self.fit)
        self._grid = QGridLayout()
        self._grid.setSpacing(2)
        self._positions: dict[str, tuple[float, float]] = {}
        self._factors = (1.0, 1.0)  # of distances
        self._is_following = False
        self._is_fitted = True  # until a person zooms or pans
        self._arranged: tuple[Arrangement, tuple[StagePane, ...]] | None = None
        for pane in self.panes:
            self._grid.addWidget(pane, 0, self.panes.index(pane))
            pane.scene.nodes_moved.connect(self._on_moved)
            pane.looked.connect(self._follow)
            pane.keys.reached.connect(self.reached)
            pane.keys.fit_asked.connect(self.fit)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(self._grid, 1)
        layout.addWidget(self.legend)

    @property
    def scenes(self) -> tuple[StageScene, ...]:
        return tuple(pane.scene for pane in self.panes)

    def canvas(self, index: int = 0) -> GraphCanvas:
        """One of the canvases, the first one on the left."""
        return self.panes[index].canvas

    def show_drawings(
        self, drawings: Sequence[Drawing | None], positions: Positions, *, keeps_view: bool = True
    ) -> None:
        """Show one drawing per pane; a pane without one is not there. Every node has a position.

        keeps_view : leave zoom and place as a person has chosen them, where they have
        """
        self._positions, self._is_fitted = dict(positions), self._is_fitted or not keeps_view
        self._is_following = True
        for pane, drawing in zip(self.panes, drawings, strict=True):
            pane.setVisible(drawing is not None)
            pane.canvas.show_drawing(drawing, self._scaled(self._positions), keeps_view=True)
        shown = [drawing for drawing in drawings if drawing is not None]
        self.legend.show_entries(legend_of_several(shown))
        self._share_extent()
        self._is_following = False
        self._fit_soon()

    def _fit_soon(self) -> None:
        """Fit when everything has its size, unless a person has zoomed."""
        if self._is_fitted:
            self._soon.start()

    def fit_soon(self) -> None:
        """Show all of every graph when everything has its size, whatever a person has zoomed to."""
        self._is_fitted = True
        self._soon.start()

    def place_of(self, point: QPointF) -> tuple[float, float]:
        """The position that a point of a scene stands for."""
        return point.x() / self._factors[0], point.y() / self._factors[1]

    def _scaled(self, positions: Positions) -> dict[str, tuple[float, float]]:
        wide, high = self._factors
        return {name: (x * wide, y * high) for name, (x, y) in positions.items()}

    def _share_extent(self) -> None:
        extent = QRectF()
        for pane in self._shown():
            extent = extent.united(pane.scene.own_extent())
        for pane in self.panes:
            pane.scene.shared_extent = extent
            pane.scene.shrink_extent()

    def _shown(self) -> list[StagePane]:
        return [pane for pane in self.panes if not pane.isHidden()]

    def fit(self) -> None:
        """Show all of every graph, in every pane at the same size."""
        self._is_following = True
        self._arrange()
        self._tighten()
        shown = self._shown()
        for pane in shown:
            if pane.view.whole_share() >= ALMOST_READABLE:
                pane.view.show_all()
            else:
                pane.view.fit()
        zoom = min((pane.view.zoom for pane in shown), default=1.0)
        for pane in shown:
            is_whole = pane.view.whole_share() >= ALMOST_READABLE
            middle = pane.scene.sceneRect().center() if is_whole else self._middle(pane)
            self._show_at(pane, zoom, middle)
        self._is_following = False
        self._is_fitted = True

    def _middle(self, pane: StagePane) -> QPointF:
        middle: QPointF = pane.view.mapToScene(pane.view.viewport().rect().center())
        return middle

    def _show_at(self, pane: StagePane, zoom: float, middle: QPointF) -> None:
        pane.view.zoom_by(zoom / pane.view.zoom)
        pane.view.centerOn(middle)
        pane.fitted_size = pane.view.size()

    def _follow(self, leader: StagePane) -> None:
        """Zoom and pan the others as this one; what a new size of the stage moves is not a person's doing."""
        if self._is_following or leader.isHidden() or leader.view.size() != leader.fitted_size:
            return
        self._is_following, self._is_fitted = True, False
        middle = self._middle(leader)
        for pane in self._shown():
            if pane is not leader:
                self._show_at(pane, leader.view.zoom, middle)
        self._is_following = False

    def _tighten(self) -> None:
        """Draw nodes nearer to each other where labels would be too small."""
        shown = self._shown()
        sizes = {name: size for pane in shown for name, size in pane.scene.sizes().items()}
        if not sizes:
            return
        zoom = READABLE * max(pane.view.least_zoom() for pane in shown)
        sides = [pane.view.maximumViewportSize() for pane in shown]
        room = (min(side.width() for side in sides) / zoom, min(side.height() for side in sides) / zoom)
        positions = {name: position for name, position in self._positions.items() if name in sizes}
        factors = tighten(positions, sizes, room)
        if factors != self._factors:
            self._factors = factors
            self._place(self._positions)
            self._share_extent()

    def _place(self, positions: Mapping[str, tuple[float, float]]) -> None:
        for scene in self.scenes:
            known_positions = {name: position for name, position in positions.items() if name in scene.drawing.names}
            scene.place_nodes(self._scaled(known_positions))

    def _arrange(self) -> None:
        shown = tuple(self._shown())
        if not shown:
            return
        extent, room = shown[0].scene.sceneRect(), self._grid.geometry()
        heading = shown[0].heading.sizeHint().height()
        shape = (extent.width(), extent.height())
        best = best_arrangement(len(shown), (room.width(), room.height()), shape, heading=heading)
        if (best, shown) == self._arranged:
            return
        self._arranged = (best, shown)
        self._put(best, shown)

    def _put(self, cells: Arrangement, shown: tuple[StagePane, ...]) -> None:
        for pane in self.panes:
            self._grid.removeWidget(pane)
        for pane, cell in zip(shown, cells):
            self._grid.addWidget(pane, *cell)
        for index in range(3):
            self._grid.setRowStretch(index, int(any(cell.row <= index < cell.row + cell.n_rows for cell in cells)))
            in_column = any(cell.column <= index < cell.column + cell.n_columns for cell in cells)
            self._grid.setColumnStretch(index, int(in_column))
        self._grid.activate()

    def minimumSizeHint(self) -> QSize:
        """Room for one canvas above the others: they are arranged anew when the stage becomes narrow."""
        least = self.panes[0].minimumSizeHint()
        return QSize(least.width(), least.height() * len(self.panes))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.legend.setVisible(self.height() >= LEGEND_LINES * self.fontMetrics().height())
        self._fit_soon()

    def _on_moved(self, places: dict[str, tuple[float, float]]) -> None:
        moved = {name: self.place_of(QPointF(*position)) for name, position in places.items()}
        self._positions |= moved
        self._place(moved)
        self._share_extent()
        self.moved.emit(moved)
