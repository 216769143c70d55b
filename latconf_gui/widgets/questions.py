"""A question with a few answers, or for a line of text, in the middle of the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

Role = QMessageBox.ButtonRole


@dataclass(frozen=True)
class Answer:
    """A button and what it does. The one that rejects is also what Esc and closing the question mean."""

    text: str
    role: QMessageBox.ButtonRole
    act: Callable[[], object]


def ask(parent: QWidget, title: str, text: str, *, explanation: str, answers: Sequence[Answer]) -> QMessageBox:
    """Put a question on the screen; the first answer is the one that Enter gives."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(title)
    box.setText(text)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(explanation)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for answer in answers:
        button = box.addButton(answer.text, answer.role)
        button.clicked.connect(_without_argument(answer.act))
        if answer is answers[0]:
            box.setDefaultButton(button)
    box.open()
    return box


def ask_for_text(parent: QWidget, title: str, label: str, *, text: str, take: Callable[[str], object]) -> QInputDialog:
    """Ask for a line of text, given as it is now; `take` gets it when it is accepted."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(text)
    dialog.textValueSelected.connect(take)
    dialog.open()
    return dialog


def _without_argument(act: Callable[[], object]) -> Callable[[], None]:
    def call() -> None:
        act()

    return call
