"""A column of widgets that scrolls where there is too little height for it, and only there."""

from __future__ import annotations

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


class _Inside(QWidget):
    def heightForWidth(self, width: int) -> int:
        """The least height; a scroll area would otherwise insist on the one that its tables like best."""
        layout = self.layout()
        return -1 if layout is None else layout.totalMinimumHeightForWidth(width)
