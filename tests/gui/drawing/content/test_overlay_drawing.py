"""The overlay of two graphs: everything that colour tells is told by dash, width, place and letter too."""

from __future__ import annotations

from math import hypot

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from support.builders import mixed

from latconf_core.comparison.overlay import Overlay, lay_over
from latconf_core.comparison.subject import Subject
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.marks import Mark
from latconf_gui.drawing.content.overlay_drawing import drawing_of_overlay, drawing_of_side
from latconf_gui.drawing.items.edge_item import SIGN_PIXELS, SIGN_RADIUS, EdgeItem
from latconf_gui.drawing.items.mark_item import GHOST_ASIDE
from latconf_gui.drawing.picture_export import export_picture
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.look.colours import Colours
from latconf_gui.look.sides import Side

SCALE = 6
PLACES = {"A": (0.0, 0.0), "B": (300.0, 0.0), "C": (0.0, 250.0), "D": (300.0, 250.0), "E": (150.0, 125.0)}
FIRST = mixed("A --> B", "C --> D", "A --> C", "B o-> E", nodes=list("ABCDE"))
SECOND = mixed("A --> B", "B --> D", "A --> C", "B <-> E", nodes=list("ABCDE"))
Grey = npt.NDArray[np.float64]


def overlay_of(first: object, second: object) -> Overlay:
    return lay_over(Subject("first", first), Subject("second", second))  # type: ignore[arg-type]


@pytest.fixture
def scene(qapp: object) -> GraphScene:
    shown = GraphScene(is_editable=False)
    shown.set_colours(Colours.for_paper())
    shown.show_drawing(drawing_of_overlay(overlay_of(FIRST, SECOND), ("first", "second")), PLACES)
    return shown


