"""Step through a learner: every event of its run on a slider, with the reason for each, and guesses before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from latconf_core.control import Progress, RunControl
from latconf_core.errors import LatconfError
from latconf_core.pag.learners.catalogue import find_learner
from latconf_core.pag.replay import Replay
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.prediction import Guess, first_question, judge_guess, question
from latconf_core.teaching.stepped_run import SteppedRun, learn_in_steps
from latconf_core.wording.mark_reasons import say_origin
from latconf_core.wording.step_texts import tell_step
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.pages.learn.activity import Activity, ActivityContext
from latconf_gui.pages.learn.stepping.prediction_panel import PredictionPanel
from latconf_gui.pages.learn.stepping.run_form import FIRST_RUN, RunForm
from latconf_gui.pages.learn.stepping.step_drawing import draw_step
from latconf_gui.pages.learn.stepping.step_list import StepList
from latconf_gui.pages.learn.stepping.step_player import StepPlayer
from latconf_gui.pages.learn.stepping.step_stage import StepStage
from latconf_gui.pages.learn.text_column import TextColumn
from latconf_gui.pages.learn.try_it import TryItButton
from latconf_gui.widgets.text_size import FollowTextSize

DESCRIPTION = "Watch a PAG being learned, test by test and rule by rule, with reasons."
SIGNS = "In the drawing: − removed, + added, ≠ mark changed, blue examined, double border conditioned on."
LIST_SHARE = 20  # of the height that is left, which else stays empty below
LEGEND_FROM_LINES = 32  # the least height of the activity, in lines of text, with which the legend is shown
CANCELLED = "Cancelled. Select a learner to start again."


class SteppingActivity(Activity):
    """One run of one learner, learned in the background when it is chosen."""

    key = "steps"
    title = "Step through a learner"
    takes_dag = True

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.run = FIRST_RUN
        self.replay: Replay | None = None
        self._wanted_step, self._wanted_kind = 0, ""  # to go to when the run is there
        self._is_waiting = False  # for somebody to look, before the run is learned
        self._picked: str | None = None  # the first of two nodes of a guess
        self._job = LatestJob(self)
        self.stage = StepStage()
        self.scene = self.stage.scene
        self.player, self.form, self.predictions, self.steps = StepPlayer(), RunForm(), PredictionPanel(), StepList()
        self.column = TextColumn(self.title, DESCRIPTION)
        self._build()
        self._connect()
        self._add_actions()
        self.setFocusProxy(self.player.slider)
        FollowTextSize(self, self._share_height)

    def _build(self) -> None:
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Stop learning")
        self.cancel.hide()
        left = QWidget()
        layout = QVBoxLayout(left)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.stage, 1)
        layout.addWidget(self.player)
        self.column.add_widget(self.form)
        self.problem = self.column.add_text()
        self.column.add_widget(self.cancel)
        self.step_title = self.column.add_heading("")
        self.step_text = self.column.add_text()
        self.step_text.setAccessibleName("What happens in this step")
        self.note = self.column.add_text(is_quiet=True)
        self.column.add_widget(self.predictions)
        self.column.add_widget(self.steps)
        self.column.column.setStretchFactor(self.steps, LIST_SHARE)
        self.column.add_text(SIGNS, is_quiet=True)
        self.column.add_layout(self._make_exits())
        self.lay_out(left, self.column)

    def _make_exits(self) -> QHBoxLayout:
        """Where one can go on from here."""
        self.try_it = TryItButton(self, lambda: self.run.dag)
        self.to_compare = QPushButton("Add to Compare")
        self.to_compare.setToolTip("Compare the graph of this step with others")
        self.to_compare.clicked.connect(self._on_compare)
        row = QHBoxLayout()
        for button in (self.try_it, self.to_compare):
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # a narrow column stays narrow
            row.addWidget(button, 1)
        return row

    def _on_compare(self) -> None:
        if self.replay is not None:
            title, step = find_learner(self.run.learner).title, self.player.step
            name = title if step == self.replay.last else f"{title}, step {step + 1}"
            self.compare.emit(name, self.replay.graph(step))

    def _connect(self) -> None:
        self.form.asked.connect(self._on_asked)
        self.form.shows_dag.toggled.connect(self._on_shows_dag)
        self.player.moved.connect(self._on_moved)
        self.steps.chosen.connect(self.player.go)
        self.steps.filtered.connect(self._on_filtered)
        self.predictions.toggled.connect(self._on_mode)
        self.predictions.nothing_guessed.connect(lambda: self.guess(Guess()))
        self.predictions.reveal_asked.connect(lambda: self.player.go(self.player.step + 1))
        self.predictions.restarted.connect(self.changed)
        self.scene.end_clicked.connect(self._on_end_clicked)
        self.scene.edge_clicked.connect(lambda first, second: self.guess(Guess((first, second))))
        self.scene.node_clicked.connect(self._on_node_clicked)
        self.stage.moved.connect(self._on_nodes_moved)
        self.cancel.clicked.connect(self._on_cancelled)
        self._job.answered.connect(self._on_answered)
        self._job.failed.connect(self._on_failed)
        self._job.changed.connect(lambda: self.cancel.setVisible(self._job.is_busy))
        self.document.dataset_changed.connect(self._on_dataset_changed)

    def _add_actions(self) -> None:
        player = self.player
        for id, text, key, slot in (
            ("next", "Next step", "Ctrl+Right", lambda: player.go(player.step + 1)),
            ("back", "Step back", "Ctrl+Left", lambda: player.go(player.step - 1)),
            ("first", "First step", "Ctrl+Home", lambda: player.go(0)),
            ("last", "Last step", "Ctrl+End", lambda: player.go(player.slider.maximum())),
            ("predict", "Predict, then reveal", "Ctrl+P", self.predictions.mode.click),
        ):
            self.context.actions.add(f"learn.steps.{id}", text, slot=slot, shortcut=key, within=self)

    # What is kept ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return {
            "run": self.run.to_json(),
            "step": self.player.step if self.replay is not None else self._wanted_step,
            "shows_dag": self.form.shows_dag.isChecked(),
            "kind": self._wanted_kind if self.replay is None else self.steps.shown_kind,
            "predicts": self.predictions.is_on,
            "right": self.predictions.right,
            "wrong": self.predictions.wrong,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        run = SteppedRun.from_json(state["run"]) if state else FIRST_RUN
        self.predictions.show_game(
            is_on=bool(state.get("predicts", False)),
            right=int(state.get("right", 0)),
            wrong=int(state.get("wrong", 0)),
        )
        was_blocked = self.form.shows_dag.blockSignals(True)
        self.form.shows_dag.setChecked(bool(state.get("shows_dag", True)))
        self.form.shows_dag.blockSignals(was_blocked)
        self._start(run, int(state.get("step", 0)), str(state.get("kind", "")))

    def show_dag(self, dag: DrawnDag) -> None:
        self._start(self.run.with_dag(dag), 0)
        self.changed.emit()

    # Learning -------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy or self.stage.is_busy

    def stop(self) -> None:
        self._job.stop()
        self.stage.stop()

    def _start(self, run: SteppedRun, step: int, kind: str = "") -> None:
        """Learn, and then show a step and list one kind of steps."""
        self.run, self._wanted_step, self._wanted_kind, self.replay = run, step, kind, None
        self.form.show_run(run)
        self._show_nothing("Learning…")
        self._job.forget()
        self._is_waiting = True
        self._learn_when_seen()

    def _learn_when_seen(self) -> None:
        """Learn what waits; while nobody looks, data may change many times."""
        if not self._is_waiting or not self.isVisible():
            return
        self._is_waiting = False
        run, data, knowledge = self.run, self.document.dataset, self.document.knowledge

        def learn(control: RunControl) -> Any:
            return learn_in_steps(run, control, data=data, knowledge=knowledge)

        self._job.ask_for_answers(learn)

    def _show_nothing(self, text: str) -> None:
        """No run: the DAG alone, and what is the matter."""
        self.player.set_count(0)
        self.steps.show_run(None)
        self.problem.setText(text)
        for part in (self.step_text, self.note):
            part.setText("")
        self.step_title.setText("")
        self.predictions.setEnabled(False)
        self.stage.show_dag_alone(self._shown_dag())

    def _shown_dag(self) -> DrawnDag | None:
        return self.run.dag if self.run.origin != "data" and self.form.shows_dag.isChecked() else None

    def _on_answered(self, answer: Progress | Replay) -> None:
        if isinstance(answer, Progress):
            self.problem.setText(f"Learning: {answer.text}, {answer.done:,} of {answer.total or 0:,}.")
            return
        self.replay = answer
        self.problem.setText("")
        self.predictions.setEnabled(True)
        self.player.set_count(len(answer))
        self.steps.show_run(answer)
        self.steps.show_kind(self._wanted_kind)
        step = min(max(self._wanted_step, 0), answer.last)
        self.player.show_step(first_question(answer, step) if self.predictions.is_on else step)
        self._show_stage()

    def _on_failed(self, error: object) -> None:
        if isinstance(error, LatconfError):
            self._show_nothing(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        else:
            self.context.report(error if isinstance(error, Exception) else str(error), self.title)

    def _on_cancelled(self) -> None:
        if self.replay is None:  # else it was faster than the hand
            self._job.forget()
            self._show_nothing(CANCELLED)

    def _on_asked(self, run: SteppedRun) -> None:
        self._start(run, 0)
        self.changed.emit()

    def _on_dataset_changed(self) -> None:
        if self.run.origin == "data":
            self._start(self.run, 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._learn_when_seen()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        """Where there is little height, as on a small projector, the graphs need it more than their legend."""
        self.stage.legend.setVisible(self.height() >= LEGEND_FROM_LINES * self.fontMetrics().height())

    # The stage ------------------------------------------------------------------------------------

    def _on_nodes_moved(self, places: dict[str, tuple[float, float]]) -> None:
        if self.run.origin != "data":
            dag = self.run.dag
            moved = DrawnDag(dag.nodes, dag.edges, dag.hidden, {**dag.positions, **places})
            self.run = replace(self.run, dag=moved)
            self.form.show_run(self.run)
            self.changed.emit()

    def _show_stage(self) -> None:
        """Make room for the run, then show the step."""
        if self.replay is not None:
            known = self.document.positions if self.run.origin == "data" else self.run.dag.positions
            self.stage.show_run(self._shown_dag(), self.replay, known)
            self._show_step()

    def _on_moved(self, _step: int) -> None:
        self.predictions.verdict.setText("")
        self._show_step()
        self.changed.emit()

    def _on_shows_dag(self) -> None:
        self._show_stage()
        self.changed.emit()

    def _on_filtered(self) -> None:
        self.steps.show_step(self.player.step)
        self.changed.emit()

    def _show_step(self) -> None:
        if self.replay is None:
            return
        step = self.player.step
        told = tell_step(self.replay, step, is_exact=self.run.is_exact)
        drawn = draw_step(self.replay, step, told)
        self.stage.show_step(drawn)
        self._picked = None
        self.step_title.setText(told.title)
        self.step_text.setText(told.text)
        self.note.setText(drawn.note)
        self.steps.hide_after(step if self.predictions.is_on else None)
        self.steps.show_step(step)
        self.predictions.ask(question(self.replay, step))
        self.say(told.text)

    # Guessing -------------------------------------------------------------------------------------

    def _on_mode(self, is_on: bool) -> None:
        if self.replay is not None:
            self.player.show_step(first_question(self.replay, self.player.step) if is_on else self.player.step)
            self._show_step()
        self.changed.emit()

    def guess(self, guess: Guess) -> None:
        """Judge a guess of what comes next, count it and show what comes; nothing while nothing is asked."""
        replay, step = self.replay, self.player.step
        if replay is None or not self.predictions.is_on or step >= replay.last:
            return
        verdict = judge_guess(replay, step, guess)
        self.player.show_step(first_question(replay, step + 1))
        self._show_step()
        self.predictions.count(verdict.is_right, verdict.text)
        self.say(verdict.text)
        self.changed.emit()

    def _on_end_clicked(self, node: str, other: str) -> None:
        """A guess, or while nothing is asked the question which step put the mark there."""
        if self.predictions.is_on:
            self.guess(Guess((node, other), node))
        elif self.replay is not None:
            self.note.setText(say_origin(self.replay, self.player.step, node, other))
            self.say(self.note.text())

    def _on_node_clicked(self, name: str) -> None:
        if not self.predictions.is_on:
            return
        if self._picked is None or self._picked == name:
            self._picked = None if self._picked == name else name
            self.stage.pick(self._picked)
        else:
            self.guess(Guess((self._picked, name)))
