"""Guess the hidden: mark the children of a secret variable, reveal it, and see what the program found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPushButton

from latconf_core.control import Progress, RunControl
from latconf_core.teaching.drawn_dag import DrawnDag, places_on_circle
from latconf_core.teaching.sampled.hidden_puzzle import (
    RANDOM,
    GuessScore,
    ProgramAnswer,
    PuzzleChoice,
    PuzzlePosed,
    answer_puzzle,
    pose_puzzle,
    score_guess,
)
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnNode, drawing_of_dag, drawing_of_graph
from latconf_gui.drawing.geometry.latent_places import with_latents
from latconf_gui.drawing.items.node_item import node_size
from latconf_gui.pages.learn.activity import ActivityContext
from latconf_gui.pages.learn.guess.marks_list import MarksList
from latconf_gui.pages.learn.guess.pair_table import PairTable
from latconf_gui.pages.learn.guess.puzzle_form import PuzzleForm
from latconf_gui.pages.learn.guess.sentences import (
    HINTS,
    INTRODUCTION,
    POSING,
    answer_sentence,
    marked_sentence,
    score_sentence,
    total_sentence,
)
from latconf_gui.pages.learn.stage import Stage
from latconf_gui.pages.learn.text_column import TextColumn
from latconf_gui.pages.learn.try_it import TryItButton
from latconf_gui.pages.learn.working_activity import WorkingActivity


class GuessActivity(WorkingActivity):
    """Poses a puzzle; the program's own searches try it meanwhile, and what they say is hidden until the reveal."""

    key = "guess"
    title = "Guess the hidden"

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.stage = Stage("The PAG of the rows", "The truth")
        self.form, self.marks = PuzzleForm(), MarksList()
        self.pairs = PairTable()
        self.posed: PuzzlePosed | None = None
        self.answers: dict[str, ProgramAnswer] = {}
        self.is_revealed = False
        self.points, self.rounds = 0, 0
        self._places: dict[str, tuple[float, float]] = {}
        self._kept_marks: tuple[str, ...] = ()  # to be marked once the puzzle is posed
        self._layouts = self.stage.canvas().layouts
        self._build()
        self._add_actions()
        self._connect()
        self.restore({})

    def _build(self) -> None:
        self.reveal_button = QPushButton("Reveal")
        self.stop_button = QPushButton("Stop")
        self.try_button = TryItButton(self, self.truth)
        self.stop_button.setToolTip("Stop the search")
        self.column = TextColumn(self.title, INTRODUCTION)
        self.total = self.column.add_text()
        self.column.add_widget(self.form)
        self.marked_text = self.column.add_text()
        self.column.add_widget(self.marks)
        self.column.add_layout(_row(self.reveal_button, self.stop_button))
        self.score_text, self.program_text = self.column.add_text(), self.column.add_text()
        self.column.add_layout(_row(self.try_button))
        self.column.add_heading("Counts of two variables")
        self.column.add_widget(self.pairs)
        self.column.add_heading("Hints")
        self.column.add_text(HINTS)
        self.lay_out(self.stage, self.column)

    def _add_actions(self) -> None:
        add = self.context.actions.add
        keys = (
            ("reveal", "Reveal the hidden variable", self.reveal, "Ctrl+Return", self.reveal_button),
            ("new", "New puzzle", self.form.choose_next, "Ctrl+Shift+N", self.form.new_button),
        )
        for name, text, slot, key, button in keys:
            action = add(f"learn.guess.{name}", text, slot=slot, shortcut=key, within=self)
            button.clicked.connect(action.trigger)
            button.setToolTip(action.toolTip())

    def _connect(self) -> None:
        self.form.chosen.connect(self._on_chosen)
        self.marks.marked_changed.connect(self._on_marked)
        self.stop_button.clicked.connect(self._job.forget)
        scene = self.stage.scenes[0]
        scene.node_clicked.connect(self._on_node_clicked)
        self.stage.reached.connect(self.say)
        self.stage.moved.connect(lambda places: self._places.update(places))
        self._job.answered.connect(self._on_answered)
        self._job.changed.connect(self._show_running)
        self._layouts.ready.connect(self._on_laid_out)
        self._layouts.failed.connect(lambda error: self.context.report(error, "Laying out the PAG"))

    # What is kept ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        choice = self.form.choice
        return {
            "source": choice.source,
            "difficulty": choice.difficulty,
            "seed": choice.seed,
            "marked": list(self.marked),
            "revealed": self.is_revealed,
            "points": self.points,
            "rounds": self.rounds,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        kept = {"source": RANDOM, "difficulty": "easy", "seed": 1, **state}
        self.form.fill(PuzzleChoice(str(kept["source"]), kept["difficulty"], int(kept["seed"])))
        self.points, self.rounds = int(kept.get("points", 0)), int(kept.get("rounds", 0))
        self._ask(marked=tuple(map(str, kept.get("marked", ()))), is_revealed=bool(kept.get("revealed", False)))

    # The puzzle -----------------------------------------------------------------------------------

    def _on_chosen(self) -> None:
        self._ask()
        self.changed.emit()

    def _ask(self, marked: tuple[str, ...] = (), *, is_revealed: bool = False) -> None:
        """Pose the chosen puzzle, at once where the activity is seen."""
        self.posed, self.answers = None, {}
        self._kept_marks, self.is_revealed = marked, is_revealed
        self.marks.show_names((), ())
        self.want()
        self._show()

    def begin(self) -> None:
        choice, posed = self.form.choice, self.posed

        def answers(control: RunControl) -> Iterator[object]:
            known_answers = posed
            if known_answers is None:
                for event in pose_puzzle(choice, control=control):
                    known_answers = event if isinstance(event, PuzzlePosed) else known_answers
                    yield event
            assert known_answers is not None, "a puzzle is posed"
            yield from answer_puzzle(known_answers, control=control)

        self._job.ask_for_answers(answers)

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy or self._layouts.is_running

    def stop(self) -> None:
        self._job.stop()
        self._layouts.stop()
        self._show_running()

    def _on_answered(self, event: object) -> None:
        if isinstance(event, PuzzlePosed):
            self.posed = event
            self.marks.show_names(event.puzzle.dataset.names, self._kept_marks)
            self.pairs.show_data(event.puzzle.dataset)
            self._places = places_on_circle(event.pag.nodes)
            self._layouts.ask(drawing_of_graph(event.pag))
            self._show()
        elif isinstance(event, ProgramAnswer):
            self.answers[event.search] = event
            self._show_texts()
        elif isinstance(event, Progress):
            self._show_texts()

    def _on_laid_out(self, places: dict[str, tuple[float, float]]) -> None:
        self._places = dict(places)
        self._show()

    # Marking and revealing ------------------------------------------------------------------------

    @property
    def marked(self) -> tuple[str, ...]:
        """The variables that the student takes for children of the secret."""
        return self._kept_marks if self.posed is None else self.marks.marked

    def _on_node_clicked(self, name: str) -> None:
        """Mark a node, or no longer; its counts come with those of the node before."""
        self.pairs.choose(name)
        if not self.is_revealed:
            self.marks.toggle(name)

    def _on_marked(self) -> None:
        self._show()
        self.say(self.marked_text.text())
        self.changed.emit()

    @property
    def score(self) -> GuessScore | None:
        """Of what is marked, once it is revealed."""
        if self.posed is None or not self.is_revealed:
            return None
        return score_guess(self.marked, self.posed.puzzle.secret.children)

    def reveal(self) -> None:
        """Show the secret and count the points, once for each puzzle."""
        if self.posed is None or self.is_revealed:
            return
        self.is_revealed = True
        score = self.score
        assert score is not None, "it is revealed"
        self.points += score.points
        self.rounds += 1
        self._show()
        self.say(self.score_text.text())
        self.changed.emit()

    # What is shown --------------------------------------------------------------------------------

    def _show(self) -> None:
        posed = self.posed
        if posed is None:
            self.stage.show_drawings([Drawing(), None], {})
            self.pairs.show_data(None)
        else:
            places = self._all_places(posed)
            truth = drawing_of_dag(posed.puzzle.truth) if self.is_revealed else None
            self.stage.show_drawings([self._pag_drawing(posed), truth], places)
            self.stage.scenes[0].set_found(self.marked)
        self.marks.set_open(not self.is_revealed)
        self._show_texts()

    def _pag_drawing(self, posed: PuzzlePosed) -> Drawing:
        """The PAG, with what is marked and, after the reveal, what was right noted at each node."""
        drawing, score = drawing_of_graph(posed.pag), self.score
        notes = dict.fromkeys(self.marked, "marked")
        if score is not None:
            notes = dict.fromkeys(score.right, "✓ right") | dict.fromkeys(score.wrong, "✗ wrong")
            notes |= dict.fromkeys(score.missed, "missed")
        nodes = tuple(DrawnNode(node.name, note=notes.get(node.name, "")) for node in drawing.nodes)
        return replace(drawing, nodes=nodes)

    def _all_places(self, posed: PuzzlePosed) -> dict[str, tuple[float, float]]:
        """The places of all variables, the secret one on free ground above its children."""
        dag = posed.puzzle.truth
        sizes = {node.name: node_size(node) for node in drawing_of_dag(dag).nodes}
        return {**with_latents(dag, self._places, sizes), **self._places}

    def _show_texts(self) -> None:
        posed, score = self.posed, self.score
        self.total.setText(total_sentence(self.points, self.rounds))
        self.marked_text.setText(POSING if posed is None else marked_sentence(self.marked))
        self.reveal_button.setEnabled(posed is not None and not self.is_revealed)
        self.try_button.setVisible(posed is not None and self.is_revealed)
        self.score_text.setText("" if posed is None or score is None else score_sentence(posed.puzzle, score))
        self.program_text.setText(self._program_said())

    def _program_said(self) -> str:
        """What the searches say, which is not told before the reveal."""
        posed = self.posed
        if posed is None:
            return ""
        if not self.is_revealed:
            return "The program is searching, too." if self._job.is_busy else "The program has an answer, too."
        said = [answer_sentence(answer, posed.puzzle.secret.children) for answer in self.answers.values()]
        said += ["The program is still searching…"] if self._job.is_busy else []
        return " ".join(said)

    def _show_running(self) -> None:
        self.stop_button.setEnabled(self._job.is_busy)
        self._show_texts()

    def truth(self) -> DrawnDag:
        """The DAG behind the puzzle."""
        assert self.posed is not None, "it is offered after the reveal"
        return DrawnDag.from_latent_dag(self.posed.puzzle.truth, self._all_places(self.posed))


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row
