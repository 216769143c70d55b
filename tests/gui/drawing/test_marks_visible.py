"""No edge without its marks: in drawings of any kind, also where nodes touch, overlap or hide each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.marks import Edge, Mark
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnEdge, DrawnNode, drawing_of_dag
from latconf_gui.drawing.items.mark_item import MarkItem
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.look.colours import Colours

INK = QColor(255, 0, 255)
SCALE = 3
MARKS = ((Mark.CIRCLE, Mark.ARROW), (Mark.TAIL, Mark.ARROW), (Mark.ARROW, Mark.ARROW), (Mark.CIRCLE, Mark.CIRCLE))


def painted(scene: GraphScene, around: QRectF) -> np.ndarray:
    """Where the picture around a place shows the ink of edges, (height, width)."""
    image = QImage(round(around.width() * SCALE), round(around.height() * SCALE), QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    scene.render(painter, QRectF(image.rect()), around)
    painter.end()
    pixels = np.array(image.constBits()).reshape(image.height(), image.width(), 4)
    return (pixels[:, :, 0] > 200) & (pixels[:, :, 1] < 60) & (pixels[:, :, 2] > 200)


def share_shown(scene: GraphScene, item: MarkItem) -> float:
    """How much of a mark can be seen: of its area, of its ring, or of the last bit of line for a tail."""
    middle = item.middle
    box = QRectF(middle.x() - 12, middle.y() - 12, 24, 24)
    ink = painted(scene, box)
    if item.mark == Mark.TAIL:
        return float(ink.any())
    rows, columns = np.indices(ink.shape)
    places = [QPointF(box.left() + x / SCALE, box.top() + y / SCALE) for y, x in zip(rows.flat, columns.flat)]
    inside = np.array([item.outline().contains(index) for index in places]).reshape(ink.shape)
    assert inside.any()
    shown = float(ink[inside].mean())
    return shown if item.mark == Mark.ARROW else shown * 4  # a circle is hollow


def random_drawing(rng: np.random.Generator, *, spread: float) -> tuple[Drawing, dict[str, tuple[float, float]]]:
    names = [f"V{i}" + "x" * int(rng.integers(0, 14)) for i in range(int(rng.integers(2, 6)))]
    nodes = tuple(DrawnNode(name, is_latent=bool(rng.random() < 0.3)) for name in names)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if rng.random() < 0.6]
    edges = tuple(DrawnEdge(Edge(a, b, *MARKS[int(rng.integers(len(MARKS)))])) for a, b in pairs)
    places = {name: (float(x), float(y)) for name, (x, y) in zip(names, rng.uniform(-spread, spread, (len(names), 2)))}
    return Drawing(nodes, edges), places


@pytest.mark.parametrize("spread", [0.0, 15.0, 50.0, 120.0, 300.0])
def test_that_every_edge_shows_both_its_marks(qtbot: QtBot, spread: float) -> None:
    rng = np.random.default_rng(int(spread))
    for _ in range(12):
        scene = GraphScene()
        colours = Colours.for_paper()
        scene.set_colours(replace(colours, edge=INK, latent=INK, node_border=colours.text, canvas=colours.node))
        drawing, places = random_drawing(rng, spread=spread)
        for drawn in drawing.edges:  # one at a time: edges may cross each other's marks
            scene.show_drawing(Drawing(tuple(replace(n, is_latent=False) for n in drawing.nodes), (drawn,)), places)
            for item in scene.edge_items()[0].mark_items.values():
                assert share_shown(scene, item) > 0.5, (drawn.edge, places)


def test_that_an_arrow_from_a_wide_node_to_a_near_one_has_its_head(qtbot: QtBot) -> None:
    dag = LatentDag(("A", "a very long name of a variable"), [("a very long name of a variable", "A")], [])
    scene = GraphScene()
    scene.set_colours(replace(Colours.for_paper(), edge=INK))
    scene.show_drawing(drawing_of_dag(dag), {"A": (0.0, 0.0), "a very long name of a variable": (145.0, 0.0)})
    for item in scene.edge_items()[0].mark_items.values():
        assert share_shown(scene, item) > 0.5


def test_that_a_latent_close_to_its_children_points_at_both(qtbot: QtBot) -> None:
    dag = LatentDag("AB", [], [Latent("L1", 2, ("A", "B"))])
    scene = GraphScene()
    scene.set_colours(replace(Colours.for_paper(), latent=INK))
    scene.show_drawing(drawing_of_dag(dag), {"A": (0.0, 0.0), "B": (100.0, 0.0), "L1": (50.0, 0.0)})
    marks = [item for edge in scene.edge_items() for item in edge.mark_items.values()]
    assert all(share_shown(scene, item) > 0.5 for item in marks)
