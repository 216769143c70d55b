"""Cut numeric variables into a few states, with the resulting bars in view before anything is changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from latconf_core.control import RunControl
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.column_numbers import Numbers, bin_numbers, numbers_of
from latconf_core.data.preparing.discretise import MAX_BINS, Discretisation, DiscretiseMethod
from latconf_core.data.raw_table import RawTable
from latconf_core.errors import LatconfError, OptionError
from latconf_core.phrases import counted
from latconf_gui.background.run_thread import RunThread
from latconf_gui.widgets.state_table import make_state_table
from latconf_gui.widgets.states_model import StatesModel
from latconf_gui.widgets.text import Heading, Quiet

LETTERS_OF_NAME = 32
METHOD_TEXTS: dict[str, str] = {
    "equal width": "Equal width: bins of the same length",
    "equal frequency": "Equal frequency: similar numbers of rows per bin",
    "k-means": "k-means: clusters of nearby values",
    "cut points": "Cut points: my own",
}


@dataclass(frozen=True, eq=False)
class ColumnNumbers:
    """The numbers of one of the variables, as they arrive from the background."""

    name: str
    numbers: Numbers


def _read_numbers(
    raw: RawTable, names: Sequence[str], preparation: Preparation, control: RunControl
) -> Iterator[ColumnNumbers]:
    for name in names:
        for numbers in numbers_of(raw, name, preparation, control):
            assert isinstance(numbers, Numbers)
            yield ColumnNumbers(name, numbers)


class DiscretiseDialog(QDialog):
    """One rule for one or several variables; `chosen(rule)` when the user agrees."""

    chosen = Signal(object)

    def __init__(
        self, raw: RawTable, preparation: Preparation, *, names: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._title = f"Discretise {names[0] if len(names) == 1 else counted(len(names), 'variable')}"
        self.setWindowTitle(self._title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._numbers: dict[str, Numbers] = {}
        self.shown = QComboBox()
        for index, name in enumerate(names):
            self.shown.addItem(name if len(name) <= LETTERS_OF_NAME else f"{name[: LETTERS_OF_NAME - 1]}…", name)
            self.shown.setItemData(index, name, Qt.ItemDataRole.ToolTipRole)
        self.shown.setToolTip("The rule applies to all of them; choose whose states to show below")
        self.method = QComboBox()
        for method in get_args(DiscretiseMethod):
            self.method.addItem(METHOD_TEXTS[method], method)
        self.bins = QSpinBox(minimum=2, maximum=MAX_BINS, value=3)
        self.points = QLineEdit(placeholderText="10; 20; 50")
        self.points.setToolTip("Numbers separated by semicolons or spaces; a value equal to a cut point goes below it")
        self.sentence = Quiet()
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.model = StatesModel(self, is_editable=False)
        self.table: QTableView = make_state_table(self.model)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Discretise")
        self._build()
        self.form.setRowVisible(self.shown, len(names) > 1)
        self._show_rule(preparation.rule_of(names[0]) or Discretisation())
        self._connect()
        self._refresh()
        self._thread = RunThread(lambda control: _read_numbers(raw, names, preparation, control), parent=self)
        self._thread.events.connect(self._on_numbers)
        self._thread.failed.connect(self._show_problem)
        self._thread.start()

    def _build(self) -> None:
        self.form = QFormLayout()
        self.form.addRow("&Method", self.method)
        self.form.addRow("Number of &bins", self.bins)
        self.form.addRow("&Cut points", self.points)
        self.form.addRow("&Show", self.shown)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(Heading(self._title))
        layout.addWidget(self.sentence)
        layout.addLayout(self.form)
        layout.addWidget(QLabel("Resulting states"))
        layout.addWidget(self.table, 1)
        layout.addWidget(self.problem)
        layout.addWidget(self.buttons)
        em = self.fontMetrics().height()
        self.resize(em * 28, min(em * 28, round(self.screen().availableGeometry().height() * 0.8)))

    def _connect(self) -> None:
        self.method.currentIndexChanged.connect(self._refresh)
        self.bins.valueChanged.connect(self._refresh)
        self.points.textChanged.connect(self._refresh)
        self.shown.currentIndexChanged.connect(self._refresh)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)

    def _show_rule(self, rule: Discretisation) -> None:
        self.method.setCurrentIndex(self.method.findData(rule.method))
        self.bins.setValue(rule.n_bins)
        self.points.setText("; ".join(f"{point:g}" for point in rule.cut_points))

    def _on_numbers(self, events: list[object]) -> None:
        for event in events:
            assert isinstance(event, ColumnNumbers)
            self._numbers[event.name] = event.numbers
        self._refresh()

    def _sentence(self) -> str:
        numbers = self._numbers.get(self.shown.currentData())
        if numbers is None:
            return "Reading the values…"
        low, high = numbers.values[[0, -1]] if len(numbers.values) else (0.0, 0.0)
        return f"{counted(len(numbers.values), 'different number')} from {low:g} to {high:g}."

    def _show_problem(self, error: Exception) -> None:
        self.problem.setText(str(error)[:1].upper() + str(error)[1:] + ".")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(False)

    def done(self, result: int) -> None:
        self._thread.stop()
        super().done(result)

    def rule(self) -> Discretisation:
        """The rule as it stands in the form; an OptionError says what is wrong with it."""
        method = cast(DiscretiseMethod, self.method.currentData())
        if method == "cut points":
            return Discretisation(method, cut_points=parse_points(self.points.text()))
        return Discretisation(method, self.bins.value())

    def _refresh(self) -> None:
        by_points = self.method.currentData() == "cut points"
        self.form.setRowVisible(self.points, by_points)
        self.form.setRowVisible(self.bins, not by_points)
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(False)
        self.sentence.setText(self._sentence())
        numbers = self._numbers.get(self.shown.currentData())
        if numbers is None:
            return
        try:
            states, counts = bin_numbers(numbers, self.rule())
        except LatconfError as error:
            self._show_problem(error)
            return
        self.problem.setText("")
        ok.setEnabled(True)
        self.model.show(states, counts)
        self.table.resizeColumnToContents(0)

    def _accept(self) -> None:
        self.chosen.emit(self.rule())
        self.accept()


def parse_points(text: str) -> tuple[float, ...]:
    """The numbers in a text such as "10; 20; 50", in ascending order."""
    words = text.replace(";", " ").split()
    try:
        return tuple(sorted({float(word) for word in words}))
    except ValueError:
        raise OptionError("a cut point is not a number; write for example 10; 20; 50") from None
