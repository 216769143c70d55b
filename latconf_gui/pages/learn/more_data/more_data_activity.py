"""More data: the learned PAG over the true one, for any number of rows, and how the errors fall as rows are added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QSplitter

from latconf_core.comparison.overlay import lay_over
from latconf_core.comparison.subject import Subject
from latconf_core.control import Progress, RunControl
from latconf_core.formats.examples import example, load_example
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.phrases import counted
from latconf_core.teaching.arrow_network import network_of_arrows
from latconf_core.teaching.drawn_dag import DrawnDag, places_on_circle
from latconf_core.teaching.sampled.more_data import (
    N_DRAWS,
    SIZES,
    Luck,
    MoreData,
    SizeLearned,
    TruthKnown,
    find_luck,
    learn_from_more_rows,
)
from latconf_gui.charts.errors_chart import ErrorPoint, ErrorsChart
from latconf_gui.drawing.content.graph_drawing import Drawing, drawing_of_graph
from latconf_gui.drawing.content.overlay_drawing import drawing_of_overlay
from latconf_gui.pages.learn.activity import ActivityContext
from latconf_gui.pages.learn.more_data.question_form import DRAWN, QuestionForm
from latconf_gui.pages.learn.more_data.sentences import (
    HOW_TO_READ,
    INTRODUCTION,
    TO_TRY,
    TOO_FEW,
    WHY_SOME_STAY,
    error_sentence,
    luck_sentence,
)
from latconf_gui.pages.learn.stage import Stage
from latconf_gui.pages.learn.text_column import TextColumn
from latconf_gui.pages.learn.working_activity import WorkingActivity

UNFAITHFUL = "asia"  # the network in which errors stay, which a text explains
FIRST = {"network": "earthquake", "method": "fci", "alpha": 0.05, "rows": 1_000, "draw": 1, "seed": 1}
DRAW_MILLISECONDS = 60  # between two pictures while results come in
TITLE = "True PAG (A) and learned PAG (B)"


class MoreDataActivity(WorkingActivity):
    """Learns in the background from all sizes of all draws; sliders for rows and draws only choose what is shown."""

    key = "more_data"
    title = "More data"
    takes_dag = True

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.stage, self.chart = Stage(TITLE), ErrorsChart(SIZES)
        self.form = QuestionForm()
        self.truth: TruthKnown | None = None
        self.results: dict[tuple[int, int], SizeLearned] = {}
        self._dag: DrawnDag | None = None
        self._seed = 1
        self._places: dict[str, tuple[float, float]] = {}
        self._layouts = self.stage.canvas().layouts
        self._soon = QTimer(self, interval=DRAW_MILLISECONDS, singleShot=True)
        self._build()
        self._connect()
        self.restore({})

    def _build(self) -> None:
        column = TextColumn(self.title, INTRODUCTION)
        self.errors, self.luck = column.add_text(), column.add_text()
        self.why = column.add_text(WHY_SOME_STAY)
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Progress of learning")
        self.progress.setTextVisible(False)
        self.stop_button, self.again_button = QPushButton("Stop"), QPushButton("Other draws")
        self.compare_button = QPushButton("Add to Compare")
        self.stop_button.setToolTip("Stop learning; finished results are kept")
        self.again_button.setToolTip("Draw new rows from the same network")
        self.compare_button.setToolTip("Add the true PAG and the learned one to the Compare page")
        row = QHBoxLayout()
        for button in (self.stop_button, self.again_button):
            row.addWidget(button)
        row.addStretch(1)
        column.add_widget(self.form)
        column.add_widget(self.progress)
        column.add_layout(row)
        column.add_widget(self.compare_button)
        column.add_heading("How to read it")
        column.add_text(HOW_TO_READ)
        column.add_text(TO_TRY)
        left = QSplitter(Qt.Orientation.Vertical)
        left.setChildrenCollapsible(False)
        left.addWidget(self.stage)
        left.addWidget(self.chart)
        left.setStretchFactor(0, 1)
        self.lay_out(left, column)

    def _connect(self) -> None:
        self.form.network_chosen.connect(self._on_network_chosen)
        self.form.asked.connect(self._on_asked)
        self.form.looked.connect(self._on_looked)
        self.chart.rows_chosen.connect(self._choose_rows)
        self.stop_button.clicked.connect(self._job.forget)
        self.again_button.clicked.connect(self.draw_again)
        self.compare_button.clicked.connect(self._add_to_compare)
        self.stage.reached.connect(self.say)
        self.stage.moved.connect(lambda places: self._places.update(places))
        self._job.answered.connect(self._on_answered)
        self._job.changed.connect(self._show_running)
        self._layouts.ready.connect(self._on_laid_out)
        self._layouts.failed.connect(lambda error: self.context.report(error, "Laying out the PAG"))
        self._soon.timeout.connect(self._show)

    # What is kept ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return {
            "network": self.form.network.currentData(),
            "dag": None if self._dag is None else self._dag.to_json(),
            "hide": list(self.form.hidden_names()),
            "method": self.form.method.currentData(),
            "alpha": self.form.alpha.value,
            "rows": self.n_rows,
            "draw": self.form.draw.value(),
            "seed": self._seed,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        kept = {**FIRST, **state}
        dag = kept.get("dag")
        self._dag = None if dag is None else DrawnDag.from_json(dag)
        self.form.offer_drawn(self._dag is not None)
        network = str(kept["network"]) if kept["network"] != DRAWN or self._dag is not None else str(FIRST["network"])
        hide = kept.get("hide", self._usual_hidden(network))
        self.form.choose_network(network)
        self.form.show_variables(self._variables(network), {str(name) for name in hide})
        self.form.choose_method(str(kept["method"]))
        self.form.alpha.fill(float(kept["alpha"]))
        self.form.rows.fill(int(kept["rows"]))
        was_blocked = self.form.draw.blockSignals(True)
        self.form.draw.setValue(int(kept["draw"]))
        self.form.draw.blockSignals(was_blocked)
        self._seed = int(kept["seed"])
        self._ask()

    def show_dag(self, dag: DrawnDag) -> None:
        """Draw rows from a DAG of another activity, with random tables."""
        self._dag = dag
        self.form.offer_drawn(True)
        self.form.choose_network(DRAWN)
        self.form.show_variables(dag.nodes, dag.hidden)
        self._ask()
        self.changed.emit()

    # What is asked --------------------------------------------------------------------------------

    @property
    def n_rows(self) -> int:
        return int(self.form.rows.value)

    @property
    def draw(self) -> int:
        """Which draw is looked at, from 0."""
        return self.form.draw.value() - 1

    def question(self) -> MoreData:
        """What the form asks for."""
        method = str(self.form.method.currentData())
        network, hide = str(self.form.network.currentData()), self.form.hidden_names()
        options = PagOptions(method=method, alpha=float(self.form.alpha.value))
        if network == DRAWN and self._dag is not None:
            rng = np.random.default_rng(self._seed)
            drawn = network_of_arrows(self._dag.nodes, self._dag.edges, rng=rng)
            return MoreData(drawn, hide, options, seed=self._seed)
        return MoreData(load_example(network), hide, options, seed=self._seed)

    def _variables(self, network: str) -> tuple[str, ...]:
        return self._dag.nodes if network == DRAWN and self._dag is not None else load_example(network).variables

    def _usual_hidden(self, network: str) -> frozenset[str]:
        if network == DRAWN and self._dag is not None:
            return self._dag.hidden
        return frozenset((example(network).hide,))

    def _on_network_chosen(self, network: str) -> None:
        self.form.show_variables(self._variables(network), self._usual_hidden(network))
        self._on_asked()

    def _on_asked(self) -> None:
        self._ask()
        self.changed.emit()

    def draw_again(self) -> None:
        """Other rows of the same network."""
        self._seed += 1
        self._on_asked()

    def _ask(self) -> None:
        """Learn anew, at once where the activity is seen."""
        self.truth, self.results = None, {}
        self.why.setVisible(self.form.network.currentData() == UNFAITHFUL)
        self.want()
        self._show()

    def begin(self) -> None:
        if self.form.hidden.count() - len(self.form.hidden_names()) < 2:
            return
        first = self.n_rows

        def answers(control: RunControl) -> Iterator[object]:
            yield from learn_from_more_rows(question, first=first, control=control)

        question = self.question()
        self._job.ask_for_answers(answers)

    # What is learned ------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy or self._layouts.is_running or self._soon.isActive()

    def stop(self) -> None:
        self._job.stop()
        self._layouts.stop()
        self._soon.stop()
        self._show_running()

    def _on_answered(self, event: object) -> None:
        if isinstance(event, TruthKnown):
            self.truth = event
            self._place(event)
        elif isinstance(event, SizeLearned):
            self.results[event.draw, event.n_rows] = event
        elif isinstance(event, Progress):
            self.progress.setRange(0, event.total or 0)
            self.progress.setValue(event.done)
        if not self._soon.isActive():
            self._soon.start()

    def _place(self, truth: TruthKnown) -> None:
        """Where the nodes stand: as they were drawn, or laid out once for each network."""
        names = truth.pag.nodes
        if self._dag is not None and self.form.network.currentData() == DRAWN:
            self._places = {name: position for name, position in self._dag.placed().positions.items() if name in names}
        elif set(names) - set(self._places):
            self._places = places_on_circle(names)
            self._layouts.ask(drawing_of_graph(truth.pag))

    def _on_laid_out(self, places: dict[str, tuple[float, float]]) -> None:
        self._places = dict(places)
        self._show()

    def _show_running(self) -> None:
        self.progress.setVisible(self._job.is_busy)
        self.stop_button.setEnabled(self._job.is_busy)

    # What is shown --------------------------------------------------------------------------------

    def _on_looked(self) -> None:
        self._show()
        self.say(self.errors.text())
        self.changed.emit()

    def _choose_rows(self, n_rows: int) -> None:
        self.form.rows.fill(n_rows)
        self._on_looked()

    def shown(self) -> SizeLearned | None:
        """The result that is looked at, where it is there."""
        return self.results.get((self.draw, self.n_rows))

    def _luck(self) -> tuple[list[SizeLearned], Luck]:
        """What all draws of so many rows gave, and in what they differ."""
        same = [value for _, value in sorted(self.results.items()) if value.n_rows == self.n_rows]
        return same, find_luck([one.graph for one in same])

    def _show(self) -> None:
        same, luck = self._luck()
        shown = self.shown()
        self.stage.show_drawings([self._drawing(shown, luck)], self._places)
        title = LEARNERS[str(self.form.method.currentData())].title
        if self.form.hidden.count() - len(self.form.hidden_names()) < 2:
            self.errors.setText(TOO_FEW)
        elif shown is None:
            self.errors.setText(f"{title} is learning from {counted(self.n_rows, 'row')}…" if self._job.is_busy else "")
        else:
            self.errors.setText(error_sentence(title, self.n_rows, shown.errors))
        self.luck.setText(luck_sentence(self.n_rows, [one.errors for one in same], luck, n_draws=N_DRAWS))
        self.compare_button.setEnabled(shown is not None)
        points = [ErrorPoint(result.draw, result.n_rows, result.errors.total) for result in self.results.values()]
        self.chart.show_points(points, n_rows=self.n_rows, draw=self.draw)

    def _drawing(self, shown: SizeLearned | None, luck: Luck) -> Drawing:
        """The learned PAG over the true one; what differs from draw to draw is faint."""
        if self.truth is None:
            return Drawing()
        if shown is None:
            return drawing_of_graph(self.truth.pag)
        truth, learned = Subject("true PAG", self.truth.pag), Subject("learned PAG", shown.graph)
        drawing = drawing_of_overlay(lay_over(truth, learned, "as given"), (truth.name, learned.name))
        edges = tuple(
            replace(
                drawn,
                is_faint=drawn.pair in luck.pairs,
                faint_ends=frozenset(node for node in drawn.pair if (node, *(drawn.pair - {node})) in luck.ends),
            )
            for drawn in drawing.edges
        )
        return replace(drawing, edges=edges)

    def _add_to_compare(self) -> None:
        shown = self.shown()
        if shown is not None and self.truth is not None:
            title = LEARNERS[str(self.form.method.currentData())].title
            self.compare.emit("true PAG", self.truth.pag)
            self.compare.emit(f"{title}, {counted(self.n_rows, 'row')}", shown.graph)
