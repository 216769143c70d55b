"""The drawing of a DAG with its latents: nodes can be moved and chosen, edges cannot be changed."""

from __future__ import annotations

from PySide6.QtWidgets import QGraphicsSceneMouseEvent, QWidget

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.geometry.latent_places import with_latents
from latconf_gui.drawing.gestures import Gesture, MoveNodes
from latconf_gui.drawing.graph_drawing import Positions, drawing_of_dag
from latconf_gui.drawing.items.node_item import node_size
from latconf_gui.drawing.scene import GraphScene

Place = tuple[float, float]


class DagScene(GraphScene):
    """A scene whose nodes can be moved, and nothing else."""

    def _gesture_for(self, event: QGraphicsSceneMouseEvent) -> Gesture | None:
        gesture = super()._gesture_for(event)
        return gesture if isinstance(gesture, MoveNodes) else None


class DagCanvas(GraphCanvas):
    """The canvas of a DAG."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(scene=DagScene(), parent=parent)
        self.setAccessibleName("Drawing of the DAG")
        self.view.setAccessibleName("DAG")
        self.view.setAccessibleDescription("A drawing of the DAG. Its variables can be chosen from the list below too.")
        self._nodes: tuple[str, ...] = ()  # of the DAG before

    def show_dag(self, dag: LatentDag, positions: Positions) -> None:
        """Show a DAG, latents without a place above their children; another on the same nodes keeps the view."""
        is_similar, self._nodes = dag.nodes == self._nodes, dag.nodes
        self.show_drawing(drawing_of_dag(dag), with_latent_places(dag, positions), keeps_view=is_similar)

    def clear(self) -> None:
        """Show nothing."""
        self.show_dag(LatentDag(()), {})


def place_key(latent: Latent) -> str:
    """Under which name the place of a latent is kept: L1 may mean another latent in the next DAG."""
    return f"latent over {', '.join(latent.children)}"


def with_latent_places(dag: LatentDag, positions: Positions) -> dict[str, Place]:
    """The places of all nodes; a latent stands where it was put, or on free ground above its children."""
    sizes = {node.name: node_size(node) for node in drawing_of_dag(dag).nodes}
    placed = with_latents(dag, positions, sizes)
    for latent in dag.latents:
        if place_key(latent) in positions:
            placed[latent.name] = positions[place_key(latent)]
    return placed
