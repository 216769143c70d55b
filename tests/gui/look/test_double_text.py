"""Nothing is cut off in a window of 1280 × 800 with text at 200 %: measured on every page and every panel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QScrollArea,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from support.person import LONG

from latconf_core.formats.example_choice import default_choice
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.example_tour import ExamplePath
from latconf_gui.window.main_window import MainWindow

WIDTH, HEIGHT = 1280, 800


@pytest.fixture
def whole_path(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The window with an example taken to its model, and then everything at 200 %."""
    window.resize(WIDTH, HEIGHT)
    ExamplePath(window).start(default_choice("asia"))
    page = window.page(ModelPage)
    qtbot.waitUntil(lambda: page.facts is not None and page.facts.is_complete and not page.is_busy, timeout=LONG)
    window.theme.set_text_percent(200)
    return window


def views(window: MainWindow) -> Iterator[str]:
    """Every page, and every panel of a page, one after the other."""
    pag, search, model = window.page(PagPage), window.page(SearchPage), window.page(ModelPage)
    for title in ("Start", "Data"):
        window.show_page(title)
        yield title
    window.show_page("PAG")
    for index in range(pag.tabs.count()):
        pag.tabs.setCurrentIndex(index)
        yield f"PAG, {pag.tabs.tabText(index)}"
    window.show_page("Search")
    for index in range(search.tabs.count()):
        search.tabs.setCurrentIndex(index)
        yield f"Search, {search.tabs.tabText(index)}"
    window.show_page("Model")
    yield "Model"
    model.choose("dysp")
    yield "Model, a variable"
    yield from compare_views(window)
    window.show_page("Model")
    window.problems.report("Something is wrong with what was done.", "A test")
    yield "Model, with Problems"


def compare_views(window: MainWindow) -> Iterator[str]:
    """The Compare page before anything is compared, and then its three ways to look."""
    window.show_page("Compare")
    yield "Compare, nothing"
    page = window.page(ComparePage)
    for offer in page.adding.offers():
        page.adding.add_offers([offer])
    for index in range(page.tabs.count()):
        page.tabs.setCurrentIndex(index)
        yield f"Compare, {page.tabs.tabText(index)}"
    page.parts.show_table("numbers")
    yield "Compare, numbers"
    page.stop()


def cut_texts(window: MainWindow) -> list[str]:
    """Texts that need more room than they have."""
    texts = []
    for label in window.findChildren(QLabel):
        if label.isVisible() and label.text() and label.pixmap().isNull() and label.minimumWidth() != 1:
            hint = label.sizeHint()
            if label.wordWrap():
                is_cut = label.height() < label.heightForWidth(label.width())
            else:
                is_cut = label.width() < hint.width() or label.height() < hint.height()
            texts += [f"label {label.text()!r}"] if is_cut else []
    for box in window.findChildren(QComboBox):
        needed = box.fontMetrics().horizontalAdvance(box.currentText()) + box.fontMetrics().height() // 2
        if box.isVisible() and box.width() < needed and box.currentText() not in box.toolTip():  # … and the tip says it
            texts.append(f"choice {box.currentText()!r}")
    for button in window.findChildren(QAbstractButton):
        if button.isVisible() and button.text() and button.width() < button.sizeHint().width():
            texts.append(f"button {button.text()!r}")
    return texts


def hidden_tabs(window: MainWindow) -> list[str]:
    """Tabs that are cut or behind the arrows of their bar."""
    bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible() and bar.count() > 1]
    return [
        bar.tabText(index)
        for bar in bars
        for index in range(bar.count())
        if not bar.rect().contains(bar.tabRect(index)) or any(b.isVisible() for b in bar.findChildren(QToolButton))
    ]


def beside_their_panel(window: MainWindow) -> list[str]:
    """Widgets in a scrolling column that stick out of it to the right: only a vertical scroll is natural."""
    their_panel = []
    for area in window.findChildren(QScrollArea):
        inside = area.widget()
        if area.isVisible() and inside is not None and inside.width() > area.viewport().width():
            their_panel.append(f"{type(area.parent()).__name__}: {inside.width()} in {area.viewport().width()}")
    return their_panel


def outside(window: MainWindow) -> list[str]:
    """Buttons that no part of is inside the window and no scrolling brings there."""
    frame = QRect(QPoint(0, 0), window.size())
    result = []
    for button in window.findChildren(QAbstractButton):
        if button.isVisible() and not _can_be_scrolled_to(button):
            q_rect = QRect(button.mapTo(window, QPoint(0, 0)), button.size())
            result += [] if frame.contains(q_rect) else [f"{type(button).__name__} {button.text()!r}"]
    return result


def _can_be_scrolled_to(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    return parent is not None


def test_that_nothing_is_cut_off_at_double_text_in_a_small_window(whole_path: MainWindow) -> None:
    window = whole_path
    for view in views(window):
        for _ in range(5):
            QApplication.processEvents()
        assert (window.width(), window.height()) == (WIDTH, HEIGHT), view
        for faults in (cut_texts(window), hidden_tabs(window), beside_their_panel(window), outside(window)):
            assert faults == [], view


def test_that_the_line_of_a_neighbourhood_makes_no_window_wider_at_double_text(whole_path: MainWindow) -> None:
    window = whole_path
    for page, kind in ((window.page(PagPage), "pag"), (window.page(ModelPage), "model")):
        window.show_page(page.title)
        page.canvas.scene.select_nodes(["dysp"])
        window.actions_by_id[f"{kind}.neighbourhood"].trigger()
        for _ in range(5):
            QApplication.processEvents()
        assert page.part_bar.isVisible()
        assert (window.width(), window.height()) == (WIDTH, HEIGHT), kind
        for faults in (cut_texts(window), hidden_tabs(window), beside_their_panel(window), outside(window)):
            assert faults == [], kind


def test_that_chart_and_problems_keep_room_for_what_they_say_at_double_text(whole_path: MainWindow) -> None:
    window = whole_path
    window.show_page("Search")
    QApplication.processEvents()
    chart = window.page(SearchPage).results.chart
    line = chart.fontMetrics().height()
    assert chart.axes.frame.height() >= 6 * line
    window.problems.report("Something is wrong with what was done.", "A test")
    for _ in range(5):
        QApplication.processEvents()
    entries = window.problems.findChildren(QScrollArea)
    assert max(entry.viewport().height() for entry in entries) >= 6 * line
