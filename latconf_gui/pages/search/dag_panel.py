"""The DAG beside the chart: the best so far, or the one that was chosen."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.phrases import nats
from latconf_core.search.outcome.history import History
from latconf_core.wording.evidence_texts import SAME_NATS, latents_text, nats_apart
from latconf_gui.application.document import Document
from latconf_gui.background.gil_priority import GIL_PRIORITY
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.content.arrow_supports import supports_of
from latconf_gui.drawing.content.graph_drawing import Positions, drawing_of_dag, drawing_of_graph
from latconf_gui.drawing.geometry.latent_places import with_latents
from latconf_gui.drawing.items.node_item import node_size
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.pages.dag_classes import DagClasses
from latconf_gui.pages.light_scores import LIGHT_TIP, about
from latconf_gui.widgets.text import SPACE, Heading, Quiet, keep_arrows_whole

INVITATION = "Run a search to see its best DAG here, or any other DAG that you click."
DRAW_MILLISECONDS = 700  # between two drawings of a best DAG that keeps changing
MUCH_MORE = 1.1  # room than before: the places are fitted to it again
RESIZED_MILLISECONDS = 150  # after the last change of the room, the places are fitted to it


class DagPanel(QWidget):
    """Draws one visit at the places that its variables have in the PAG; `best_asked` to go back to the best.

    Where these do not fit, the same arrangement is brought closer together, so that all can be seen.
    `failed` carries an error of the layout.
    """

    best_asked = Signal()
    failed = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._places: dict[str, tuple[float, float]] = {}  # of nodes that the document has no place for
        self._asked: tuple[Positions, QSize] | None = None  # the places and the room they are to fit
        self._fitted: tuple[Positions, Positions] | None = None  # places, and what they became
        self.shown: int | None = None
        self.is_live = False  # whether better ones may still come
        self._visits = History()
        self._wanted: int | None = None
        self._timer = QTimer(self, interval=DRAW_MILLISECONDS, singleShot=True)
        self._timer.timeout.connect(self._draw_wanted)
        self._resized = QTimer(self, interval=RESIZED_MILLISECONDS, singleShot=True)
        self._resized.timeout.connect(self._draw)
        self._classes = DagClasses(document, self)
        self._classes.changed.connect(self._draw)
        self._classes.failed.connect(self.failed)
        document.positions_changed.connect(self._draw)
        self._build()
        self.view.resized.connect(self._resized.start)
        self._layouts = self.canvas.layouts
        self._layouts.ready.connect(self._on_laid_out)
        self._layouts.failed.connect(self.failed)

    def _build(self) -> None:
        self.setAccessibleName("DAG")
        self.canvas = GraphCanvas(scene=GraphScene(is_editable=False))
        self.scene, self.view, self.legend = self.canvas.scene, self.canvas.view, self.canvas.legend
        self.view.setAccessibleName("Drawing of the DAG")
        self.title = Heading("No DAG yet", factor=1.1)
        self.facts = QLabel()
        self.facts.setWordWrap(True)
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.latents = Quiet(INVITATION)
        self.best = QPushButton("Show the best")
        self.best.setToolTip("Draw the best DAG and update it during the search")
        self.best.clicked.connect(self.best_asked)
        self.best.hide()
        self.legend.hide()
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.best)
        texts = QVBoxLayout()
        texts.setContentsMargins(SPACE, SPACE // 2, SPACE, SPACE // 2)
        texts.setSpacing(SPACE // 3)
        texts.addLayout(head)
        texts.addWidget(self.facts)
        texts.addWidget(self.latents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(texts)
        layout.addWidget(self.canvas, 1)

    @property
    def is_busy(self) -> bool:
        return self._layouts.is_running or self._classes.is_busy or self._timer.isActive() or self._resized.isActive()

    def stop(self) -> None:
        """End what runs in the background."""
        self._layouts.stop()
        self._classes.stop()

    def follow(self, visits: History) -> None:
        """Show DAGs of other visits; none of them yet."""
        self._visits, self.shown, self._wanted = visits, None, None
        self.title.setText("No DAG yet")
        self.facts.clear()
        self.latents.setText(INVITATION)
        self.canvas.show_drawing(None, {})
        self.legend.hide()
        self.best.hide()

    def end_run(self, visits: History) -> None:
        """Nothing more comes: the same visits as the result keeps them."""
        self._visits, self.is_live = visits, False

    def show_visit(self, number: int) -> None:
        """Draw a visit now."""
        self._timer.stop()
        self._wanted = number
        self._draw_wanted()

    def show_soon(self, number: int) -> None:
        """Draw a visit at once if none was drawn lately, else a moment later, unless another one comes meanwhile."""
        self._wanted = number
        if not self._timer.isActive():
            self._draw_wanted()
            self._timer.start()

    def say(self) -> None:
        """Write the facts again, because the best has changed."""
        if self.shown is None:
            return
        number, visits = self.shown, self._visits
        best = number if visits.best is None else visits.best.index
        is_best = abs(visits.score(best) - visits.score(number)) < SAME_NATS  # the same model may come twice
        is_result = number == visits.result
        rank = "Result of the search: DAG " if is_result else "DAG "
        if is_best and (is_result or self.is_live):
            rank = "Best DAG so far: " if self.is_live else "Best DAG: "
        self.title.setText(f"{rank}{number + 1:,}")
        self.facts.setText(keep_arrows_whole(" · ".join(self._scores(number, best, is_best=is_best))))
        self.facts.setToolTip(plain_tip(LIGHT_TIP) if visits.is_light[number] else "")
        self.best.setVisible(not is_result)

    def _scores(self, number: int, best: int, *, is_best: bool) -> Iterator[str]:
        """The score of a visit and how far it is from the best, its level, and that it was fitted lightly."""
        visits = self._visits
        is_light, below = bool(visits.is_light[number]), visits.score(best) - visits.score(number)
        score = about(nats(visits.score(number)), is_light=is_light)
        side = "below" if below >= 0 else "above"
        apart = "" if is_best else f", {about(nats_apart(below), is_light=is_light)} {side} the best"
        yield f"{visits.score_title} {score}{apart}"
        yield visits.level_text(number)
        if is_light:
            yield "fitted lightly"

    def _draw_wanted(self) -> None:
        if self._wanted is not None and self._wanted != self.shown:
            self.shown = self._wanted
            self._draw()
        self.say()

    def _draw(self) -> None:
        if self.shown is None:
            return
        dag = self._visits.dag(self.shown)
        self.latents.setText(f"Latents: {latents_text(dag)}")
        known = {**self._places, **self._document.positions}
        if set(dag.nodes) <= set(known):
            with GIL_PRIORITY.window_first():
                self._draw_at(dag, {name: known[name] for name in dag.nodes})
        elif not self._layouts.is_running:
            self._ask_layout(dag)

    def _draw_at(self, dag: LatentDag, places: Positions) -> None:
        """Draw the DAG at the places, or at what they became to fit the room."""
        drawing = drawing_of_dag(dag, supports=supports_of(self._classes.class_of(dag)))
        sizes = {node.name: node_size(node) for node in drawing.nodes}
        fitted = self._fitted[1] if self._fitted is not None and self._fitted[0] == places else None
        self.legend.setVisible(True)
        self.canvas.show_drawing(drawing, with_latents(dag, fitted or places, sizes))
        wanted = (places, self.view.size())
        is_misfit = not self.view.can_show_all() or (fitted is not None and self._has_much_more_room())
        if self.isVisible() and wanted != self._asked and is_misfit:
            self._asked = wanted
            self._layouts.ask(drawing_of_dag(dag.without_latents()), places=places)

    def _has_much_more_room(self) -> bool:
        """Whether the places were fitted to much less room than there is."""
        if self._asked is None:
            return False
        before, now = self._asked[1], self.view.size()
        return now.width() > MUCH_MORE * before.width() or now.height() > MUCH_MORE * before.height()

    def _ask_layout(self, dag: LatentDag) -> None:
        """Lay out the PAG, or the DAG where there is none."""
        pag = self._document.pag
        drawing = drawing_of_graph(pag) if pag is not None else drawing_of_dag(dag.without_latents())
        self._asked = None
        self._layouts.ask(drawing)

    def _on_laid_out(self, positions: Positions) -> None:
        if self._asked is None:
            self._places |= positions
        else:
            self._fitted = (self._asked[0], positions)
        self._draw()
