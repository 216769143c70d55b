"""Keeps what a widget measured by its text true when the size of all text is changed while the program runs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

_CHANGES = (QEvent.Type.FontChange, QEvent.Type.StyleChange)  # a widget with a font of its own gets only the second


class FollowTextSize(QObject):
    """Calls `measure` after the size of text has changed, once all widgets have their new fonts."""

    def __init__(self, widget: QWidget, measure: Callable[[], None]) -> None:
        super().__init__(widget)
        self._widget, self._measure = widget, measure
        self._height = widget.fontMetrics().height()
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._on_changed)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _CHANGES and self._widget.fontMetrics().height() != self._height:
            self._soon.start()
        return False

    def _on_changed(self) -> None:
        height = self._widget.fontMetrics().height()
        if height != self._height:
            self._height = height
            self._measure()
