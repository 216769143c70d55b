"""The column beside the drawing while the model is asked: what is seen and set, rows, all states, cause and effect."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QTabWidget, QVBoxLayout, QWidget

from latconf_core.inference.asking import CAVEAT
from latconf_gui.pages.model.asking.beliefs_model import BeliefsModel
from latconf_gui.pages.model.asking.pair_panel import PairPanel
from latconf_gui.pages.model.asking.states_table import StatesTable
from latconf_gui.widgets.actions import ToolButton
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Heading, Quiet

HINT = "Click a state to observe it; Shift-click to intervene. Click again to remove it."
NOTHING_HELD = "No evidence or interventions."
LEAST_COLUMN_LINES, USUAL_COLUMN_LINES = 15, 21  # the least and the usual width, in heights of a line of text


class AskPanel(QWidget):
    """`row_asked(row)` when the number of a row is chosen, from 0."""

    row_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Ask the model")
        self.beliefs = BeliefsModel(self)
        self.table = StatesTable(self.beliefs)
        self.pair = PairPanel()
        self.held, self.latents, self.caveat, self.problem = TermLabel(), TermLabel(), Quiet(CAVEAT), TermLabel()
        self.range = TermLabel()
        self.row = QSpinBox()
        self.buttons = QHBoxLayout()
        self._build()
        self.row.valueChanged.connect(lambda number: self.row_asked.emit(number - 1) if number else None)
        self.show_held("", "", has_set=False)
        self.show_problem("")

    def _build(self) -> None:
        self.held.setAccessibleName("Evidence and interventions")
        self.range.setAccessibleName("Range over equally good DAGs")
        self.problem.setAccessibleName("Why the last change was undone")
        self.row.setAccessibleName("Row of the data")
        self.row.setToolTip("Observe all states of one row of the data")
        self.row.setSpecialValueText("–")
        self.row.setKeyboardTracking(False)
        self.buttons.setContentsMargins(0, 0, 0, 0)
        label = QLabel("&Row")
        label.setBuddy(self.row)
        self.buttons.addWidget(label)
        self.buttons.addWidget(self.row)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.table, "States")
        self.tabs.addTab(self.pair, "Cause and effect")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE // 2, SPACE, 0)
        layout.setSpacing(6)
        for widget in (Heading("Ask the model", factor=1.1), Quiet(HINT)):
            layout.addWidget(widget)
        layout.addLayout(self.buttons)
        for text in (self.held, self.latents, self.problem, self.range, self.caveat):
            layout.addWidget(text)
        layout.addWidget(self.tabs, 1)
        LeastLines(self, wide=LEAST_COLUMN_LINES)

    def sizeHint(self) -> QSize:
        """Wide enough for the table; the drawing gets all other room."""
        return QSize(self.fontMetrics().height() * USUAL_COLUMN_LINES, super().sizeHint().height())

    def add_buttons(self, actions: list[tuple[QAction, str]]) -> None:
        """Commands beside the number of the row, each with a short text."""
        for action, text in actions:
            button = ToolButton()
            button.setDefaultAction(action)
            button.setText(text)
            button.setAutoRaise(True)
            button.setAccessibleName(action.text().replace("&", ""))
            action.changed.connect(lambda button=button, text=text: button.setText(text))
            self.buttons.addWidget(button)
        self.buttons.addStretch(1)

    def show_rows(self, n_rows: int) -> None:
        """How many rows there are to choose from."""
        self.row.blockSignals(True)
        self.row.setRange(0, n_rows)
        self.row.setValue(0)
        self.row.blockSignals(False)
        self.row.setEnabled(n_rows > 0)

    def show_row(self, row: int | None) -> None:
        """The row that is seen, from 0."""
        self.row.blockSignals(True)
        self.row.setValue(0 if row is None else row + 1)
        self.row.blockSignals(False)

    def show_held(self, text: str, latents: str, *, has_set: bool) -> None:
        """Evidence and interventions, and the most probable states of the latents."""
        self.held.setText(text or NOTHING_HELD)
        self.latents.setText(latents)
        self.latents.setVisible(bool(latents))
        self.caveat.setVisible(has_set)
        self.table.show_ranges(has_set)
        if not has_set:
            self.show_range("")

    def show_range(self, sentence: str) -> None:
        """How far the answers of all DAGs that fit as well lie apart."""
        self.range.setText(sentence)
        self.range.setVisible(bool(sentence))

    def show_problem(self, text: str) -> None:
        """Why the last change was undone."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
