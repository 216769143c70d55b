"""Which puzzle is posed: the network, how hard it is, and its number."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QPushButton, QSpinBox, QWidget

from latconf_core.formats.examples import examples
from latconf_core.teaching.sampled.hidden_puzzle import RANDOM, Difficulty, PuzzleChoice

MAX_SEED = 9_999


class PuzzleForm(QWidget):
    """`chosen` when another puzzle is asked for."""

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source, self.difficulty, self.seed = QComboBox(), QComboBox(), QSpinBox(minimum=1, maximum=MAX_SEED)
        self.new_button = QPushButton("New puzzle")
        self.source.addItem("A random network", RANDOM)
        for known in examples():
            self.source.addItem(known.title, known.name)
        for level in get_args(Difficulty):
            self.difficulty.addItem(level, level)
        self.seed.setToolTip("The same number gives the same puzzle")
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow("Network", self.source)
        form.addRow("Difficulty", self.difficulty)
        form.addRow("Puzzle", self.seed)
        form.addRow(self.new_button)
        for box in (self.source, self.difficulty):
            box.activated.connect(lambda _row: self.chosen.emit())
        self.seed.valueChanged.connect(lambda _value: self.chosen.emit())

    @property
    def choice(self) -> PuzzleChoice:
        """The puzzle that is asked for."""
        difficulty: Difficulty = self.difficulty.currentData()
        return PuzzleChoice(str(self.source.currentData()), difficulty, self.seed.value())

    def fill(self, choice: PuzzleChoice) -> None:
        """Show a choice, without a signal."""
        was_blocked = self.blockSignals(True)
        self.source.setCurrentIndex(self.source.findData(choice.source))
        self.difficulty.setCurrentIndex(self.difficulty.findData(choice.difficulty))
        self.seed.setValue(choice.seed)
        self.blockSignals(was_blocked)

    def choose_next(self) -> None:
        """The next puzzle of the same kind."""
        self.seed.setValue(self.seed.value() % MAX_SEED + 1)
