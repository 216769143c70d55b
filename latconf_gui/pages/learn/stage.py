"""The stage of an activity: one to three graphs with headings, every node at the same place in each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from latconf_core.graph.marks import Edge, Mark
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.graph_drawing import Drawing, DrawnEdge, DrawnNode, Positions
from latconf_gui.drawing.legend import LegendWidget, legend_of
from latconf_gui.pages.learn.stage_keys import HELP, StageKeys
from latconf_gui.pages.learn.stage_scene import StageScene
from latconf_gui.widgets.text import SPACE, Heading

USUAL_SHAPE = (4, 3)  # of a drawing, for the choice between a row and a column
Direction = QBoxLayout.Direction


def drawing_of_drawn_dag(dag: DrawnDag) -> Drawing:
    """The picture of a drawn DAG: hidden variables as dashed ellipses, their edges emphasised."""
    nodes = tuple(DrawnNode(name, is_latent=name in dag.hidden) for name in dag.nodes)
    edges = (DrawnEdge(Edge(a, b, Mark.TAIL, Mark.ARROW), bool({a, b} & dag.hidden)) for a, b in dag.edges)
    return Drawing(nodes, tuple(edges), is_dag=True)


class StagePane(QWidget):
    """One graph under its heading; its keys are those of `stage_keys`."""

    def __init__(self, heading: str, scene: StageScene) -> None:
        super().__init__()
        self.heading = Heading(heading, factor=1.1)
        self.heading.setContentsMargins(SPACE, SPACE // 3, SPACE, SPACE // 3)
        self.scene = scene
        self.canvas = GraphCanvas(scene=scene)
        self.canvas.legend.hide()  # one stands below all panes
        self.view = self.canvas.view
        self.keys = StageKeys(self.canvas, scene)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self.canvas, 1)
        self.set_heading(heading)

    def set_heading(self, text: str) -> None:
        """Another heading, which is also what a screen reader calls the drawing."""
        self.heading.setText(text)
        self.view.setAccessibleName(text)
        self.view.setAccessibleDescription(HELP)


class Stage(QWidget):
    """Canvases side by side, or below each other where that shows more.

    scenes : one per heading with gestures of its own; None for the usual ones
    moved : name → centre of the nodes that were dragged in one canvas; they stand there in all
    reached : what the keys have selected, in words
    """

    moved = Signal(object)
    reached = Signal(str)

    def __init__(self, *headings: str, scenes: Sequence[StageScene] | None = None) -> None:
        super().__init__()
        own = [StageScene() for _ in headings] if scenes is None else scenes
        self.panes = tuple(StagePane(heading, scene) for heading, scene in zip(headings, own, strict=True))
        self.legend = LegendWidget(())
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self.fit)
        self._row = QBoxLayout(Direction.LeftToRight)
        self._row.setSpacing(2)
        for pane in self.panes:
            self._row.addWidget(pane, 1)
            pane.scene.nodes_moved.connect(self._on_moved)
            pane.keys.reached.connect(self.reached)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(self._row, 1)
        layout.addWidget(self.legend)

    @property
    def scenes(self) -> tuple[StageScene, ...]:
        return tuple(pane.scene for pane in self.panes)

    def canvas(self, place: int = 0) -> GraphCanvas:
        """One of the canvases, the first one on the left."""
        return self.panes[place].canvas

    def show_drawings(self, drawings: Sequence[Drawing | None], positions: Positions) -> None:
        """Show one drawing per pane; a pane without one is not there."""
        for pane, drawing in zip(self.panes, drawings, strict=True):
            pane.setVisible(drawing is not None)
            pane.canvas.show_drawing(drawing, positions, keeps_view=True)
        shown = [drawing for drawing in drawings if drawing is not None]
        self.legend.show_entries(tuple(dict.fromkeys(entry for one in shown for entry in legend_of(one))))
        self._share_extent()
        self._soon.start()

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
        """Show all of every graph."""
        self._arrange()
        for pane in self._shown():
            pane.view.fit()

    def _arrange(self) -> None:
        """Side by side or below each other, whichever leaves more room for a drawing of the usual shape."""
        count = max(len(self._shown()), 1)
        wide, high = USUAL_SHAPE
        width, height = self.width(), self.height()
        is_row = min(width / count / wide, height / high) >= min(width / wide, height / count / high)
        self._row.setDirection(Direction.LeftToRight if is_row else Direction.TopToBottom)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        self._soon.start()

    def _on_moved(self, places: dict[str, tuple[float, float]]) -> None:
        for scene in self.scenes:
            scene.place_nodes({name: place for name, place in places.items() if name in scene.drawing.names})
        self._share_extent()
        self.moved.emit(places)
