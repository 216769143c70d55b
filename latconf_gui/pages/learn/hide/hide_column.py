"""The column of Hide it: what to do, what the last change did, and a button for everything that can be done."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QToolButton

from latconf_gui.pages.learn.text_column import TextColumn
from latconf_gui.widgets.actions import follow_action
from latconf_gui.widgets.text import Card, Reserved

TITLE = "Hide it"
WHAT_TO_DO = "Click a variable of the DAG to hide it and see how the MAG and the PAG change. Click it again to show it."
HOW_TO_DRAW = (
    "Drag a variable to move it. Shift-drag from a cause to its effect to draw an arrow. Double-click an "
    "empty spot to add a variable. Tool tips list the keyboard shortcuts."
)
HOW_TO_READ = (
    "Two measured variables are adjacent in the MAG if no set of measured variables separates them. A tail "
    "means a cause of the other end, an arrowhead not a cause of it. The PAG keeps only marks that data can "
    "determine; a circle is undecided."
)
CHANGE_LINES = 6


class HideColumn(TextColumn):
    """`said` is the sentence on the last change."""

    def __init__(self) -> None:
        super().__init__(TITLE)
        self.add_text(WHAT_TO_DO)
        card = Card("Changes")
        self.said = Reserved("", n_lines=CHANGE_LINES)
        self.said.setAccessibleName("Changes")
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
