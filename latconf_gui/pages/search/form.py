"""The options of a search, with the paper's values to begin with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QLineEdit, QPushButton, QWidget

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import OptionError
from latconf_core.families.objectives import OBJECTIVES
from latconf_core.formats.projects.kept_items import KeptRun
from latconf_core.options.searching import SearchOptions, read_field, with_field
from latconf_core.phrases import duration, seconds_of
from latconf_core.search.catalogue import DEFAULT_SEARCH, SEARCHES
from latconf_gui.pages.search.rival_fields import RIVAL_FIELDS
from latconf_gui.widgets.form_fields import NO_LIMIT, Choice, Whole, add_row
from latconf_gui.widgets.text import Quiet

INVALID_TEXTS = {
    "auto": "as given if possible, else repair",
    "as-given": "search it as given",
    "repair": "repair it first",
}
EFFORT_TEXTS = {
    "light": "light, then full",
    "full": "full for all",
}
OBJECTIVE_TEXTS: dict[str, str] = {"": "as the search does by default"}
OBJECTIVE_TEXTS |= {name: objective.title for name, objective in OBJECTIVES.items()}
BINDING_TEXTS = {
    "free": "not at all",
    "adjacencies": "its adjacencies",
    "marks": "its marks",
}
BEST_WITHOUT = "the best DAG without hidden causes alone"
LEAST_LETTERS = 16  # of the names of runs
OF_ALL = ("start", "tolerance", "seed", "workers")  # that mean the same to every search, or are read apart
MOST_WORKERS = 64
MOST_DEFAULT_WORKERS = 8


def default_options() -> SearchOptions:
    """The paper's options, with a thread for each processor: the result does not depend on their number."""
    return SearchOptions(workers=max(1, min(os.cpu_count() or 1, MOST_DEFAULT_WORKERS)))


