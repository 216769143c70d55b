"""Tool bars and buttons that hold one connection to each of their actions, however often it changes.

A tool button of Qt 6.11 connects itself to its action anew with every change of it and lets no older connection go:
each takes memory, and each is called again at the next change. What is connected is called after the button has
heard of the change and connected itself, so that nothing is lost where the older ones go before.
"""

from __future__ import annotations

from PySide6.QtCore import SIGNAL, QEvent, QObject
from PySide6.QtGui import QAction, QActionEvent
from PySide6.QtWidgets import QToolBar, QToolButton


class ToolBar(QToolBar):
    """A tool bar; it hears of a change before its button does."""

    def actionEvent(self, event: QActionEvent) -> None:
        if event.type() == QEvent.Type.ActionChanged:
            button = self.widgetForAction(event.action())
            if isinstance(button, QToolButton):
                _forget_connections(event.action(), button)
        super().actionEvent(event)


class ToolButton(QToolButton):
    """A tool button that stands alone."""

    def actionEvent(self, event: QActionEvent) -> None:
        if event.type() == QEvent.Type.ActionChanged and event.action() is self.defaultAction():
            _forget_connections(event.action(), self)
        super().actionEvent(event)


def _forget_connections(action: QAction, button: QToolButton) -> None:
    QObject.disconnect(action, SIGNAL("changed()"), button, None)  # type: ignore[call-overload]
