"""What is learned by which learner: the choices of the activity."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QPushButton, QWidget

from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.starter_dags import STARTER_DAGS
from latconf_core.teaching.stepped_run import SteppedRun
from latconf_gui.widgets.form_fields import Choice, Number, Whole

FIRST_RUN = SteppedRun(STARTER_DAGS["Collider and its effect"])
ORIGIN_TITLES = {"dag": "on the DAG, exactly", "rows": "on rows drawn from it", "data": "on the loaded data"}
OWN = ""  # a DAG that came from elsewhere


class RunForm(QWidget):
    """`asked(SteppedRun)` when a person chooses something else."""

    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run = FIRST_RUN
        self.learner = Choice({name: learner.title for name, learner in LEARNERS.items()})
        self.origin = Choice(ORIGIN_TITLES)
        self.dag = Choice({OWN: "from another activity", **{name: name for name in STARTER_DAGS}})
        self.rows = Whole(50, 100_000, step=500)
        self.alpha = Number(0.001, 0.5, decimals=3, step=0.01)
        self.shows_dag = QCheckBox("Show the DAG")
        self.shows_dag.setChecked(True)
        self.again = QPushButton("New draw")
        self.again.setToolTip("Draw new tables and rows from the same DAG")
        self._build()
        for choice in (self.learner, self.origin, self.dag):
            choice.activated.connect(self._on_edited)
        for number in (self.rows, self.alpha):
            number.setKeyboardTracking(False)
            number.valueChanged.connect(self._on_edited)
        self.again.clicked.connect(lambda: self._ask(replace(self.run, seed=self.run.seed + 1)))
        self.show_run(FIRST_RUN)

    def _build(self) -> None:
        rows = QHBoxLayout()
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.rows, 1)
        rows.addWidget(self.again)
        self._drawn = QWidget()
        self._drawn.setLayout(rows)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for field in (self.learner, self.origin, self.dag, self.shows_dag):
            self._form.addRow(field)
        self._form.addRow("Rows", self._drawn)
        self._form.addRow("Alpha", self.alpha)
        names: tuple[tuple[QWidget, str], ...] = (
            (self.learner, "Learner"),
            (self.origin, "Input of the learner"),
            (self.dag, "DAG"),
            (self.shows_dag, "Show the DAG beside the learner's graph"),
            (self.rows, "Rows to draw"),
            (self.alpha, "Alpha, the significance level of the tests"),
        )
        for widget, name in names:
            widget.setAccessibleName(name)
            widget.setToolTip(name)

    def show_run(self, run: SteppedRun) -> None:
        """Show other choices, without telling so."""
        self.run = run
        known = next((name for name, dag in STARTER_DAGS.items() if _is_same(dag, run.dag)), OWN)
        fields = ((self.learner, run.learner), (self.origin, run.origin), (self.dag, known))
        for choice, value in fields:
            choice.fill(value)
        for number, own in ((self.rows, run.n_rows), (self.alpha, run.alpha)):
            was_blocked = number.blockSignals(True)
            number.setValue(own)  # type: ignore[arg-type]
            number.blockSignals(was_blocked)
        for field in (self.dag, self.shows_dag):
            self._form.setRowVisible(field, run.origin != "data")
        self._form.setRowVisible(self._drawn, run.origin == "rows")
        self._form.setRowVisible(self.alpha, run.origin != "dag")

    def _on_edited(self) -> None:
        name = self.dag.read()
        dag = STARTER_DAGS.get(name, self.run.dag)
        dag = self.run.dag if _is_same(dag, self.run.dag) else dag  # with its nodes where they were put
        run = SteppedRun(
            dag,
            self.origin.read(),  # type: ignore[arg-type]
            self.learner.read(),
            self.rows.value(),
            self.run.seed,
            self.alpha.value(),
        )
        if run.origin == "dag" and not LEARNERS[run.learner].takes_oracle:
            # A score needs rows: take them from the DAG, unless it was the DAG that was asked for.
            asks_exactly = self.run.origin != "dag"
            run = replace(run, learner="fci") if asks_exactly else replace(run, origin="rows")
        self._ask(run)

    def _ask(self, run: SteppedRun) -> None:
        if run != self.run:
            self.show_run(run)
            self.asked.emit(run)
        else:
            self.show_run(run)


def _is_same(first: DrawnDag, second: DrawnDag) -> bool:
    """Whether two DAGs differ in nothing but the places of their nodes."""
    return (first.nodes, first.edges, first.hidden) == (second.nodes, second.edges, second.hidden)
