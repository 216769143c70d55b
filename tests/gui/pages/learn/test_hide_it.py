"""Hide it: everything by mouse and by keys, refusals with a sentence, undo within, graphs that follow."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot
from support.drawn_dag_truth import mag_by_definition

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.editing.dag_edits import random_dag
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.learn.hide.hide_it import FIRST_DAG, FIRST_WORDS, HideIt
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.window.main_window import MainWindow

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


@pytest.fixture
def hide(window: MainWindow, qtbot: QtBot) -> Iterator[HideIt]:
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity("hide")
    assert isinstance(activity, HideIt)
    activity.stage.fit()
    yield activity
    activity.stop()


def press(hide: HideIt, qtbot: QtBot, *keys: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    view = hide.stage.panes[0].view
    view.setFocus()
    for key in keys:
        qtbot.keyClick(view, key, modifier or Qt.KeyboardModifier.NoModifier)


def at(hide: HideIt, name: str) -> QPoint:
    return hide.stage.panes[0].view.mapFromScene(hide.scene.node_item(name).pos())


def edges(hide: HideIt, place: int) -> set[str]:
    return {str(drawn.edge) for drawn in hide.stage.scenes[place].drawing.edges}


def test_that_it_opens_with_a_dag_and_nothing_to_save(hide: HideIt) -> None:
    assert hide.dag == FIRST_DAG
    assert hide.column.said.text() == FIRST_WORDS
    assert edges(hide, 1) == {str(edge) for edge in FIRST_DAG.graph.edges()}
    assert not hide.document.has_content


def test_that_a_click_hides_and_says_what_changed(hide: HideIt, qtbot: QtBot) -> None:
    viewport = hide.stage.panes[0].view.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at(hide, "Ability"))
    assert hide.dag.hidden == {"Ability"}
    assert "Maths <-> Reading" in edges(hide, 1)
    assert hide.column.said.text() == "Hiding Ability added Maths <-> Reading, in the MAG and in the PAG."
    assert hide.accessibleDescription() == hide.column.said.text()
    assert hide.document.learn["activities"]["hide"]["dag"]["hidden"] == ["Ability"]
    hide.stage.fit()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at(hide, "Ability"))
    assert not hide.dag.hidden


def test_that_what_changed_stands_out_once(hide: HideIt, qtbot: QtBot) -> None:
    hide.toggle("Ability")
    edge = hide.stage.scenes[1].edge_item("Maths", "Reading")
    assert edge.highlight == Highlight.ADDED
    with qtbot.waitSignal(hide._pulse.timeout):
        pass
    assert edge.highlight == Highlight.NONE


def test_that_a_dag_is_drawn_by_keys_alone(hide: HideIt, qtbot: QtBot) -> None:
    hide.show_dag(DrawnDag(("X",), positions={"X": (0, 0)}))
    press(hide, qtbot, Key.Key_Down, Key.Key_N, Key.Key_N)
    assert hide.dag.nodes == ("X", "A", "B")
    hide.scene.select_nodes(["X"])
    press(hide, qtbot, Key.Key_C, Key.Key_Down, Key.Key_Space)
    assert hide.dag.edges == (("X", "A"),)
    press(hide, qtbot, Key.Key_C, Key.Key_Down, Key.Key_Return)
    assert hide.dag.edges == (("X", "A"), ("A", "B"))
    hide.scene.select_nodes(["A"])
    press(hide, qtbot, Key.Key_H)
    assert hide.dag.hidden == {"A"}
    assert edges(hide, 1) == {"X --> B"}
    hide.scene.select_edge("X", "A")
    press(hide, qtbot, Key.Key_R)
    assert hide.dag.edges == (("A", "X"), ("A", "B"))
    assert edges(hide, 1) == {"X <-> B"}
    hide.scene.select_nodes(["A"])
    press(hide, qtbot, Key.Key_Delete)
    assert hide.dag.nodes == ("X", "B")


def test_that_undo_and_redo_are_those_of_the_drawing(hide: HideIt, window: MainWindow, qtbot: QtBot) -> None:
    window.document.move_nodes({"Q": (1, 2)}, "Elsewhere")
    hide.toggle("Ability")
    hide.toggle("Books")
    press(hide, qtbot, Key.Key_Z, modifier=CONTROL)
    assert hide.dag.hidden == {"Ability"}
    press(hide, qtbot, Key.Key_Z, modifier=CONTROL)
    press(hide, qtbot, Key.Key_Z, modifier=CONTROL)
    assert hide.dag == FIRST_DAG
    assert window.document.positions == {"Q": (1, 2)}
    press(hide, qtbot, Key.Key_Y, modifier=CONTROL)
    press(hide, qtbot, Key.Key_Z, modifier=CONTROL | SHIFT)
    assert hide.dag.hidden == {"Ability", "Books"}
    assert hide.column.said.text().startswith("Redoing this")


def test_that_a_cycle_is_refused_with_a_sentence(hide: HideIt) -> None:
    hide.draw_arrow("Job", "Teacher")
    assert hide.dag == FIRST_DAG
    assert hide.column.said.text().endswith("would be a directed cycle; nothing can be a cause of itself.")
    hide.draw_arrow("Teacher", "Maths")
    assert hide.column.said.text() == "Teacher --> Maths already exists."


def test_that_shift_and_a_drag_draw_an_arrow(hide: HideIt, qtbot: QtBot) -> None:
    viewport = hide.stage.panes[0].view.viewport()
    start, end = at(hide, "Teacher"), at(hide, "Job")
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, SHIFT, pos=start)
    qtbot.mouseMove(viewport, (start + end) / 2)
    qtbot.mouseMove(viewport, end)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, SHIFT, pos=end)
    assert ("Teacher", "Job") in hide.dag.edges
    assert not hide.dag.hidden


def test_that_a_drag_moves_and_hides_nothing(hide: HideIt, qtbot: QtBot) -> None:
    viewport = hide.stage.panes[0].view.viewport()
    start = at(hide, "Job")
    end = start + QPoint(60, 20)
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    for place in (start + QPoint(30, 10), end):
        qtbot.mouseMove(viewport, place)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=end)
    assert not hide.dag.hidden
    assert hide.dag.positions["Job"] != FIRST_DAG.positions["Job"]
    places = {scene.positions()["Job"] for scene in hide.stage.scenes}
    assert len(places) == 1


def test_that_a_double_click_on_free_ground_adds_a_variable_there(hide: HideIt, qtbot: QtBot) -> None:
    view = hide.stage.panes[0].view
    q_point = QPoint(20, 20)
    expected = hide.stage.place_of(view.mapToScene(q_point))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=q_point)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=q_point)
    assert hide.dag.nodes[-1] == "A"
    assert hide.dag.positions["A"] == pytest.approx(expected)


def test_that_a_variable_is_renamed_and_a_bad_name_refused(hide: HideIt) -> None:
    hide.scene.select_nodes(["Job"])
    dialog = hide.ask_name()
    assert isinstance(dialog, QInputDialog)
    dialog.setTextValue("Career")
    dialog.accept()
    assert "Career" in hide.dag.nodes
    hide.rename("Career", "Maths")
    assert hide.column.said.text() == "There is already a variable Maths; choose another name."
    hide.rename("gone", "x")


def test_that_escape_ends_an_arrow(hide: HideIt, qtbot: QtBot) -> None:
    hide.scene.select_nodes(["Teacher"])
    press(hide, qtbot, Key.Key_C)
    assert hide.column.said.text().startswith("Arrow from Teacher")
    press(hide, qtbot, Key.Key_Escape)
    assert hide.column.said.text() == "No arrow was drawn."
    press(hide, qtbot, Key.Key_Space)
    assert hide.dag.hidden == {"Teacher"}


def test_that_an_arrow_can_be_begun_with_nothing_chosen(hide: HideIt) -> None:
    hide.begin_arrow()
    hide.scene.node_clicked.emit("Teacher")
    hide.scene.node_clicked.emit("Books")
    assert ("Teacher", "Books") in hide.dag.edges


def test_that_commands_say_what_they_need(hide: HideIt) -> None:
    actions = hide.context.actions
    assert not actions["hide_it.hide"].isEnabled()
    assert "First select one variable." in actions["hide_it.hide"].toolTip()
    hide.scene.select_nodes(["Job"])
    assert actions["hide_it.hide"].isEnabled()
    assert not actions["hide_it.undo"].isEnabled()


def test_that_large_dags_are_computed_beside_the_window(hide: HideIt, qtbot: QtBot) -> None:
    big = random_dag(np.random.default_rng(1), 16, n_arrows=22)
    with qtbot.waitSignal(hide.live.ready):
        hide.show_dag(big)
        assert hide.is_busy
        assert hide.stage.scenes[0].drawing.names == big.nodes
    with qtbot.waitSignal(hide.live.ready):
        hide.toggle("A")
        assert hide.column.said.text() == "Computing the MAG and the PAG…"
    assert hide.column.said.text().startswith("Hiding A ")
    assert edges(hide, 1) == {str(edge) for edge in hide.dag.mag.edges()}
    hide.toggle("B")
    hide.toggle("C")
    hide.start_again()  # overtakes what is computed
    assert edges(hide, 1) == {str(edge) for edge in FIRST_DAG.mag.edges()}
    qtbot.waitUntil(lambda: not hide.is_busy)
    assert edges(hide, 1) == {str(edge) for edge in FIRST_DAG.mag.edges()}


def test_that_the_drawing_is_kept(hide: HideIt) -> None:
    hide.toggle("Ability")
    hide.draw_random()
    kept = json.loads(json.dumps(hide.state()))
    dag = hide.dag
    hide.restore({})
    assert hide.dag == FIRST_DAG
    assert hide.column.said.text() == FIRST_WORDS
    hide.restore(kept)
    assert hide.dag == dag
    assert not hide.history.can_undo


@pytest.mark.parametrize("state", [{"dag": 5}, {"dag": {"nodes": ["A"], "edges": [["A", "A"]]}}, {"dag": {}}])
def test_that_a_damaged_drawing_begins_anew(window: MainWindow, hide: HideIt, state: object) -> None:
    hide.document.keep_learning({"open": "hide", "activities": {"hide": state}})
    assert hide.dag == FIRST_DAG
    assert "Hide it cannot be read" in window.problems.messages[-1].what


def test_that_graphs_go_to_compare(hide: HideIt, qtbot: QtBot) -> None:
    hide.toggle("Ability")
    with qtbot.waitSignal(hide.compare) as sent:
        hide.compare.emit("PAG of the drawing", hide.dag.pag)
    assert sent.args[1] == hide.dag.pag


def test_that_random_edits_always_show_the_graphs_of_the_definition(hide: HideIt) -> None:
    rng = np.random.default_rng(5)
    hide.show_dag(random_dag(rng, 5, n_arrows=5))
    for _ in range(60):
        nodes = list(hide.dag.nodes)
        match int(rng.integers(5)):
            case 0 | 1:
                hide.toggle(str(rng.choice(nodes)))
            case 2 | 3:
                hide.draw_arrow(*map(str, rng.choice(nodes, size=2, replace=False)))
            case _:
                hide.undo()
        mag = mag_by_definition(hide.dag)
        assert edges(hide, 1) == {str(edge) for edge in mag.edges()}
        assert hide.stage.scenes[1].drawing.names == mag.nodes
