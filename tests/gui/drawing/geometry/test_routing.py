"""An edge that runs behind a node is read as an edge of that node: none does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot
from support.curve_points import points_of

from latconf_core.arrays import FloatArray
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_gui.drawing.content.graph_drawing import Drawing, drawing_of_dag, drawing_of_graph
from latconf_gui.drawing.geometry.curves import Curve
from latconf_gui.drawing.geometry.edge_ends import Outline, obstacle_boxes
from latconf_gui.drawing.geometry.latent_places import with_latents
from latconf_gui.drawing.geometry.routing import route
from latconf_gui.drawing.items.node_item import node_size
from latconf_gui.drawing.layout.graphviz_layout import ENGINES, Engine, lay_out
from latconf_gui.drawing.layout.layout_process import layout_request
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.drawing.view import GraphView

HIDDEN = ("LVFAILURE", "VENTLUNG", "CATECHOL")
ROOMS = {"beside a chart": (540, 500), "a page": (910, 450), "a large window": (1550, 850)}


@cache
def alarm_dag() -> LatentDag:
    return sample(load_example("alarm"), 10, rng=np.random.default_rng(0), hide=HIDDEN).truth


@cache
def alarm_pag() -> MixedGraph:
    return run_learner(DSeparationOracle(alarm_dag()), PagOptions(method="rfci")).graph


def foreign_nodes_met(view: GraphView) -> list[tuple[str, str]]:
    """Each edge and node that is not its own whose line comes onto the node's box."""
    scene, met = view.graph_scene, []
    for edge in scene.edge_items():
        places = [edge.line().pointAtPercent(share) for share in np.linspace(0, 1, 200)]
        line = [(index.x(), index.y()) for index in places]
        met += [
            (str(edge.edge), node.name)
            for node in scene.node_items()
            if node.name not in edge.pair and any(map(node.outline().contains, line))
        ]
    return met


def laid_out(qtbot: QtBot, drawing: Drawing, engine: Engine, room: tuple[int, int]) -> GraphView:
    scene = GraphScene()
    view = GraphView(scene)
    scene.setParent(view)
    qtbot.addWidget(view)
    sizes = {node.name: node_size(node) for node in drawing.nodes}
    frame = view.frame_for_layout(sizes.values(), QSize(*room))
    scene.show_drawing(drawing, lay_out(layout_request(drawing, sizes, engine=engine, frame=frame)))
    return view


SHOWN = [*(("dot", room) for room in ROOMS), *((engine, "a page") for engine in ENGINES if engine != "dot")]


@pytest.mark.parametrize("drawing", [lambda: drawing_of_dag(alarm_dag()), lambda: drawing_of_graph(alarm_pag())])
@pytest.mark.parametrize(("engine", "room"), SHOWN)
def test_that_no_edge_of_alarm_runs_behind_a_node_of_others(
    qtbot: QtBot, engine: Engine, room: str, drawing: Callable[[], Drawing]
) -> None:
    assert foreign_nodes_met(laid_out(qtbot, drawing(), engine, ROOMS[room])) == []


@pytest.mark.parametrize("room", ROOMS)
def test_that_edges_of_latents_put_among_the_nodes_of_a_pag_pass_the_others(qtbot: QtBot, room: str) -> None:
    view = laid_out(qtbot, drawing_of_graph(alarm_pag()), "dot", ROOMS[room])
    scene, dag = view.graph_scene, alarm_dag()
    sizes = {node.name: node_size(node) for node in drawing_of_dag(dag).nodes}
    scene.show_dag(dag, with_latents(dag, scene.positions(), sizes))
    assert foreign_nodes_met(view) == []


def test_that_an_edge_bends_around_a_node_in_its_way_and_is_straight_otherwise() -> None:
    in_the_way = obstacle_boxes([Outline(100, 0, 60, 26)])
    curve = route((0, 0), (200, 0), in_the_way)
    assert not any(abs(x - 100) < 30 and abs(y) < 13 for x, y in points_of(curve))
    aside = route((0, 0), (200, 0), obstacle_boxes([Outline(100, 80, 60, 26)]))
    assert aside.at(0.5) == pytest.approx((100, 0))


def test_that_an_edge_finds_the_gap_in_a_wall_that_no_single_bend_passes() -> None:
    first = [Outline(100, y, 60, 38) for y in range(-400, 401, 40) if y != 120]
    second = [Outline(200, y, 60, 38) for y in range(-400, 401, 40) if y != -40]
    boxes = obstacle_boxes(first + second)
    points = points_of(route((0, 0), (300, 0), boxes))
    assert points[:, 1].max() > 100
    assert points[:, 1].min() < -20
    inside = (points[:, None] > boxes[:, :2]) & (points[:, None] < boxes[:, 2:])
    assert not inside.all(axis=2).any()


def test_that_a_node_shut_in_is_reached_all_the_same() -> None:
    shut = obstacle_boxes([Outline(300 + x, y, 60, 60) for x in (-40, 0, 40) for y in (-40, 0, 40) if x or y])
    curve = route((0, 0), (300, 0), shut)
    assert (curve.at(0.0), curve.at(1.0)) == ((0, 0), (300, 0))


def test_that_ways_are_the_same_whichever_of_the_obstacles_come_and_go() -> None:
    rng = np.random.default_rng(3)
    n_met = 0
    for _ in range(300):
        places = rng.uniform(-150, 550, (14, 2))
        boxes = obstacle_boxes([Outline(x, y, 70, 26) for x, y in places])
        boxes = boxes[(boxes[:, 0] > 40) | (boxes[:, 2] < -40) | (boxes[:, 1] > 20) | (boxes[:, 3] < -20)]
        passing = rng.random(len(boxes)) < 0.3
        at_once, in_two = route((0, 0), (400, 0), boxes), route((0, 0), (400, 0), boxes, passing=passing)
        lengths = [np.hypot(*np.diff(points_of(curve), axis=0).T).sum() for curve in (at_once, in_two)]
        assert lengths[0] == pytest.approx(lengths[1], abs=1.0)  # turns at corners that nobody need pass may differ
        assert met(at_once, boxes) == met(in_two, boxes)
        n_met += at_once != route((0, 0), (400, 0), boxes[~passing])
    assert n_met > 30  # the passing ones were in the way, too


def met(curve: Curve, boxes: FloatArray) -> set[int]:
    """The boxes that a curve crosses."""
    points = points_of(curve)
    inside = (points[:, None] > boxes[:, :2]) & (points[:, None] < boxes[:, 2:])
    return set(np.flatnonzero(inside.all(axis=2).any(axis=0)))
