"""Lays out what a view shows, to the shape of its room and beside the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSize, Signal

from latconf_gui.drawing.content.graph_drawing import Drawing, Positions
from latconf_gui.drawing.items.node_item import node_size
from latconf_gui.drawing.layout.graphviz_layout import Engine
from latconf_gui.drawing.layout.layout_process import LayoutProcess, layout_request
from latconf_gui.drawing.view import GraphView

FIRST_LAYOUT: Engine = "dot"


class Layouts(QObject):
    """`ready` answers the latest request with name → centre, `failed` says why it could not.

    room : the size of the place for the drawing, which the view may not fill yet
    """

    ready = Signal(object)
    failed = Signal(object)

    def __init__(self, view: GraphView, *, room: Callable[[], QSize], parent: QObject) -> None:
        super().__init__(parent)
        self._view, self._room = view, room
        self._process = LayoutProcess(self)
        self._process.finished.connect(self.ready)
        self._process.failed.connect(self.failed)

    @property
    def is_running(self) -> bool:
        return self._process.is_running

    def ask(self, drawing: Drawing, engine: Engine = FIRST_LAYOUT, *, places: Positions | None = None) -> None:
        """Lay out a drawing, or fit the places that it has to the room; OptionError where it is too large for that."""
        sizes, frame = self._sizes_and_frame(drawing)
        self._process.start(layout_request(drawing, sizes, engine=engine, frame=frame, places=places))

    def ask_layers(self, drawing: Drawing) -> None:
        """Lay out a DAG in rows: arrows downwards, latents on top, few crossings."""
        sizes, frame = self._sizes_and_frame(drawing)
        self._process.start(layout_request(drawing, sizes, engine="dot", frame=frame, is_layered=True))

    def _sizes_and_frame(self, drawing: Drawing) -> tuple[dict[str, tuple[float, float]], tuple[float, float]]:
        sizes = {node.name: node_size(node) for node in drawing.nodes}
        return sizes, self._view.frame_for_layout(sizes.values(), self._room())

    def stop(self) -> None:
        """End the layout under way, if any; no signal follows."""
        self._process.cancel()
