"""The column of Hide it: what to do, what the last change did, and a button for everything that can be done."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QToolButton

from latconf_gui.pages.learn.text_column import TextColumn
from latconf_gui.widgets.actions import follow_action
from latconf_gui.widgets.text import Card, Reserved

TITLE = "Hide it"
WHAT_TO_DO = (
    "Click a variable of the DAG to hide it, and look at what becomes of the MAG and the PAG. "
    "Click it again to show it."
)
HOW_TO_DRAW = (
    "Drag a variable to move it. Hold Shift and drag from a cause to its effect to draw an arrow. Double-click free "
    "ground for a new variable. Most buttons have a key, which their tool tips tell."
)
HOW_TO_READ = (
    "The MAG joins two measured variables where nothing that is measured separates them. A tail means a cause of the "
    "other end, an arrowhead means no cause of it. The PAG keeps only the marks that data can show; a circle is a mark "
    "that they cannot."
)
CHANGE_LINES = 6


class HideColumn(TextColumn):
    """`said` is the sentence on the last change."""

    def __init__(self) -> None:
        super().__init__(TITLE)
        self.add_text(WHAT_TO_DO)
        card = Card("What has changed")
        self.said = Reserved("", n_lines=CHANGE_LINES)
        self.said.setAccessibleName("What has changed")
        card.body.addWidget(self.said)
        self.add_widget(card)
        self.buttons = QGridLayout()
        self.add_layout(self.buttons)
        self.add_text(HOW_TO_DRAW, is_quiet=True)
        self.add_text(HOW_TO_READ, is_quiet=True)

    def add_button(self, action: QAction, text: str) -> QToolButton:
        """A button for a command, two in a row."""
        button = QToolButton()
        button.setText(text)
        button.setSizePolicy(button.sizePolicy().Policy.Expanding, button.sizePolicy().Policy.Fixed)
        follow_action(button, action)
        count = self.buttons.count()
        self.buttons.addWidget(button, count // 2, count % 2)
        return button
