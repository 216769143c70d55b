"""Keeps the wheel from changing a choice or a number that a scrolled page moves under the mouse."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox


class WheelGuard(QObject):
    """The wheel turns a field that was clicked or reached by the keyboard; over any other it scrolls the page."""

    def watch(self, field: QComboBox | QAbstractSpinBox) -> None:
        """Look after a field; watching it twice does no harm."""
        if field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
            field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, (QComboBox, QAbstractSpinBox)):
            return False
        if watched.hasFocus():
            return False
        event.ignore()  # it goes on to what is below the field
        return True
