"""One effect in numbers: two states of the cause against each other, from the model, its class, its PAG and rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from latconf_core.effects.effect import EffectAnswer
from latconf_core.effects.plug_in import N_DRAWS
from latconf_core.wording.effect_texts import effect_lines
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import Heading, Quiet

TITLE = "Effect size"
LETTERS_OF_NAME = 8
TIP = f"Resample the rows {N_DRAWS} times with fixed arrows, for 95 % intervals"


class EffectPart(QWidget):
    """`changed()` when another contrast is chosen; `intervals_asked()`, `cancel_asked()`."""

    changed = Signal()
    intervals_asked = Signal()
    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(TITLE)
        self.against, self.outcome = QComboBox(), QComboBox()
        self.intervals, self.cancel = QPushButton("Compute intervals"), QPushButton("Cancel")
        self.progress = QProgressBar()
        self.lines: list[tuple[str, str]] = []
        self._shown = QVBoxLayout()
        self._build()
        self.show_answer(None)

    def _build(self) -> None:
        form = QFormLayout()
        for box, text, name in (
            (self.against, "&Versus", "Reference state of the cause"),
            (self.outcome, "&Outcome", "State of the effect"),
        ):
            box.setAccessibleName(name)
            box.setMinimumContentsLength(LETTERS_OF_NAME)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
            form.addRow(text, box)
        self.intervals.setToolTip(TIP)
        self.intervals.clicked.connect(self.intervals_asked)
        self.cancel.clicked.connect(self.cancel_asked)
        self.progress.setAccessibleName("Progress of the intervals")
        row = QHBoxLayout()
        for widget in (self.intervals, self.progress, self.cancel):
            row.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Heading(TITLE, factor=1.0))
        layout.addLayout(form)
        layout.addLayout(self._shown)
        layout.addLayout(row)

    # Choosing -------------------------------------------------------------------------------------

    def offer(self, causes: Sequence[str], effects: Sequence[str], *, chosen: str) -> None:
        """Offer the other states of the cause, and those of the effect; a choice that is still there is kept."""
        others = [state for state in causes if state != chosen]
        for box, states, fallback in ((self.against, others, 0), (self.outcome, list(effects), len(effects) - 1)):
            kept = box.currentText()
            was_blocked = box.blockSignals(True)
            box.clear()
            box.addItems(states)
            box.setCurrentIndex(states.index(kept) if kept in states else fallback)
            box.blockSignals(was_blocked)

    @property
    def asked(self) -> tuple[str, str] | None:
        """The state to compare with, and that of the effect; None where there is none."""
        against, outcome = self.against.currentText(), self.outcome.currentText()
        return (against, outcome) if against and outcome else None

    # Showing --------------------------------------------------------------------------------------

    def show_answer(self, answer: EffectAnswer | None, *, has_data: bool = False) -> None:
        """A label and a sentence per line; intervals are offered where there are rows and none were drawn."""
        self.lines = [] if answer is None else list(effect_lines(answer))
        while (item := self._shown.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for label, text in self.lines:
            said = TermLabel()
            said.setText(text)
            said.setAccessibleName(label)
            for shown in (Quiet(label), said):
                self._shown.addWidget(shown)
        self.show_drawing(is_drawing=False)
        has_interval = answer is not None and (answer.interval or (answer.plug_in and answer.plug_in.interval))
        self.intervals.setVisible(answer is not None and has_data and not has_interval)

    def show_problem(self, text: str) -> None:
        """Why there is no answer."""
        self.show_answer(None)
        label = QLabel(text)
        label.setWordWrap(True)
        self._shown.addWidget(label)

    def show_drawing(self, *, is_drawing: bool) -> None:
        """Whether intervals are being drawn."""
        self.progress.setVisible(is_drawing)
        self.cancel.setVisible(is_drawing)
        if is_drawing:
            self.intervals.hide()
            self.progress.setRange(0, 0)

    def show_progress(self, done: int, total: int) -> None:
        """How many draws are done."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)
