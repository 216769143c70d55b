from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import FileFormatError, GraphError, OptionError
from latconf_gui.drawing.content.graph_drawing import drawn_text
from latconf_gui.drawing.picture_export import export_picture
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.look.colours import Highlight
from latconf_gui.painter import SvgPainter

GRAPH = mixed("A o-> B", "B --> C", "A <-> D")
PLACES = {"A": (0.0, 0.0), "B": (150.0, 0.0), "C": (150.0, 100.0), "D": (0.0, 100.0)}


@pytest.fixture
def scene(qapp: QApplication) -> GraphScene:
    scene = GraphScene()
    scene.show_graph(GRAPH, PLACES)
    return scene


def test_that_an_svg_holds_every_name_and_the_legend(scene: GraphScene, tmp_path: Path) -> None:
    export_picture(scene, tmp_path / "graph.svg")
    svg = ET.parse(tmp_path / "graph.svg").getroot()
    texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"A", "B", "C", "D"} <= set(texts)
    assert sum("circle" in (text or "") or "arrowhead" in (text or "") for text in texts) >= 2


def test_that_a_png_grows_with_its_scale_and_is_white_paper(scene: GraphScene, tmp_path: Path) -> None:
    export_picture(scene, tmp_path / "small.png", scale=1)
    export_picture(scene, tmp_path / "large.png", scale=3)
    small, large = QImage(str(tmp_path / "small.png")), QImage(str(tmp_path / "large.png"))
    assert abs(large.width() - 3 * small.width()) <= 3
    assert small.pixelColor(1, 1) == QColor("white")
    dark = sum(small.pixelColor(x, y).lightness() < 128 for x in range(small.width()) for y in range(small.height()))
    assert dark > 200


def test_that_a_pdf_has_one_page(scene: GraphScene, tmp_path: Path) -> None:
    export_picture(scene, tmp_path / "graph.pdf", scale=1)
    content = (tmp_path / "graph.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page\n") == 1


def test_that_exporting_leaves_selection_lights_and_colours_as_they_were(scene: GraphScene, tmp_path: Path) -> None:
    scene.select_edge("A", "B")
    scene.set_highlights({frozenset("BC"): Highlight.PROBLEM})
    colours = scene.colours
    export_picture(scene, tmp_path / "graph.png")
    assert scene.selected_pairs() == [frozenset("AB")]
    assert scene.edge_item("B", "C").highlight == Highlight.PROBLEM
    assert scene.colours is colours


def test_that_a_picture_that_cannot_be_written_is_refused_with_a_sentence(scene: GraphScene, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"must end in \.svg, \.pdf or \.png"):
        export_picture(scene, tmp_path / "graph.bmp")
    with pytest.raises(FileFormatError, match="does not exist"):
        export_picture(scene, tmp_path / "nowhere" / "graph.svg")
    with pytest.raises(OptionError, match="scale"):
        export_picture(scene, tmp_path / "graph.png", scale=0)
    with pytest.raises(GraphError, match="no graph to draw"):
        export_picture(GraphScene(), tmp_path / "graph.png")
    assert list(tmp_path.iterdir()) == []


ODD = {"A": '<b>x</b> & "y"', "B": "c\x01\x0b\x1b\ufffe\x7f", "C": "l\nm\tn\\N]]>", "D": "D"}


def test_that_odd_names_give_a_well_formed_svg_with_plain_labels(qapp: QApplication, tmp_path: Path) -> None:
    graph = GRAPH.renamed(ODD)
    scene = GraphScene()
    scene.show_graph(graph, {ODD[name]: position for name, position in PLACES.items()})
    export_picture(scene, tmp_path / "graph.svg")
    texts = [element.text for element in ET.parse(tmp_path / "graph.svg").iter("{http://www.w3.org/2000/svg}text")]
    by_graphviz = ET.fromstring(SvgPainter().graph_svg(graph))
    drawn = ["".join(element.itertext()) for element in by_graphviz.iter("{http://www.w3.org/2000/svg}text")]
    for name in ODD.values():
        assert drawn_text(name) in texts
        assert drawn_text(name) in drawn
    dag = LatentDag(list(ODD.values()), [], [Latent("<i>L</i>", 2, (ODD["A"], ODD["B"]))])
    assert "&lt;i&gt;L&lt;/i&gt;" in SvgPainter().dag_svg(dag)
    ET.fromstring(SvgPainter().dag_svg(dag))
