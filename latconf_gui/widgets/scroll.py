"""A column of widgets that scrolls where there is too little height for it, and only there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from latconf_gui.widgets.text_size import FollowTextSize


class ScrollColumn(QScrollArea):
    """Add to `column`. What can shrink, such as a table, shrinks to its least height before anything scrolls."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is what a screen reader calls the column, which takes the focus to be scrolled by keys."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self._is_fitting = False
        inside = _Inside()
        self.column = QVBoxLayout(inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(inside)
        for surface in (self.viewport(), inside):
            surface.setAutoFillBackground(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit what is inside once per change of its size.

        A form whose rows wrap has another least width when it is wide; Qt would go back and forth between the two
        until the stack is full.
        """
        if event.type() != QEvent.Type.Resize:
            return super().eventFilter(watched, event)
        if self._is_fitting:
            return False
        self._is_fitting = True
        try:
            return super().eventFilter(watched, event)
        finally:
            self._is_fitting = False


class LeastLines(QObject):
    """Keeps a widget at least so many lines of its text high, and so many wide, whatever the size of text."""

    def __init__(self, widget: QWidget, n_lines: int = 0, *, wide: int = 0) -> None:
        super().__init__(widget)
        self._widget, self._n_lines, self._wide = widget, n_lines, wide
        FollowTextSize(widget, self._apply)
        self._apply()

    def _apply(self) -> None:
        line = self._widget.fontMetrics().height()
        if self._n_lines:
            self._widget.setMinimumHeight(self._n_lines * line)
        if self._wide:
            self._widget.setMinimumWidth(self._wide * line)


class _Inside(QWidget):
    def heightForWidth(self, width: int) -> int:
        """The least height; a scroll area would otherwise insist on the one that its tables like best."""
        layout = self.layout()
        return -1 if layout is None else layout.totalMinimumHeightForWidth(width)
