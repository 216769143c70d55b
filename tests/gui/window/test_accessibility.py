"""What assistive technology sees: a role and a name for every widget that takes the focus, in a sensible order."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractSpinBox, QTabBar, QWidget
from pytestqt.qtbot import QtBot
from support.model_acts import settle, state_with_result

from latconf_gui.pages.catalogue import PAGES
from latconf_gui.pages.learn.activities import ACTIVITIES
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture
def filled(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with data, a PAG and a run, at the size of a small screen."""
    window.resize(1280, 800)
    window.show()
    window.load_pages()
    window.document.open_state(state_with_result(), "Open")
    settle(window.page(ModelPage), qtbot)
    return window


def focusable(root: QWidget) -> list[QWidget]:
    """The visible widgets of a part of the window that Tab reaches, in the order of Tab.

    A viewport hands the focus to its view, and the field inside a spin box is read as the spin box.
    """
    reached, start = [], root.window()
    widget = start.nextInFocusChain()
    while widget is not None and widget is not start:
        takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
        takes_tab = takes_tab and not isinstance(widget.parentWidget(), QAbstractSpinBox)  # the field inside
        is_empty = isinstance(widget, QTabBar) and not widget.count()  # a bar is called as its current tab
        if takes_tab and not is_empty and widget.isVisible() and widget.isEnabled() and root.isAncestorOf(widget):
            reached.append(widget)
        widget = widget.nextInFocusChain()
    return reached


def nameless(root: QWidget) -> list[str]:
    """What takes the focus and has no role or no name for a screen reader."""
    result = []
    for widget in focusable(root):
        seen = QAccessible.queryAccessibleInterface(widget)
        if seen is None or seen.role() == QAccessible.Role.NoRole or not seen.text(QAccessible.Text.Name).strip():
            result.append(f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}")
    return result


def backward_steps(root: QWidget) -> list[str]:
    """Steps of Tab between neighbours in one container that go up and not to a column on the right."""
    steps = []
    for before, after in pairwise(focusable(root)):
        if before.parentWidget() is not after.parentWidget():
            continue
        first, second = before.geometry(), after.geometry()
        if is_before(second, first):
            steps.append(f"{before.accessibleName() or type(before).__name__} > {after.accessibleName() or after}")
    return steps


def is_before(place: QRect, other: QRect) -> bool:
    """Whether a reader meets a place before another one: wholly above it and not to its right, or left in its row."""
    if place.bottom() <= other.top():
        return place.left() < other.right()
    return place.top() < other.bottom() and place.right() <= other.left() and other.top() < place.bottom()


@pytest.mark.parametrize("title", [entry.title for entry in PAGES])
def test_that_every_widget_that_takes_the_focus_has_a_role_and_a_name(filled: MainWindow, title: str) -> None:
    filled.show_page(title)
    page = filled.current_page
    assert page.title == title
    assert focusable(page)
    assert nameless(filled) == []


@pytest.mark.parametrize("title", [entry.title for entry in PAGES])
def test_that_tab_goes_from_the_top_left_to_the_bottom_right(filled: MainWindow, title: str) -> None:
    filled.show_page(title)
    assert backward_steps(filled.current_page) == []


@pytest.mark.slow
@pytest.mark.parametrize("key", [entry.key for entry in ACTIVITIES])
def test_that_every_activity_of_the_lessons_has_names_and_an_order(filled: MainWindow, key: str) -> None:
    filled.show_page("Lessons")
    page = filled.page(LearnPage)
    page.open_activity(key)
    assert nameless(page) == []
    assert backward_steps(page) == []


def test_that_the_help_has_names(filled: MainWindow) -> None:
    filled.help.show_documentation()
    assert nameless(filled.help) == []
