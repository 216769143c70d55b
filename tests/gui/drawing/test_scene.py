from __future__ import annotations

import itertools
from math import hypot

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPalette, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.drawing.content.graph_drawing import DrawnNode
from latconf_gui.drawing.items.node_item import label_font, node_size
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.drawing.view import LEAST_TEXT_PIXELS, GraphView
from latconf_gui.look.colours import Colours, Highlight
from latconf_gui.look.theme import palette_of

GRAPH = mixed("A o-> B", "B --> C", "C <-> D", "A o-o D")
PLACES = {"A": (0.0, 0.0), "B": (200.0, 0.0), "C": (200.0, 150.0), "D": (0.0, 150.0)}


@pytest.fixture
def view(qtbot: QtBot) -> GraphView:
    scene = GraphScene()
    view = GraphView(scene)
    scene.setParent(view)
    qtbot.addWidget(view)
    view.resize(600, 450)
    view.show()
    scene.show_graph(GRAPH, PLACES)
    return view


def at(view: GraphView, place: QPointF) -> QPoint:
    return view.mapFromScene(place)


def marks_equal(scene: GraphScene, graph: MixedGraph) -> bool:
    """Whether each end's item has the graph's mark, and its tip lies on its node's border."""
    items = scene.edge_items()
    if {item.pair for item in items} != {frozenset((e.first, e.second)) for e in graph.edges()}:
        return False
    for item in items:
        for node, mark in item.mark_items.items():
            outline = scene.node_item(node).outline()
            inwards = (mark.tip[0] + 0.01 * mark.direction[0], mark.tip[1] + 0.01 * mark.direction[1])
            outwards = (mark.tip[0] - 0.01 * mark.direction[0], mark.tip[1] - 0.01 * mark.direction[1])
            if mark.mark != graph.mark_at(node, mark.other):
                return False
            if not outline.contains(inwards) or outline.contains(outwards):
                return False
    return True


def test_that_each_end_shows_the_mark_of_the_graph_at_the_border(view: GraphView) -> None:
    assert marks_equal(view.graph_scene, GRAPH)


def test_that_a_changed_graph_keeps_the_items_and_the_selection_of_what_stays(view: GraphView) -> None:
    scene = view.graph_scene
    scene.select_edge("B", "C")
    kept = scene.edge_item("B", "C")
    other = mixed("B <-> C", "B o-> D", nodes=["B", "C", "D", "E"])
    scene.show_graph(other, PLACES)
    assert marks_equal(scene, other)
    assert scene.edge_item("B", "C") is kept
    assert kept.isSelected()


def test_that_marks_stay_at_their_nodes_when_the_order_of_nodes_changes(view: GraphView) -> None:
    view.graph_scene.show_graph(GRAPH.reordered(list("DCBA")), PLACES)
    assert marks_equal(view.graph_scene, GRAPH)


def test_that_a_click_on_a_mark_chooses_it_and_a_second_asks_for_the_next_one(qtbot: QtBot, view: GraphView) -> None:
    mark = view.graph_scene.edge_item("A", "B").mark_items["A"]
    with qtbot.assertNotEmitted(view.graph_scene.mark_clicked):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at(view, mark.middle))
    assert view.graph_scene.edge_item("A", "B").active_end == "A"
    with qtbot.waitSignal(view.graph_scene.mark_clicked) as caught:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at(view, mark.middle))
    assert caught.args == ["A", "B"]
    assert view.graph_scene.edge_item("A", "B").active_end == "A"


def test_that_a_drag_moves_a_node_and_its_marks_follow(qtbot: QtBot, view: GraphView) -> None:
    scene = view.graph_scene
    start = at(view, QPointF(0, 0))
    with qtbot.waitSignal(scene.nodes_moved) as caught:
        qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
        qtbot.mouseMove(view.viewport(), start + QPoint(10, 10))
        qtbot.mouseMove(view.viewport(), start + QPoint(40, 25))
        qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(40, 25))
    assert set(caught.args[0]) == {"A"}
    assert marks_equal(scene, GRAPH)


def test_that_escape_brings_a_dragged_node_back(qtbot: QtBot, view: GraphView) -> None:
    scene = view.graph_scene
    start = at(view, QPointF(0, 0))
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view.viewport(), start + QPoint(10, 10))
    qtbot.mouseMove(view.viewport(), start + QPoint(40, 25))
    qtbot.keyClick(view.viewport(), Qt.Key.Key_Escape)
    with qtbot.assertNotEmitted(scene.nodes_moved):
        qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(40, 25))
    assert scene.positions() == PLACES


