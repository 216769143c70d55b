"""What tests of the PAG page share: a page with data or a graph on it, and a person's hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.application.document import Document
from latconf_gui.application.messages import explain
from latconf_gui.application.opener import Opener
from latconf_gui.application.settings import Settings
from latconf_gui.background.runs import Runs
from latconf_gui.pages.knowledge.knowledge_command import KnowledgeCommand
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.presenting import add_presentation_command
from latconf_gui.widgets.actions import Actions

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


class Host(QMainWindow):
    """A window with the PAG page alone; what it reports is kept as sentences."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.document = Document(self)
        self.actions_by_id = Actions(self)
        add_presentation_command(self.actions_by_id, self.document)
        self.runs = Runs(self.report, parent=self)
        settings = Settings()
        self.knowledge = KnowledgeCommand(self.actions_by_id, self.document, settings, report=self.report, window=self)
        opener = Opener(self.document, settings, self.runs, report=self.report, parent=self)
        context = PageContext(self.document, self.actions_by_id, settings, self.runs, opener, self.report)
        self.page = PagPage(context)
        self.setCentralWidget(self.page)
        self.resize(1100, 760)

    def report(self, problem: BaseException | str, where: str) -> None:
        self.problems.append(explain(problem, where).what)

    def start_anew(self) -> None:
        """As if just opened: one window serves all tests of a module."""
        page = self.page
        self.runs.stop_all()
        page.stop()
        self.document.open_state(ProjectState(), "Start anew")
        self.document.undo_stack.clear()
        page._fallback.clear()
        page.edges.filter.clear()
        page.commands.search.clear()
        page.separation.set_given(())
        page.learn_panel.choose_preset("default")
        page.tabs.setCurrentIndex(0)
        self.document.set_presenting(False)
        self.problems.clear()


def collider_data(n_rows: int = 2000, *, seed: int = 0) -> Dataset:
    """A and B independent, C their noisy disjunction, D a noisy copy of C."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(2, size=n_rows), rng.integers(2, size=n_rows)
    c = (a | b) ^ (rng.random(n_rows) < 0.05)
    d = c ^ (rng.random(n_rows) < 0.05)
    return Dataset("ABCD", [("no", "yes")] * 4, np.stack([a, b, c, d], axis=1).astype(np.int64))


def put_data(host: Host, data: Dataset) -> None:
    """Open data as if from a file, with nothing to undo."""
    prepared = Prepared(data, np.arange(data.n_rows))
    host.document.open_state(replace(host.document.state, name="data", prepared=prepared), "Open data")
    host.document.undo_stack.clear()


def put_graph(qtbot: QtBot, page: PagPage, graph: MixedGraph) -> None:
    """Show a graph, its nodes in three columns, with nothing to undo."""
    places = {name: (i % 3 * 160.0 + i // 3 * 25.0, i // 3 * 110.0) for i, name in enumerate(graph.nodes)}
    page.editor.add_graph(graph, "Put a graph", origin="test", positions=places)
    page.document.undo_stack.clear()
    page.canvas.view.fit()
    settle(qtbot, page)


def settle(qtbot: QtBot, page: PagPage) -> None:
    """Wait until nothing runs beside the page."""
    parts = (page.legality, page.separation, page.files)
    qtbot.waitUntil(lambda: not page.layouts.is_running and not any(part.is_busy for part in parts), timeout=20_000)


def on_view(page: PagPage, place: QPointF) -> QPoint:
    return page.canvas.view.mapFromScene(place)


def change_mark(page: PagPage, node: str, other: str) -> None:
    """Click the mark at a node until it is chosen, and once more."""
    if not page.canvas.scene.is_chosen(page.canvas.scene.edge_item(node, other).mark_items[node]):
        click_mark(page, node, other)
    click_mark(page, node, other)


def click_mark(page: PagPage, node: str, other: str) -> None:
    """Click the mark at a node."""
    mark = page.canvas.scene.edge_item(node, other).mark_items[node]
    QTest.mouseClick(page.canvas.view.viewport(), LEFT, NONE, on_view(page, mark.middle))


def click_node(page: PagPage, name: str, held: Qt.KeyboardModifier = NONE) -> None:
    """Click a node."""
    QTest.mouseClick(page.canvas.view.viewport(), LEFT, held, on_view(page, page.canvas.scene.node_item(name).pos()))


def drag(page: PagPage, start: QPointF, end: QPointF, held: Qt.KeyboardModifier = NONE) -> None:
    """Drag with the left button from one place of the scene to another."""
    viewport = page.canvas.view.viewport()
    first, last = on_view(page, start), on_view(page, end)
    QTest.mousePress(viewport, LEFT, held, first)
    QTest.mouseMove(viewport, (first + last) / 2)
    QTest.mouseMove(viewport, last)
    QTest.mouseRelease(viewport, LEFT, held, last)


def shown(page: PagPage) -> MixedGraph:
    """The graph that the items of the scene show, read off the marks at their ends."""
    scene = page.canvas.scene
    edges = []
    for item in scene.edge_items():
        first, second = item.edge.first, item.edge.second
        edges.append(Edge(first, second, item.mark_items[first].mark, item.mark_items[second].mark))
    return MixedGraph.from_edges(scene.drawing.names, edges)


def listed(page: PagPage) -> MixedGraph:
    """The graph that the table of edges shows."""
    model = page.edges.model
    nodes = () if page.document.pag is None else page.document.pag.nodes
    return MixedGraph.from_edges(nodes, [model.edge(row) for row in range(model.rowCount())])


def agrees(page: PagPage) -> bool:
    """Whether the table shows exactly the document's PAG, and the scene it or its neighbourhood of a node."""
    graph, drawn = page.document.pag, shown(page)
    if page.canvas.neighbourhood is None:
        return graph == drawn == listed(page)
    part = set(drawn.nodes)
    edges = [] if graph is None else [edge for edge in graph.edges() if {edge.first, edge.second} <= part]
    is_part = graph is not None and part <= set(graph.nodes) and set(map(str, edges)) == set(map(str, drawn.edges()))
    return is_part and graph == listed(page) and page.canvas.neighbourhood.centre in part
