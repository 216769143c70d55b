"""The options of a search, with the paper's values to begin with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QLineEdit, QPushButton, QWidget

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import OptionError
from latconf_core.formats.projects.kept_items import KeptRun
from latconf_core.options.searching import SearchOptions, read_field, with_field
from latconf_core.phrases import duration, seconds_of
from latconf_core.search import option_records
from latconf_core.search.catalogue import DEFAULT_SEARCH, SEARCHES
from latconf_core.search.option_records import OneOf, OnOff, WholeNumber
from latconf_gui.widgets.form_fields import NO_LIMIT, Choice, Limit, Tick, Whole, add_row
from latconf_gui.widgets.text import Quiet

BEST_WITHOUT = "only the best DAG without hidden causes"
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
        self.time_limit = QLineEdit()
        self.left_out = Quiet()
        self.start = QComboBox()
        self.start.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.start.setMinimumContentsLength(LEAST_LETTERS)
        self._starts: list[KeptRun] = []
        self.tolerance = QLineEdit()
        self.seed = Whole(0, 2_147_483_647)
        self.workers = Whole(1, MOST_WORKERS)
        self.recorded: dict[str, Choice | Limit | Tick | Whole] = {
            record.name: _make_field(record.kind) for record in option_records.OPTIONS
        }
        self._fields: dict[str, QWidget] = {  # by their names in the options
            **self.recorded,
            "time_limit": self.time_limit,
            "start": self.start,
            "tolerance": self.tolerance,
            "seed": self.seed,
            "workers": self.workers,
        }
        for widget in self.recorded.values():
            widget.edited.connect(self._on_changed)
        for box in (self.search, self.start):
            box.activated.connect(self._on_changed)
        for spin in (self.seed, self.workers):
            spin.valueChanged.connect(self._on_changed)
        for line in (self.time_limit, self.tolerance):
            line.textChanged.connect(self._on_changed)

    def _fill(self) -> None:
        self.about = Quiet()
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.problem.setProperty("role", "problem")
        self.problem.setAccessibleName("Problem with the options")
        self.reset = QPushButton("Reset to paper's options")
        self.reset.clicked.connect(lambda: self.show_options(self.algorithm, default_options()))
        rows: list[tuple[str, QWidget, str]] = [("Search", self.search, ""), ("", self.about, "")]
        for record in option_records.OPTIONS:
            rows += [(record.label, self.recorded[record.name], record.tip), *self._rows_behind(record.name)]
        rows += [
            ("Seed", self.seed, "The same seed gives the same result"),
            ("Threads", self.workers, "The result does not depend on the number of threads"),
            ("", self.problem, ""),
            ("", self.reset, ""),
        ]
        for label, widget, tip in rows:
            add_row(self._form, label, widget, tip=tip)

    def _rows_behind(self, name: str) -> list[tuple[str, QWidget, str]]:
        """The rows that are no records and stand behind that of an option."""
        if name == "max_states":
            return [("Time limit (T)", self.time_limit, "For example 90 s, 5 min or 12 h; empty for no limit")]
        if name == "tries_cliques":
            return [("Start from", self.start, "Also refine the model of this run on these data")]
        if name == "binding":
            return [("", self.left_out, "")]
        if name == "effort":
            tip = "In nats: a fit converges when the score rises by less"
            return [("Convergence tolerance (c)", self.tolerance, tip)]
        return []

    def fill(self, name: str, value: object) -> None:
        """Set the field of an option that has a record."""
        field: Any = self.recorded[name]
        field.fill("" if value is None and isinstance(field, Choice) else value)

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
            time_limit=None if limit in ("", NO_LIMIT) else seconds_of(limit),
            workers=self.workers.value(),
            seed=self.seed.value(),
            vbem=replace(defaults.vbem, tolerance=_number("tolerance", self.tolerance)),
        )
        return self._with_recorded(options)

    def _with_recorded(self, options: SearchOptions) -> SearchOptions:
        """The options with those that have records; those of CIL and GLSL where they are shown.

        A search that refuses the options of others gets their defaults.
        """
        method, defaults = SEARCHES[self.algorithm], default_options()
        for name, field in self.recorded.items():
            if name in method.options or "." not in name:
                options = with_field(options, name, field.read() if field.read() != "" else None)
        for name in self._fields if method.refuses_others else ():
            if name not in (*method.options, *OF_ALL):
                options = with_field(options, name, read_field(defaults, name))
        return options

    def show_options(self, algorithm: str, options: SearchOptions) -> None:
        """Fill the form."""
        self._is_showing = True
        self.search.setCurrentIndex(self.search.findData(algorithm))
        self.time_limit.setText(_limit_text(options.time_limit))
        self.tolerance.setText(f"{options.vbem.tolerance:g}")
        self.seed.setValue(options.seed)
        self.workers.setValue(options.workers)
        for name in self.recorded:
            self.fill(name, read_field(options, name))
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
            index for index, run in enumerate(self._starts, 1) if chosen is not None and run.result is chosen.result
        )
        self.start.setCurrentIndex(next(places, 0))

    @property
    def start_dag(self) -> LatentDag | None:
        """The model to start from, where one is chosen and the search can take it."""
        index = self.start.currentIndex()
        if index < 1 or "start" not in SEARCHES[self.algorithm].options:
            return None
        return self._starts[index - 1].result.best

    def say_left_out(self, text: str) -> None:
        """Which edges a search cannot use that keeps to the PAG; shown where it does."""
        self.left_out.setText(text)
        self._show_left_out()

    def _show_left_out(self) -> None:
        keeps_to_pag = self.recorded["binding"].read() != "free" and "binding" in SEARCHES[self.algorithm].options
        self._form.setRowVisible(self.left_out, keeps_to_pag and bool(self.left_out.text()))

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
        self._show_left_out()
        try:
            self.options()
        except OptionError as error:
            self.problem.setText(f"{str(error)[0].upper()}{str(error)[1:]}.")
        else:
            self.problem.clear()
        self._form.setRowVisible(self.problem, bool(self.problem.text()))
        self.changed.emit()


def _make_field(kind: WholeNumber | OneOf | OnOff) -> Choice | Limit | Tick | Whole:
    """The field for an option of a kind."""
    if isinstance(kind, OneOf):
        return Choice(kind.titles, is_wide=True)
    if isinstance(kind, OnOff):
        return Tick(kind.title)
    if kind.none_text:
        return Limit(kind.most, least=kind.least, step=kind.step, none_text=kind.none_text)
    return Whole(kind.least, kind.most, step=kind.step)


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
