"""The stage of an activity: the same places in every canvas, clicks and keys that say what they mean."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont
from pytestqt.qtbot import QtBot

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.drawing.content.graph_drawing import DrawnKind, drawing_of_graph
from latconf_gui.drawing.legend import legend_of, legend_of_several, legend_rows
from latconf_gui.pages.learn.stage import Stage, StagePane, drawing_of_drawn_dag

PLACES = {"H": (100.0, 0.0), "A": (0.0, 120.0), "B": (200.0, 120.0)}
FORK = DrawnDag(("A", "H", "B"), (("H", "A"), ("H", "B")), frozenset({"H"}), PLACES)


@pytest.fixture
def stage(qtbot: QtBot) -> Stage:
    stage = Stage("DAG", "MAG", "PAG")
    qtbot.addWidget(stage)
    stage.resize(1200, 400)
    stage.show_drawings(
        (drawing_of_drawn_dag(FORK), drawing_of_graph(FORK.mag), drawing_of_graph(FORK.pag)), FORK.positions
    )
    with qtbot.waitExposed(stage):
        stage.show()
    stage.fit()
    return stage


def on_screen(pane: StagePane, name: str) -> QPoint:
    return pane.view.mapFromScene(pane.scene.node_item(name).pos())


def test_that_dag_mag_and_pag_have_a_legend_each(qapp: object) -> None:
    hidden = DrawnDag(("A", "B", "H"), (("H", "A"), ("H", "B")), frozenset("H")).placed()
    drawings = [drawing_of_drawn_dag(hidden)]
    drawings += [
        drawing_of_graph(graph, kind=kind) for graph, kind in ((hidden.mag, DrawnKind.MAG), (hidden.pag, DrawnKind.PAG))
    ]
    entries = legend_of_several(drawings)
    assert list(dict.fromkeys(entry.group for entry in entries)) == ["DAG", "MAG", "PAG"]
    for drawing, group in zip(drawings, ("DAG", "MAG", "PAG")):
        assert tuple(replace(entry, group="") for entry in entries if entry.group == group) == legend_of(drawing)
    rows = legend_rows(entries, QFont(), 700.0)
    assert all(len({entry.group for _, _, entry in row}) == 1 for row in rows)
    assert legend_of_several(drawings[:1]) == legend_of(drawings[0])


def test_that_a_node_stands_at_the_same_place_of_every_canvas(stage: Stage) -> None:
    for name in ("A", "B"):
        spots = [on_screen(pane, name) for pane in stage.panes]
        assert max(abs(spot.x() - spots[0].x()) + abs(spot.y() - spots[0].y()) for spot in spots) <= 4


def test_that_a_node_that_is_moved_in_one_canvas_moves_in_all(stage: Stage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(stage.moved) as moved:
        stage.scenes[0].nodes_moved.emit({"A": (-300.0, 50.0), "H": (5.0, 5.0)})
    assert moved.args == [{"A": (-300.0, 50.0), "H": (5.0, 5.0)}]
    assert [scene.positions()["A"] for scene in stage.scenes] == [(-300.0, 50.0)] * 3


def test_that_canvases_stand_below_each_other_where_that_shows_more(stage: Stage, qtbot: QtBot) -> None:
    assert stage.panes[0].y() == stage.panes[1].y()
    stage.resize(400, 900)
    qtbot.waitUntil(lambda: stage.panes[0].x() == stage.panes[1].x())
    assert stage.panes[0].y() < stage.panes[1].y()


def test_that_a_pane_without_a_drawing_is_not_there(stage: Stage) -> None:
    stage.show_drawings((drawing_of_drawn_dag(FORK), None, None), FORK.positions)
    assert [pane.isVisible() for pane in stage.panes] == [True, False, False]


def test_that_a_click_names_the_node_and_a_drag_does_not(stage: Stage, qtbot: QtBot) -> None:
    pane, clicked = stage.panes[0], []
    pane.scene.node_clicked.connect(clicked.append)
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=on_screen(pane, "H"))
    assert clicked == ["H"]


def test_that_a_click_on_a_line_names_the_edge_and_on_a_mark_its_end(stage: Stage, qtbot: QtBot) -> None:
    pane = stage.panes[1]
    edges: list[tuple[str, str]] = []
    ends: list[tuple[str, str]] = []
    pane.scene.edge_clicked.connect(lambda a, b: edges.append((a, b)))
    pane.scene.end_clicked.connect(lambda a, b: ends.append((a, b)))
    item = pane.scene.edge_item("A", "B")
    middle = (on_screen(pane, "A") + on_screen(pane, "B")) / 2
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert (edges, ends) == ([("A", "B")], [])
    at = pane.view.mapFromScene(item.mark_items["B"].middle)
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert (edges, ends) == ([("A", "B")], [("B", "A")])


def test_that_keys_reach_and_click_everything(stage: Stage, qtbot: QtBot) -> None:
    pane, said = stage.panes[0], []
    stage.reached.connect(said.append)
    clicked: list[object] = []
    pane.scene.node_clicked.connect(clicked.append)
    pane.scene.edge_clicked.connect(lambda a, b: clicked.append((a, b)))
    pane.scene.end_clicked.connect(lambda a, b: clicked.append(f"{a} of {b}"))
    key = Qt.Key
    for one in (key.Key_Down, key.Key_Space, key.Key_Left, key.Key_Return, key.Key_E, key.Key_Space):
        qtbot.keyClick(pane.view, one)
    assert clicked == ["H", "A", ("H", "A")]
    for one in (key.Key_M, key.Key_M, key.Key_Space):
        qtbot.keyClick(pane.view, one)
    assert clicked[-1] == "A of H"
    assert said == ["H", "A", "H --> A", "the tail at H of H --> A", "the arrowhead at A of H --> A"]


def test_that_zooming_in_one_canvas_zooms_the_others(stage: Stage) -> None:
    stage.panes[1].view.zoom_in()
    assert len({round(pane.view.zoom, 6) for pane in stage.panes}) == 1


def test_that_a_drag_in_a_tight_stage_tells_a_position(stage: Stage, qtbot: QtBot) -> None:
    far = {"H": (0.0, 0.0), "A": (-900.0, 900.0), "B": (900.0, 900.0)}
    stage.show_drawings((drawing_of_drawn_dag(FORK), drawing_of_graph(FORK.mag), drawing_of_graph(FORK.pag)), far)
    stage.fit()
    drawn = stage.scenes[0].positions()["A"]
    assert drawn[0] > -900
    with qtbot.waitSignal(stage.moved) as moved:
        stage.scenes[0].nodes_moved.emit({"A": drawn})
    assert moved.args[0]["A"] == pytest.approx((-900.0, 900.0))


def test_that_a_wide_stage_can_become_narrow_again(stage: Stage) -> None:
    assert stage.panes[0].y() == stage.panes[1].y()
    assert stage.minimumSizeHint().width() < 2 * stage.panes[0].minimumSizeHint().width()


def test_that_the_legend_leaves_its_room_to_the_graphs_where_there_is_little(stage: Stage) -> None:
    stage.resize(900, 900)
    assert stage.legend.isVisible()
    stage.resize(900, 300)
    assert not stage.legend.isVisible()
