"""Spot the error: click what keeps a graph from being a MAG or a PAG."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QComboBox, QGridLayout, QPushButton

from latconf_core.teaching.spotting.mag_errors import Pair
from latconf_core.teaching.spotting.puzzle import CHOOSE, Puzzle
from latconf_core.teaching.spotting.puzzle_maker import LEVELS, make_puzzle
from latconf_gui.drawing.content.graph_drawing import DrawnKind, drawing_of_graph
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.learn.activity import Activity, ActivityContext
from latconf_gui.pages.learn.spot.score import Score
from latconf_gui.pages.learn.stage import Stage
from latconf_gui.pages.learn.text_column import TextColumn
from latconf_gui.widgets.text import Card, Reserved

LEVEL_TEXTS = {
    1: "Easy: cycles, 4 variables",
    2: "Harder: also missing edges, 5 variables",
    3: "Hard: MAGs and PAGs, up to 6 variables",
}
RULES = (
    "A MAG has no directed cycle, no <-> between a variable and its ancestor, and an edge between any two "
    "variables that no set separates. A PAG has the marks that all its MAGs share and circles for all others."
)
FEEDBACK_LINES = 6


class SpotTheError(Activity):
    """One puzzle after the other; what is clicked is marked, checked on demand, and counted."""

    key, title = "spot", "Spot the error"

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.level, self.seed, self.score = 1, 1, Score()
        self.puzzle: Puzzle = make_puzzle(self.level, self.seed)
        self.edges: set[Pair] = set()
        self.nodes: set[str] = set()
        self.has_hint = False
        self.stage = Stage("")
        self.column = TextColumn(self.title)
        self._fill_column()
        self.lay_out(self.stage, self.column)
        self._add_actions()
        scene = self.stage.scenes[0]
        scene.node_clicked.connect(self.toggle_node)
        scene.edge_clicked.connect(self.toggle_edge)
        scene.end_clicked.connect(self.toggle_edge)
        self.stage.reached.connect(self.say)
        self._show()

    def _fill_column(self) -> None:
        column = self.column
        self.task = column.add_text()
        self.how = column.add_text(CHOOSE)
        self.hint_text = column.add_text()
        self.check_button, self.hint_button = QPushButton("Check"), QPushButton("Hint")
        self.answer_button, self.next_button = QPushButton("Show the answer"), QPushButton("Next puzzle")
        buttons = QGridLayout()
        for index, button in enumerate((self.check_button, self.hint_button, self.answer_button, self.next_button)):
            buttons.addWidget(button, index // 2, index % 2)
        column.add_layout(buttons)
        card = Card("Answer")
        self.feedback = Reserved("", n_lines=FEEDBACK_LINES)
        self.feedback.setAccessibleName("Answer")
        card.body.addWidget(self.feedback)
        column.add_widget(card)
        self.points = column.add_text(" ")
        self.levels = QComboBox()
        self.levels.setAccessibleName("Level")
        self.levels.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.levels.setMinimumContentsLength(12)
        for level in LEVELS:
            self.levels.addItem(LEVEL_TEXTS[level], level)
        self.levels.currentIndexChanged.connect(lambda: self.choose_level(int(self.levels.currentData())))
        column.add_widget(self.levels)
        column.add_text(RULES, is_quiet=True)

    def _add_actions(self) -> None:
        for id, text, slot, key, button in (
            ("check", "check the answer", self.check, "Ctrl+Return", self.check_button),
            ("hint", "give a hint", self.give_hint, "Ctrl+H", self.hint_button),
            ("answer", "show the answer", self.show_answer, "Ctrl+E", self.answer_button),
            ("next", "next puzzle", self.go_on, "Ctrl+Right", self.next_button),
        ):
            action = self.context.actions.add(
                f"spot.{id}", f"Spot the error: {text}", slot=slot, shortcut=key, tip=text.capitalize(), within=self
            )
            button.setToolTip(action.toolTip())
            button.clicked.connect(slot)

    # The puzzle -----------------------------------------------------------------------------------

    def _show(self, feedback: str = "") -> None:
        """Show the puzzle with what is selected in it."""
        puzzle = self.puzzle
        heading = "Not a PAG" if puzzle.is_pag else "Not a MAG"
        self.stage.panes[0].set_heading(f"{heading}: puzzle {self.seed}, level {self.level}")
        kind = DrawnKind.PAG if puzzle.is_pag else DrawnKind.MAG
        self.stage.show_drawings([drawing_of_graph(puzzle.graph, kind=kind)], puzzle.places)
        self.task.setText(puzzle.task)
        self.hint_text.setText(puzzle.hint if self.has_hint or self.level == 1 else "")
        self.hint_button.setEnabled(not self.hint_text.text() and not self.score.is_over)
        self.check_button.setEnabled(not self.score.is_over)
        self.answer_button.setEnabled(not self.score.is_over)
        self.points.setText(str(self.score))
        self.levels.setCurrentIndex(list(LEVELS).index(self.level))
        self.feedback.setText(feedback)
        self._mark()

    def _mark(self) -> None:
        """What is selected stands out; when the round is over, the error does."""
        canvas, scene = self.stage.canvas(), self.stage.scenes[0]
        chosen = dict.fromkeys(self.edges, Highlight.PATH)
        canvas.highlight("chosen", {} if self.score.is_over else chosen)
        answer = next(iter(sorted(self.puzzle.answers, key=lambda answer: (len(answer), sorted(map(sorted, answer))))))
        if self.score.is_over and not self.puzzle.wants_nodes:
            right = frozenset(self.edges)
            answer = right if right in self.puzzle.answers else answer
            canvas.highlight("error", dict.fromkeys(answer, Highlight.PROBLEM))
        else:
            canvas.highlight("error", {})
        is_pair = self.score.is_over and self.puzzle.wants_nodes
        scene.set_found(next(iter(answer)) if is_pair else self.nodes)

    def _begin(self, level: int, seed: int) -> None:
        self.level, self.seed, self.puzzle = level, seed, make_puzzle(level, seed)
        self.edges, self.nodes, self.has_hint = set(), set(), False

    def toggle_edge(self, first: str, second: str) -> None:
        """Choose an edge, or choose it no longer."""
        if not self.score.is_over:
            pair = frozenset((first, second))
            self.edges ^= {pair}
            self._after_choice(str(self.puzzle.graph.edge(*sorted(pair))), pair in self.edges)

    def toggle_node(self, name: str) -> None:
        """Choose a variable, or choose it no longer."""
        if not self.score.is_over:
            self.nodes ^= {name}
            self._after_choice(name, name in self.nodes)

    def _after_choice(self, what: str, is_chosen: bool) -> None:
        self.stage.scenes[0].clearSelection()
        self._mark()
        self.say(f"{what} is {'selected' if is_chosen else 'deselected'}")
        self.changed.emit()

    def check(self) -> None:
        """Say whether what is selected is the error, and count it."""
        if self.score.is_over:
            return
        verdict = self.puzzle.check(self.edges, self.nodes)
        if verdict.is_right:
            self.score = self.score.solve()
        elif self.edges or self.nodes:
            self.score = self.score.lose()
        self._end_act(verdict.sentence)

    def give_hint(self) -> None:
        """Say what kind of error it is, for a point less."""
        if not self.has_hint and self.level > 1 and not self.score.is_over:
            self.has_hint, self.score = True, self.score.lose()
            self._end_act(self.feedback.text())
            self.say(self.puzzle.hint)

    def show_answer(self) -> None:
        """Show the error, with the reason of the program's own check."""
        if not self.score.is_over:
            self.score = self.score.give_up()
            self._end_act(f"The answer: {self.puzzle.reason}.")

    def go_on(self) -> None:
        """The next puzzle of this level."""
        self.score = self.score.next_round()
        self._begin(self.level, self.seed + 1)
        self._end_act("", keeps_view=False)
        self.say(f"{self.puzzle.task} {self.hint_text.text()}")

    def choose_level(self, level: int) -> None:
        """The first puzzle of another level; the points stay."""
        if level != self.level:
            self.score = self.score.next_round()
            self._begin(level, 1)
            self._end_act("", keeps_view=False)

    def _end_act(self, feedback: str, *, keeps_view: bool = True) -> None:
        self._show(feedback)
        if not keeps_view:
            self.stage.fit_soon()
        if feedback:
            self.say(feedback)
        self.changed.emit()

    # What is kept ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return {
            "level": self.level,
            "seed": self.seed,
            "score": self.score.to_json(),
            "edges": sorted(map(sorted, self.edges)),
            "nodes": sorted(self.nodes),
            "hint": self.has_hint,
            "feedback": self.feedback.text(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        level = int(state.get("level", 1))
        score = Score.from_json(state.get("score", {}))
        edges = {frozenset(map(str, pair)) for pair in state.get("edges", ())}
        nodes = set(map(str, state.get("nodes", ())))
        self._begin(level if level in LEVELS else 1, max(int(state.get("seed", 1)), 0))
        known = {frozenset((edge.first, edge.second)) for edge in self.puzzle.graph.edges()}
        self.score, self.edges, self.nodes = score, edges & known, nodes & set(self.puzzle.graph.nodes)
        self.has_hint = bool(state.get("hint", False))
        self._show(str(state.get("feedback", "")))
