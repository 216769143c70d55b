"""Members of a PAG: the tree of its MAGs and their DAGs, flipped through one by one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.graph.marks import MARK_NAMES
from latconf_core.pag.validity import check_pag
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.members import MemberBatch, PagMembers, changes_sentence, count_sentence
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_core.wording.mark_meanings import edge_sentence
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.drawing.content.graph_drawing import DrawnKind, Positions, drawing_of_graph
from latconf_gui.drawing.geometry.latent_places import with_latents
from latconf_gui.drawing.items.node_item import node_size
from latconf_gui.pages.learn.activity import Activity, ActivityContext
from latconf_gui.pages.learn.graph_choice import GraphChoice
from latconf_gui.pages.learn.members.blinking import Blinking
from latconf_gui.pages.learn.members.counting_scene import CountingScene
from latconf_gui.pages.learn.members.member_facts import MemberFacts, MemberScoring
from latconf_gui.pages.learn.members.members_examples import EXAMPLES
from latconf_gui.pages.learn.members.members_model import MembersModel
from latconf_gui.pages.learn.members.members_tree import MembersTree
from latconf_gui.pages.learn.stage import Stage, drawing_of_drawn_dag
from latconf_gui.pages.learn.stage_scene import StageScene
from latconf_gui.pages.learn.text_column import Paragraph, TextColumn

INTRODUCTION = (
    "A PAG represents all MAGs with the same separations. Its members differ only at its circles. Move "
    "through the list with the arrow keys and watch which marks change."
)
WITH_SCORES = "p-ELBO: how well the DAG of each MAG fits the data; higher is better."
WITHOUT_SCORES = "Open data with these variables to score the DAG of each MAG."
ON_DAG = "This DAG has the fewest hidden causes that any DAG with this MAG can have."
PAG_HEADING = "PAG: share of MAGs with an arrowhead at each circle"
TEXT_SHARE = 400  # members are long texts
LIST_SHARE = 100  # of the height that is left, for the tree
WIDE_LINES = 60  # of a stage for three graphs, in heights of a line

PAINT_SECONDS, PAINT_STEPS = 0.16, 8  # that the window has for the first members before the rest is listed


class MembersActivity(Activity):
    """The PAG with its counts and the chosen member on the stage; the tree in the column."""

    key, title, takes_dag = "members", "Members of a PAG", True

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.stage = Stage(PAG_HEADING, "MAG", "DAG", scenes=(CountingScene(), StageScene(), StageScene()))
        self.column = TextColumn(self.title, INTRODUCTION)
        self.graphs = GraphChoice(self.document, EXAMPLES)
        self.model = MembersModel(self)
        self.tree = MembersTree(self.model)
        self.problem, self.news, self.about = Paragraph(), Paragraph(), Paragraph()
        self.on_scores = Paragraph(is_quiet=True)
        self._listing, self._scoring = LatestJob(self), MemberScoring(self)
        self._blinking = Blinking(self.stage.canvas(1))
        self._moved: dict[str, tuple[float, float]] = {}
        self._last: int | None = None  # the member that was shown before
        self._wanted: tuple[int, bool] | None = None  # the place to go to when it is listed, and whether to its DAG
        self._is_going = False  # to a row that nobody chose
        self._arrows: tuple[int, ...] = ()
        self._build()
        self._connect()
        self._add_keys()

    def _build(self) -> None:
        self.previous = _button("Previous", "Previous member (P)")
        self.following = _button("Next", "Next member (N)")
        self.to_compare = _button("Compare", "Add this graph to the Compare page (C)")
        buttons = QWidget()
        row = QGridLayout(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        for member_place, button in enumerate((self.previous, self.following, self.to_compare)):
            row.addWidget(button, 0, member_place)
        for widget in (self.graphs, self.problem, self.tree, buttons, self.news, self.about, self.on_scores):
            self.column.add_widget(widget)
        self.column.column.setStretchFactor(self.tree, LIST_SHARE)
        self.lay_out(self.stage, self.column, text_share=TEXT_SHARE)

    def _connect(self) -> None:
        self.graphs.chosen.connect(lambda source: self.show_source(source))
        self.tree.selectionModel().currentChanged.connect(lambda *_: self._on_row_chosen())
        self.tree.seen.connect(self._ask_facts)
        self.previous.clicked.connect(lambda: self.flip(-1))
        self.following.clicked.connect(lambda: self.flip(1))
        self.to_compare.clicked.connect(self.add_to_compare)
        self.stage.moved.connect(self._on_moved)
        self.stage.reached.connect(self.say)
        for scene in self.stage.scenes:
            scene.end_clicked.connect(self._explain_end)
            scene.edge_clicked.connect(self._explain_edge)
        self._listing.answered.connect(self._on_listed)
        self._scoring.answered.connect(self._on_facts)
        for job in (self._listing, self._scoring):
            job.failed.connect(lambda error: self.context.report(error, self.title))
        self.document.dataset_changed.connect(self._on_dataset_changed)

    def _add_keys(self) -> None:
        commands: tuple[tuple[str, str, str, Callable[[], None]], ...] = (
            ("next", "Next member", "N", lambda: self.flip(1)),
            ("previous", "Previous member", "P", lambda: self.flip(-1)),
            ("compare", "Add this member to the Compare page", "C", self.add_to_compare),
        )
        for name, text, key, slot in commands:
            id = f"members.{name}"
            self.context.actions.add(id, f"Members: {text}", slot=slot, shortcut=key, within=self)

    # What a person does ---------------------------------------------------------------------------

    def show_dag(self, dag: DrawnDag) -> None:
        """The members of the PAG of a DAG from elsewhere."""
        self.show_source(SourceGraph.of_dag("PAG of the drawn DAG", dag))

    def show_source(self, source: SourceGraph) -> None:
        """The members of another PAG."""
        self.graphs.show_source(source)
        self._moved, self._wanted = {}, None
        self._begin_listing()
        self.changed.emit()

    def flip(self, step: int) -> None:
        """To the next member, or the one before."""
        member_place = self.model.place_of(self.tree.currentIndex())
        index = self.model.index_of_place(0 if member_place is None else member_place + step)
        if index.isValid():
            self.tree.go_to(index)

    def add_to_compare(self) -> None:
        """Put what is chosen on the Compare page."""
        members, index = self.model.members, self.tree.currentIndex()
        if members is None:
            return
        number, member_place = self.model.member_at(index), self.model.place_of(index)
        source = self.graphs.current.name
        if number is None or member_place is None:
            self.compare.emit(source, members.pag)
        elif self.model.is_dag(index):
            facts = self.model.facts.get(number)
            if facts is not None:
                self.compare.emit(f"DAG of MAG {member_place + 1}, {source}", facts.dag)
        else:
            self.compare.emit(f"MAG {member_place + 1}, {source}", members.mag(number))

    def _on_moved(self, places: Mapping[str, tuple[float, float]]) -> None:
        self._moved |= places
        self.changed.emit()

    # Listing --------------------------------------------------------------------------------------

    def _begin_listing(self) -> None:
        """Forget the last PAG, and list the members of this one."""
        source = self.graphs.current
        self._scoring.forget()
        self._last, self._arrows = None, ()
        self.model.begin(None, has_scores=False)
        for paragraph in (self.problem, self.news, self.about, self.on_scores):
            paragraph.setText("")
        if self.isVisible():
            self._listing.ask_for_answers(lambda control: _list_members(source, control))
        else:  # it begins when the activity is shown
            self._listing.forget()

    def _on_listed(self, answer: str | PagMembers | MemberBatch) -> None:
        match answer:
            case str():
                self.problem.setText(answer)
                self._show_nothing_but_pag()
            case PagMembers():
                has_scores = self._dataset_for(answer) is not None
                self.model.begin(answer, has_scores=has_scores)
                self.on_scores.setText(WITH_SCORES if has_scores else WITHOUT_SCORES)
            case MemberBatch():
                is_first = not self.model.n_known
                self.model.add(answer)
                self._arrows = answer.arrows
                if is_first:
                    self.tree.open_first_level()
                self._show_counts()
                self._is_going = True
                self._go_where_wanted(is_first=is_first)
                self._is_going = False

    def _go_where_wanted(self, *, is_first: bool) -> None:
        """To the wanted row when it is listed; at the beginning to the PAG."""
        is_there = self._wanted is not None and (self._wanted[0] < self.model.n_known or self.model.is_complete)
        if self._wanted is not None and is_there:
            (member_place, is_dag), self._wanted = self._wanted, None
            index = self.model.index_of_place(member_place)
            if not index.isValid():  # fewer members are listed than when it was kept
                index = self.model.pag_index()
            self.tree.go_to(
                self.model.index(0, 0, index) if is_dag and self.model.place_of(index) is not None else index
            )
        elif is_first:
            self.tree.go_to(self.model.pag_index())

    def _dataset_for(self, members: PagMembers) -> Dataset | None:
        """The data, where they have the variables of the PAG."""
        dataset = self.document.dataset
        return dataset if dataset is not None and set(dataset.names) == set(members.pag.nodes) else None

    def _on_dataset_changed(self) -> None:
        """Scores come or go with the data."""
        if self.isVisible():
            self._list_again()

    def _list_again(self) -> None:
        """The same PAG from the start, and then where one was."""
        self._remember_place()
        self._begin_listing()

    def _remember_place(self) -> None:
        index = self.tree.currentIndex()
        member_place = self.model.place_of(index)
        if member_place is not None:
            self._wanted = member_place, self.model.is_dag(index)

    def _ask_facts(self) -> None:
        """DAGs and scores of the rows that are seen, then of all others that are there."""
        members = self.model.members
        if members is None or not self.isVisible():
            return
        dataset, known = self._dataset_for(members), self.model.facts
        wanted = list(self.tree.visible_numbers())
        if dataset is not None:
            wanted += self.model.shown_numbers()
        numbers = [number for number in dict.fromkeys(wanted) if number not in known]
        if numbers:
            self._scoring.ask_for_facts(members, numbers, dataset)

    def _on_facts(self, facts: MemberFacts) -> None:
        self.model.add_facts(facts)
        self.tree.show_new_facts()
        if facts.number == self.model.member_at(self.tree.currentIndex()) and self.model.is_dag(
            self.tree.currentIndex()
        ):
            self._show_member()

    # What is shown --------------------------------------------------------------------------------

    def _positions(self) -> Positions:
        return {**self.graphs.current.positions, **self._moved}

    def _show_nothing_but_pag(self) -> None:
        self.stage.show_drawings([drawing_of_graph(self.graphs.current.pag), None, None], self._positions())

    def _on_row_chosen(self) -> None:
        if self.model.members is None or not self.tree.currentIndex().isValid():
            return
        self._show_member()
        self._ask_facts()
        if not self._is_going:
            self.changed.emit()

    def _show_member(self) -> None:
        """Draw the PAG, the chosen MAG and its DAG, and let blink what differs from the member before."""
        members, index = self.model.members, self.tree.currentIndex()
        if members is None:
            return
        number, positions = self.model.member_at(index), self._positions()
        pag = drawing_of_graph(members.pag)
        if number is None:
            self.stage.show_drawings([pag, None, None], positions)
            self._blinking.show(())
        else:
            mag = drawing_of_graph(members.mag(number), kind=DrawnKind.MAG)
            dag = self._drawn_dag(number, positions) if self.model.is_dag(index) else None
            places = positions if dag is None else dag.positions
            above = pag if dag is None or self._has_room_for_three() else None
            self.stage.show_drawings([above, mag, None if dag is None else drawing_of_drawn_dag(dag)], places)
            self._tell_changes(members, number, index)
        self.about.setText(ON_DAG if self.model.is_dag(index) else "")
        self._show_counts()

    def _has_room_for_three(self) -> bool:
        """Whether three graphs are large enough side by side."""
        return self.stage.width() >= WIDE_LINES * self.fontMetrics().height()

    def _drawn_dag(self, number: int, positions: Positions) -> DrawnDag | None:
        """The DAG of a member with a place for each latent; None until it is computed."""
        facts = self.model.facts.get(number)
        if facts is None:
            return None
        drawn = drawing_of_drawn_dag(DrawnDag.from_latent_dag(facts.dag))
        sizes = {node.name: node_size(node) for node in drawn.nodes}
        return DrawnDag.from_latent_dag(facts.dag, {**with_latents(facts.dag, positions, sizes), **positions})

    def _tell_changes(self, members: PagMembers, number: int, index: QModelIndex) -> None:
        member_place = self.model.place_of(index)
        self.stage.panes[1].set_heading("MAG" if member_place is None else f"MAG {member_place + 1:,}")
        if self._last is not None and self._last != number:
            changes = members.changes(self._last, number)
            self._blinking.show([frozenset((now.first, now.second)) for _, now in changes])
            self.news.setText(f"Compared with the previous member: {changes_sentence(changes)}")
            self.say(self.news.text())
        self._last = number

    def _show_counts(self) -> None:
        members, scene = self.model.members, self.stage.scenes[0]
        if members is None or not isinstance(scene, CountingScene):
            return
        n_listed, is_cut = self.model.n_listed, self.model.is_cut
        scene.show_counts(dict(zip(members.ends, self._arrows)), n_listed, is_cut=is_cut)
        of = f"the first {n_listed:,}" if is_cut else f"the {n_listed:,}"
        self.stage.panes[0].set_heading(f"PAG: at each circle, the share of {of} MAGs with an arrowhead")

    def _explain_end(self, node: str, other: str) -> None:
        """Say of a circle what it is in the members."""
        members = self.model.members
        if members is None or node not in members.pag.index or other not in members.pag.index:
            return
        edge = members.pag.edge(node, other)
        if (node, other) not in members.ends:
            mark = MARK_NAMES[members.pag.mark_at(node, other)]
            self._say_about(f"{edge}: the {mark} at {node} is the same in every member.")
        elif self._arrows:
            count = self._arrows[members.ends.index((node, other))]
            said = count_sentence(count, self.model.n_listed, is_cut=self.model.is_cut)
            self._say_about(f"{edge}: the circle at {node} is an {said}.")

    def _explain_edge(self, first: str, second: str) -> None:
        graph = None if self.model.members is None else self.model.members.pag
        if graph is not None and first in graph.index and second in graph.index:
            edge = graph.edge(first, second)
            self._say_about(f"In the PAG {edge}: {edge_sentence(edge)}")

    def _say_about(self, sentence: str) -> None:
        self.about.setText(sentence)
        self.say(sentence)

    # What is kept ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        index = self.tree.currentIndex()
        member_place, is_dag = self._wanted or (self.model.place_of(index), self.model.is_dag(index))
        return {
            "source": self.graphs.current.to_json(),
            "place": member_place,
            "is_dag": is_dag,
            "moved": {name: list(spot) for name, spot in self._moved.items()},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        was_blocked = self.blockSignals(True)
        try:
            self._wanted = None
            if state:
                self._take(state)
            else:
                self.graphs.begin()
                self._moved = {}
        finally:
            self.blockSignals(was_blocked)
        self._begin_listing()

    def _take(self, state: Mapping[str, Any]) -> None:
        source = SourceGraph.from_json(state["source"])
        member_place = state["place"]
        moved = {str(name): (float(x), float(y)) for name, (x, y) in state["moved"].items()}
        wanted = None if member_place is None else (int(member_place), bool(state["is_dag"]))
        self.graphs.show_source(source)
        self._moved, self._wanted = moved, wanted

    # Background -----------------------------------------------------------------------------------

    @property
    def is_blinking(self) -> bool:
        return self._blinking.is_blinking

    @property
    def is_busy(self) -> bool:
        return self._listing.is_busy or self._scoring.is_busy

    def stop(self) -> None:
        self._listing.stop()
        self._scoring.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """Go on with what was given up when the activity was left."""
        super().showEvent(event)
        members = self.model.members
        has_other_data = members is not None and self.model.has_scores != (self._dataset_for(members) is not None)
        if (not self.model.is_complete and not self.problem.text()) or has_other_data:
            self._list_again()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._listing.forget()
        self._scoring.forget()


def _list_members(source: SourceGraph, control: RunControl) -> Iterator[str | PagMembers | MemberBatch]:
    """Why there are no members; or the members, and then batches of them."""
    pag = source.pag
    check = check_pag(pag, control=control)
    if not check.valid:
        yield f"This graph is not a valid PAG, so it has no members: {check.reasons[0].sentence}."
        return
    members = PagMembers(pag)
    yield members
    for number, batch in enumerate(members.listed(control=control)):
        yield batch
        if number == 0:
            _let_paint(control)


def _let_paint(control: RunControl) -> None:
    """Leave the processor to the window until the first members are on the screen."""
    for _ in range(PAINT_STEPS):
        control.checkpoint()
        time.sleep(PAINT_SECONDS / PAINT_STEPS)


def _button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    return button