@pytest.mark.parametrize("by_mode", [True, False])
def test_that_a_line_from_node_to_node_asks_for_an_edge(qtbot: QtBot, view: GraphView, by_mode: bool) -> None:
    scene = view.graph_scene
    scene.draws_edges = by_mode
    held = Qt.KeyboardModifier.NoModifier if by_mode else Qt.KeyboardModifier.ShiftModifier
    start, end = at(view, QPointF(0, 0)), at(view, QPointF(200, 150))
    with qtbot.waitSignal(scene.edge_drawn) as caught:
        qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, held, start)
        qtbot.mouseMove(view.viewport(), (start + end) / 2)
        qtbot.mouseMove(view.viewport(), end)
        qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, held, end)
    assert caught.args == ["A", "C"]
    assert scene.positions() == PLACES


def test_that_nothing_can_be_edited_in_a_picture_that_only_shows(qtbot: QtBot, view: GraphView) -> None:
    scene = view.graph_scene
    scene.set_editable(False)
    mark = scene.edge_item("A", "B").mark_items["A"]
    with qtbot.assertNotEmitted(scene.mark_clicked), qtbot.assertNotEmitted(scene.nodes_moved):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at(view, mark.middle))
        qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=at(view, QPointF(0, 0)))
        qtbot.mouseMove(view.viewport(), at(view, QPointF(50, 50)))
        qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=at(view, QPointF(50, 50)))
    assert scene.positions() == PLACES


def test_that_lit_edges_have_another_colour_and_the_others_do_not(view: GraphView) -> None:
    scene = view.graph_scene
    scene.set_highlights({frozenset("AB"): Highlight.PROBLEM})
    assert scene.edge_item("A", "B").ink() == scene.colours.highlights[Highlight.PROBLEM]
    assert scene.edge_item("B", "C").ink() == scene.colours.edge
    scene.set_highlights({})
    assert scene.edge_item("A", "B").ink() == scene.colours.edge


def test_that_a_dag_with_latents_shows_ellipses_and_coloured_edges(view: GraphView) -> None:
    scene = view.graph_scene
    scene.show_dag(LatentDag(["A", "B", "C"], [("A", "B")], [Latent("L1", 2, ("B", "C"))]), PLACES)
    assert scene.node_item("L1").outline().is_ellipse
    assert scene.edge_item("L1", "B").ink() == scene.colours.latent
    assert scene.edge_item("L1", "B").mark_items["B"].mark == Mark.ARROW
    assert scene.edge_item("A", "B").ink() == scene.colours.edge


def contrast(one: QColor, other: QColor) -> float:
    """WCAG's contrast ratio."""

    def luminance(colour: QColor) -> float:
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.getRgbF()[:3]]
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    highlight, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (highlight + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("is_dark", [False, True])
def test_that_every_colour_of_a_picture_stands_out_from_its_ground(is_dark: bool, qapp: QApplication) -> None:
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Base, QColor("#17191d" if is_dark else "#ffffff"))
    palette.setColor(QPalette.ColorRole.Text, QColor("#e4e7ec" if is_dark else "#1d2229"))
    palette.setColor(QPalette.ColorRole.Highlight, QColor("#3a76d8" if is_dark else "#2563c9"))
    colours = Colours.from_palette(palette)
    for colour in (colours.edge, colours.selection, colours.latent, colours.node_border, *colours.highlights.values()):
        assert contrast(colour, colours.canvas) >= 3.0
    assert contrast(colours.text, colours.node) >= 7.0


def test_that_a_new_palette_recolours_the_picture_at_once(view: GraphView) -> None:
    palette = QPalette(view.palette())
    palette.setColor(QPalette.ColorRole.Base, QColor("#101010"))
    palette.setColor(QPalette.ColorRole.Text, QColor("#f0f0f0"))
    view.setPalette(palette)
    assert view.graph_scene.colours.canvas == QColor("#101010")


def wheel(view: GraphView, place: QPoint, steps: int) -> None:
    event = QWheelEvent(
        QPointF(place),
        view.viewport().mapToGlobal(QPointF(place)),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_that_the_wheel_and_keys_zoom_and_fit_shows_everything_again(qtbot: QtBot, view: GraphView) -> None:
    fitted = view.zoom
    wheel(view, QPoint(300, 200), 3)
    assert view.zoom == pytest.approx(fitted * 1.2**3)
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert view.zoom == pytest.approx(fitted * 1.2**2)
    qtbot.keyClick(view, Qt.Key.Key_0)
    shown = view.mapToScene(view.viewport().rect()).boundingRect()
    assert shown.contains(view.graph_scene.extent())


def test_that_the_middle_button_pans(qtbot: QtBot, view: GraphView) -> None:
    for _ in range(8):
        view.zoom_in()
    before = view.mapToScene(view.viewport().rect().center())
    qtbot.mousePress(view.viewport(), Qt.MouseButton.MiddleButton, pos=QPoint(300, 200))
    qtbot.mouseMove(view.viewport(), QPoint(250, 160))
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.MiddleButton, pos=QPoint(250, 160))
    after = view.mapToScene(view.viewport().rect().center())
    moved = after - before
    assert hypot(moved.x(), moved.y()) * view.zoom == pytest.approx(hypot(50, 40), abs=3)


