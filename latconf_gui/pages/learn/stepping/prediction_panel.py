"""Predict, then reveal: the question, the answers that are no edge, and the points."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from latconf_gui.pages.learn.text_column import Paragraph
from latconf_gui.widgets.text import SPACE


class PredictionPanel(QWidget):
    """`toggled` when the mode changes, `nothing_guessed`, `reveal_asked` and `restarted` by its buttons."""

    toggled = Signal(bool)
    nothing_guessed = Signal()
    reveal_asked = Signal()
    restarted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.right = self.wrong = 0
        self.mode = QCheckBox("Predict, then reveal")
        self.mode.setToolTip("Predict each change before it is shown")
        self.mode.toggled.connect(self._on_toggled)
        self.question, self.verdict, self.points = Paragraph(), Paragraph(), Paragraph(is_quiet=True)
        self.nothing = QPushButton("No more changes")
        self.nothing.setToolTip("No further edge or mark changes in this phase")
        self.nothing.clicked.connect(self.nothing_guessed)
        self.reveal = QPushButton("Reveal")
        self.reveal.setToolTip("Show the next step without a prediction")
        self.reveal.clicked.connect(self.reveal_asked)
        self.restart = QPushButton("Reset")
        self.restart.setToolTip("Reset the count")
        self.restart.clicked.connect(self._on_restarted)
        for button in (self.nothing, self.reveal, self.restart):
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # a narrow column stays narrow
        self._game = QWidget()
        column, inner, row = QVBoxLayout(self), QVBoxLayout(self._game), QHBoxLayout()
        for layout in (column, inner):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(SPACE // 2)
        column.addWidget(self.mode)
        column.addWidget(self._game)
        for paragraph in (self.verdict, self.question):
            inner.addWidget(paragraph)
        inner.addWidget(self.nothing)
        row.addWidget(self.reveal, 1)
        row.addWidget(self.restart, 1)
        inner.addLayout(row)
        inner.addWidget(self.points)
        self._game.hide()
        self._show_points()

    @property
    def is_on(self) -> bool:
        return self.mode.isChecked()

    def ask(self, question: str) -> None:
        """Put the next question; "" at the end."""
        self.question.setText(
            f"{question} Click it, or the two nodes of the edge." if question else "That was the last step."
        )
        for button in (self.nothing, self.reveal):
            button.setEnabled(bool(question))

    def count(self, is_right: bool, verdict: str) -> None:
        """Count a guess and say how it was."""
        self.right += is_right
        self.wrong += not is_right
        self.verdict.setText(verdict)
        self._show_points()

    def show_game(self, *, is_on: bool, right: int, wrong: int) -> None:
        """Go on from these points, without telling so."""
        self.right, self.wrong = right, wrong
        self.verdict.setText("")
        was_blocked = self.mode.blockSignals(True)
        self.mode.setChecked(is_on)
        self.mode.blockSignals(was_blocked)
        self._game.setVisible(is_on)
        self._show_points()

    def _on_toggled(self, is_on: bool) -> None:
        self._game.setVisible(is_on)
        self.verdict.setText("")
        self.toggled.emit(is_on)

    def _on_restarted(self) -> None:
        self.show_game(is_on=self.is_on, right=0, wrong=0)
        self.restarted.emit()

    def _show_points(self) -> None:
        self.points.setText(f"{self.right} right, {self.wrong} wrong")
