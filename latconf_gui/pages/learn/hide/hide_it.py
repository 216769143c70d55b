"""Hide it: draw or change a DAG, hide variables, and see MAG and PAG follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QGraphicsItem, QInputDialog, QMenu, QToolButton

from latconf_core.errors import GraphError
from latconf_core.graph.marks import Edge
from latconf_core.phrases import list_names
from latconf_core.teaching.drawn_dag import Arrow, DrawnDag
from latconf_core.teaching.editing import dag_edits
from latconf_core.teaching.editing.changes import Consequence, GraphChange
from latconf_gui.application.document import PRESENTING
from latconf_gui.drawing.content.graph_drawing import DrawnKind, DrawnNode, Pair, drawing_of_graph
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.learn.activity import Activity, ActivityContext
from latconf_gui.pages.learn.hide.dag_scene import DagScene
from latconf_gui.pages.learn.hide.edit_history import EditHistory
from latconf_gui.pages.learn.hide.hide_column import HideColumn
from latconf_gui.pages.learn.hide.live_graphs import LiveGraphs
from latconf_gui.pages.learn.stage import HEADINGS, Stage, drawing_of_drawn_dag
from latconf_gui.pages.learn.stage_scene import StageScene
from latconf_gui.pages.learn.try_it import TryItButton
from latconf_gui.pages.page import Steps
from latconf_gui.widgets.questions import ask_for_text

PULSE_MILLISECONDS = 1_600  # as long as what has changed stands out
NEW_NODE_ASIDE = (0.0, 90.0)  # of the variable that is chosen
RANDOM_NODES, RANDOM_ARROWS = 6, 7
FIRST_DAG = DrawnDag(
    ("Teacher", "Maths", "Ability", "Reading", "Books", "Job"),
    (
        ("Teacher", "Maths"),
        ("Ability", "Maths"),
        ("Ability", "Reading"),
        ("Books", "Reading"),
        ("Maths", "Job"),
        ("Reading", "Job"),
    ),
    frozenset(),
    {
        "Teacher": (0, 0),
        "Maths": (90, 110),
        "Ability": (195, 0),
        "Reading": (300, 110),
        "Books": (390, 0),
        "Job": (195, 210),
    },
)
FIRST_WORDS = "Nothing is hidden yet, so the MAG equals the DAG. Hide Ability first: it has two effects."
SAFE = ("hide_it.hide",)  # offered in presentation mode, too
COMMANDS = (  # id, text of its button, text elsewhere, key
    ("hide", "Hide or show", "hide or show the selected variable", "H"),
    ("add", "New variable", "add a variable", "N"),
    ("connect", "Arrow from here", "draw an arrow from the selected variable", "C"),
    ("turn", "Reverse", "reverse the selected arrow", "R"),
    ("rename", "Rename…", "rename the selected variable", "F2"),
    ("delete", "Delete", "delete the selection", "Del"),
    ("undo", "Undo", "undo the last change of the drawing", ""),
    ("redo", "Redo", "redo the last undone change", ""),
    ("random", "Another DAG", "draw another random DAG", ""),
    ("start", "Reset", "return to the first DAG", ""),
)


class HideIt(Activity):
    """Keeps the drawing; every edit is a step that can be undone here, and is said in words."""

    key, title, takes_dag = "hide", "Hide it", True

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.history = EditHistory(FIRST_DAG)
        self.live = LiveGraphs(FIRST_DAG, self)
        self._source: str | None = None  # of an arrow that is being drawn by keys or clicks
        self._is_connecting = False
        self._n_random = 0
        self._shown_graphs = DrawnDag(())  # the DAG whose graphs are drawn
        self._words = ""  # said when the graphs of another DAG are there
        self.scene = DagScene()
        self.stage = Stage(*HEADINGS, scenes=(self.scene, StageScene(), StageScene()))
        self.column = HideColumn()
        self.lay_out(self.stage, self.column)
        self._pulse = QTimer(self, interval=PULSE_MILLISECONDS, singleShot=True)
        self._add_commands()
        self._connect()
        self._show_anew(FIRST_WORDS)

    def _add_commands(self) -> None:
        slots: Mapping[str, Callable[[], object]] = {
            "hide": self.toggle_chosen,
            "add": self.add_node,
            "connect": self.begin_arrow,
            "turn": self.turn_arrow,
            "rename": self.ask_name,
            "delete": self.delete_chosen,
            "undo": self.undo,
            "redo": self.redo,
            "random": self.draw_random,
            "start": self.start_again,
        }
        self._ids = [f"hide_it.{name}" for name, *_ in COMMANDS]
        for id, (name, text, said, key) in zip(self._ids, COMMANDS):
            action = self.context.actions.add(
                id, f"Hide it: {said}", slot=slots[name], shortcut=key or None, tip=said.capitalize(), within=self
            )
            self.column.add_button(action, text)
        self.column.add_widget(TryItButton(self, lambda: self.dag))
        self.column.add_widget(self._compare_button())

    def _compare_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("Add to Compare")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.addAction("The DAG", lambda: self.compare.emit("Drawn DAG", self.dag.latent_dag))
        menu.addAction("Its MAG", lambda: self.compare.emit("MAG of the drawing", self.dag.mag))
        menu.addAction("Its PAG", lambda: self.compare.emit("PAG of the drawing", self.dag.pag))
        button.setMenu(menu)
        return button

    def _connect(self) -> None:
        scene = self.scene
        scene.node_clicked.connect(self._on_node_clicked)
        scene.edge_drawn.connect(self.draw_arrow)
        scene.ground_double_clicked.connect(self.add_node)
        scene.menu_requested.connect(self._show_menu)
        scene.selectionChanged.connect(self._show_possible)
        self.stage.moved.connect(self._on_moved)
        self.stage.reached.connect(self.say)
        self.live.ready.connect(self._on_ready)
        self.live.failed.connect(lambda error: self.context.report(error, self.title))
        self.document.presenting_changed.connect(self._show_possible)
        self._pulse.timeout.connect(self._end_pulse)

    # What is drawn --------------------------------------------------------------------------------

    @property
    def dag(self) -> DrawnDag:
        """The DAG that is drawn."""
        return self.history.dag

    def _edit(self, act: str, edit: Callable[[DrawnDag], DrawnDag], *, is_hiding: bool = False) -> None:
        """Change the DAG, or say why it cannot be changed; `act` begins the sentence on what it did.

        is_hiding : what the activity is for, also while it is presented
        """
        self._end_arrow()
        if self.document.is_presenting and not is_hiding:
            self._tell(PRESENTING)
            return
        try:
            after = edit(self.dag)
        except GraphError as error:
            self._tell(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return
        if after != self.dag:
            self.history.put(after)
            self._follow(act)
            self.changed.emit()

    def _follow(self, act: str) -> None:
        """Draw the DAG, and its graphs when they are there."""
        self._show_possible()
        if not self.live.follow(act, self.dag):
            self._tell("Computing the MAG and the PAG…")
            self._draw(self._shown_graphs)

    def _on_ready(self, consequence: Consequence) -> None:
        if consequence.dag is not self.dag:
            return
        self._shown_graphs = self.dag
        self._draw(self.dag)
        self._begin_pulse(consequence)
        self._show_possible()
        if consequence.sentence or self._words:
            self._tell(consequence.sentence or self._words)
        self._words = ""

    def _draw(self, computed: DrawnDag) -> None:
        """The DAG as it is now, beside the graphs that are known."""
        mag = drawing_of_graph(computed.mag, kind=DrawnKind.MAG)
        drawings = (drawing_of_drawn_dag(self.dag), mag, drawing_of_graph(computed.pag))
        self.stage.show_drawings(drawings, {**computed.positions, **self.dag.positions})

    def _show_anew(self, words: str) -> None:
        """Another DAG altogether: nothing has changed, so nothing stands out."""
        self._end_arrow()
        self._shown_graphs = DrawnDag(())
        self.stage.fit_soon()
        self._words = words
        self._follow("")

    def _tell(self, sentence: str) -> None:
        self.column.said.setText(sentence)
        self.say(sentence)

    # What stands out ------------------------------------------------------------------------------

    def _begin_pulse(self, consequence: Consequence) -> None:
        for index, change in ((1, consequence.mag), (2, consequence.pag)):
            self.stage.canvas(index).highlight("changed", _highlights(change))
        self._pulse.start()

    def _end_pulse(self) -> None:
        for index in (1, 2):
            self.stage.canvas(index).highlight("changed", {})

    # Commands -------------------------------------------------------------------------------------

    @property
    def _node(self) -> str | None:
        """The one variable that is chosen."""
        nodes = self.scene.selected_nodes()
        return nodes[0] if len(nodes) == 1 else None

    @property
    def _arrows(self) -> list[Arrow]:
        """The arrows that are chosen."""
        pairs = self.scene.selected_pairs()
        return [edge for edge in self.dag.edges if frozenset(edge) in pairs]

    def _show_possible(self) -> None:
        self.scene.set_editable(not self.document.is_presenting)
        presenting = PRESENTING if self.document.is_presenting else ""
        node, arrows = self._node, self._arrows

        def allow(id: str, obstacle: str) -> None:
            self.context.actions.allow(id, obstacle if id in SAFE else presenting or obstacle)

        no_node = "" if node else "First select one variable."
        for name in ("hide", "rename"):
            allow(f"hide_it.{name}", no_node)
        allow("hide_it.turn", "" if len(arrows) == 1 else "First select one arrow.")
        allow("hide_it.delete", "" if arrows or self.scene.selected_nodes() else "First select something.")
        allow("hide_it.connect", "" if len(self.dag.nodes) > 1 else "Add another variable first.")
        allow("hide_it.undo", "" if self.history.can_undo else "There is nothing to undo.")
        allow("hide_it.redo", "" if self.history.can_redo else "There is nothing to redo.")
        for name in ("add", "random", "start"):
            allow(f"hide_it.{name}", "")
        self.undo_steps_changed.emit()

    def toggle(self, name: str) -> None:
        """Hide a variable, or show it again."""
        is_hidden = name not in self.dag.hidden
        act = f"{'Hiding' if is_hidden else 'Showing'} {name}"
        self._edit(act, lambda dag: dag_edits.hide(dag, name, is_hidden=is_hidden), is_hiding=True)

    def toggle_chosen(self) -> None:
        """Hide or show the chosen variable."""
        if self._node:
            self.toggle(self._node)

    def add_node(self, point: QPointF | None = None) -> None:
        """A new variable where the mouse is, or below the chosen one."""
        name = dag_edits.free_name(self.dag)
        point_in_stage = self.stage.place_of(point or self._point_for_new())
        self._edit(f"Adding {name}", lambda dag: dag_edits.add_node(dag, name, point_in_stage))
        if name in self.dag.nodes:
            self.scene.select_nodes([name])

    def _point_for_new(self) -> QPointF:
        view = self.stage.panes[0].view
        beside = self.scene.node_item(self._node).pos() + QPointF(*NEW_NODE_ASIDE) if self._node else None
        wanted = beside or view.mapToScene(view.viewport().rect().center())
        return QPointF(*self.scene.free_place(DrawnNode("X"), (wanted.x(), wanted.y())))

    def draw_arrow(self, cause: str, effect: str) -> None:
        """An arrow between two variables; a cycle is refused."""
        is_turned = (effect, cause) in self.dag.edges
        act = f"Reversing {effect} --> {cause}" if is_turned else f"Drawing {cause} --> {effect}"
        self._edit(act, lambda dag: dag_edits.connect(dag, cause, effect))

    def turn_arrow(self) -> None:
        """Turn the chosen arrow round."""
        if len(self._arrows) == 1:
            cause, effect = self._arrows[0]
            self.draw_arrow(effect, cause)

    def begin_arrow(self) -> None:
        """The next variable that is clicked, by mouse or by key, is the effect of the chosen one."""
        if len(self.dag.nodes) < 2:
            return
        self._is_connecting, self._source = True, self._node
        self._tell(
            (
                f"Arrow from {self._source}: click its effect, or select it with the arrow keys and press Space. "
                "Escape cancels."
            )
            if self._source
            else "New arrow: click its cause, then its effect. Escape cancels."
        )

    def _end_arrow(self) -> None:
        self._is_connecting, self._source = False, None

    def _on_node_clicked(self, name: str) -> None:
        if not self._is_connecting:
            self.toggle(name)
        elif self._source is None:
            self._source = name
            self._tell(f"Arrow from {name}: click its effect. Escape cancels.")
        else:
            self.draw_arrow(self._source, name)

    def delete_chosen(self) -> None:
        """Delete the chosen variables and arrows."""
        nodes, arrows = self.scene.selected_nodes(), self._arrows
        if not nodes and not arrows:
            return
        names = [*nodes, *(f"{a} --> {b}" for a, b in arrows)]
        act = f"Deleting {names[0]}" if len(names) == 1 else f"Deleting {len(names)} items"
        self._edit(act, lambda dag: dag_edits.delete(dag, nodes, arrows))

    def ask_name(self) -> QInputDialog | None:
        """Ask for another name of the chosen variable."""
        name = self._node
        if name is None:
            return None
        return ask_for_text(self, "Rename the variable", "Name", text=name, take=lambda new: self.rename(name, new))

    def rename(self, name: str, new: str) -> None:
        """Another name for a variable."""
        if name not in self.dag.nodes:
            return
        self._edit(f"Renaming {name}", lambda dag: dag_edits.rename(dag, name, new))
        if new.strip() in self.dag.nodes:
            self.scene.select_nodes([new.strip()])

    def _on_moved(self, places: Mapping[str, tuple[float, float]]) -> None:
        moved = dag_edits.move(
            self.dag, {name: position for name, position in places.items() if name in self.dag.nodes}
        )
        self.history.put(moved)
        self.live.follow("", moved)
        self.changed.emit()

    @property
    def can_undo(self) -> bool:
        return self.history.can_undo and not self.document.is_presenting

    @property
    def can_redo(self) -> bool:
        return self.history.can_redo and not self.document.is_presenting

    def undo_steps(self) -> Steps:
        return self

    def undo(self) -> None:
        """Take the last change of the drawing back."""
        if self.can_undo:
            self.history.undo()
            self._after_travel("Undoing this")

    def redo(self) -> None:
        """Make the change again that was undone last."""
        if self.can_redo:
            self.history.redo()
            self._after_travel("Redoing this")

    def _after_travel(self, act: str) -> None:
        self._end_arrow()
        self._follow(act)
        self.changed.emit()

    def draw_random(self) -> None:
        """Another DAG at random."""
        self._n_random += 1
        self._take(dag_edits.random_dag(np.random.default_rng(self._n_random), RANDOM_NODES, n_arrows=RANDOM_ARROWS))

    def start_again(self) -> None:
        """The first DAG again."""
        self._take(FIRST_DAG, FIRST_WORDS)

    def show_dag(self, dag: DrawnDag) -> None:
        """Go on with a DAG from elsewhere; undo brings the drawing back."""
        self._take(dag.placed())

    def _take(self, dag: DrawnDag, words: str = "") -> None:
        self.history.put(dag)
        self._show_anew(words or _first_words(dag))
        self.changed.emit()

    # Menu and keys --------------------------------------------------------------------------------

    def _show_menu(self, item: QGraphicsItem | None, point: QPoint) -> None:
        actions = [self.context.actions[id] for id in self._ids]
        self.stage.canvas(0).menu_at([*actions[:6], None, *actions[6:]], point)

    def event(self, event: QEvent) -> bool:
        """Undo and redo are those of the drawing while the focus is here."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _travel(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match _travel(event):
            case "undo":
                self.undo()
            case "redo":
                self.redo()
            case _ if event.key() == Qt.Key.Key_Escape and self._is_connecting:
                self._end_arrow()
                self._tell("No arrow was drawn.")
            case _:
                super().keyPressEvent(event)

    # What is kept ---------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        return self.live.is_busy

    def stop(self) -> None:
        self._pulse.stop()
        self.live.stop()

    def state(self) -> dict[str, Any]:
        return {"dag": self.dag.to_json(), "random": self._n_random}

    def restore(self, state: Mapping[str, Any]) -> None:
        dag = DrawnDag.from_json(state["dag"]).placed() if "dag" in state else FIRST_DAG
        n_random = int(state.get("random", 0))
        self._n_random, self.history = n_random, EditHistory(dag)
        self._show_anew(FIRST_WORDS if dag == FIRST_DAG else _first_words(dag))


def _highlights(change: GraphChange) -> dict[Pair, Highlight]:
    def pair(edge: Edge) -> Pair:
        return frozenset((edge.first, edge.second))

    made = {pair(edge): Highlight.ADDED for edge in change.made}
    return {**made, **{pair(now): Highlight.CHANGED for _, now in change.turned}}


def _first_words(dag: DrawnDag) -> str:
    if not dag.hidden:
        return "Nothing is hidden, so the MAG equals the DAG. Click a variable to hide it."
    names = [name for name in dag.nodes if name in dag.hidden]
    are = "are" if len(names) > 1 else "is"
    return f"{list_names(names)} {are} hidden. Click a variable to hide it, or a hidden one to show it again."


def _travel(event: QKeyEvent) -> str:
    """Whether a key asks for undo or for redo; "" for any other."""
    if event.matches(QKeySequence.StandardKey.Undo):
        return "undo"
    keys = QKeySequence(event.keyCombination())
    is_redo = event.matches(QKeySequence.StandardKey.Redo) or keys in (
        QKeySequence("Ctrl+Shift+Z"),
        QKeySequence("Ctrl+Y"),
    )
    return "redo" if is_redo else ""
