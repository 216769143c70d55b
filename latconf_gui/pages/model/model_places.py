"""Where the nodes of the Model page stand: each DAG in rows of its own, until a person puts a node elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QSize, Signal

from latconf_core.dag.latent_dag import LatentDag
from latconf_gui.application.document import Document
from latconf_gui.drawing.content.graph_drawing import Positions, drawing_of_dag
from latconf_gui.pages.model.canvas import DagCanvas, place_key, with_latent_places

OTHER_ROOM = 1.1  # times larger or smaller than the room of a layout: the page was not shown yet when it was made


class ModelPlaces(QObject):
    """Asks for layouts and keeps them; `changed` when the DAG has one, `failed` with the reason why it has none.

    Latents are kept by their children (`place_key`): L1 may be another latent in the next DAG.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, document: Document, canvas: DagCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._canvas = document, canvas
        self._dag: LatentDag | None = None
        self._file = document.file
        self._rows: dict[str, tuple[float, float]] = {}  # of the DAG that is shown, once they are known
        self._room = QSize()  # for which they were made
        canvas.layouts.ready.connect(self._on_ready)
        canvas.layouts.failed.connect(self.failed)
        canvas.nodes_moved.connect(self._on_moved)

    @property
    def is_by_hand(self) -> bool:
        """Whether a person has put a node somewhere."""
        return bool(self._document.model_positions)

    def show(self, dag: LatentDag | None) -> None:
        """Another DAG, under the names that it is drawn with; a layout of its own is made where it needs one."""
        if dag is None or self._dag is None or (dag.nodes, dag.key) != (self._dag.nodes, self._dag.key):
            self._rows = {}
            self._canvas.layouts.stop()
        if self._file is not self._document.file:
            self._file = self._document.file
            self._canvas.forget_part()
        self._dag = dag
        if dag is not None and not self.is_by_hand and not self._rows and not self._canvas.layouts.is_running:
            self._ask()

    def suit_room(self) -> None:
        """Make the layout anew where the room is another than it was made for, as when the page is shown at last."""
        before, now = self._room, self._canvas.room()
        if self._dag is None or self.is_by_hand or before.isEmpty():
            return
        ratios = (now.width() / before.width(), now.height() / before.height())
        if any(not 1 / OTHER_ROOM < ratio < OTHER_ROOM for ratio in ratios):
            self._ask()

    def positions(self) -> Positions:
        """The places of the nodes, as far as they are known."""
        by_hand = self._document.model_positions
        return {**self._document.positions, **(by_hand or self._rows)}

    def lay_out(self) -> None:
        """Forget where nodes were put, and lay out what is drawn for the room there is."""
        if self._dag is None:
            return
        if self._canvas.neighbourhood is not None:
            self._canvas.look_at(self._canvas.neighbourhood)
            return
        if self.is_by_hand and not self._document.place_model({}, "Lay out the DAG"):
            return
        self._ask()

    def _ask(self) -> None:
        if self._dag is not None:
            self._room = self._canvas.room()
            self._canvas.layouts.ask_layers(drawing_of_dag(self._dag))

    def _on_ready(self, positions: dict[str, tuple[float, float]]) -> None:
        if self._dag is not None:
            self._rows = self._kept(positions)
            self.changed.emit()

    def _on_moved(self, moved: Mapping[str, tuple[float, float]]) -> None:
        """What a person put somewhere stays there, and so does all else of this drawing."""
        if self._dag is None or not moved:
            return
        names = next(iter(moved)) if len(moved) == 1 else f"{len(moved)} nodes"
        now = with_latent_places(self._dag, self.positions())
        places = {**self._document.model_positions, **self._kept({**now, **self._canvas.kept_places(moved)})}
        self._document.place_model(places, f"Move {names}")

    def _kept(self, positions: Positions) -> dict[str, tuple[float, float]]:
        """The places under the names that they are kept by."""
        keys = {} if self._dag is None else _keys(self._dag)
        return {keys.get(name, name): position for name, position in positions.items()}


def _keys(dag: LatentDag) -> dict[str, str]:
    """The name that the place of each latent is kept by."""
    return {latent.name: place_key(latent) for latent in dag.latents}
