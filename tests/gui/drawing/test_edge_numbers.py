"""Shares on edges: thickness and a number that can be read."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtWidgets import QApplication
from support.builders import mixed

from latconf_gui.drawing.content.graph_drawing import EdgeShare, drawing_of_graph
from latconf_gui.drawing.items.edge_item import LEAST_SHARE_WIDTH, MOST_SHARE_WIDTH
from latconf_gui.drawing.scene import GraphScene

GRAPH = mixed("A o-> D", "B o-> C", "A --> C", "B <-> D", "A o-o E", nodes=list("ABCDE"))
PLACES = {"A": (0.0, 0.0), "B": (260.0, 0.0), "C": (0.0, 200.0), "D": (260.0, 200.0), "E": (260.0, 100.0)}


def test_that_numbers_cover_no_other_number_and_no_node(qapp: QApplication) -> None:
    pairs = [frozenset((edge.first, edge.second)) for edge in GRAPH.edges()]
    shares = {pair: EdgeShare(0.25 * k, 0.2 * k, f"note {k}") for k, pair in enumerate(pairs)}
    scene = GraphScene()
    scene.show_drawing(drawing_of_graph(GRAPH, shares=shares), PLACES)
    items = scene.edge_items()
    boxes = [item.number_box(item.number_place) for item in items]
    assert len({item.number_place for item in items}) > 1  # A o-> D and B o-> C cross in their middles
    assert not any(one.intersects(other) for one, other in combinations(boxes, 2))
    assert not any(box.intersects(node.scene_box()) for box in boxes for node in scene.node_items())
    assert all(shares[item.pair].note in item.toolTip() for item in items)


def test_that_what_comes_back_more_often_is_drawn_thicker(qapp: QApplication) -> None:
    scene = GraphScene()
    widths = []
    for joined in (0.0, 0.5, 1.0):
        share = {frozenset("AD"): EdgeShare(joined, 0.0, "")}
        scene.show_drawing(drawing_of_graph(GRAPH, shares=share), PLACES)
        widths.append(scene.edge_item("A", "D").line_width())
    assert widths == sorted(widths)
    assert (widths[0], widths[-1]) == (LEAST_SHARE_WIDTH, MOST_SHARE_WIDTH)
    scene.show_drawing(drawing_of_graph(GRAPH), PLACES)
    assert scene.edge_item("A", "D").number_box(0.5).isEmpty()
