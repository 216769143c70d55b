"""Two hundred things a person might do anywhere in the window, at fixed seeds, and then Undo until the start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from support.model_acts import GRAPH, PLACES, ask_at_random, click_node, confounded, settle, state_with_result
from support.pag_acts import agrees, click_mark

from latconf_core.data.preparing.choices import Preparation
from latconf_core.formats.projects.kept_items import difference
from latconf_core.formats.projects.project_state import prepare_state
from latconf_core.graph.mixed import MixedGraph
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.pages.model.cpt_model import Shown
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

N_ACTIONS = 200
LONG = 30_000
ALGORITHMS = ("ilc-v", "hclc-v")


class Person:
    """Chooses what to do next."""

    def __init__(self, window: MainWindow, folder: Path, *, rng: np.random.Generator, qtbot: QtBot) -> None:
        self.window, self.folder, self.rng, self.qtbot = window, folder, rng, qtbot
        self.pag, self.search = window.page(PagPage), window.page(SearchPage)
        self.model, self.document = window.page(ModelPage), window.document
        self.n_saved = 0
        self.acts: list[Callable[[], object]] = [
            self.go_to_a_page,
            self.click_a_mark,
            self.move_a_node,
            self.undo_or_redo,
            self.run_a_search,
            self.pause_or_stop,
            self.change_an_option,
            self.click_a_dot,
            self.open_the_model,
            self.click_a_node,
            self.name_a_state,
            self.show_something_else,
            self.choose_a_dag,
            self.copy_a_table,
            self.lay_out,
            self.wait_a_little,
            self.save,
            self.change_the_look,
            self.take_another_pag,
            self.choose_from_a_box,
            self.rename_or_delete,
            self.prepare_in_another_way,
            self.ask_the_model,
        ]

    def act(self) -> None:
        self.acts[self.rng.integers(len(self.acts))]()

    def one_of(self, things: object) -> str | None:
        names = list(things)  # type: ignore[call-overload]
        return str(names[self.rng.integers(len(names))]) if names else None

    def go_to_a_page(self) -> None:
        button = self.window.rail.button(int(self.rng.integers(len(self.window.pages))))
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def click_a_mark(self) -> None:
        edges = [] if self.document.pag is None else list(self.document.pag.edges())
        if edges and self.window.stack.currentWidget() is self.pag:
            edge = edges[self.rng.integers(len(edges))]
            click_mark(self.pag, edge.first, edge.second)

    def move_a_node(self) -> None:
        name = self.one_of(() if self.model.dag is None else self.model.canvas.scene.drawing.names)
        if name is not None:
            x, y = self.rng.uniform(-200, 400, 2)
            self.model.canvas.scene.nodes_moved.emit({name: (float(x), float(y))})

    def undo_or_redo(self) -> None:
        action = "edit.undo" if self.rng.random() < 0.6 else "edit.redo"
        for _ in range(self.rng.integers(1, 4)):
            self.window.actions_by_id[action].trigger()

    def run_a_search(self) -> None:
        if self.document.pag is not None:
            form = self.search.form
            form.search.setCurrentIndex(form.search.findData(self.one_of(ALGORITHMS)))
            self.window.actions_by_id["search.run"].trigger()

    def pause_or_stop(self) -> None:
        self.window.actions_by_id["search.pause" if self.rng.random() < 0.4 else "search.stop"].trigger()

    def change_an_option(self) -> None:
        self.search.form.fill("max_bidirected", int(self.rng.integers(0, 4)))
        self.search.form.time_limit.setText(str(self.rng.choice(["", "10 s", "nonsense", "2 h"])))

    def click_a_dot(self) -> None:
        if len(self.search.visits) and self.window.stack.currentWidget() is self.search:
            chart = self.search.results.chart
            place = chart.place_of(int(self.rng.integers(len(self.search.visits))))
            QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=place)

    def open_the_model(self) -> None:
        self.window.actions_by_id["search.model"].trigger()

    def click_a_node(self) -> None:
        if self.model.dag is not None and self.window.stack.currentWidget() is self.model:
            name = self.one_of(self.model.canvas.scene.drawing.names)
            assert name is not None
            click_node(self.model, name)

    def ask_the_model(self) -> None:
        if self.model.dag is not None and self.window.stack.currentWidget() is self.model:
            for _ in range(3):
                ask_at_random(self.model, self.rng)

    def name_a_state(self) -> None:
        states = self.model.inspector().latent.states
        if self.model.facts is not None and states.rowCount():
            states.setData(states.index(0, 0), f"state {self.rng.integers(3)}")

    def show_something_else(self) -> None:
        self.model.table.shown.setCurrentText(str(self.one_of(choice.value for choice in Shown)))

    def choose_a_dag(self) -> None:
        if self.model.choice.count():
            place = int(self.rng.integers(self.model.choice.count()))
            self.model.choice.setCurrentIndex(place)
            self.model.choice.activated.emit(place)

    def copy_a_table(self) -> None:
        self.model.table.copy.click()

    def lay_out(self) -> None:
        if self.rng.random() < 0.3:
            self.window.actions_by_id["model.layout"].trigger()

    def wait_a_little(self) -> None:
        self.qtbot.wait(int(self.rng.integers(1, 60)))

    def save(self) -> None:
        if self.rng.random() < 0.4:
            self.n_saved += 1
            self.window.project.save_to(self.folder / "random.latconf")

    def change_the_look(self) -> None:
        if self.rng.random() < 0.3:
            self.window.actions_by_id[str(self.one_of(["view.dark", "view.light"]))].trigger()

    def take_another_pag(self) -> None:
        if self.rng.random() < 0.5 and self.document.dataset is not None:
            self.pag.introduce(MixedGraph.from_edges("ABCD", ()), "Import", origin="empty.txt")

    def choose_from_a_box(self) -> None:
        box = (self.pag.pag_box, self.search.run_box)[self.rng.integers(2)].box
        if box.count():
            place = int(self.rng.integers(box.count()))
            box.setCurrentIndex(place)
            box.activated.emit(place)

    def rename_or_delete(self) -> None:
        collection = (self.pag.pags, self.search.runs)[self.rng.integers(2)]
        name = self.one_of(entry.name for entry in collection.entries)
        if name is not None and self.rng.random() < 0.5:
            collection.rename(name, f"name {self.rng.integers(5)}")
        elif name is not None:
            collection.delete(name)

    def prepare_in_another_way(self) -> None:
        marks = ((), ("2",))[self.rng.integers(2)]
        preparation = Preparation(missing="drop rows", missing_marks=marks)
        self.document.set_preparation(prepare_state(self.document.state, preparation), "Prepare in another way")

    def discard_what_is_not_saved(self) -> None:
        if self.document.is_modified:
            self.qtbot.waitUntil(lambda: self.window.findChild(QMessageBox) is not None, timeout=LONG)
            buttons = self.window.findChild(QMessageBox).buttons()
            next(button for button in buttons if button.text().replace("&", "") == "Discard").click()

    def rest(self) -> None:
        """Let everything come to its end."""
        self.search.running.stop()
        self.qtbot.waitUntil(lambda: not self.window.runs.texts and not self.pag.layouts.is_running, timeout=LONG)
        settle(self.model, self.qtbot)


def is_consistent(person: Person) -> bool:
    """Whether every page shows what the document holds."""
    document, model = person.document, person.model
    result = document.result
    if not shows_collections(person):
        return False
    is_drawn = agrees(person.pag) if document.pag is not None else not person.pag.canvas.scene.drawing.names
    if isinstance(result, SearchResult):
        return is_drawn and model.dag == (document.opened_dag or result.best)
    return is_drawn and model.dag is None


def shows_collections(person: Person) -> bool:
    """Whether the boxes name what is shown, and nothing of other data is."""
    state, data = person.document.state, person.document.dataset
    pag, run = state.kept_pag, state.kept_run
    named = (person.pag.pag_box.box.currentText(), person.search.run_box.box.currentText())
    of_now = run is None or data is None or run.result.dataset_digest == data.digest
    shown = person.document.shown_run
    is_listed = shown is None or any(shown is run and not difference(run.data, data) for run in state.runs)
    return named == ("" if pag is None else pag.name, "" if run is None else run.name) and of_now and is_listed


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.exhaustive), 27])
def test_that_two_hundred_random_actions_break_nothing_and_can_be_undone(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, seed: int
) -> None:
    window.resize(1200, 780)
    window.document.open_state(state_with_result(), "Open")
    window.document.undo_stack.clear()
    start = window.document.state
    person = Person(window, tmp_path, rng=np.random.default_rng(seed), qtbot=qtbot)
    person.rest()
    steps: list[int] = []
    window.document.undo_stack.indexChanged.connect(steps.append)
    for _ in range(N_ACTIONS):
        person.act()
        assert is_consistent(person)
    person.rest()
    assert is_consistent(person)
    assert len(steps) > 10
    while window.document.undo_stack.canUndo():
        window.document.undo_stack.undo()
    assert window.document.state is start
    person.rest()
    assert (window.document.dataset, window.document.pag) == (confounded(), GRAPH)
    assert person.model.canvas.scene.positions()["A"] == PLACES["A"]
    assert is_consistent(person)
    assert not [message.what for message in window.problems.messages if message.details]
    if person.n_saved and (tmp_path / "random.latconf").exists():
        with qtbot.waitSignal(window.opener.project_opened, timeout=LONG):
            window.opener.open_path(tmp_path / "random.latconf")
            person.discard_what_is_not_saved()
        person.rest()