def test_that_a_fit_never_makes_labels_too_small_to_read(view: GraphView) -> None:
    names = [f"VARIABLE_{i}" for i in range(60)]
    view.graph_scene.show_graph(mixed("VARIABLE_0 o-> VARIABLE_1", nodes=names), {})
    view.fit()
    assert view.text_pixels >= 9


def test_that_quick_clicks_on_a_mark_are_as_good_as_slow_ones(qtbot: QtBot, view: GraphView) -> None:
    clicks: list[tuple[str, str]] = []
    view.graph_scene.mark_clicked.connect(lambda node, other: clicks.append((node, other)))
    place = at(view, view.graph_scene.edge_item("B", "C").mark_items["C"].middle)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert clicks == [("C", "B")]  # the first click only chose the mark


def test_that_a_fit_shows_the_latents_where_not_all_can_be_seen(view: GraphView) -> None:
    names = [f"V{i}" for i in range(60)]
    places = {name: (150.0 * (i % 20), 90.0 * (i // 20)) for i, name in enumerate(names)}
    dag = LatentDag(names, list(itertools.pairwise(names)), [Latent("L1", 2, ("V17", "V18"))])
    view.graph_scene.show_dag(dag, {**places, "L1": (150.0 * 17.5, 45.0)})
    view.fit()
    assert not view.can_show_all()
    seen = view.mapToScene(view.viewport().rect()).boundingRect()
    for name in ("L1", "V17", "V18"):
        assert seen.contains(view.graph_scene.node_item(name).pos())
    assert view.text_pixels >= LEAST_TEXT_PIXELS


def test_that_a_drawing_that_moves_under_a_pressed_mouse_moves_no_node(qtbot: QtBot) -> None:
    scene = GraphScene()
    view = GraphView(scene)
    qtbot.addWidget(view)
    view.resize(400, 400)
    with qtbot.waitExposed(view):
        view.show()
    scene.show_graph(mixed("A --> B"), {"A": (0, 0), "B": (300, 300)})
    view.fit()
    moved: list[object] = []
    scene.nodes_moved.connect(moved.append)
    point = view.mapFromScene(scene.node_item("A").pos())
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    view.resize(400, 200)  # as a panel does that unfolds
    QApplication.processEvents()
    qtbot.mouseMove(view.viewport(), point)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert moved == []


def test_that_a_view_of_nothing_shows_all_of_it(qtbot: QtBot) -> None:
    view = GraphView(GraphScene())
    qtbot.addWidget(view)
    assert view.can_show_all()


QUESTION = "How satisfied are you with the {} of the service that you received last year?"


@pytest.mark.parametrize("name", [QUESTION.format("price"), "snake_case_" * 9, "x" * 40])
@pytest.mark.parametrize("kind", ["plain", "with a note", "with bars"])
def test_that_a_long_name_is_drawn_whole_in_a_box_of_moderate_width(qapp: QApplication, name: str, kind: str) -> None:
    note, states = "3 states" if kind == "with a note" else "", ("no", "yes") if kind == "with bars" else ()
    node = DrawnNode(name, note=note, states=states)
    lines, metrics = node.label.split("\n"), QFontMetricsF(label_font())
    assert "".join("".join(lines).split()) == "".join(name.split())
    width, height = node_size(node)
    assert max(metrics.horizontalAdvance(line) for line in lines) <= width <= metrics.horizontalAdvance("m" * 40)
    assert height >= len(lines) * metrics.height()


def test_that_two_long_names_that_differ_in_the_middle_look_different(qapp: QApplication) -> None:
    assert DrawnNode(QUESTION.format("price")).label != DrawnNode(QUESTION.format("speed")).label


def test_that_on_a_projector_labels_are_no_smaller_than_other_text(qtbot: QtBot) -> None:
    view = GraphView(GraphScene())
    qtbot.addWidget(view)
    usual = view.least_zoom()
    view.setPalette(palette_of(False, is_projected=True))
    assert view.least_zoom() == view.natural_zoom() > usual
