"""The bar below the graph that goes through the steps: buttons, a slider, and where one is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QToolButton, QWidget

from latconf_gui.widgets.text import SPACE


class StepPlayer(QWidget):
    """`moved(step)` when a person goes to another step; Left, Right, Home and End do so on the slider."""

    moved = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Step")
        self.slider.setToolTip("Left and Right move one step, Home and End to the first and last step")
        self.slider.setPageStep(10)
        self.slider.valueChanged.connect(self._on_moved)
        self.first = self._button("|◀", "First step", lambda: self.go(0))
        self.back = self._button("◀", "Previous step", lambda: self.go(self.step - 1))
        self.forward = self._button("▶", "Next step", lambda: self.go(self.step + 1))
        self.last = self._button("▶|", "Last step: the PAG", lambda: self.go(self.slider.maximum()))
        self.place = QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE, SPACE // 2, SPACE, SPACE // 2)
        for widget in (self.first, self.back, self.forward, self.last):
            row.addWidget(widget)
        row.addWidget(self.slider, 1)
        row.addWidget(self.place)
        self.set_count(0)

    def _button(self, text: str, name: str, slot: object) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.setAutoRepeat(True)
        button.clicked.connect(slot)
        return button

    @property
    def step(self) -> int:
        return self.slider.value()

    def set_count(self, n_steps: int) -> None:
        """Another run with so many steps, without telling so."""
        self._without_telling(lambda: self.slider.setRange(0, max(n_steps - 1, 0)))
        self.setEnabled(n_steps > 0)
        self._show_place()

    def show_step(self, step: int) -> None:
        """Show where one is, without telling so."""
        self._without_telling(lambda: self.slider.setValue(step))
        self._show_place()

    def go(self, step: int) -> None:
        """Go to a step, as a person does."""
        self.slider.setValue(step)

    def _without_telling(self, act: object) -> None:
        was_blocked = self.slider.blockSignals(True)
        assert callable(act)
        act()
        self.slider.blockSignals(was_blocked)

    def _on_moved(self, step: int) -> None:
        self._show_place()
        self.moved.emit(step)

    def _show_place(self) -> None:
        count = self.slider.maximum() + 1 if self.isEnabled() else 0
        self.place.setText(f"Step {self.step + 1:,} of {count:,}" if count else "No steps yet")
        for button in (self.first, self.back):
            button.setEnabled(self.step > 0)
        for button in (self.forward, self.last):
            button.setEnabled(self.step < self.slider.maximum())
