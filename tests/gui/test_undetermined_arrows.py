"""No text of the window calls an arrow a cause that the data leave open, without saying so: Mek – Raf of Sachs."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsView,
    QLabel,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot
from support.open_window import open_window

from latconf_core.comparison.subject import Subject
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.data.sampling import sample
from latconf_core.determined.arrows import ArrowKind
from latconf_core.formats.examples import load_example
from latconf_core.formats.projects.project_state import ProjectState, prepare_state
from latconf_core.formats.projects.state_changes import add_pag, add_run
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_core.wording.arrow_words import HOLLOW_ARROW
from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.application.settings import Settings
from latconf_gui.drawing.items.edge_item import EdgeItem
from latconf_gui.drawing.layout.graphviz_layout import dag_svg
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

KEPT = ("Raf", "Mek", "Erk", "PKA")
ROOT = QModelIndex()
BOTH = ("Mek", "Raf")
CLAIM = re.compile(
    r"\b(is a cause of|is an effect of|causes?|affects?|acts on|influences?|determines?|is determined)\b"
)
QUALIFIED = re.compile(
    r"open|either way|this DAG|this MAG|this PAG|equally good|depending on|fit as well|if this|may |or the reverse|"
    r"or a hidden|no cause|not a cause",
    re.IGNORECASE,
)


@cache
def rows() -> Dataset:
    network = load_example("sachs")
    hidden = [name for name in network.variables if name not in KEPT]
    return sample(network, 2000, rng=np.random.default_rng(1), hide=hidden).dataset


@cache
def result() -> SearchResult:
    empty = MixedGraph.from_edges(rows().names, [])
    return run_search(rows(), empty, "hc", options=SearchOptions(seed=1))


def state() -> ProjectState:
    given = ProjectState(name="sachs.csv", raw=table_of_dataset(rows()))
    prepared = prepare_state(given, replace(given.preparation, missing_marks=()))
    determined_pag = result().determined_pag
    assert determined_pag is not None
    return add_run(
        add_pag(prepared, MixedGraph(determined_pag.nodes, determined_pag.marks), origin="drawn"), result(), title="hc"
    )


@pytest.fixture(scope="module")
def window(qapp: QApplication) -> Iterator[MainWindow]:
    with open_window(qapp, Settings()) as window:
        window.document.open_state(state(), "Open Sachs")
        window.document.mark_clean()
        yield window


@pytest.fixture(autouse=True)
def nothing_runs_on(qapp: QApplication) -> Iterator[None]:
    """What pages compute ends with the test."""
    yield
    for each in qapp.topLevelWidgets():
        if isinstance(each, MainWindow):
            for kind in (ModelPage, SearchPage, ComparePage, LearnPage):
                each.page(kind).stop()


def cells(model: QAbstractItemModel, parent: QModelIndex = ROOT, *, is_tree: bool = False) -> Iterator[str]:
    for row in range(model.rowCount(parent)):
        n_columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
        for column in range(n_columns):
            index = model.index(row, column, parent)
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                yield str(index.data(role) or "")
        if is_tree:
            yield from cells(model, model.index(row, 0, parent), is_tree=True)


def texts(widget: QWidget) -> Iterator[str]:
    """Everything that a person can read or hear of a widget and of what is in it."""
    for each in (widget, *widget.findChildren(QWidget)):
        yield from (each.toolTip(), each.accessibleDescription(), each.whatsThis())
        if isinstance(each, QLabel | QAbstractButton):
            yield each.text()
        if isinstance(each, QComboBox):
            yield from cells(each.model())
        if isinstance(each, QAbstractItemView) and each.model() is not None:
            yield from cells(each.model(), is_tree=isinstance(each, QTreeView))
        if isinstance(each, QGraphicsView) and each.scene() is not None:
            yield from (item.toolTip() for item in each.scene().items())


def plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", text)).replace("\u00a0", " ")


def unqualified(found: Iterator[str]) -> list[str]:
    """Sentences that call one of the two a cause of the other, in texts that do not say under which condition."""
    said = []
    for text in map(plain, found):
        for sentence in re.split(r"(?<=[.!?;])\s|\n", text):
            is_about = all(name in sentence for name in BOTH)
            if is_about and CLAIM.search(sentence) and not QUALIFIED.search(text):
                said.append(sentence)
    return said


def settled(qtbot: QtBot, *pages: object) -> None:
    qtbot.waitUntil(lambda: not any(page.is_busy for page in pages), timeout=60_000)  # type: ignore[attr-defined]


def tip_of(item: EdgeItem) -> str:
    return plain(item.toolTip())


def test_that_the_edge_is_one_that_the_data_leave_open() -> None:
    kinds = {frozenset((arrow.parent, arrow.child)): arrow.kind for arrow in result().arrows}
    assert kinds[frozenset(BOTH)] is ArrowKind.EITHER_WAY


def test_that_the_test_finds_a_claim_without_its_condition() -> None:
    assert unqualified(iter(["Mek is a cause of Raf; Raf is not."])) != []
    assert unqualified(iter(["In this DAG Mek is a cause of Raf."])) == []


def test_that_the_model_page_says_it_everywhere(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.show_page("Model")
    page = window.page(ModelPage)
    qtbot.waitUntil(lambda: page.facts is not None and page.facts.is_complete and not page.is_busy, timeout=60_000)
    scene = page.canvas.scene
    assert scene.edge_item(*BOTH).drawn.is_open
    assert "do not determine the direction" in tip_of(scene.edge_item(*BOTH))
    assert HOLLOW_ARROW in page.canvas.legend.accessibleDescription()
    assert unqualified(texts(window)) == []
    scene.select_edge(*BOTH)
    assert "do not determine the direction" in page.inspector().text.text()
    assert page.inspector().value("Direction") == "either way"
    assert unqualified(texts(window)) == []
    for name in BOTH:
        page.choose(name)
        assert unqualified(texts(window)) == []
    page.determined.set_on(True)
    scene.select_edge(*BOTH)
    assert unqualified(texts(window)) == []
    page.determined.set_on(False)
    page.files.write_picture(scene, tmp_path / "dag.svg", 1.0)
    assert HOLLOW_ARROW in (tmp_path / "dag.svg").read_text()


def test_that_asking_the_model_says_it(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("Model")
    page = window.page(ModelPage)
    qtbot.waitUntil(lambda: page.facts is not None and page.facts.is_complete and not page.is_busy, timeout=60_000)
    page.asking.set_on(True)
    settled(qtbot, page)
    names = page.network.variables
    page.asking.hold(page.asking.held.with_set(names.index("Raf"), 1))
    settled(qtbot, page)
    assert page.asking.panel.range.text()
    assert unqualified(texts(window)) == []
    page.asking.panel.tabs.setCurrentWidget(page.asking.panel.pair)
    page.asking.clear()
    for cause, effect in (BOTH, BOTH[::-1]):
        page.asking.panel.pair.ask_about(cause, effect)
        settled(qtbot, page)
        assert "depending on which of the equally good DAGs is true" in page.asking.panel.pair.range.sentence.text()
        assert unqualified(texts(window)) == []


def test_that_the_search_page_says_it(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("Search")
    panel = window.page(SearchPage).dag
    settled(qtbot, panel)
    qtbot.waitUntil(lambda: frozenset(BOTH) in panel.scene.drawing.by_pair, timeout=20_000)
    assert "do not determine the direction" in tip_of(panel.scene.edge_item(*BOTH))
    assert HOLLOW_ARROW in panel.legend.accessibleDescription()
    assert unqualified(texts(window)) == []


def test_that_the_compare_page_says_it(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("Compare")
    page = window.page(ComparePage)
    best = result().best
    assert best is not None
    window.document.compare_asked.emit(ComparedGraph("best", "hc", best))
    truth = Subject("truth", best.without_latents()).dag
    assert truth is not None
    window.document.compare_asked.emit(ComparedGraph("the same", "again", truth))
    settled(qtbot, page)
    scene = page.overlay.canvas.scene
    qtbot.waitUntil(lambda: frozenset(BOTH) in scene.drawing.by_pair, timeout=20_000)
    assert "do not determine the direction" in tip_of(scene.edge_item(*BOTH))
    assert HOLLOW_ARROW in page.overlay.canvas.legend.accessibleDescription()
    for face in ("overlay", "A", "B"):
        page.overlay.show_face(face)
        assert unqualified(texts(window)) == []
    for view in (page.parts.panes, page.parts.matrix):
        page.parts.tabs.setCurrentWidget(view)
        settled(qtbot, page)
        assert unqualified(texts(window)) == []


@pytest.mark.parametrize("key", ["one_of_many", "separation"])
def test_that_the_learn_page_says_it(window: MainWindow, qtbot: QtBot, key: str) -> None:
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity(key)
    settled(qtbot, activity)
    boxes = [box for box in activity.findChildren(QComboBox) if box.findText("Model: hc") >= 0]
    assert boxes
    boxes[0].setCurrentIndex(boxes[0].findText("Model: hc"))
    boxes[0].activated.emit(boxes[0].currentIndex())
    settled(qtbot, activity)
    assert unqualified(texts(window)) == []


def test_that_the_pictures_of_reports_and_notebooks_say_it() -> None:
    best = result().best
    assert best is not None
    assert HOLLOW_ARROW in dag_svg(best)
