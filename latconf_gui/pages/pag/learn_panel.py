"""Learning a PAG: the method, its settings, the paper's presets; run in the background with progress and Cancel."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from latconf_core.control import Progress
from latconf_core.options.learning import PAG_PRESETS, PagOptions
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.text import Quiet

METHODS = {
    "fci": ("FCI", "Tests independence; the reference method."),
    "rfci": ("RFCI", "As FCI with fewer tests: faster, and a little less informative."),
    "cfci": ("cFCI", "As FCI; a collider only where all separating sets agree."),
    "mfci": ("mFCI", "As FCI; a collider where most separating sets agree."),
    "gfci": ("GFCI", "Starts from a score search, then tests: often leads to the best models."),
}
PRESET_TITLES = {
    "default": "Default",
    "paper-fci": "The paper's FCI",
    "paper-gfci": "The paper's GFCI",
}
CUSTOM = "Own settings"
NO_LIMIT = "no limit"
NARROW_CHARACTERS = 44
TIPS = {
    "stable_skeleton": "Tests level by level, so that the result does not depend on the order of columns",
    "complete_rules": "Rules R1 to R4 and R8 to R10; otherwise R1 to R4 only",
    "possible_dsep": "Search for separating sets among possible-d-sep nodes too, after the skeleton",
    "faithfulness": "The score search looks first at pairs that depend on each other alone",
}
STATISTICS = {"g-square": "G-square", "chi-square": "Chi-square"}
DEGREES = {"adaptive": "adaptive", "full": "full", "full-guard": "full, guarded"}
STRUCTURE_OVER = {"variables": "number of variables", "rows": "number of rows"}
TESTING = ("fci", "cfci", "mfci", "rfci", "gfci")
WITH_POSSIBLE_DSEP = ("fci", "cfci", "mfci")


class LearnPanel(QWidget):
    """A form for PagOptions. `learn_asked` carries them; `cancel_asked` stops the run."""

    learn_asked = Signal(object)
    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Learn the PAG")
        self._is_showing = False
        self._base = PagOptions()
        self._make_fields()
        self._form = QFormLayout()
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._fill_form()
        scroll = ScrollColumn()
        scroll.column.addLayout(self._form)
        scroll.column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addWidget(scroll, 1)
        layout.addLayout(self._make_run_row())
        self.show_options(self._base)
        self.show_running(False)

    def _make_fields(self) -> None:
        self.preset = _choice({name: PRESET_TITLES.get(name, name) for name in PAG_PRESETS} | {"": CUSTOM})
        self.method = _choice({name: title for name, (title, _) in METHODS.items()})
        self.alpha = _number(0.0001, 0.5, decimals=4, step=0.01)
        self.statistic = _choice(STATISTICS)
        self.degrees = _choice(DEGREES)
        self.max_conditioning = _limit(20)
        self.skeleton_tests = _limit(1_000_000_000, step=10_000)
        self.collider_tests = _limit(1_000_000_000, step=10_000)
        self.score_moves = _limit(1_000_000_000, step=10_000)
        self.complete_rules = QCheckBox("All orientation rules")
        self.stable_skeleton = QCheckBox("Any order of columns")
        self.possible_dsep = QCheckBox("Possible-d-sep sets")
        self.possible_dsep_size = _limit(20)
        self.possible_dsep_tests = _limit(100_000_000, step=10_000)
        self.sample_prior = _number(0.1, 1000, decimals=1, step=1)
        self.structure_prior = _number(0, 100, decimals=2, step=0.5)
        self.structure_over = _choice(STRUCTURE_OVER)
        self.faithfulness = QCheckBox("Assume faithfulness")
        self.preset.activated.connect(self._on_preset)
        for box in (self.method, self.statistic, self.degrees, self.structure_over):
            box.activated.connect(self._on_changed)
        for spin in self._limits().values():
            spin.valueChanged.connect(self._on_changed)
        for number in (self.alpha, self.sample_prior, self.structure_prior):
            number.valueChanged.connect(self._on_changed)
        for name, tick in self._ticks().items():
            tick.setToolTip(TIPS[name])
            tick.toggled.connect(self._on_changed)

    def _fill_form(self) -> None:
        self.about = Quiet()
        rows: tuple[tuple[str, QWidget, tuple[str, ...]], ...] = (
            ("Preset", self.preset, TESTING),
            ("Method", self.method, TESTING),
            ("", self.about, TESTING),
            ("Significance level", self.alpha, TESTING),
            ("Statistic", self.statistic, TESTING),
            ("Degrees of freedom", self.degrees, TESTING),
            ("Largest conditioning set", self.max_conditioning, TESTING),
            ("Most tests for the skeleton", self.skeleton_tests, TESTING),
            ("Most tests for colliders", self.collider_tests, ("cfci", "mfci")),
            ("", self.stable_skeleton, TESTING),
            ("", self.complete_rules, TESTING),
            ("", self.possible_dsep, WITH_POSSIBLE_DSEP),
            ("Its largest set", self.possible_dsep_size, WITH_POSSIBLE_DSEP),
            ("Most tests for it", self.possible_dsep_tests, WITH_POSSIBLE_DSEP),
            ("Sample prior", self.sample_prior, ("gfci",)),
            ("Structure prior", self.structure_prior, ("gfci",)),
            ("Structure prior over", self.structure_over, ("gfci",)),
            ("", self.faithfulness, ("gfci",)),
            ("Most moves of the score search", self.score_moves, ("gfci",)),
        )
        self._methods_of = {}
        for label, widget, methods in rows:
            if label:
                widget.setAccessibleName(label)
                self._form.addRow(label, widget)
            else:
                self._form.addRow(widget)
            self._methods_of[widget] = methods

    def _make_run_row(self) -> QVBoxLayout:
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress of learning")
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.state.setAccessibleName("State of learning")
        self.learn = QPushButton("Learn the PAG")
        self.learn.setDefault(True)
        self.learn.clicked.connect(lambda: self.learn_asked.emit(self.options()))
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Stop learning; the PAG stays as it is")
        self.cancel.clicked.connect(self.cancel_asked)
        row = QHBoxLayout()
        row.addWidget(self.learn, 1)
        row.addWidget(self.cancel, 1)
        layout = QVBoxLayout()
        layout.addWidget(self.state)
        layout.addWidget(self.progress)
        layout.addLayout(row)
        return layout

    def options(self) -> PagOptions:
        """What the form says."""
        return replace(
            self._base,
            method=self.method.currentData(),
            alpha=self.alpha.value(),
            statistic=self.statistic.currentData(),
            degrees_of_freedom=self.degrees.currentData(),
            max_conditioning=_limit_value(self.max_conditioning),
            skeleton_tests=_limit_value(self.skeleton_tests),
            collider_tests=_limit_value(self.collider_tests),
            score_moves=_limit_value(self.score_moves),
            possible_dsep_size=_limit_value(self.possible_dsep_size),
            possible_dsep_tests=_limit_value(self.possible_dsep_tests),
            stable_skeleton=self.stable_skeleton.isChecked(),
            complete_rules=self.complete_rules.isChecked(),
            possible_dsep=self.possible_dsep.isChecked(),
            sample_prior=self.sample_prior.value(),
            structure_prior=self.structure_prior.value(),
            structure_prior_over=self.structure_over.currentData(),
            faithfulness=self.faithfulness.isChecked(),
        )

    def show_options(self, options: PagOptions) -> None:
        """Fill the form."""
        self._is_showing = True
        self._base = options
        for box, value in (
            (self.method, options.method),
            (self.statistic, options.statistic),
            (self.degrees, options.degrees_of_freedom),
            (self.structure_over, options.structure_prior_over),
        ):
            box.setCurrentIndex(box.findData(value))
        self.alpha.setValue(options.alpha)
        self.sample_prior.setValue(options.sample_prior)
        self.structure_prior.setValue(options.structure_prior)
        for name, spin in self._limits().items():
            limit: int | None = getattr(options, name)
            spin.setValue(-1 if limit is None else limit)
        for name, tick in self._ticks().items():
            tick.setChecked(getattr(options, name))
        self._is_showing = False
        self._on_changed()

    def _limits(self) -> dict[str, QSpinBox]:
        """The settings that are a whole number or no limit, by their name in PagOptions."""
        return {
            "max_conditioning": self.max_conditioning,
            "skeleton_tests": self.skeleton_tests,
            "collider_tests": self.collider_tests,
            "score_moves": self.score_moves,
            "possible_dsep_size": self.possible_dsep_size,
            "possible_dsep_tests": self.possible_dsep_tests,
        }

    def _ticks(self) -> dict[str, QCheckBox]:
        """The settings that are on or off, by their name in PagOptions."""
        return {
            "stable_skeleton": self.stable_skeleton,
            "complete_rules": self.complete_rules,
            "possible_dsep": self.possible_dsep,
            "faithfulness": self.faithfulness,
        }

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
        method = self.method.currentData()
        self.about.setText(METHODS[method][1])
        for widget, methods in self._methods_of.items():
            self._form.setRowVisible(widget, method in methods)
        for spin in (self.possible_dsep_size, self.possible_dsep_tests):
            spin.setEnabled(self.possible_dsep.isChecked())
        if self.options() != PAG_PRESETS.get(self.preset.currentData()):
            same = next((name for name, preset in PAG_PRESETS.items() if preset == self.options()), "")
            self.preset.setCurrentIndex(self.preset.findData(same))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Labels stand above their fields where both do not fit side by side."""
        super().resizeEvent(event)
        is_narrow = self.width() < self.fontMetrics().averageCharWidth() * NARROW_CHARACTERS
        policy = QFormLayout.RowWrapPolicy
        self._form.setRowWrapPolicy(policy.WrapAllRows if is_narrow else policy.WrapLongRows)

    def show_running(self, is_running: bool) -> None:
        """Offer Learn or Cancel."""
        self.learn.setEnabled(not is_running)
        self.cancel.setEnabled(is_running)
        self.progress.setVisible(is_running)
        if is_running:
            self.progress.setRange(0, 0)

    def show_progress(self, step: Progress) -> None:
        """How far the run is."""
        self.state.setText(step.text)
        self.progress.setRange(0, step.total or 0)
        self.progress.setValue(min(step.done, step.total or 0))


def _choice(titles: dict[str, str]) -> QComboBox:
    box = QComboBox()
    for value, title in titles.items():
        box.addItem(title, value)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box


def _number(least: float, most: float, *, decimals: int, step: float) -> QDoubleSpinBox:
    spin = QDoubleSpinBox()
    spin.setDecimals(decimals)
    spin.setRange(least, most)
    spin.setSingleStep(step)
    return spin


def _limit(most: int, *, step: int = 1) -> QSpinBox:
    """A whole number whose least value, -1, means that there is no limit."""
    spin = QSpinBox()
    spin.setRange(-1, most)
    spin.setSpecialValueText(NO_LIMIT)
    spin.setGroupSeparatorShown(True)
    spin.setSingleStep(step)
    return spin


def _limit_value(spin: QSpinBox) -> int | None:
    return None if spin.value() < 0 else spin.value()
