"""How wide a box to choose from may be, and the list that opens below it."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox

LIST_LETTERS = 80  # at most


def bound_width(box: QComboBox, *, least: int, most: int) -> None:
    """Keep a box between so many letters, whatever it holds; its list is as wide as its texts."""
    metrics = box.fontMetrics()
    letter = metrics.averageCharWidth()
    box.setMinimumWidth(letter * least)
    box.setMaximumWidth(letter * most)
    widest = max((metrics.horizontalAdvance(box.itemText(index)) for index in range(box.count())), default=0)
    box.view().setMinimumWidth(min(widest + 4 * letter, letter * LIST_LETTERS))
