"""Whether a person can read the drawing: sizes and distances on the screen, measured."""

from __future__ import annotations

import itertools
from math import hypot

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QRectF, QSize
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot
from support.pag_acts import settle

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.formats.examples import load_example
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.validity import pag_of_mag
from latconf_core.wording.mark_meanings import edge_sentence
from latconf_gui.drawing.items.node_item import label_font
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.pag.tables.edges_model import PAIR_ROLE
from latconf_gui.window.main_window import MainWindow

LEAST_TEXT = 9.0  # pixels
LEAST_MARK = 5.0  # pixels across


def alarm_pag() -> MixedGraph:
    """The PAG of the whole Alarm network, all 37 variables measured: as FCI finds it with endless data."""
    network = load_example("alarm")
    return pag_of_mag(mag_of_dag(LatentDag(network.variables, network.edges)))


def random_pag(n_nodes: int, n_edges: int, n_latents: int, *, seed: int) -> MixedGraph:
    """The PAG of a random sparse DAG with latents."""
    rng = np.random.default_rng(seed)
    names = [f"Variable_{i}" for i in range(n_nodes)]
    pairs: set[tuple[str, str]] = set()
    while len(pairs) < n_edges:
        i, j = sorted(rng.choice(n_nodes, 2, replace=False))
        pairs.add((names[i], names[j]))
    latents = [
        Latent(f"L{k}", 2, tuple(names[i] for i in rng.choice(n_nodes, 2, replace=False))) for k in range(n_latents)
    ]
    return pag_of_mag(mag_of_dag(LatentDag(names, pairs, latents)))


def show(qtbot: QtBot, window: MainWindow, graph: MixedGraph, size: QSize) -> PagPage:
    """The graph on the page, laid out as at its first appearance."""
    window.resize(size)
    window.show_page("PAG")
    page = window.page(PagPage)
    qtbot.waitUntil(lambda: page.width() > 600)
    page.introduce(graph, "Show a graph", origin="test")
    qtbot.waitUntil(lambda: page.document.pag == graph, timeout=60_000)
    settle(qtbot, page)
    return page


def boxes(page: PagPage) -> dict[str, QRectF]:
    """Every node as it stands on the screen, in pixels."""
    view = page.canvas.view
    return {
        item.name: QRectF(view.mapFromScene(item.box().translated(item.pos())).boundingRect())
        for item in page.canvas.scene.node_items()
    }


def n_intersecting(page: PagPage) -> int:
    outlines = [item.outline() for item in page.canvas.scene.node_items()]
    return sum(
        abs(a.x - b.x) < (a.width + b.width) / 2 and abs(a.y - b.y) < (a.height + b.height) / 2
        for a, b in itertools.combinations(outlines, 2)
    )


def elided(page: PagPage) -> list[str]:
    """Nodes whose label is wider than the room inside their border."""
    metrics = QFontMetricsF(label_font())
    items = page.canvas.scene.node_items()
    return [item.name for item in items if metrics.horizontalAdvance(item.name) > item.box().width() - 4]


def indistinct_marks(page: PagPage) -> list[str]:
    """Ends whose mark is too small, has the wrong shape, or touches the mark at the other end."""
    zoom, marks = page.canvas.view.zoom, []
    for item in page.canvas.scene.edge_items():
        first, second = item.mark_items.values()
        for mark in (first, second):
            outline = mark.outline()
            size = max(outline.boundingRect().width(), outline.boundingRect().height()) * zoom
            n_corners = outline.elementCount()
            fits = {Mark.CIRCLE: n_corners > 8, Mark.ARROW: n_corners <= 5, Mark.TAIL: n_corners == 0}
            if not fits[mark.mark] or (mark.mark != Mark.TAIL and size < LEAST_MARK):
                marks.append(f"{item.edge} at {mark.node}")
        if first.outline().intersects(second.outline()):
            marks.append(f"{item.edge}: its marks meet")
        if hypot(first.tip[0] - second.tip[0], first.tip[1] - second.tip[1]) * zoom < 10:
            marks.append(f"{item.edge}: too short")
    return marks


@pytest.mark.parametrize("size", [QSize(1280, 800), QSize(1920, 1080)], ids=["1280x800", "1920x1080"])
def test_that_the_alarm_pag_is_legible_at_its_first_fit(qtbot: QtBot, window: MainWindow, size: QSize) -> None:
    graph = alarm_pag()
    assert len(graph.nodes) == 37
    page = show(qtbot, window, graph, size)
    assert page.canvas.view.text_pixels >= LEAST_TEXT
    area = QRectF(page.canvas.view.viewport().rect()).adjusted(-1, -1, 1, 1)
    assert [name for name, box in boxes(page).items() if not area.contains(box)] == []
    assert n_intersecting(page) == 0
    assert elided(page) == []
    assert indistinct_marks(page) == []
    assert page.canvas.legend.isVisible()
    assert page.canvas.legend.height() >= page.canvas.legend.heightForWidth(page.canvas.legend.width())


@pytest.mark.parametrize("percent", [100, 200])
def test_that_the_table_of_edges_cuts_no_name_and_the_meaning_is_whole(
    qtbot: QtBot, window: MainWindow, percent: int
) -> None:
    window.theme.set_text_percent(percent)
    page = show(qtbot, window, alarm_pag(), QSize(1280, 800))
    page.tabs.setCurrentWidget(page.edges)
    table, meaning, flags = page.edges.table, page.edges.meaning, QItemSelectionModel.SelectionFlag
    for row in range(0, table.model().rowCount(), 7):
        table.selectionModel().setCurrentIndex(table.model().index(row, 0), flags.ClearAndSelect | flags.Rows)
        for column in range(table.model().columnCount()):
            index = table.model().index(row, column)
            assert table.columnWidth(column) >= table.fontMetrics().horizontalAdvance(index.data())
        qtbot.waitUntil(lambda: meaning.height() >= meaning.heightForWidth(meaning.width()))
        assert meaning.text() == edge_sentence(table.currentIndex().data(PAIR_ROLE))
    assert percent > 100 or not table.horizontalScrollBar().isVisible()


@pytest.mark.slow
def test_that_a_pag_of_a_hundred_nodes_is_legible_after_zooming(qtbot: QtBot, window: MainWindow) -> None:
    graph = random_pag(100, 120, 8, seed=5)
    page = show(qtbot, window, graph, QSize(1280, 800))
    assert n_intersecting(page) == 0
    assert elided(page) == []
    page.canvas.view.zoom_to_text()
    assert page.canvas.view.text_pixels >= LEAST_TEXT
    assert indistinct_marks(page) == []
    for name in graph.nodes[::20]:
        page.canvas.view.show_node(name)
        area = QRectF(page.canvas.view.viewport().rect())
        assert area.contains(boxes(page)[name])
