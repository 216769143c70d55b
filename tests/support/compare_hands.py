"""Two persons who compare graphs: one has only a mouse, the other only a keyboard."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeWidget, QTreeWidgetItem, QWidget

from latconf_core.control import RunControl
from latconf_core.formats.example_choice import default_choice
from latconf_core.formats.projects.opening import draw_example
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import add_pag, add_run
from latconf_core.options.learning import pag_preset
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.search.runner import run_search
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.window.main_window import MainWindow

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@cache
def state_with_two_of_each() -> ProjectState:
    """Asia with its truth, PAGs by FCI and GFCI, and runs of ILC-V and HCLC-V."""
    (state,) = draw_example(default_choice("asia"), RunControl())
    assert isinstance(state, ProjectState)
    data = state.dataset
    assert data is not None
    for method in ("fci", "gfci"):
        state = add_pag(state, run_learner(data, pag_preset("default", method)).graph, origin=method.upper())  # type: ignore[arg-type]
    for search in ("ilc-v", "hclc-v"):
        assert state.pag is not None
        result = run_search(data, state.pag, search, options=SearchOptions(max_bidirected=2, seed=1))
        state = add_run(state, result, title=search.upper())
    return state


class Person(ABC):
    """What somebody does at the Compare page."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.page = window.page(ComparePage)

    @abstractmethod
    def open_page(self) -> None:
        """Go to the Compare page."""

    @abstractmethod
    def add(self, name: str) -> None:
        """Take a graph of the project into the list."""

    @abstractmethod
    def go_to_first_difference(self) -> None:
        """See it lit in the picture."""

    @abstractmethod
    def open_numbers(self) -> None:
        """Look at the numbers."""

    @abstractmethod
    def make_reference(self, row: int) -> None:
        """Compare everything with another graph."""


class Mouse(Person):
    def open_page(self) -> None:
        button = self.window.rail.button(self.window.pages.index(self.page))
        QTest.mouseClick(button, LEFT, NO_KEY, button.rect().center())

    def add(self, name: str) -> None:
        offers = self.page.panel.offers
        item = row_named(offers, name)
        offers.scrollToItem(item)
        spot = offers.visualItemRect(item).center()
        _click(offers.viewport(), spot)
        QTest.mouseDClick(offers.viewport(), LEFT, NO_KEY, spot)

    def go_to_first_difference(self) -> None:
        tree = self.page.tree
        top = tree.topLevelItem(0)
        assert top is not None
        item = top.child(0)
        tree.scrollToItem(item)
        _click(tree.viewport(), tree.visualItemRect(item).center())

    def open_numbers(self) -> None:
        bar = self.page.parts.tables.tabBar()
        _click(bar, bar.tabRect(1).center())

    def make_reference(self, row: int) -> None:
        names, page = self.page.panel.list, self.page
        spot = names.visualRect(page.candidates.index(row)).center()
        _click(names.viewport(), spot)
        names.customContextMenuRequested.emit(spot)
        menu = QApplication.activePopupWidget()
        assert menu is not None
        _click(menu, menu.actionGeometry(page.context.actions["compare.reference"]).center())  # type: ignore[attr-defined]


class Keyboard(Person):
    def open_page(self) -> None:
        place = self.window.pages.index(self.page) + 1
        QTest.keyClick(self.window, Qt.Key(Qt.Key.Key_0 + place), Qt.KeyboardModifier.AltModifier)

    def add(self, name: str) -> None:
        offers = self.page.panel.offers
        self._tab_to(offers)
        QTest.keyClick(offers, Qt.Key.Key_Home)
        for _ in range(100):
            item = offers.currentItem()
            if item is not None and item.text(0) == name:
                break
            QTest.keyClick(offers, Qt.Key.Key_Down)
        QTest.keyClick(offers, Qt.Key.Key_Return)

    def go_to_first_difference(self) -> None:
        view = self.page.overlay.canvas.view
        self._tab_to(view)
        QTest.keyClick(view, Qt.Key.Key_Right)

    def open_numbers(self) -> None:
        bar = self.page.parts.tables.tabBar()
        self._tab_to(bar)
        QTest.keyClick(bar, Qt.Key.Key_Right)

    def make_reference(self, row: int) -> None:
        names = self.page.panel.list
        self._tab_to(names)
        QTest.keyClick(names, Qt.Key.Key_Home)
        for _ in range(row):
            QTest.keyClick(names, Qt.Key.Key_Down)
        QTest.keyClick(names, Qt.Key.Key_R)

    def _tab_to(self, widget: QWidget) -> None:
        """Press Tab until a widget has the focus."""
        for _ in range(80):
            focus = QApplication.focusWidget()
            if focus is widget:
                return
            QTest.keyClick(focus or self.window, Qt.Key.Key_Tab)
        raise AssertionError(f"Tab never comes to {widget.accessibleName() or widget}")


def row_named(tree: QTreeWidget, name: str) -> QTreeWidgetItem:
    """The row of a tree with this text."""
    finditems = tree.findItems(name, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
    assert len(finditems) == 1, name
    return finditems[0]


def _click(widget: QWidget, spot: QPoint) -> None:
    QTest.mouseClick(widget, LEFT, NO_KEY, spot)
