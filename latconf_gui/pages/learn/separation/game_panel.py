"""The game of separation in the column of text: the question, the points, what to press, and what an answer was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from latconf_core.json_form import decode, encode
from latconf_core.phrases import list_names
from latconf_core.teaching.separation.separation_game import GamePlay, GameRound, Task, judge_answer
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_gui.pages.learn.text_column import Paragraph
from latconf_gui.widgets.text import SPACE, Heading

POINTS = "Three points for a right first answer, one point after a wrong one."


class GamePanel(QWidget):
    """Plays rounds one after the other; `click` takes what is clicked in the drawing.

    acted : another round is there, something else is chosen, or an answer was judged
    judged : the sentence about an answer, or the solution
    """

    acted = Signal()
    judged = Signal(str)

    def __init__(self, seed: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.play = GamePlay(seed)
        self.round: GameRound = self.play.round()
        self.source = _source_of(self.round)
        self.chosen: frozenset[str] = frozenset()
        self.standing = Heading(factor=1.0)
        self.question = Paragraph()
        self.answer = Paragraph()
        self.feedback = Paragraph()
        self.check = QPushButton("Check")
        self.check.setToolTip("Check your answer (C)")
        self.solution = QPushButton("Solution")
        self.solution.setToolTip("Give up and show all right answers (S)")
        self.following = QPushButton("Next round")
        self.following.setToolTip("New graph and question (N)")
        self._build()
        self._show()

    def _build(self) -> None:
        buttons = QGridLayout()
        for index, (button, act) in enumerate(
            (
                (self.check, self.check_answer),
                (self.solution, self.show_solution),
                (self.following, self.next_round),
            )
        ):
            button.clicked.connect(act)
            buttons.addWidget(button, index // 2, index % 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        for widget in (self.standing, self.question, self.answer):
            layout.addWidget(widget)
        layout.addLayout(buttons)
        layout.addWidget(self.feedback)
        layout.addWidget(Paragraph(POINTS, is_quiet=True))

    @property
    def given(self) -> frozenset[str]:
        """All that is held fixed now: what the question gives, and what was chosen."""
        return frozenset(self.round.given) | self.chosen

    def click(self, name: str) -> None:
        """Choose a variable, or let it go; the ends, what is given and what is hidden stay as they are."""
        game_round = self.round
        if (
            self.play.is_over
            or name in (game_round.first, game_round.second, *game_round.given)
            or name not in game_round.dag.observed
        ):
            return
        if game_round.task == Task.OPEN and name not in self.chosen:
            self.chosen = frozenset((name,))
        else:
            self.chosen ^= {name}
        self.feedback.setText("")
        self._show()
        self.acted.emit()

    def check_answer(self) -> None:
        """Judge what is chosen."""
        if self.play.is_over:
            return
        answer = judge_answer(self.round, self.chosen)
        if self.chosen:  # nothing chosen is no answer yet
            self.play = self.play.answered(answer)
        self._say(answer.sentence)

    def show_solution(self) -> None:
        """Show every right answer; the round is over."""
        if not self.play.is_over:
            self.play = self.play.given_up()
            self.chosen = frozenset(self.round.answers[0])
            self._say(self.round.solution)

    def next_round(self) -> None:
        """Another question."""
        self.play = self.play.next()
        self._begin()
        self.acted.emit()

    def _begin(self) -> None:
        self.round = self.play.round()
        self.source = _source_of(self.round)
        self.chosen = frozenset()
        self.feedback.setText("")
        self._show()

    def _say(self, sentence: str) -> None:
        self.feedback.setText(sentence)
        self._show()
        self.acted.emit()
        self.judged.emit(sentence)

    def _show(self) -> None:
        self.standing.setText(self.play.standing)
        self.question.setText(f"On this {self.round.kind.value}: {self.round.question}")
        chosen = [name for name in self.round.dag.observed if name in self.chosen]
        self.answer.setText(f"Selected: {list_names(chosen)}.")
        for button in (self.check, self.solution):
            button.setEnabled(not self.play.is_over)

    def state(self) -> dict[str, Any]:
        """The points and where the game stands, as JSON."""
        chosen = [name for name in self.round.dag.observed if name in self.chosen]
        return {"play": encode(self.play), "chosen": chosen, "feedback": self.feedback.text()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` gave."""
        self.play = decode(GamePlay, state["play"])
        self._begin()
        self.chosen = frozenset(map(str, state["chosen"])) & frozenset(self.round.dag.observed)
        self.feedback.setText(str(state["feedback"]))
        self._show()

    def restart(self, seed: int) -> None:
        """A new game."""
        self.play = GamePlay(seed)
        self._begin()


def _source_of(game_round: GameRound) -> SourceGraph:
    return SourceGraph.of_dag("Game", game_round.dag)
