"""What tests of the Model page and of projects share: a small search result, and a person's hands."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from support.builders import mixed

from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.formats.projects.project_state import ProjectState, prepare_state
from latconf_core.formats.projects.state_changes import add_pag, add_run
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.window.main_window import MainWindow

GRAPH = mixed("A <-> B", "A o-> C", "B o-> C", "C --> D", nodes=list("ABCD"))
PLACES = {"A": (0.0, 0.0), "B": (200.0, 0.0), "C": (100.0, 120.0), "D": (100.0, 240.0)}


@cache
def confounded() -> Dataset:
    """A and B follow a hidden cause, C follows both, D follows C."""
    rng = np.random.default_rng(3)
    hidden = rng.integers(2, size=600)
    a, b = ((hidden + (rng.random(600) < 0.15)) % 2 for _ in range(2))
    c = np.where(rng.random(600) < 0.1, 2, a + b)
    d = (c + (rng.random(600) < 0.2)) % 3
    states = [("no", "yes"), ("no", "yes"), ("low", "middle", "high"), ("0", "1", "2")]
    return Dataset("ABCD", states, np.stack([a, b, c, d], axis=1))


@cache
def small_result() -> SearchResult:
    """A short search on it; its best DAG has the latent L1 over A and B."""
    return run_search(confounded(), GRAPH, "hclc-v", options=SearchOptions(max_bidirected=2, seed=5))


def state_with_result(result: SearchResult | None = None) -> ProjectState:
    """The data, the PAG and the result as if a person had got there."""
    state = ProjectState(name="confounded.csv", raw=table_of_dataset(confounded()))
    prepared = prepare_state(state, replace(state.preparation, missing_marks=()))
    drawn = add_pag(replace(prepared, positions=PLACES, model_positions=PLACES), GRAPH, origin="drawn")
    return add_run(drawn, result or replace(small_result(), posterior=None), title="HCLC-V")


def state_with_data() -> ProjectState:
    """The data alone."""
    return replace(state_with_result(), pags=(), current_pag="", runs=(), current_run="")


def put_result(window: MainWindow, qtbot: QtBot) -> ModelPage:
    """Open the small result and wait until its model is fitted."""
    window.document.open_state(state_with_result(), "Open a result")
    window.document.mark_clean()
    window.show_page("Model")
    page = window.page(ModelPage)
    settle(page, qtbot)
    return page


def settle(page: ModelPage, qtbot: QtBot) -> None:
    """Wait until the model is fitted and nothing runs beside the page."""

    def is_settled() -> bool:
        done = page.facts is not None and page.facts.is_complete
        return not page.is_busy and (done or page.dag is None)

    qtbot.waitUntil(is_settled, timeout=20_000)


def click_node(page: ModelPage, name: str) -> None:
    """Click a node of the DAG."""
    view = page.canvas.view
    point = view.mapFromScene(page.canvas.scene.node_item(name).pos())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)


def click_state(page: ModelPage, name: str, state: int, *, sets: bool = False) -> None:
    """Click the bar of a state in the drawing, with Shift held to set it."""
    view = page.canvas.view
    view.ensureVisible(page.canvas.scene.node_item(name))
    point = view.mapFromScene(page.canvas.scene.node_item(name).state_place(state))
    modifier = Qt.KeyboardModifier.ShiftModifier if sets else Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, point)


def ask_at_random(page: ModelPage, rng: np.random.Generator) -> None:
    """One act of a person who asks the model: the mode, a state, a row, a pair, or none of it."""
    asking, actions = page.asking, page.context.actions
    match int(rng.integers(8)):
        case 0:
            actions["model.ask"].setChecked(not asking.is_on)
        case 1 | 2 | 3 if asking.states():
            name = str(rng.choice(list(asking.states())))
            click_state(page, name, int(rng.integers(len(asking.states()[name]))), sets=bool(rng.random() < 0.4))
        case 4:
            actions[str(rng.choice(["model.next_row", "model.previous_row", "model.clear"]))].trigger()
        case 5:
            asking.panel.tabs.setCurrentIndex(int(rng.integers(2)))
        case 6 if asking.panel.pair.cause.count():
            boxes = (asking.panel.pair.cause, asking.panel.pair.effect)
            boxes[rng.integers(2)].setCurrentIndex(int(rng.integers(boxes[0].count())))
        case _:
            asking.panel.row.setValue(int(rng.integers(asking.panel.row.maximum() + 1)))
