"""The canvas that every page uses: what stands there, where new nodes go, what names and edges are called."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.content.graph_drawing import DrawnNode, drawing_of_dag, drawing_of_graph
from latconf_gui.drawing.layout.graphviz_layout import graph_svg
from latconf_gui.drawing.legend import legend_of
from latconf_gui.drawing.picture_export import export_picture
from latconf_gui.drawing.scene import MANY, GraphScene
from latconf_gui.look.colours import Colours, Highlight
from latconf_gui.pages.model.canvas import DagCanvas

MARKUP = "<b>x</b>"
NO_PLACES: dict[str, tuple[float, float]] = {}


def plain(tip: str) -> str:
    """What a person reads in a tool tip."""
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText()


def overlapping(scene: GraphScene) -> list[tuple[str, str]]:
    items = scene.node_items()
    return [(a.name, b.name) for a, b in combinations(items, 2) if a.scene_box().intersects(b.scene_box())]


def test_that_something_else_stands_there_until_there_is_a_graph(qtbot: QtBot) -> None:
    invitation = QLabel("Draw something")
    canvas = GraphCanvas(empty=invitation)
    qtbot.addWidget(canvas)
    canvas.show()
    canvas.show_drawing(None, {})
    assert invitation.isVisible()
    canvas.show_drawing(drawing_of_graph(mixed("A o-> B")), {})
    assert canvas.view.isVisible()
    assert not invitation.isVisible()


def test_that_later_reasons_of_highlights_win_and_each_can_go_alone(qtbot: QtBot) -> None:
    canvas = GraphCanvas()
    qtbot.addWidget(canvas)
    canvas.show_drawing(drawing_of_graph(mixed("A o-> B")), {})
    pair = frozenset("AB")
    canvas.highlight("one", {pair: Highlight.PROBLEM})
    canvas.highlight("two", {pair: Highlight.ADDED})
    item = canvas.scene.edge_item("A", "B")
    assert item.highlight == Highlight.ADDED
    canvas.highlight("two", {})
    assert item.highlight == Highlight.PROBLEM


def test_that_nodes_without_a_place_cover_no_others(qtbot: QtBot) -> None:
    scene = GraphScene()
    names = [f"V{i}" for i in range(12)]
    scene.show_graph(mixed(nodes=names), {"V7": (0.0, 0.0), "V8": (150.0, 5.0), "V9": (290.0, 0.0)})
    assert overlapping(scene) == []
    assert scene.positions()["V7"] == (0.0, 0.0)


def test_that_three_nodes_asked_for_at_one_spot_stand_apart(qtbot: QtBot) -> None:
    scene, places = GraphScene(), NO_PLACES
    for name in ("A", "another one", "C"):
        places = {**places, name: scene.free_place(DrawnNode(name), (10.0, 10.0))}
        scene.show_graph(mixed(nodes=list(places)), places)
    assert places["A"] == (10.0, 10.0)
    assert overlapping(scene) == []
    assert max(abs(x) + abs(y) for x, y in places.values()) < 200  # near


@pytest.mark.parametrize("text", ["A <-> B", "A o-> B", "A <-o B"])
def test_that_the_tool_tip_of_an_edge_shows_its_marks(qtbot: QtBot, text: str) -> None:
    scene = GraphScene()
    scene.show_graph(mixed(text), {})
    assert plain(scene.edge_items()[0].toolTip()).startswith(text)


def test_that_a_name_is_never_markup(qtbot: QtBot, tmp_path: Path) -> None:
    graph = mixed("A <-> B").renamed({"A": MARKUP})
    scene = GraphScene()
    scene.show_graph(graph, {})
    assert plain(scene.node_item(MARKUP).toolTip()) == MARKUP
    assert plain(scene.edge_items()[0].toolTip()).startswith(f"{MARKUP} <-> B")
    export_picture(scene, tmp_path / "picture.svg")
    for svg in ((tmp_path / "picture.svg").read_text("utf-8"), graph_svg(graph)):
        texts = [text.strip() for text in ElementTree.fromstring(svg.encode()).itertext()]
        assert MARKUP in texts
        assert any(text.startswith("<->: hidden common cause") for text in texts)


def test_that_the_legend_names_two_arrowheads_where_they_occur(qtbot: QtBot) -> None:
    def texts(graph: str) -> list[str]:
        return [entry.text for entry in legend_of(drawing_of_graph(mixed(graph)))]

    assert "<->: hidden common cause" in texts("A <-> B")
    assert "<->: hidden common cause" not in texts("A o-> B")


def test_that_another_dag_on_the_same_variables_keeps_the_view(qtbot: QtBot) -> None:
    canvas = DagCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(600, 450)
    canvas.show()
    places = {"A": (0.0, 0.0), "B": (200.0, 0.0), "C": (100.0, 500.0)}
    with_latent = LatentDag("ABC", [("A", "C")], [Latent("L1", 2, ("A", "B"))])
    without = LatentDag("ABC", [("A", "C"), ("A", "B")], [])

    def look() -> tuple[float, QRectF]:
        return canvas.view.zoom, canvas.view.mapToScene(canvas.view.viewport().rect()).boundingRect()

    canvas.show_dag(with_latent, places)
    for prepare in (lambda: None, canvas.view.zoom_in, lambda: canvas.view.pan(20, 10)):
        prepare()
        before = look()
        for dag in (without, with_latent, without):
            canvas.show_dag(dag, places)
            assert look() == before
    canvas.view.fit()
    assert canvas.scene.sceneRect().contains(canvas.scene.extent())
    assert look()[0] > before[0] / 1.2  # without the room that the latent needed


def test_that_latents_stand_above_their_children_from_the_start(qtbot: QtBot) -> None:
    canvas = DagCanvas()
    qtbot.addWidget(canvas)
    canvas.show_dag(LatentDag("AB", [], [Latent("L1", 2, ("A", "B"))]), {"A": (0.0, 0.0), "B": (200.0, 0.0)})
    places = canvas.scene.positions()
    assert places["L1"][1] < min(places["A"][1], places["B"][1]) - 20


def test_that_classes_of_edges_are_told_apart_without_colour(qtbot: QtBot) -> None:
    shown = [kind for kind in Highlight if kind != Highlight.NONE]
    pictures = {kind: inked(kind) for kind in shown}
    for first, second in combinations(shown, 2):
        assert (pictures[first] != pictures[second]).sum() > 20, (first, second)


def inked(kind: Highlight) -> np.ndarray:
    """Where an edge with this highlight is darker than half, in grey; how dark it is does not matter."""
    scene = GraphScene()
    scene.set_colours(Colours.for_paper())
    scene.show_drawing(drawing_of_dag(LatentDag("AB", [("A", "B")], [])), {"A": (0.0, 0.0), "B": (160.0, 0.0)})
    scene.set_highlights({frozenset("AB"): kind})
    image = QImage(640, 160, QImage.Format.Format_Grayscale8)
    image.fill(255)
    painter = QPainter(image)
    scene.render(painter, QRectF(image.rect()), QRectF(0, -20, 160, 40))
    painter.end()
    return np.array(image.constBits()).reshape(160, -1)[:, :640] < 128


@pytest.mark.parametrize("width", [300, 420, 900])
def test_that_the_legend_has_room_for_every_entry_of_large_text(qtbot: QtBot, width: int) -> None:
    canvas = GraphCanvas()
    font = canvas.font()
    font.setPixelSize(26)
    canvas.setFont(font)
    qtbot.addWidget(canvas)
    canvas.resize(width, 500)
    canvas.show()
    canvas.show_drawing(drawing_of_graph(mixed("A <-> B")), {})
    for _ in range(5):
        QApplication.processEvents()
    assert canvas.legend.width() == width
    assert canvas.legend.height() == canvas.legend.heightForWidth(width)


def chain(n_nodes: int, *more: str) -> MixedGraph:
    """V0 o-> V1 --> V2 --> … and more edges."""
    names = [f"V{i}" for i in range(n_nodes)]
    arrows = [f"{a} {'--> ' if i else 'o-> '}{b}" for i, (a, b) in enumerate(pairwise(names))]
    return mixed(*arrows, *more, nodes=names)


@pytest.mark.parametrize("n_nodes", [MANY, MANY + 1])
def test_that_a_large_graph_too_small_to_read_has_no_marks_and_labels_but_is_exported_with_them(
    qtbot: QtBot, tmp_path: Path, n_nodes: int
) -> None:
    canvas, is_large = GraphCanvas(), n_nodes > MANY
    qtbot.addWidget(canvas)
    canvas.show()
    places = {f"V{i}": (120.0 * (i % 20), 80.0 * (i // 20)) for i in range(n_nodes)}
    canvas.show_drawing(drawing_of_graph(chain(n_nodes)), places)
    canvas.view.zoom_to_text()
    marks = [mark for edge in canvas.scene.edge_items() for mark in edge.mark_items.values()]
    export_picture(canvas.scene, tmp_path / "near.svg")
    canvas.view.zoom_by(0.1 / canvas.view.zoom)
    assert canvas.scene.is_overview == is_large
    assert any(mark.isVisible() for mark in marks) != is_large
    canvas.show_drawing(drawing_of_graph(chain(n_nodes, "V0 <-> V2")), places)
    assert canvas.scene.edge_item("V0", "V2").mark_items["V0"].isVisible() != is_large
    canvas.show_drawing(drawing_of_graph(chain(n_nodes)), places)
    export_picture(canvas.scene, tmp_path / "far.svg")
    assert (tmp_path / "far.svg").read_text() == (tmp_path / "near.svg").read_text()
    assert canvas.scene.is_overview == is_large
    canvas.show_drawing(drawing_of_graph(chain(5)), places)
    assert not canvas.scene.is_overview
    canvas.show_drawing(drawing_of_graph(chain(n_nodes)), places)
    canvas.view.zoom_to_text()
    assert not canvas.scene.is_overview
