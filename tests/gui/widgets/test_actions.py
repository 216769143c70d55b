from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from latconf_gui.widgets.actions import Actions


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def test_that_triggering_calls_the_slot_without_arguments(window: QWidget) -> None:
    calls: list[str] = []
    action = Actions(window).add("a", "Do it", slot=lambda: calls.append("done"))
    action.trigger()
    assert calls == ["done"]


def test_that_a_checkable_action_passes_its_state(window: QWidget) -> None:
    calls: list[bool] = []
    action = Actions(window).add("a", "Show", slot=calls.append, checkable=True)
    action.trigger()
    action.trigger()
    assert calls == [True, False]


def test_that_an_id_can_be_used_once(window: QWidget) -> None:
    actions = Actions(window)
    actions.add("a", "One")
    with pytest.raises(ValueError, match="already an action 'a'"):
        actions.add("a", "Two")


def test_that_a_key_within_a_widget_works_only_while_it_has_the_focus(window: QWidget, qtbot: QtBot) -> None:
    inside, outside = QLineEdit(), QLineEdit()
    layout = QVBoxLayout(window)
    layout.addWidget(inside)
    layout.addWidget(outside)
    calls: list[str] = []
    Actions(window).add("a", "Cycle", slot=lambda: calls.append("x"), shortcut="Ctrl+J", within=inside)
    with qtbot.waitActive(window):
        window.show()
    outside.setFocus()
    qtbot.keyClick(outside, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert calls == []
    inside.setFocus()
    qtbot.keyClick(inside, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert calls == ["x"]


def test_that_the_tool_tip_names_the_key(window: QWidget) -> None:
    action = Actions(window).add("a", "&Open…", shortcut="Ctrl+O")
    assert action.toolTip() == "Open (Ctrl+O)"