def render(scene: GraphScene) -> tuple[Grey, QPointF]:
    """The scene in shades of grey, 0 to 1, and where its upper left corner is."""
    rect = scene.sceneRect()
    image = QImage((rect.size() * SCALE).toSize(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    scene.render(painter, QRectF(image.rect()), rect)
    painter.end()
    return pixels(image), rect.topLeft()


def pixels(image: QImage) -> Grey:
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    return rows[:, : grey.width()] / 255


def along(item: EdgeItem, picture: Grey, corner: QPointF) -> Grey:
    """The shades on the line between its ends and its middle."""
    shares = np.concatenate((np.linspace(0.05, 0.4, 200), np.linspace(0.6, 0.95, 200)))
    spots = [(item.line().pointAtPercent(float(share)) - corner) * SCALE for share in shares]
    return np.array([picture[round(spot.y()), round(spot.x())] for spot in spots])


def patch(item: EdgeItem, picture: Grey, corner: QPointF) -> Grey:
    """What stands on the middle of the line."""
    middle = (item.line().pointAtPercent(0.5) - corner) * SCALE
    x, y, reach = round(middle.x()), round(middle.y()), round(SIGN_RADIUS * SCALE)
    return picture[y - reach : y + reach, x - reach : x + reach]


def letter(text: str) -> Grey:
    """A light letter on a dark disc."""
    side = round(2 * SIGN_RADIUS * SCALE)
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.scale(SCALE, SCALE)
    painter.setBrush(QColor(90, 90, 90))
    painter.setPen(Qt.PenStyle.NoPen)
    disc = QRectF(0, 0, 2 * SIGN_RADIUS, 2 * SIGN_RADIUS)
    painter.drawEllipse(disc)
    font = QFont()
    font.setPixelSize(SIGN_PIXELS)
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(Qt.GlobalColor.white)
    painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    return pixels(image)


def read_letter(found: Grey) -> str:
    """A or B, whichever is nearer; "" where there is no dark disc."""
    if found.mean() > 0.8:
        return ""
    return min("AB", key=lambda text: float(np.abs(found - letter(text)).mean()))


def test_that_the_classes_of_edges_are_told_apart_in_shades_of_grey(scene: GraphScene) -> None:
    picture, corner = render(scene)
    found = {}
    for item in scene.edge_items():
        shades = along(item, picture, corner)
        is_dashed = bool((shades > 0.95).mean() > 0.15)
        found["".join(sorted(item.pair))] = (is_dashed, read_letter(patch(item, picture, corner)))
    assert found == {
        "AB": (False, ""),
        "AC": (False, ""),
        "BE": (False, ""),
        "CD": (True, "A"),
        "BD": (False, "B"),
    }


def test_that_the_other_mark_stands_beside_its_own_end_alone(scene: GraphScene) -> None:
    item = scene.edge_item("B", "E")
    assert item.other_mark("B") is not None
    assert item.other_mark("E") is None
    picture, corner = render(scene)

    def ink_beside(node: str) -> float:
        mark = item.mark_items[node]
        (dx, dy), middle = mark.direction, mark.middle
        place = (QPointF(middle.x() - dy * GHOST_ASIDE, middle.y() + dx * GHOST_ASIDE) - corner) * SCALE
        reach = 5 * SCALE
        x, y = round(place.x()), round(place.y())
        return float((picture[y - reach : y + reach, x - reach : x + reach] < 0.8).mean())

    assert ink_beside("B") > 0.02
    assert ink_beside("E") == 0


def test_that_matched_latents_are_one_ellipse_and_others_say_whose_they_are(qapp: object) -> None:
    first = LatentDag("ABCD", [], [Latent("L1", 2, ("A", "B"))])
    second = LatentDag("ABCD", [], [Latent("L1", 3, ("A", "B", "C")), Latent("L2", 2, ("C", "D"))])
    drawing = drawing_of_overlay(overlay_of(first, second), ("first", "second"))
    assert {node.name: (node.note, node.side) for node in drawing.nodes if node.is_latent} == {
        "L1": ("2 → 3 states", Side.BOTH),
        "L2": ("only in B: 2 states", Side.ONLY_B),
    }
    assert drawing.by_pair[frozenset(("L1", "C"))].side == Side.ONLY_B
    assert drawing.by_pair[frozenset(("L1", "A"))].side == Side.BOTH


def test_that_a_side_alone_has_only_its_own(qapp: object) -> None:
    overlay = overlay_of(FIRST, SECOND)
    assert {str(edge.edge) for edge in drawing_of_side(overlay, "A").edges} == set(map(str, FIRST.edges()))
    assert {str(edge.edge) for edge in drawing_of_side(overlay, "B").edges} == set(map(str, SECOND.edges()))


def test_that_an_exported_picture_keeps_the_classes_and_the_names(scene: GraphScene, tmp_path: object) -> None:
    path = tmp_path / "overlay.svg"  # type: ignore[operator]
    export_picture(scene, path, scale=1.0)
    text = path.read_text(encoding="utf-8")
    assert "only in A: first" in text
    assert Colours.for_paper().sides[Side.ONLY_B].name() in text


def test_that_a_reversed_edge_is_two_arrows_each_with_its_letter(qapp: object) -> None:
    a, b = LatentDag("AB", [("A", "B")]), LatentDag("AB", [("B", "A")])
    scene = GraphScene(is_editable=False)
    scene.show_drawing(drawing_of_overlay(overlay_of(a, b), ("a", "b")), PLACES)
    item = scene.edge_item("A", "B")
    of_a, of_b = item.twins()
    assert (of_a.side, of_a.head, of_b.side, of_b.head) == (Side.ONLY_A, "B", Side.ONLY_B, "A")
    (x0, y0), (x1, y1) = of_a.curve.at(0.5), of_b.curve.at(0.5)
    assert hypot(x1 - x0, y1 - y0) > 20  # room for a letter on each
    for twin in (of_a, of_b):
        mark = item.mark_items[twin.head]
        assert mark.mark == Mark.ARROW
        assert item.mark_ink(twin.head) == scene.colours.sides[twin.side]
        assert item.other_mark(twin.head) is None
    assert all(item.boundingRect().contains(mark.middle) for mark in item.mark_items.values())
