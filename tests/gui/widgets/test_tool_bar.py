"""A tool button follows its action and holds one connection to it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from latconf_gui.widgets.actions import ToolBar, ToolButton
from latconf_gui.window.main_window import MainWindow


def count_connections(action: QAction) -> int:
    return action.receivers("2changed()")  # the 2 says that it is a signal


def in_a_bar(action: QAction, parent: QWidget) -> QToolButton:
    bar = ToolBar("x", parent)
    bar.addAction(action)
    button = bar.widgetForAction(action)
    assert isinstance(button, QToolButton)
    return button


def alone(action: QAction, parent: QWidget) -> QToolButton:
    button = ToolButton(parent)
    button.setDefaultAction(action)
    return button


@pytest.mark.parametrize("make_button", [in_a_bar, alone])
def test_that_a_changed_action_is_followed_without_ever_more_connections(make_button: object, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    action, heard = QAction("x", parent), list[str]()
    button = make_button(action, parent)  # type: ignore[operator]
    action.changed.connect(lambda: heard.append(action.text()))
    action.setText("first")
    before = count_connections(action)
    for number in range(50):
        action.setText(str(number))
        action.setEnabled(number % 2 == 1)
    assert count_connections(action) == before
    action.setCheckable(True)
    action.setChecked(True)
    assert (button.text(), button.isEnabled(), button.isChecked()) == ("49", True, True)
    assert heard[:3] == ["first", "0", "0"]


def test_that_no_action_of_the_window_gathers_connections(window: MainWindow) -> None:
    """A hundred changes of each; what is connected once and for all may come with the first."""
    window.load_pages()
    buttons = [
        latent for latent in window.findChildren(QToolButton) if not isinstance(latent.parent(), QLineEdit)
    ]  # Qt's own
    actions = {action for button in buttons if (action := button.defaultAction())}
    assert len(actions) > 10
    before = {action: count_connections(action) for action in actions}
    for action in actions:
        for _ in range(50):
            action.setWhatsThis("x")
            action.setWhatsThis("y")
    assert {a.text(): count_connections(a) - before[a] for a in actions if count_connections(a) > before[a] + 5} == {}
