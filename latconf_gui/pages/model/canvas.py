"""The drawing of a DAG with its latents: nodes can be moved, nodes and edges chosen, edges cannot be changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt, Signal
from PySide6.QtWidgets import QGraphicsSceneMouseEvent, QWidget

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.content.graph_drawing import (
    NO_NOTES,
    NO_SHARES,
    NO_STATES,
    NO_SUPPORTS,
    Positions,
    Shares,
    Supports,
    drawing_of_dag,
    drawing_of_graph,
)
from latconf_gui.drawing.geometry.latent_places import with_latents
from latconf_gui.drawing.gestures import CLICK_REACH, ClickMark, Gesture, MoveNodes
from latconf_gui.drawing.items.node_item import NodeItem, node_size
from latconf_gui.drawing.scene import GraphScene

Place = tuple[float, float]
States = Mapping[str, tuple[str, ...]]
Names = Collection[str]
SPREAD_GAP, MOST_SPREAD = 22.0, 4.0


class DagScene(GraphScene):
    """A scene whose nodes can be moved, and whose states can be clicked where they are shown.

    `state_clicked(node, state, is_set)`: to be seen, or with Shift held to be set.
    """

    state_clicked = Signal(str, int, bool)

    def _gesture_for(self, event: QGraphicsSceneMouseEvent) -> Gesture | None:
        top = next(iter(self.items(event.scenePos())), None)
        if isinstance(top, NodeItem) and event.button() == Qt.MouseButton.LeftButton:
            state = top.state_at(event.scenePos())
            if state is not None:
                is_set = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                return ClickState(self, (top.name, state), event.scenePos(), is_set=is_set)
        gesture = super()._gesture_for(event)
        return gesture if isinstance(gesture, MoveNodes | ClickMark) else None

    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        top = next(iter(self.items(event.scenePos())), None)
        if isinstance(top, NodeItem) and top.state_at(event.scenePos()) is not None:
            self.mousePressEvent(event)  # two quick clicks are two clicks
        else:
            super().mouseDoubleClickEvent(event)


class ClickState:
    """A click on the bar of a state."""

    uses_default = False

    def __init__(self, scene: DagScene, state: tuple[str, int], point: QPointF, *, is_set: bool) -> None:
        self._scene = scene
        self._state = state
        self._pressed_at = point
        self._is_set = is_set

    def move(self, point: QPointF) -> None:
        """A click has no way to follow."""

    def release(self, point: QPointF) -> None:
        if QLineF(self._pressed_at, point).length() <= CLICK_REACH:
            self._scene.state_clicked.emit(*self._state, self._is_set)

    def cancel(self) -> None:
        """Nothing was begun."""


class DagCanvas(GraphCanvas):
    """The canvas of a DAG; where the states of its nodes are shown, all places are further apart."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.dag_scene = DagScene()
        super().__init__(scene=self.dag_scene, parent=parent)
        self.setAccessibleName("Drawing of the DAG")
        self.view.setAccessibleName("DAG")
        self.view.setAccessibleDescription("A drawing of the DAG. You can also select its variables in the list below.")
        self._shown: tuple[object, ...] = ()  # nodes and states of the DAG before
        self._spread = 1.0

    def show_dag(
        self,
        dag: LatentDag,
        positions: Positions,
        states: States = NO_STATES,
        cut: Names = (),
        *,
        shares: Shares = NO_SHARES,
        notes: Mapping[str, str] = NO_NOTES,
        supports: Supports = NO_SUPPORTS,
    ) -> None:
        """Show a DAG, latents without a place above their children; another on the same nodes keeps the view.

        states : of the nodes, where they are shown as bars
        cut : nodes that are set
        shares, notes : of edges and latents in samples of the rows, where they are shown
        supports : what the data say of each arrow
        """
        drawing = drawing_of_dag(dag, states=states, cut=cut, shares=shares, notes=notes, supports=supports)
        places = with_latent_places(dag, positions)
        sizes = {node.name: node_size(node) for node in drawing.nodes}
        shown = (dag.nodes, dict(states) and sizes)
        is_similar, self._shown = shown == self._shown, shown
        if not is_similar:
            self._spread = spread_for(places, sizes) if states else 1.0
        spots = {name: (x * self._spread, y * self._spread) for name, (x, y) in places.items()}
        self.show_drawing(drawing, spots, keeps_view=is_similar)

    def show_pag(self, pag: MixedGraph, positions: Positions) -> None:
        """Show what the data determine, its variables at the places that they have in the DAG."""
        shown = (pag.nodes, "PAG")
        is_similar, self._shown = shown == self._shown, shown
        self._spread = 1.0
        self.show_drawing(drawing_of_graph(pag), positions, keeps_view=is_similar)

    def kept_places(self, positions: Positions) -> dict[str, Place]:
        """The places that nodes of the drawing have where no states are shown."""
        return {name: (x / self._spread, y / self._spread) for name, (x, y) in positions.items()}

    def clear(self) -> None:
        """Show nothing."""
        self.show_dag(LatentDag(()), {})


def spread_for(places: Positions, sizes: Mapping[str, tuple[float, float]]) -> float:
    """By how much to move all nodes apart so that no two of these sizes overlap; at most MOST_SPREAD."""
    names = list(places)
    centres = np.array([places[name] for name in names], dtype=np.float64).reshape(-1, 2)
    room = np.array([sizes[name] for name in names], dtype=np.float64).reshape(-1, 2)
    first, second = np.triu_indices(len(names), 1)
    apart = np.abs(centres[first] - centres[second])
    needed = (room[first] + room[second]) / 2 + SPREAD_GAP
    with np.errstate(divide="ignore"):
        factors = (needed / apart).min(axis=1)  # two boxes are apart where they are so on one axis
    return float(min(max(1.0, factors.max(initial=1.0)), MOST_SPREAD))


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
