"""Separation: choose two variables and a set by clicking, and see which paths are open and what blocks the others."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from latconf_core.control import RunControl
from latconf_core.graph.separation import Verdict
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.separation.separation_graph import GraphKind, SeparationGraph
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.pages.learn.activity import Activity, ActivityContext
from latconf_gui.pages.learn.separation.choice import Choice
from latconf_gui.pages.learn.separation.explore_panel import ExplorePanel
from latconf_gui.pages.learn.separation.game_panel import GamePanel
from latconf_gui.pages.learn.separation.hints import opening_sentence, smallest_sentence
from latconf_gui.pages.learn.separation.path_list import PathList
from latconf_gui.pages.learn.separation.role_drawing import drawing_with_roles, path_highlights
from latconf_gui.pages.learn.separation.separation_examples import BEGINNING
from latconf_gui.pages.learn.stage import Stage
from latconf_gui.pages.learn.text_column import Paragraph, TextColumn
from latconf_gui.pages.learn.try_it import TryItButton
from latconf_gui.widgets.text import Heading

MOST_SEEDS = 1_000_000
LIST_SHARE = 100  # of the height that is left, for the list of paths
INTRODUCTION = (
    "Two variables are separated if every path between them is blocked: they are then independent given the "
    "set. Click two variables, then those to condition on. Click one again to remove it."
)
HEADINGS = {
    GraphKind.DAG: "DAG",
    GraphKind.MAG: "MAG of the measured variables",
    GraphKind.PAG: "PAG of the measured variables",
}
Hint = Callable[[SeparationGraph, Choice, RunControl], str]


@dataclass(frozen=True, eq=False)
class Question:
    """What is on the stage: a graph, as what it is shown, and what is chosen in it."""

    source: SourceGraph
    kind: GraphKind
    choice: Choice


@dataclass(frozen=True, eq=False)
class Explained:
    """The graph of a question, and the verdict where two ends are chosen and the graph is what it claims to be."""

    question: Question
    asked: SeparationGraph
    verdict: Verdict | None


class SeparationActivity(Activity):
    """One graph on the stage; the verdict, the paths and the game in the column."""

    key, title, takes_dag = "separation", "Separation", True

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.stage = Stage(HEADINGS[GraphKind.DAG])
        self.column = TextColumn(self.title)
        self.introduction = self.column.add_text(INTRODUCTION, is_quiet=True)
        self.exploring = ExplorePanel(self.document)
        self.game = GamePanel(random.randrange(MOST_SEEDS))
        self.verdict_text = Heading(factor=1.1)
        self.paths = PathList()
        self.kind, self.choice = GraphKind.DAG, BEGINNING
        self.shown: Explained | None = None
        self._moved: dict[str, tuple[float, float]] = {}  # where nodes were dragged to
        self._moved_in_game: tuple[SourceGraph, dict[str, tuple[float, float]]] = (self.game.source, {})
        self._job, self._hints = LatestJob(self), LatestJob(self)
        self._build()
        self._connect()
        self._add_keys()
        self._ask()

    def _build(self) -> None:
        self.hint = Paragraph()
        self.smallest = _button("Smallest sets", "Which smallest sets separate the two ends?")
        self.opening = _button("What opens a path?", "Conditioning on which further variables would open a path?")
        self.clear = _button("Clear", "Clear the selection (Backspace)")
        self.try_it = TryItButton(self, self._dag)
        self.hint_buttons = QWidget()
        grid = QGridLayout(self.hint_buttons)
        grid.setContentsMargins(0, 0, 0, 0)
        for index, button in enumerate((self.smallest, self.opening, self.clear, self.try_it)):
            grid.addWidget(button, index // 2, index % 2)
        self.play = _button("Play the game", "Random rounds: separate two variables, or open a path (G)")
        self.play.setCheckable(True)
        below = (self.hint_buttons, self.hint, self.play)
        for widget in (self.exploring, self.game, self.verdict_text, self.paths, *below):
            self.column.add_widget(widget)
        self.column.column.setStretchFactor(self.paths, LIST_SHARE)
        self.lay_out(self.stage, self.column)

    def _connect(self) -> None:
        self.exploring.source_chosen.connect(lambda source: self.show_source(source))
        self.exploring.kind_chosen.connect(lambda kind: self.show_kind(kind))
        self.stage.scenes[0].node_clicked.connect(self.click_node)
        self.stage.moved.connect(self._on_moved)
        self.stage.reached.connect(self.say)
        self.paths.path_chosen.connect(lambda _: self._show_paths())
        self.smallest.clicked.connect(lambda: self._ask_hint(smallest_sentence))
        self.opening.clicked.connect(lambda: self._ask_hint(opening_sentence))
        self.clear.clicked.connect(self.clear_choice)
        self.play.toggled.connect(lambda _: self._on_acted())
        self.game.acted.connect(self._on_acted)
        self.game.judged.connect(self.say)
        self._job.answered.connect(self._on_explained)
        self._hints.answered.connect(lambda sentence: self._say_hint(sentence))
        for job in (self._job, self._hints):
            job.failed.connect(lambda error: self.context.report(error, self.title))

    def _add_keys(self) -> None:
        commands: tuple[tuple[str, str, str, Callable[[], None]], ...] = (
            ("dag", "Use the DAG", "1", lambda: self.show_kind(GraphKind.DAG)),
            ("mag", "Use the MAG", "2", lambda: self.show_kind(GraphKind.MAG)),
            ("pag", "Use the PAG", "3", lambda: self.show_kind(GraphKind.PAG)),
            ("clear", "Clear the selection", "Backspace", self.clear_choice),
            ("game", "Play the game, or leave it", "G", self.play.toggle),
            ("check", "Check the answer", "C", lambda: self._in_game(self.game.check_answer)),
            ("solution", "Show the solution", "S", lambda: self._in_game(self.game.show_solution)),
            ("next", "Next round", "N", lambda: self._in_game(self.game.next_round)),
        )
        for name, text, key, slot in commands:
            id = f"separation.{name}"
            self.context.actions.add(id, f"Separation: {text}", slot=slot, shortcut=key, within=self.stage)

    # What a person does ---------------------------------------------------------------------------

    @property
    def is_playing(self) -> bool:
        return self.play.isChecked()

    def click_node(self, name: str) -> None:
        """Choose a variable, or let it go."""
        source = self.exploring.graphs.current
        if self.is_playing:
            self.game.click(name)
        elif name in _measured(source):  # the stage may still show another graph
            self.choice = self.choice.click(name)
            self._on_acted()
        elif isinstance(source.content, DrawnDag) and name in source.content.hidden:
            self._say_hint(f"{name} is hidden, so it can be neither an end nor in the conditioning set.")

    def clear_choice(self) -> None:
        """Clear the selection."""
        if not self.is_playing:
            self.choice = Choice()
            self._on_acted()

    def show_kind(self, kind: GraphKind) -> None:
        """Use the DAG, the MAG or the PAG."""
        if not self.is_playing and kind in self.exploring.graphs.current.kinds:
            self.kind = kind
            self._on_acted()

    def show_dag(self, dag: DrawnDag) -> None:
        """Ask about a DAG from elsewhere."""
        self.play.setChecked(False)
        self.show_source(SourceGraph.of_dag("Drawn DAG", dag))

    def show_source(self, source: SourceGraph) -> None:
        """Ask about another graph; what was chosen stays where it can."""
        self._put_source(source)
        self.choice = self.choice.within(_measured(source))
        self._on_acted()

    def _put_source(self, source: SourceGraph) -> None:
        self.exploring.graphs.show_source(source)
        self.kind = self.kind if self.kind in source.kinds else source.kinds[0]
        self._moved = {}

    def _in_game(self, act: Callable[[], None]) -> None:
        if self.is_playing:
            act()

    def _on_acted(self) -> None:
        self._ask()
        self.changed.emit()

    def _on_moved(self, places: Mapping[str, tuple[float, float]]) -> None:
        self._places().update(places)
        self.changed.emit()

    def _places(self) -> dict[str, tuple[float, float]]:
        """Where nodes were dragged to in the graph that is on the stage; each round of the game begins anew."""
        if not self.is_playing:
            return self._moved
        if self._moved_in_game[0] is not self.game.source:
            self._moved_in_game = (self.game.source, {})
        return self._moved_in_game[1]

    # What is shown --------------------------------------------------------------------------------

    def question(self) -> Question:
        """What is on the stage, or soon will be."""
        if self.is_playing:
            game_round = self.game.round
            return Question(
                self.game.source, game_round.kind, Choice(game_round.first, game_round.second, self.game.given)
            )
        return Question(self.exploring.graphs.current, self.kind, self.choice)

    def _ask(self) -> None:
        """Show the choice at once, and the verdict when it is known."""
        question, shown = self.question(), self.shown
        is_same = shown is not None and (shown.question.source, shown.question.kind) == (question.source, question.kind)
        known = shown.asked if shown is not None and is_same else None
        self.hint.setText("")
        self._show_panels(question)
        self._hints.forget()
        self._job.ask(lambda control: _explain(question, known, control))

    def _show_panels(self, question: Question) -> None:
        is_playing = self.is_playing
        self.play.setText("Leave the game" if is_playing else "Play the game")
        self.game.setVisible(is_playing)
        self.introduction.setVisible(not is_playing)
        self.exploring.setVisible(not is_playing)
        self.hint_buttons.setVisible(not is_playing)
        self.try_it.setEnabled(isinstance(question.source.content, DrawnDag))
        nodes = _measured(question.source)
        self.exploring.show_choice(question.source, question.kind, question.choice.sentence(nodes))

    def _on_explained(self, answer: Explained) -> None:
        self.shown = answer
        is_told = not self.is_playing or self.game.play.is_over
        verdict = answer.verdict if is_told else None
        self.verdict_text.setText(answer.asked.problem if verdict is None and is_told else "")
        if verdict is not None:
            self.verdict_text.setText(verdict.sentence)
            self.say(verdict.sentence)
        self.verdict_text.setVisible(bool(self.verdict_text.text()))
        self.paths.setVisible(is_told)
        self.paths.show_verdict(verdict, answer.asked.graph)
        self.stage.panes[0].set_heading(HEADINGS[answer.question.kind])
        self._show_paths()

    def _show_paths(self) -> None:
        """Draw the graph, and light the chosen path or all open ones."""
        if self.shown is None:
            return
        question, path = self.shown.question, self.paths.current_path
        choice = question.choice
        roles = choice.roles() | ({} if path is None or path.blocked_by is None else {path.blocked_by: "blocks"})
        positions = {**question.source.positions, **self._places()}
        self.stage.show_drawings([drawing_with_roles(self.shown.asked, roles)], positions)
        canvas = self.stage.canvas()
        canvas.scene.set_given(choice.given)
        canvas.scene.set_found([name for name in (choice.first, choice.second) if name is not None])
        canvas.highlight("paths", path_highlights(self.paths.lit_paths))

    def _ask_hint(self, hint: Hint) -> None:
        shown = self.shown
        if shown is not None:
            choice = self.choice
            self._hints.ask(lambda control: hint(shown.asked, choice, control))

    def _say_hint(self, sentence: str) -> None:
        self.hint.setText(sentence)
        self.say(sentence)

    def _dag(self) -> DrawnDag:
        content = self.exploring.graphs.current.content
        assert isinstance(content, DrawnDag), "the button is off for a PAG"
        return content

    # What is kept ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        source = self.exploring.graphs.current
        return {
            "source": source.to_json(),
            "kind": self.kind.value,
            "choice": self.choice.to_json(_measured(source)),
            "moved": {name: list(position) for name, position in self._moved.items()},
            "is_playing": self.is_playing,
            "game": self.game.state(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        was_blocked = self.blockSignals(True)
        try:
            if state:
                self._take(state)
            else:
                self._begin()
        finally:
            self.blockSignals(was_blocked)
        self._ask()

    def _take(self, state: Mapping[str, Any]) -> None:
        source = SourceGraph.from_json(state["source"])
        self.kind = GraphKind(state["kind"])
        self._put_source(source)
        self.choice = Choice.from_json(state["choice"]).within(_measured(source))
        self.game.restore(state["game"])
        self.play.setChecked(bool(state["is_playing"]))
        self._moved = {str(name): (float(x), float(y)) for name, (x, y) in state["moved"].items()}

    def _begin(self) -> None:
        self.exploring.graphs.begin()
        self.kind, self.choice, self._moved = GraphKind.DAG, BEGINNING, {}
        self.game.restart(random.randrange(MOST_SEEDS))
        self.play.setChecked(False)

    # Background -----------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy or self._hints.is_busy

    def stop(self) -> None:
        self._job.stop()
        self._hints.stop()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._job.forget()
        self._hints.forget()


def _explain(question: Question, known: SeparationGraph | None, control: RunControl) -> Explained:
    """The verdict of a question; `known` is its graph where that was read before."""
    asked = known or question.source.asked(question.kind, control=control)
    choice, verdict = question.choice, None
    if choice.first is not None and choice.second is not None and not asked.problem:
        verdict = asked.explain(choice.first, choice.second, choice.ordered_given(asked.graph.nodes))
    return Explained(question, asked, verdict)


def _measured(source: SourceGraph) -> tuple[str, ...]:
    content = source.content
    return content.observed if isinstance(content, DrawnDag) else content.nodes


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    return button
