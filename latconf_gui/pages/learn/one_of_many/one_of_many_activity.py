"""One of many: a DAG, the class of DAGs that no test tells from it, and what depends on which of them one takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QGridLayout, QPushButton

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.teaching.classes.dag_members import DagMembers, list_members
from latconf_core.teaching.classes.do_answers import ask_members, joint_of
from latconf_core.teaching.classes.sentences import arrow_sentence, members_sentence, turn_sentence
from latconf_core.teaching.classes.turning import Turn, TurnOutcome, turn_arrow
from latconf_core.teaching.drawn_dag import Arrow, DrawnDag
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.pages.learn.activity import ActivityContext
from latconf_gui.pages.learn.graph_choice import GraphChoice
from latconf_gui.pages.learn.one_of_many.class_drawing import drawing_of_class, drawing_of_member
from latconf_gui.pages.learn.one_of_many.class_examples import EXAMPLES
from latconf_gui.pages.learn.one_of_many.do_panel import DoPanel
from latconf_gui.pages.learn.stage import Stage
from latconf_gui.pages.learn.text_column import TextColumn
from latconf_gui.pages.learn.try_it import TryItButton
from latconf_gui.pages.learn.working_activity import WorkingActivity
from latconf_gui.widgets.text import Card, Reserved

INTRODUCTION = (
    "Data rarely determine every arrow of a DAG. No test of conditional independence can detect the reversal "
    "of a hollow arrow. Click an arrow, reverse it, and see whether a test could tell."
)
FIRST_NEWS = "Click an arrow, then Reverse arrow (R)."
NEWS_LINES = 5
TEXT_SHARE = 380


@dataclass(frozen=True, eq=False)
class Study:
    """What was computed of a DAG.

    joint : a distribution that every member fits; None where there are too many variables, and then the problem
    """

    dag: DrawnDag
    members: DagMembers
    turn: Turn | None
    joint: FloatArray | None
    problem: str = ""


class OneOfMany(WorkingActivity):
    """The DAG beside what its class shares; what was reversed, and the answers of do(), in the column."""

    key, title, takes_dag = "one_of_many", "One of many", True

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.stage = Stage("DAG", "Class")
        self.column = TextColumn(self.title, INTRODUCTION)
        self.graphs = GraphChoice(self.document, EXAMPLES, needs_dag=True)
        self.asking = DoPanel()
        self.news = Reserved("", n_lines=NEWS_LINES)
        self.dag = self._start()
        self.study: Study | None = None
        self._arrow: Arrow | None = None  # that is to be reversed
        self._answering = LatestJob(self)
        self._build()
        self._connect()
        self._show_new(self.dag)

    def _build(self) -> None:
        self.reverse = _button("Reverse arrow", "Reverse the selected arrow (R)")
        self.previous, self.following = _button("Previous", "Previous member (P)"), _button("Next", "Next member (N)")
        self.back = _button("Reset", "Return to the original DAG")
        buttons = QGridLayout()
        for index, button in enumerate((self.reverse, self.back, self.previous, self.following)):
            buttons.addWidget(button, index // 2, index % 2)
        self.column.add_widget(self.graphs)
        self.about = self.column.add_text()
        self.column.add_layout(buttons)
        card = Card("What a test could detect")
        self.news.setAccessibleName("What a test could detect")
        card.body.addWidget(self.news)
        self.column.add_widget(card)
        self.column.add_widget(self.asking)
        self.column.add_widget(TryItButton(self, lambda: self.dag))
        self.lay_out(self.stage, self.column, text_share=TEXT_SHARE)

    def _connect(self) -> None:
        self.graphs.chosen.connect(lambda source: self.show_source(source))
        self.reverse.clicked.connect(self.reverse_chosen)
        self.previous.clicked.connect(lambda: self.flip(-1))
        self.following.clicked.connect(lambda: self.flip(1))
        self.back.clicked.connect(lambda: self.show_source(self.graphs.current))
        self.stage.moved.connect(self._on_moved)
        self.stage.reached.connect(self.say)
        for scene in self.stage.scenes:
            scene.edge_clicked.connect(self._on_edge_clicked)
            scene.end_clicked.connect(self._on_edge_clicked)
        self.stage.scenes[0].selectionChanged.connect(self._show_possible)
        self.asking.changed.connect(self._on_asked)
        self._job.answered.connect(self._on_studied)
        self._answering.answered.connect(lambda answers: self.asking.show_answers(answers, self._place))
        self._answering.failed.connect(lambda error: self.context.report(error, self.title))
        commands: tuple[tuple[str, str, str, Callable[[], None]], ...] = (
            ("reverse", "Reverse the selected arrow", "R", self.reverse_chosen),
            ("next", "Next member", "N", lambda: self.flip(1)),
            ("previous", "Previous member", "P", lambda: self.flip(-1)),
        )
        for name, text, key, slot in commands:
            self.context.actions.add(f"class.{name}", f"One of many: {text}", slot=slot, shortcut=key, within=self)

    # What a person does ---------------------------------------------------------------------------

    def show_dag(self, dag: DrawnDag) -> None:
        """The class of a DAG from elsewhere."""
        self.show_source(SourceGraph.of_dag("DAG from another activity", dag))

    def show_source(self, source: SourceGraph) -> None:
        """The class of another DAG."""
        self.graphs.show_source(source)
        self._show_new(self._start())
        self.changed.emit()

    def _start(self) -> DrawnDag:
        """The DAG that was chosen, as it was then."""
        content = self.graphs.current.content
        assert isinstance(content, DrawnDag), "only DAGs are offered"
        return content

    @property
    def chosen_arrow(self) -> Arrow | None:
        """The one arrow that is selected in the DAG."""
        pairs = self.stage.scenes[0].selected_pairs()
        return next((edge for edge in self.dag.edges if len(pairs) == 1 and frozenset(edge) == pairs[0]), None)

    def reverse_chosen(self) -> None:
        """Reverse the selected arrow; whether a test could tell is said when it is known."""
        arrow = self.chosen_arrow
        if arrow is not None:
            self._arrow = arrow
            self.want()

    def flip(self, step: int) -> None:
        """To the next member of the class, or the one before."""
        study, index = self.study, self._place
        if study is None or len(study.members.members) < 2:
            return
        count = len(study.members.members)
        self._take(study.members.members[0 if index is None else (index + step) % count])
        self._tell("Another member of the same class: no test of conditional independence distinguishes them.")
        self.changed.emit()

    def _on_moved(self, places: Mapping[str, tuple[float, float]]) -> None:
        self.dag = _placed(self.dag, {**self.dag.positions, **places})
        self.changed.emit()

    def _on_edge_clicked(self, first: str, second: str) -> None:
        """Select the arrow in the DAG, and say in how many members it stands."""
        arrow = next((edge for edge in self.dag.edges if {first, second} == set(edge)), None)
        if arrow is not None:
            self.stage.scenes[0].select_edge(*arrow)
            if self.study is not None:
                self._tell(arrow_sentence(arrow, self.study.members))

    # Computing ------------------------------------------------------------------------------------

    def _show_new(self, dag: DrawnDag) -> None:
        """Another DAG: its class is not known yet."""
        self.dag, self.study, self._arrow = dag, None, None
        self.news.setText(FIRST_NEWS)
        self.asking.show_names(dag.observed)
        self.stage.fit_soon()
        self._show()
        self.want()

    def begin(self) -> None:
        dag, arrow, known = self.dag, self._arrow, self.study
        self._job.ask(lambda control: _study(dag, arrow, known, control))

    def _on_studied(self, study: Study) -> None:
        is_new_class = self.study is None or study.members is not self.study.members
        self.study, self._arrow = study, None
        self._take(study.dag)
        if study.turn is not None:
            self._tell(turn_sentence(study.turn))
            self.changed.emit()
        if is_new_class:
            self._ask_do()

    def _on_asked(self) -> None:
        self._ask_do()
        self.changed.emit()

    def _ask_do(self) -> None:
        study, asked = self.study, self.asking.asked
        if study is None or study.joint is None or asked is None:
            self._answering.forget()
            self.asking.show_answers(None, None, "" if study is None else study.problem)
            return
        joint, members = study.joint, study.members
        self._answering.ask(lambda _: ask_members(joint, members, cause=asked[0], effect=asked[1]))

    # What is shown --------------------------------------------------------------------------------

    @property
    def _place(self) -> int | None:
        """Where the DAG stands among the members."""
        return None if self.study is None else self.study.members.place_of(self.dag)

    def _take(self, dag: DrawnDag) -> None:
        """Show a DAG whose class is known."""
        self.dag = _placed(dag, self.dag.positions)
        self._show()
        if self.study is not None and self.study.joint is not None:
            self._ask_do()

    def _show(self) -> None:
        members = None if self.study is None else self.study.members
        drawings = [drawing_of_member(self.dag, members), None if members is None else drawing_of_class(members)]
        self.stage.show_drawings(drawings, self.dag.positions)
        if members is not None:
            count, index = len(members.members), self._place
            of = f"more than {count:,}" if members.is_cut else f"{count:,}"
            self.stage.panes[0].set_heading(f"DAG {'?' if index is None else index + 1} of {of}")
            self.stage.panes[1].set_heading("Class: marks that all share")
            self.about.setText(members_sentence(members, has_hidden=bool(self.dag.hidden)))
        self._show_possible()

    def _show_possible(self) -> None:
        has_members = self.study is not None and len(self.study.members.members) > 1
        self.reverse.setEnabled(self.chosen_arrow is not None)
        for button in (self.previous, self.following):
            button.setEnabled(has_members)

    def _tell(self, sentence: str) -> None:
        self.news.setText(sentence)
        self.say(sentence)

    # What is kept ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return {"source": self.graphs.current.to_json(), "dag": self.dag.to_json(), **self.asking.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        was_blocked = self.blockSignals(True)
        try:
            if state:
                source, dag = SourceGraph.from_json(state["source"]), DrawnDag.from_json(state["dag"])
                if not isinstance(source.content, DrawnDag) or source.content.nodes != dag.nodes:
                    raise GraphError("what was kept of One of many holds no DAG; choose one")
                self.graphs.show_source(source)
                asked = str(state["cause"]), str(state["effect"])
            else:
                self.graphs.begin()
                dag, asked = self._start(), ("", "")
            self._show_new(dag.placed())
            self.asking.show_names(dag.observed, asked)
        finally:
            self.blockSignals(was_blocked)

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy or self._answering.is_busy

    def stop(self) -> None:
        self._job.stop()
        self._answering.stop()


def _study(dag: DrawnDag, arrow: Arrow | None, known: Study | None, control: RunControl) -> Study:
    """The class of a DAG, or of the one that reversing an arrow makes of it."""
    turn = None if arrow is None else turn_arrow(dag, arrow, control=control)
    after = dag if turn is None or turn.after is None else turn.after
    stays = turn is not None and turn.outcome in (TurnOutcome.CYCLE, TurnOutcome.SAME)
    if known is not None and stays:
        return Study(after, known.members, turn, known.joint, known.problem)
    members = list_members(after, control=control)
    try:
        return Study(after, members, turn, joint_of(members.members[0]))
    except GraphError as error:
        return Study(after, members, turn, None, f"{str(error)[:1].upper()}{str(error)[1:]}.")


def _placed(dag: DrawnDag, positions: Mapping[str, tuple[float, float]]) -> DrawnDag:
    return DrawnDag(dag.nodes, dag.edges, dag.hidden, positions)


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    return button
