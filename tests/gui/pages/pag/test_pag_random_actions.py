"""Three hundred things a person might do, at fixed seeds, and then Undo until nothing is left to undo."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import Host, agrees, change_mark, click_node, collider_data, drag, put_data, put_graph, settle

from latconf_core.data.dataset import Dataset
from latconf_core.graph.marks import Mark
from latconf_core.pag.learners.catalogue import learn_pag
from latconf_gui.drawing.layout.graphviz_layout import ENGINES
from latconf_gui.pages.knowledge.knowledge_command import variables_of
from latconf_gui.pages.knowledge.rules_model import Rule, RuleKind, with_rule
from latconf_gui.pages.pag.pag_page import PagPage

N_ACTIONS = 300
GRAPH = mixed("A o-> C", "B o-> C", "C --> D", nodes=list("ABCD"))
KEYS = [*"123xre.,sgwv+-0", Qt.Key.Key_Space, Qt.Key.Key_Delete]


class Person:
    """Chooses what to do next."""

    def __init__(self, page: PagPage, rng: np.random.Generator) -> None:
        self.page, self.rng = page, rng
        self.acts: list[Callable[[], None]] = [
            self.click_a_mark,
            self.choose_nodes,
            self.choose_an_edge,
            self.press_a_key,
            self.drag_a_node,
            self.draw_an_edge,
            self.choose_a_cell,
            self.fill_the_form,
            self.add_a_node,
            self.rename_a_node,
            self.undo_or_redo,
            self.change_knowledge,
            self.switch_tabs,
            self.sort_or_filter,
            self.start_anew,
            self.ask_why,
            self.look_at_a_part,
        ]

    def act(self) -> None:
        self.acts[self.rng.integers(len(self.acts))]()

    def node(self) -> str | None:
        """One that is drawn."""
        nodes = () if self.page.document.pag is None else self.page.canvas.scene.drawing.names
        return str(self.rng.choice(nodes)) if nodes else None

    def edge(self) -> tuple[str, str] | None:
        edges = [] if self.page.document.pag is None else list(self.page.document.pag.edges())
        if not edges:
            return None
        edge = edges[self.rng.integers(len(edges))]
        return (edge.first, edge.second) if self.rng.random() < 0.5 else (edge.second, edge.first)

    def click_a_mark(self) -> None:
        if ends := self.edge():
            self.page.canvas.reveal(*ends)
            change_mark(self.page, *ends)

    def choose_nodes(self) -> None:
        for held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
            if name := self.node():
                click_node(self.page, name, held)

    def choose_an_edge(self) -> None:
        if ends := self.edge():
            self.page.commands.show_edge(*ends)

    def press_a_key(self) -> None:
        widget = self.page.canvas.view if self.rng.random() < 0.7 else self.page.edges.table
        QTest.keyClick(widget, KEYS[self.rng.integers(len(KEYS))])

    def place(self) -> QPointF:
        return QPointF(*self.rng.uniform(-100, 300, 2))

    def drag_a_node(self) -> None:
        if name := self.node():
            drag(self.page, self.page.canvas.scene.node_item(name).pos(), self.place())

    def draw_an_edge(self) -> None:
        first, second = self.node(), self.node()
        if first and second:
            spots = [self.page.canvas.scene.node_item(name).pos() for name in (first, second)]
            drag(self.page, *spots, Qt.KeyboardModifier.ShiftModifier)

    def choose_a_cell(self) -> None:
        model = self.page.edges.sorted
        if model.rowCount():
            cell = model.index(int(self.rng.integers(model.rowCount())), int(self.rng.integers(model.columnCount())))
            self.page.edges.table.setCurrentIndex(cell)
            model.setData(cell, Mark(int(self.rng.integers(1, 4))))

    def fill_the_form(self) -> None:
        panel = self.page.edges
        for box in (panel.first, panel.marks, panel.second):
            if box.count():
                box.setCurrentIndex(int(self.rng.integers(box.count())))
        (panel.add if self.rng.random() < 0.7 else panel.delete).click()

    def add_a_node(self) -> None:
        self.page.editor.add_node(f"N{self.rng.integers(6)}", (self.place().x(), self.place().y()))

    def rename_a_node(self) -> None:
        if name := self.node():
            self.page.editor.rename_node(name, f"R{self.rng.integers(6)}")

    def undo_or_redo(self) -> None:
        stack = self.page.document.undo_stack
        for _ in range(self.rng.integers(1, 5)):
            (stack.undo if self.rng.random() < 0.6 else stack.redo)()

    def change_knowledge(self) -> None:
        self.page.knowledge.button.click()
        host = self.page.window()
        assert isinstance(host, Host)
        dialog = host.knowledge.dialog
        if dialog is None:  # there are no variables
            return
        names = variables_of(self.page.document)
        dialog.board.move_to([str(self.rng.choice(names))], int(self.rng.integers(-1, 4)))
        kind, (cause, effect) = RuleKind(self.rng.choice([kind.value for kind in RuleKind])), self.rng.choice(names, 2)
        dialog.change(with_rule(dialog.draft, Rule(kind, str(cause), str(effect))), "A rule")
        dialog.use.click()
        if dialog is host.knowledge.dialog:  # what is said contradicts itself
            dialog.leave()

    def switch_tabs(self) -> None:
        self.page.tabs.setCurrentIndex(int(self.rng.integers(self.page.tabs.count())))

    def sort_or_filter(self) -> None:
        order = Qt.SortOrder.AscendingOrder if self.rng.random() < 0.5 else Qt.SortOrder.DescendingOrder
        self.page.edges.table.sortByColumn(int(self.rng.integers(5)), order)
        self.page.edges.filter.setText(str(self.rng.choice(["", "", "a", "z"])))

    def ask_why(self) -> None:
        panel = self.page.edges
        self.page.context.actions["pag.visible"].toggle()
        panel.shows_removed.click()
        if panel.removed.sorted.rowCount():
            panel.removed.selectRow(int(self.rng.integers(panel.removed.sorted.rowCount())))
        self.page.context.actions["pag.why"].trigger()

    def look_at_a_part(self) -> None:
        """The neighbourhood of a node, with another number of steps, or all again."""
        if name := self.node():
            self.page.canvas.scene.select_nodes([name])
            self.page.part_bar.show_near()
        box = self.page.part_bar.steps
        box.setCurrentIndex(int(self.rng.integers(box.count())))
        box.activated.emit(box.currentIndex())
        if self.rng.random() < 0.4:
            self.page.part_bar.show_whole()

    def start_anew(self) -> None:
        roll = self.rng.random()
        if roll < 0.1:
            self.page.start_drawing()
        elif roll < 0.3:
            self.page.lay_out(ENGINES[self.rng.integers(len(ENGINES))])
        elif roll < 0.4:
            self.page.legality.show_next()


@pytest.mark.parametrize(("seed", "with_data"), [(1, True), (2, False), (3, False)])
def test_that_undoing_three_hundred_random_actions_brings_back_the_start(
    qtbot: QtBot, host: Host, seed: int, with_data: bool
) -> None:
    page, document = host.page, host.document
    data: Dataset | None = collider_data(80) if with_data else None
    if data is not None:
        put_data(host, data)
    put_graph(qtbot, page, GRAPH)
    if data is not None:
        page.editor.add_graph(GRAPH, "Learn", origin="FCI", events=list(learn_pag(data)))
        document.undo_stack.clear()
        qtbot.waitUntil(lambda: page.run.replay is not None)
    start = document.state
    person = Person(page, np.random.default_rng(seed))
    for _ in range(N_ACTIONS):
        person.act()
        assert agrees(page)
    settle(qtbot, page)
    assert document.undo_stack.count() > 30
    page.canvas.look_at(None)
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    assert document.state is start
    assert (document.dataset, document.pag, document.positions) == (data, GRAPH, dict(start.positions))
    assert agrees(page)
    assert page.canvas.scene.positions() == dict(start.positions)
    assert not [said for said in host.problems if "went wrong inside" in said]
    host.actions_by_id["pag.visible"].setChecked(False)
    settle(qtbot, page)
