"""Learning a PAG: the method, its settings, the paper's presets; run in the background with progress and Cancel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from latconf_core.control import Progress
from latconf_core.independence.catalogue import INDEPENDENCE_TESTS
from latconf_core.options.learning import PAG_PRESETS, PRESET_NOTES, PagOptions
from latconf_core.pag.events import LearnedPag
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_gui.widgets.form_fields import Choice, Field, Limit, Number, Tick, add_row
from latconf_gui.widgets.scroll import LeastLines, ScrollColumn
from latconf_gui.widgets.text import Quiet

PRESET_TITLES = {
    "default": "Default",
    "paper-fci": "The paper's FCI",
    "paper-gfci": "The paper's GFCI",
}
CUSTOM = "Custom settings"
NARROW_CHARACTERS = 44
PANEL_LINES = 14  # wide at least, in lines of text: its longest row and the bar to scroll
DEGREES = {"adaptive": "adaptive", "full": "full", "full-guard": "full, guarded"}
STRUCTURE_OVER = {"variables": "number of variables", "rows": "number of rows"}
MANY = 1_000_000_000


@dataclass(frozen=True)
class OptionRow:
    """A row of the form: the field of PagOptions that it is for, its label, and how its field is made."""

    option: str
    label: str
    make: Callable[[], Field]
    tip: str = ""


ROWS = (
    OptionRow("method", "Method", lambda: Choice({learner.name: learner.title for learner in LEARNERS.values()})),
    OptionRow("alpha", "Significance level", lambda: Number(0.0001, 0.5, decimals=4, step=0.01)),
    OptionRow(
        "statistic",
        "Statistic",
        lambda: Choice(
            {independence_test.name: independence_test.title for independence_test in INDEPENDENCE_TESTS.values()}
        ),
    ),
    OptionRow("degrees_of_freedom", "Degrees of freedom", lambda: Choice(DEGREES)),
    OptionRow("max_conditioning", "Maximum conditioning set", lambda: Limit(20)),
    OptionRow("skeleton_tests", "Maximum skeleton tests", lambda: Limit(MANY, step=10_000, unit="tests")),
    OptionRow("collider_tests", "Maximum collider tests", lambda: Limit(MANY, step=10_000, unit="tests")),
    OptionRow(
        "stable_skeleton",
        "",
        lambda: Tick("Order-independent skeleton"),
        "Update adjacencies level by level, so the column order does not affect which edges are removed",
    ),
    OptionRow(
        "any_column_order",
        "",
        lambda: Tick("Order-independent PAG"),
        (
            "Keep the separating set with the highest p-value. If off, the first one found is kept, as in pcalg "
            "and Tetrad, and the column order can matter"
        ),
    ),
    OptionRow(
        "complete_rules",
        "",
        lambda: Tick("All orientation rules"),
        "Rules R1 to R4 and R8 to R10; if off, only R1 to R4",
    ),
    OptionRow(
        "valid_pag",
        "",
        lambda: Tick("Repair an invalid PAG"),
        "If the result is not a valid PAG, take the nearest valid one; needs all orientation rules",
    ),
    OptionRow(
        "checked_colliders",
        "",
        lambda: Tick("Check colliders"),
        "A collider must make its neighbours dependent when conditioned on; if off, one separating set decides",
    ),
    OptionRow(
        "possible_dsep",
        "",
        lambda: Tick("Possible-d-sep sets"),
        "After the skeleton, also search possible-d-sep sets for separating sets",
    ),
    OptionRow("possible_dsep_size", "Maximum possible-d-sep set", lambda: Limit(20)),
    OptionRow("possible_dsep_tests", "Maximum possible-d-sep tests", lambda: Limit(MANY, step=10_000, unit="tests")),
    OptionRow("sample_prior", "Sample prior", lambda: Number(0.1, 1000, decimals=1, step=1)),
    OptionRow("structure_prior", "Structure prior", lambda: Number(0, 100, decimals=2, step=0.5)),
    OptionRow("structure_prior_over", "Structure prior over", lambda: Choice(STRUCTURE_OVER)),
    OptionRow(
        "faithfulness",
        "",
        lambda: Tick("Assume faithfulness"),
        "The score search first considers only marginally dependent pairs",
    ),
    OptionRow("score_moves", "Maximum score moves", lambda: Limit(MANY, step=10_000, unit="moves")),
)


class LearnPanel(QWidget):
    """A form for PagOptions, of which it shows those that the learner and its test use.

    `learn_asked` carries them; `cancel_asked` stops the run; `data_asked` wants to see where data are decided on.
    """

    learn_asked = Signal(object)
    cancel_asked = Signal()
    data_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Learn the PAG")
        self._is_showing = False
        self._followed: PagOptions | None = None  # how the PAG that the form followed last was learned
        self._base = PagOptions()
        self._make_fields()
        self._form = QFormLayout()
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._fill_form()
        scroll = ScrollColumn("Options of learning")
        scroll.column.addLayout(self._form)
        scroll.column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addWidget(scroll, 1)
        layout.addLayout(self._make_run_row())
        LeastLines(self, wide=PANEL_LINES)
        self.show_options(self._base)
        self.show_running(False)

    def _make_fields(self) -> None:
        self.preset = Choice({name: PRESET_TITLES.get(name, name) for name in PAG_PRESETS} | {"": CUSTOM})
        self.preset.edited.connect(self._on_preset)
        self.fields: dict[str, Field] = {row.option: row.make() for row in ROWS}  # by their name in PagOptions
        for field in self.fields.values():
            field.edited.connect(self._on_changed)
        self.method, self.alpha = self.fields["method"], self.fields["alpha"]

    def _fill_form(self) -> None:
        self.about, self.preset_note = Quiet(), Quiet()
        add_row(self._form, "Preset", self.preset)
        self._form.addRow(self.preset_note)
        for row in ROWS:
            add_row(self._form, row.label, self.fields[row.option], tip=row.tip)
            if row.option == "method":
                self._form.addRow(self.about)

    def show_line(self, line: QWidget) -> None:
        """Show what binds the learner above what runs it."""
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(1, line)

    def _make_run_row(self) -> QVBoxLayout:
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress of learning")
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.state.setAccessibleName("Status")
        self.reason = QLabel()
        self.reason.setWordWrap(True)
        self.reason.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setAccessibleName("Why the PAG cannot be learned now")
        self.go_to_data = QPushButton("Go to the Data page")
        self.go_to_data.clicked.connect(self.data_asked)
        self.learn = QPushButton("Learn the PAG")
        self.learn.setDefault(True)
        self.learn.clicked.connect(lambda: self.learn_asked.emit(self.options()))
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Stop learning; the PAG is unchanged")
        self.cancel.clicked.connect(self.cancel_asked)
        row = QHBoxLayout()
        row.addWidget(self.learn, 1)
        row.addWidget(self.cancel, 1)
        layout = QVBoxLayout()
        layout.addWidget(self.state)
        layout.addWidget(self.progress)
        layout.addWidget(self.reason)
        layout.addWidget(self.go_to_data)
        layout.addLayout(row)
        return layout

    def options(self) -> PagOptions:
        """What the form says."""
        said: dict[str, Any] = {name: field.read() for name, field in self.fields.items()}
        return replace(self._base, **said)

    def show_options(self, options: PagOptions) -> None:
        """Fill the form."""
        self._is_showing = True
        self._base = options
        for name, field in self.fields.items():
            field.fill(getattr(options, name))
        self._is_showing = False
        self._on_changed()

    def follow_learned(self, learned: LearnedPag | None) -> None:
        """Show how a PAG was learned, if it was."""
        options = None if learned is None else learned.options
        if options == self._followed:  # an edited PAG, say: what is being chosen for the next one stays
            return
        self._followed = options
        if options is not None and options.method in LEARNERS:
            self.show_options(options)

    def choose_preset(self, name: str) -> None:
        """Fill the form with a named preset."""
        self.show_options(PAG_PRESETS[name])
        self.preset.setCurrentIndex(self.preset.findData(name))

    def _on_preset(self) -> None:
        name = self.preset.currentData()
        if name:
            self.choose_preset(name)

    def _on_changed(self) -> None:
        if self._is_showing:
            return
        options = self.options()
        learner, test = LEARNERS[options.method], INDEPENDENCE_TESTS[options.statistic]
        self.about.setText(learner.description)
        used = {"method", *learner.options, *(test.options if "statistic" in learner.options else ())}
        for name, field in self.fields.items():
            self._form.setRowVisible(field, name in used)
        for name in ("possible_dsep_size", "possible_dsep_tests"):
            self.fields[name].setEnabled(options.possible_dsep)
        if options != PAG_PRESETS.get(self.preset.read()):
            self.preset.fill(next((name for name, preset in PAG_PRESETS.items() if preset == options), ""))
        warning = "" if options.is_order_free else "The column order can change the PAG."
        self.preset_note.setText(PRESET_NOTES.get(self.preset.read(), warning))
        self.preset_note.setVisible(bool(self.preset_note.text()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Labels stand above their fields where both do not fit side by side."""
        super().resizeEvent(event)
        is_narrow = self.width() < self.fontMetrics().averageCharWidth() * NARROW_CHARACTERS
        policy = QFormLayout.RowWrapPolicy
        self._form.setRowWrapPolicy(policy.WrapAllRows if is_narrow else policy.WrapLongRows)

    def show_running(self, is_running: bool, *, reason: str = "", is_about_data: bool = False) -> None:
        """Offer Learn or Cancel; where neither can be used, say why, and show the way to data that must be decided on.

        reason : why learning cannot start, or ""
        """
        self.learn.setEnabled(not is_running and not reason)
        self.cancel.setEnabled(is_running)
        self.reason.setText("" if is_running else reason)
        self.reason.setVisible(bool(reason) and not is_running)
        self.go_to_data.setVisible(bool(reason) and is_about_data and not is_running)
        if is_running and self.progress.isHidden():
            self.progress.setRange(0, 0)
        self.progress.setVisible(is_running)

    def show_progress(self, step: Progress) -> None:
        """How far the run is."""
        self.state.setText(step.text)
        self.progress.setRange(0, step.total or 0)
        self.progress.setValue(min(step.done, step.total or 0))
