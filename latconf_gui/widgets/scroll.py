"""A column of widgets that scrolls where there is too little height for it, and only there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget


class ScrollColumn(QScrollArea):
    """Add to `column`. What can shrink, such as a table, shrinks to its least height before anything scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inside = _Inside()
        self.column = QVBoxLayout(inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(inside)
        for surface in (self.viewport(), inside):
            surface.setAutoFillBackground(False)


class LeastLines(QObject):
    """Keeps a widget at least so many lines of its text high, whatever the size of text."""

    def __init__(self, widget: QWidget, n_lines: int) -> None:
        super().__init__(widget)
        self._widget, self._n_lines = widget, n_lines
        widget.installEventFilter(self)
        self._apply()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FontChange:
            self._apply()
        return False

    def _apply(self) -> None:
        self._widget.setMinimumHeight(self._n_lines * self._widget.fontMetrics().height())


class _Inside(QWidget):
    def heightForWidth(self, width: int) -> int:
        """The least height; a scroll area would otherwise insist on the one that its tables like best."""
        layout = self.layout()
        return -1 if layout is None else layout.totalMinimumHeightForWidth(width)