class SearchForm(QWidget):
    """A form for the search and its SearchOptions; `changed` when what it says has changed."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Options of the search")
        self._is_showing = False
        self._make_fields()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._fill()
        self.offer_starts(())
        self.show_options(DEFAULT_SEARCH, default_options())

    def _make_fields(self) -> None:
        self.search = Choice({name: method.title for name, method in SEARCHES.items()}, is_wide=True)
        self.max_bidirected = Whole(0, 99)
        self.max_states = Whole(1, 1000, least_text="as in the data")
        self.time_limit = QLineEdit()
        self.levels_without_gain = Whole(1, 99)
        self.tries_cliques = QCheckBox("Try cliques of the PAG")
        self.max_candidates = Whole(1, 100_000_000, step=1000)
        self.objective = Choice(OBJECTIVE_TEXTS, is_wide=True)
        self.effort = Choice(EFFORT_TEXTS, is_wide=True)
        self.start = QComboBox()
        self.start.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.start.setMinimumContentsLength(LEAST_LETTERS)
        self._starts: list[KeptRun] = []
        self.binding = Choice(BINDING_TEXTS, is_wide=True)
        self.tolerance = QLineEdit()
        self.invalid_pag = Choice(INVALID_TEXTS, is_wide=True)
        self.seed = Whole(0, 2_147_483_647)
        self.workers = Whole(1, MOST_WORKERS)
        self._fields: dict[str, QWidget] = {  # by their names in the options
            "max_bidirected": self.max_bidirected,
            "max_states": self.max_states,
            "time_limit": self.time_limit,
            "levels_without_gain": self.levels_without_gain,
            "tries_cliques": self.tries_cliques,
            "start": self.start,
            "binding": self.binding,
            "max_candidates": self.max_candidates,
            "objective": self.objective,
            "effort": self.effort,
            "tolerance": self.tolerance,
            "invalid_pag": self.invalid_pag,
            "seed": self.seed,
            "workers": self.workers,
        }
        self.rivals = {one.name: one.make() for one in RIVAL_FIELDS}
        self._fields.update(self.rivals)
        for own in self.rivals.values():
            own.edited.connect(self._on_changed)
        for box in (self.search, self.objective, self.effort, self.invalid_pag, self.binding, self.start):
            box.activated.connect(self._on_changed)
        self.tries_cliques.toggled.connect(self._on_changed)
        for spin in (
            self.levels_without_gain,
            self.max_bidirected,
            self.max_states,
            self.max_candidates,
            self.seed,
            self.workers,
        ):
            spin.valueChanged.connect(self._on_changed)
        for line in (self.time_limit, self.tolerance):
            line.textChanged.connect(self._on_changed)

    def _fill(self) -> None:
        self.about = Quiet()
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.problem.setProperty("role", "problem")
        self.problem.setAccessibleName("What is wrong with the options")
        self.reset = QPushButton("Back to the paper's options")
        self.reset.clicked.connect(lambda: self.show_options(self.algorithm, default_options()))
        rows: tuple[tuple[str, QWidget, str], ...] = (
            ("Search", self.search, ""),
            ("", self.about, ""),
            ("Most bidirected edges (m)", self.max_bidirected, "At most so many hidden common causes are tried"),
            ("Most states of a latent (S)", self.max_states, "Every latent starts with two states"),
            ("Time limit (T)", self.time_limit, "Such as 90 s, 5 min or 12 h; empty for no limit"),
            (
                "Levels without improvement",
                self.levels_without_gain,
                "The paper's ILC-V ends at the first level that is no better; a cause of four variables needs more",
            ),
            (
                "",
                self.tries_cliques,
                "Beyond the paper: a hidden cause of each clique, which stands for many <-> at once",
            ),
            ("Start from", self.start, "A run on these data whose model is refined too"),
            (
                "Keep to the PAG",
                self.binding,
                "What of the PAG every edge and hidden cause must obey; else it is shown as evidence only",
            ),
            *((one.label, self.rivals[one.name], one.tip) for one in RIVAL_FIELDS),
            ("Most DAGs of a level", self.max_candidates, "A level with more is cut short, and the result says so"),
            (
                "Objective",
                self.objective,
                "Paper: p-ELBO as published. Calibrated: a flat prior and a price for edges and hidden causes",
            ),
            (
                "Effort per DAG",
                self.effort,
                "Light looks at every DAG first and fits fully what may matter; all that is reported is fitted fully",
            ),
            ("Tolerance of a fit (c)", self.tolerance, "In nats: a fit ends when the score rises by less"),
            ("If the PAG is not valid", self.invalid_pag, "What is done is said before the search and in its result"),
            ("Seed", self.seed, "The same seed gives the same result"),
            ("Threads", self.workers, "The result does not depend on their number"),
            ("", self.problem, ""),
            ("", self.reset, ""),
        )
        for label, widget, tip in rows:
            add_row(self._form, label, widget, tip=tip)

    @property
    def algorithm(self) -> str:
        """The name of the search that is chosen."""
        return str(self.search.currentData())

    def options(self) -> SearchOptions:
        """What the form says; OptionError where that makes no sense."""
        defaults = default_options()
        limit = self.time_limit.text().strip()
        options = replace(
            defaults,
            max_bidirected=self.max_bidirected.value(),
            max_states=None if self.max_states.value() < 2 else self.max_states.value(),
            time_limit=None if limit in ("", NO_LIMIT) else seconds_of(limit),
            max_candidates=self.max_candidates.value(),
            levels_without_gain=self.levels_without_gain.value(),
            tries_cliques=self.tries_cliques.isChecked(),
            binding=self.binding.currentData(),
            invalid_pag=self.invalid_pag.currentData(),
            workers=self.workers.value(),
            seed=self.seed.value(),
            objective=self.objective.currentData() or None,
            effort=self.effort.currentData(),
            vbem=replace(defaults.vbem, tolerance=_number("tolerance", self.tolerance)),
        )
        return self._with_rivals(options)

    def _with_rivals(self, options: SearchOptions) -> SearchOptions:
        """The options with those of CIL and GLSL where they are shown; of these searches no other that is hidden."""
        method, defaults = SEARCHES[self.algorithm], default_options()
        for name, own in self.rivals.items():
            if name in method.options:
                options = with_field(options, name, own.read())
        for name in self._fields if method.refuses_others else ():
            if name not in (*method.options, *OF_ALL):
                options = with_field(options, name, read_field(defaults, name))
        return options

    def show_options(self, algorithm: str, options: SearchOptions) -> None:
        """Fill the form."""
        self._is_showing = True
        self.search.setCurrentIndex(self.search.findData(algorithm))
        self.max_bidirected.setValue(options.max_bidirected)
        self.max_states.setValue(options.max_states or 1)
        self.time_limit.setText(_limit_text(options.time_limit))
        self.max_candidates.setValue(options.max_candidates)
        self.objective.setCurrentIndex(self.objective.findData(options.objective or ""))
        self.effort.setCurrentIndex(self.effort.findData(options.effort))
        self.levels_without_gain.setValue(options.levels_without_gain)
        self.tries_cliques.setChecked(options.tries_cliques)
        self.binding.setCurrentIndex(self.binding.findData(options.binding))
        self.tolerance.setText(f"{options.vbem.tolerance:g}")
        self.invalid_pag.setCurrentIndex(self.invalid_pag.findData(options.invalid_pag))
        self.seed.setValue(options.seed)
        self.workers.setValue(options.workers)
        for name, own in self.rivals.items():
            own.fill(read_field(options, name))
        self._is_showing = False
        self._on_changed()

    def offer_starts(self, runs: Sequence[KeptRun]) -> None:
        """Offer runs on the same data to start from; what is chosen stays where it is still there."""
        chosen = self._starts[self.start.currentIndex() - 1] if self.start.currentIndex() > 0 else None
        self._starts = [run for run in runs if run.result.best is not None]
        self.start.clear()
        self.start.addItem(BEST_WITHOUT)
        self.start.addItems([run.name for run in self._starts])
        places = (
            place for place, run in enumerate(self._starts, 1) if chosen is not None and run.result is chosen.result
        )
        self.start.setCurrentIndex(next(places, 0))

    @property
    def start_dag(self) -> LatentDag | None:
        """The model to start from, where one is chosen and the search can take it."""
        place = self.start.currentIndex()
        if place < 1 or "start" not in SEARCHES[self.algorithm].options:
            return None
        return self._starts[place - 1].result.best

    def choose(self, algorithm: str) -> None:
        """Choose a search."""
        self.search.setCurrentIndex(self.search.findData(algorithm))
        self._on_changed()

    def set_running(self, is_running: bool) -> None:
        """While a search runs, its options can be read but not changed."""
        self.setEnabled(not is_running)

    def _on_changed(self) -> None:
        if self._is_showing:
            return
        method = SEARCHES[self.algorithm]
        self.about.setText(method.description)
        for name, field in self._fields.items():
            self._form.setRowVisible(field, name in method.options)
        try:
            self.options()
        except OptionError as error:
            self.problem.setText(f"{str(error)[0].upper()}{str(error)[1:]}.")
        else:
            self.problem.clear()
        self._form.setRowVisible(self.problem, bool(self.problem.text()))
        self.changed.emit()


def _limit_text(seconds: float | None) -> str:
    """A limit that reads back as the same number of seconds."""
    if seconds is None:
        return NO_LIMIT
    shown = duration(seconds)
    return shown if seconds >= 1 and seconds_of(shown) == seconds else f"{seconds:g} s"


def _number(name: str, line: QLineEdit) -> float:
    try:
        return float(line.text())
    except ValueError:
        raise OptionError(f"the {name} is {line.text()!r}; write a number such as 0.01") from None
