"""A model too large to be seen at once: its latents in a list, its nodes found by name, the neighbourhood of one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from support.model_acts import put_result, settle

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_gui.pages.large_graphs.neighbourhood_bar import LARGE
from latconf_gui.pages.model.canvas import DagCanvas
from latconf_gui.pages.model.latent_list import MOST_ROWS, LatentList
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture
def page(whole_window: MainWindow, qtbot: QtBot) -> ModelPage:
    return put_result(whole_window, qtbot)


def shown(page: ModelPage) -> set[str]:
    return set(page.canvas.scene.drawing.names)


def test_that_latents_are_listed_with_their_children_and_chosen_from_the_list(page: ModelPage, qtbot: QtBot) -> None:
    latents = page.inspector().latents
    assert [latents.item(row).text() for row in range(latents.count())] == ["L1 → A, B"]
    assert latents.isVisibleTo(page.inspector())
    qtbot.mouseClick(
        latents.viewport(), Qt.MouseButton.LeftButton, pos=latents.visualItemRect(latents.item(0)).center()
    )
    assert page.chosen == "L1"
    assert page.inspector().latent.isVisibleTo(page.inspector())
    assert not latents.isVisibleTo(page.inspector())
    page.name_latent("Mood")
    page.canvas.scene.clearSelection()
    assert latents.item(0).text() == "Mood → A, B"


def test_that_a_long_list_of_latents_scrolls(qtbot: QtBot) -> None:
    names = [f"V{i}" for i in range(60)]
    latents = [Latent(f"L{i}", 2, (f"V{2 * i}", f"V{2 * i + 1}")) for i in range(30)]
    listed = LatentList()
    qtbot.addWidget(listed)
    listed.show_latents(LatentDag(names, (), latents[:3]), {"L1": "Diet"})
    assert listed.item(1).text() == "Diet → V2, V3"
    short = listed.sizeHint().height()
    listed.show_latents(LatentDag(names, (), latents), {})
    line = listed.sizeHintForRow(0)
    assert listed.count() == 30
    assert listed.sizeHint().height() == short + (MOST_ROWS - 3) * line


def test_that_a_node_that_is_chosen_is_brought_into_view(page: ModelPage) -> None:
    view = page.canvas.view
    for _ in range(20):
        view.zoom_in()
    for name in ("A", "D", "L1"):
        page.choose(name)
        seen = view.mapToScene(view.viewport().rect()).boundingRect()
        assert seen.contains(page.canvas.scene.node_item(name).pos())
    view.fit()


def test_that_the_neighbourhood_of_a_hidden_cause_is_kept_while_it_gets_a_name(page: ModelPage) -> None:
    page.choose("L1")
    page.context.actions["model.neighbourhood"].trigger()
    assert shown(page) == {"L1", "A", "B"}
    assert page.part_bar.isVisibleTo(page)
    page.name_latent("Mood")
    assert shown(page) == {"Mood", "A", "B"}
    assert page.chosen == "Mood"
    page.document.undo_stack.undo()
    assert shown(page) == {"L1", "A", "B"}
    page.table.chosen.emit("D")
    assert shown(page) == {"C", "D"}
    page.context.actions["model.whole"].trigger()
    assert shown(page) == {"A", "B", "C", "D", "L1"}


def test_that_another_document_is_shown_whole(page: ModelPage, whole_window: MainWindow, qtbot: QtBot) -> None:
    page.choose("C")
    page.context.actions["model.neighbourhood"].trigger()
    assert "L1" not in shown(page)
    put_result(whole_window, qtbot)
    assert shown(page) == {"A", "B", "C", "D", "L1"}


def test_that_asking_and_the_determined_pag_hold_in_a_neighbourhood(page: ModelPage, qtbot: QtBot) -> None:
    page.choose("C")
    page.context.actions["model.neighbourhood"].trigger()
    near = {"A", "B", "C", "D"}
    assert shown(page) == near
    page.asking.set_on(True)
    settle(page, qtbot)
    assert page.canvas.scene.drawing.has_bars
    assert shown(page) == near
    page.asking.set_on(False)
    page.determined.set_on(True)
    settle(page, qtbot)
    assert shown(page) == near
    page.determined.set_on(False)
    page.context.actions["model.whole"].trigger()


def test_that_moves_in_a_neighbourhood_and_its_layout_leave_the_model_as_it_was(page: ModelPage) -> None:
    kept = dict(page.document.model_positions)
    page.choose("C")
    page.context.actions["model.neighbourhood"].trigger()
    page.canvas.scene.nodes_moved.emit({"D": (500.0, 400.0)})
    assert page.canvas.scene.positions()["D"] == (500.0, 400.0)
    page.context.actions["model.layout"].trigger()
    places = page.canvas.scene.positions()
    assert places["D"][0] == places["C"][0]
    assert places["D"][1] > places["C"][1]
    assert page.document.model_positions == kept
    page.context.actions["model.whole"].trigger()


def test_that_a_node_is_found_by_name(page: ModelPage, qtbot: QtBot) -> None:
    page.context.actions["model.find"].trigger()
    finder = page.part_bar.finder
    assert finder is not None
    assert finder.isVisible()
    qtbot.keyClicks(finder, "l1")
    qtbot.keyClick(finder, Qt.Key.Key_Return)
    assert page.chosen == "L1"
    finder.clear()


def test_that_a_large_dag_has_the_line_of_its_parts_from_the_start(qtbot: QtBot, page: ModelPage) -> None:
    assert len(page.canvas.whole.names) < LARGE
    names = [f"V{i}" for i in range(LARGE)]
    canvas = page.canvas
    assert isinstance(canvas, DagCanvas)
    canvas.show_dag(LatentDag(names), {})
    assert page.part_bar.isVisibleTo(page)
    assert page.part_bar.text.text() == f"All {LARGE} nodes"
