"""Arrows whose direction the data leave open: told apart without colour, with nothing at the tail, in every legend."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from latconf_core.comparison.overlay import lay_over
from latconf_core.comparison.subject import Subject
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.determined.arrows import DagClass
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.wording.arrow_words import FULL_ARROW, HOLLOW_ARROW
from latconf_gui.drawing.content.arrow_supports import supports_of
from latconf_gui.drawing.content.graph_drawing import DrawnEdge, DrawnKind, drawing_of_dag, drawing_of_graph
from latconf_gui.drawing.content.overlay_drawing import drawing_of_overlay, drawing_of_side
from latconf_gui.drawing.items.edge_item import EdgeItem
from latconf_gui.drawing.layout.graphviz_layout import dag_svg
from latconf_gui.drawing.legend import LegendEntry, legend_of
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.look.colours import Colours
from latconf_gui.look.theme import palette_of
from latconf_gui.pages.learn.stage import drawing_of_drawn_dag

SCALE = 4
DAG = LatentDag(("A", "B", "C", "D"), [("A", "B"), ("C", "D")], [Latent("L1", 2, ("B", "C"))])
PLACES = {"A": (0.0, 0.0), "B": (160.0, 0.0), "C": (0.0, 90.0), "D": (160.0, 90.0), "L1": (80.0, -80.0)}
LOOKS = {
    "paper": Colours.for_paper,
    "light": lambda: Colours.from_palette(palette_of(is_dark=False)),
    "dark": lambda: Colours.from_palette(palette_of(is_dark=True)),
    "projector": lambda: Colours.from_palette(palette_of(is_dark=False, is_projected=True)),
}


def grey(scene: GraphScene, box: QRectF) -> np.ndarray:
    """The picture of a place without colour, 0 … 1, (height, width)."""
    image = QImage(round(box.width() * SCALE), round(box.height() * SCALE), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    scene.render(painter, QRectF(image.rect()), box)
    painter.end()
    plain = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : plain.width()] / 255


def around(point: QPointF, reach: float) -> QRectF:
    return QRectF(point.x() - reach, point.y() - reach, 2 * reach, 2 * reach)


def one_arrow(look: str, *, is_open: bool, is_emphasised: bool = False) -> tuple[GraphScene, EdgeItem]:
    scene = GraphScene()
    scene.set_colours(LOOKS[look]())
    drawing = drawing_of_dag(LatentDag(("A", "B"), [("A", "B")]))
    edge = replace(drawing.edges[0], is_open=is_open, is_emphasised=is_emphasised)
    scene.show_drawing(replace(drawing, edges=(edge,)), PLACES)
    return scene, scene.edge_item("A", "B")


def contrast(ink: float, ground: float) -> float:
    """The ratio of WCAG, of luminances of greys."""
    light, dark = sorted(((value + 0.055) / 1.055) ** 2.4 for value in (ink, ground))[::-1]
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("is_emphasised", [False, True])
def test_that_open_and_full_arrows_are_told_apart_in_greys(qtbot: QtBot, look: str, is_emphasised: bool) -> None:
    inks, hearts, grounds = {}, {}, {}
    for is_open in (False, True):
        scene, item = one_arrow(look, is_open=is_open, is_emphasised=is_emphasised)
        mark = item.mark_items["B"]
        grounds[is_open] = float(grey(scene, around(QPointF(80.0, 60.0), 2.0)).mean())
        heart = QPointF(mark.tip[0] - 7.5 * mark.direction[0], mark.tip[1] - 7.5 * mark.direction[1])
        hearts[is_open] = float(grey(scene, around(heart, 0.6)).mean())
        line = grey(scene, around(item.line().pointAtPercent(0.5), 3.0))
        ground = grounds[is_open]
        inks[is_open] = float(line.flat[np.abs(line - ground).argmax()])
    assert abs(hearts[True] - grounds[True]) < 0.02, "an open head is hollow"
    assert abs(hearts[False] - inks[False]) < 0.05, "a full head has the ink of its line"
    distance = {is_open: abs(inks[is_open] - grounds[is_open]) for is_open in (False, True)}
    assert distance[True] < 0.8 * distance[False], "the open line is lighter"
    assert contrast(inks[True], grounds[True]) > 2.2, "and can still be seen"


@pytest.mark.parametrize("look", LOOKS)
def test_that_nothing_stands_at_the_tail_of_an_open_arrow(qtbot: QtBot, look: str) -> None:
    scene, item = one_arrow(look, is_open=True)
    tail = item.mark_items["A"]
    box = QRectF(tail.tip[0] + 1.5, tail.tip[1] - 12, 14, 24)
    picture = grey(scene, box)
    width = item.line_width() * scene.colours.line_scale
    is_line = np.abs((np.arange(picture.shape[0]) + 0.5) / SCALE - 12) < width / 2 + 0.6
    assert np.ptp(picture[~is_line]) < 0.02, "only the line leaves the node"


@pytest.mark.parametrize("look", LOOKS)
def test_that_a_hollow_head_is_as_long_as_a_full_one(qtbot: QtBot, look: str) -> None:
    spans = []
    for is_open in (False, True):
        scene, item = one_arrow(look, is_open=is_open)
        mark = item.mark_items["B"]
        box = QRectF(mark.tip[0] - 20, mark.tip[1] - 12, 19.5, 24)
        picture = grey(scene, box)
        off_line = np.abs(np.arange(picture.shape[0]) / SCALE - 12) > 2.2
        is_ink = np.abs(picture[off_line] - picture[0, 0]) > 0.12
        rows, columns = np.flatnonzero(is_ink.any(axis=1)), np.flatnonzero(is_ink.any(axis=0))
        spans.append((np.ptp(columns) / SCALE, rows[-1] - rows[0]))
    assert spans[0][0] == pytest.approx(spans[1][0], abs=2.5)


def test_that_the_arrows_of_a_model_are_hollow_where_its_class_leaves_them_open() -> None:
    dag_class = DagClass(DAG)
    drawing = drawing_of_dag(DAG, supports=supports_of(dag_class))
    is_open = {(drawn.edge.first, drawn.edge.second): drawn.is_open for drawn in drawing.edges}
    assert is_open == {arrow: kind.is_open for arrow, kind in dag_class.kinds.items()}
    assert set(is_open.values()) == {True, False} or all(is_open.values())
    for drawn in drawing.edges:
        assert drawn.note
        assert f"{drawn.edge.first} is a cause of {drawn.edge.second}." not in drawn.note


def texts(entries: tuple[LegendEntry, ...]) -> list[str]:
    return [entry.text for entry in entries]


def test_the_legend_of_each_kind_of_graph() -> None:
    mag = MixedGraph.from_edges("ABC", [Edge("A", "B", Mark.ARROW, Mark.ARROW), Edge("B", "C", Mark.TAIL, Mark.ARROW)])
    pag = MixedGraph.from_edges("ABC", [Edge("A", "B", Mark.CIRCLE, Mark.ARROW)])
    model = texts(legend_of(drawing_of_dag(DAG, supports=supports_of(DagClass(DAG)))))
    assert model == ["dashed ellipse: hidden common cause", FULL_ARROW, HOLLOW_ARROW]
    assert FULL_ARROW == "arrow: cause in this DAG"
    of_mag = texts(legend_of(drawing_of_graph(mag, kind=DrawnKind.MAG)))
    assert all("MAG" in text or "bidirected" in text for text in of_mag)
    of_pag = texts(legend_of(drawing_of_graph(pag)))
    assert [text.split(":")[0] for text in of_pag] == ["circle", "arrowhead", "tail"]
    drawn = DrawnDag(("A", "H", "B"), (("A", "H"), ("H", "B")), frozenset("H"))
    of_drawn = texts(legend_of(drawing_of_drawn_dag(drawn)))
    assert "dashed ellipse: hidden variable" in of_drawn, "a hidden mediator is no common cause"
    for said in (model, of_mag, of_pag, of_drawn):
        assert "direct" not in " ".join(said).replace("direction", "").replace("bidirected", "")


def test_that_the_picture_of_a_report_has_hollow_heads_and_says_what_they_are() -> None:
    svg = dag_svg(DAG)
    assert HOLLOW_ARROW in svg
    lone = LatentDag(("A", "B", "C"), [("A", "C"), ("B", "C")])
    assert HOLLOW_ARROW not in dag_svg(lone)
    assert FULL_ARROW in dag_svg(lone)
    chain = LatentDag(("A", "B"), [("A", "B")])
    assert HOLLOW_ARROW in dag_svg(chain)
    assert HOLLOW_ARROW not in dag_svg(chain, Knowledge(forbidden=(("B", "A"),))), "knowledge decides it"


def overlay_supports(a: LatentDag, b: LatentDag):
    return supports_of(DagClass(a)), supports_of(DagClass(b))


def test_that_an_overlay_shows_what_the_data_leave_open_in_either() -> None:
    collider = LatentDag(("A", "B", "C"), [("A", "B"), ("C", "B")])
    chain = LatentDag(("A", "B", "C"), [("A", "B"), ("B", "C")])
    overlay = lay_over(Subject("collider", collider), Subject("chain", chain))
    supports = overlay_supports(collider, chain)
    drawing = drawing_of_overlay(overlay, ("collider", "chain"), supports=supports)
    drawn = drawing.by_pair[frozenset("AB")]
    assert drawn.is_open
    assert "A: " in drawn.note
    assert "B: " in drawn.note
    assert HOLLOW_ARROW in texts(legend_of(drawing))
    sides = [drawing_of_side(overlay, side, supports=support) for side, support in zip("AB", supports)]
    assert [side.has_open for side in sides] == [False, True]


def test_that_the_tip_of_an_edge_says_its_note(qtbot: QtBot) -> None:
    scene = GraphScene()
    scene.show_drawing(drawing_of_dag(DAG, supports=supports_of(DagClass(DAG))), PLACES)
    tip = scene.edge_item("A", "B").toolTip()
    assert "If L1 is modelled correctly, every equally good DAG has A → B" in tip
    assert "The PAG has A o-&gt; B" in tip
    chain = LatentDag(("A", "B"), [("A", "B")])
    scene.show_drawing(drawing_of_dag(chain, supports=supports_of(DagClass(chain))), PLACES)
    assert "do not determine the direction of A → B" in scene.edge_item("A", "B").toolTip()
    without = drawing_of_dag(DAG)
    assert without.by_pair[frozenset("AB")].note == "In this DAG A is a cause of B."
    assert isinstance(without.edges[0], DrawnEdge)
