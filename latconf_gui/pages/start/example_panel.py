"""Choose an example: a measured table, or a network with variables to hide, a number of rows and a seed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.formats.example_choice import DEFAULT_ROWS, DEFAULT_SEED, FIRST_EXAMPLE, ExampleChoice
from latconf_core.formats.examples import example, example_names, examples, load_example
from latconf_core.formats.measured_examples import is_measured, measured_example, measured_examples
from latconf_gui.look.icons import icon
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text import SPACE, Heading, Quiet
from latconf_gui.widgets.text_size import FollowTextSize

MAX_ROWS = 5_000_000
_NAME = Qt.ItemDataRole.UserRole


@cache
def _network(name: str) -> BayesNet:
    return load_example(name)


class ExamplePanel(QWidget):
    """`chosen(ExampleChoice)` when the user opens one, `path_asked(ExampleChoice)` to be shown the whole path."""

    chosen = Signal(object)
    path_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list, self.measured_list = QListWidget(), QListWidget()
        self.list.setAccessibleName("Example networks")
        self.measured_list.setAccessibleName("Measured tables")
        for known, names in ((self.list, examples()), (self.measured_list, measured_examples())):
            for each in names:
                item = QListWidgetItem(each.title)
                item.setData(_NAME, each.name)
                item.setToolTip(each.title)
                known.addItem(item)
        self.name = Heading(factor=1.1)
        self.about = QLabel(wordWrap=True)
        self.source = Quiet()
        self.hide_list = QListWidget()
        self.hide_list.setAccessibleName("Variables to hide")
        self.rows = QSpinBox(minimum=1, maximum=MAX_ROWS, value=DEFAULT_ROWS, singleStep=1000)
        self.rows.setGroupSeparatorShown(True)
        self.seed = QSpinBox(minimum=0, maximum=2**31 - 1, value=DEFAULT_SEED)
        self.seed.setToolTip("The same seed gives the same rows")
        self.show_button = QPushButton(icon("play"), "Show me")
        self.open_button = QPushButton(icon("example"), "Open the example")
        self._build()
        for known, other in ((self.list, self.measured_list), (self.measured_list, self.list)):
            known.currentItemChanged.connect(lambda item, _, other=other: self._on_current(item, other))
            known.itemActivated.connect(self._choose)
        self.hide_list.itemChanged.connect(self._check)
        self.open_button.clicked.connect(self._choose)
        self.show_button.clicked.connect(lambda: self.path_asked.emit(self._choice()))
        self.list.setCurrentRow(example_names().index(FIRST_EXAMPLE))

    def _build(self) -> None:
        for each in (self.list, self.measured_list, self.hide_list):
            each.setSpacing(2)
            each.setTextElideMode(Qt.TextElideMode.ElideRight)
            each.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.form = form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        form.addRow("&Rows", self.rows)
        form.addRow("&Seed", self.seed)
        button = QHBoxLayout()
        button.addWidget(self.show_button)
        button.addWidget(self.open_button)
        button.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(8)
        for widget in (self.name, self.about, self.source):
            right.addWidget(widget)
        right.addLayout(form)
        right.addLayout(button)
        right.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        left = _labelled((("&Measured tables", self.measured_list), ("Drawn from &networks", self.list)))
        layout.addLayout(left, 2)
        layout.addLayout(right, 5)
        layout.addLayout(_labelled((("&Variables to hide", self.hide_list),)), 2)
        LeastLines(self, 14)
        self.hide_list.verticalScrollBar().rangeChanged.connect(self._bring_ticked_into_view)
        FollowTextSize(self.measured_list, self._fit_measured)
        FollowTextSize(self, lambda: QTimer.singleShot(0, self, self._show_ticked))  # once the list has its new height

    def _fit_measured(self) -> None:
        """The measured tables without scrolling; the other list takes the rest."""
        known = self.measured_list
        height = known.sizeHintForRow(0) + 2 * known.spacing()
        known.setFixedHeight(known.count() * height + 4 * known.frameWidth())

    def choose(self, name: str) -> None:
        """Choose an example by its name, as a click on it does."""
        for known in (self.list, self.measured_list):
            for row in range(known.count()):
                if known.item(row).data(_NAME) == name:
                    known.setCurrentRow(row)

    def _on_current(self, item: QListWidgetItem | None, other: QListWidget) -> None:
        """Only one of the lists has a current example."""
        if item is None:
            return
        other.blockSignals(True)
        other.setCurrentRow(-1)
        other.clearSelection()
        other.blockSignals(False)
        self._show()

    def _current_name(self) -> str:
        item = self.list.currentItem() or self.measured_list.currentItem()
        return str(item.data(_NAME))

    def _show(self) -> None:
        name = self._current_name()
        measured = measured_example(name) if is_measured(name) else None
        self.form.setRowVisible(self.rows, measured is None)
        self.form.setRowVisible(self.seed, measured is None)
        if measured is not None:
            self.name.setText(measured.title)
            self.about.setText(measured.known)
            self.source.setText(
                f"{measured.n_rows:,} rows, as measured. Source: {measured.source}. Licence: {measured.licence}"
            )
            self._show_variables(measured.columns, measured.hide)
        else:
            known = example(name)
            self.name.setText(known.title)
            self.about.setText(known.description)
            self.source.setText(f"Source: {known.source}")
            self._show_variables(_network(known.name).variables, (known.hide,))

    def _show_variables(self, variables: Sequence[str], hide: Sequence[str]) -> None:
        """What can be hidden, those ticked that are proposed."""
        self.hide_list.blockSignals(True)
        self.hide_list.clear()
        for variable in variables:
            item = QListWidgetItem(variable)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setToolTip(variable)
            item.setCheckState(Qt.CheckState.Checked if variable in hide else Qt.CheckState.Unchecked)
            self.hide_list.addItem(item)
            if variable in hide:
                self.hide_list.setCurrentItem(item)
        self.hide_list.blockSignals(False)
        self._show_ticked()
        self._check()

    def _show_ticked(self) -> None:
        """Bring the variable that is proposed to be hidden into view."""
        self.hide_list.doItemsLayout()
        self._bring_ticked_into_view()

    def _bring_ticked_into_view(self) -> None:
        """As near the top as that allows, whenever the list or its rows have another height."""
        self.hide_list.scrollToTop()
        self.hide_list.scrollToItem(self.hide_list.currentItem())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_measured()
        QTimer.singleShot(0, self, self._show_ticked)  # when the list has its size

    def hidden(self) -> tuple[str, ...]:
        """The variables that are ticked."""
        items = [self.hide_list.item(row) for row in range(self.hide_list.count())]
        return tuple(item.text() for item in items if item.checkState() == Qt.CheckState.Checked)

    def _check(self) -> None:
        """At least two variables must stay, or there is nothing to learn from."""
        enough = self.hide_list.count() - len(self.hidden()) >= 2
        rows = "open the table" if is_measured(self._current_name()) else "draw the rows"
        for button, tip in (
            (self.show_button, f"Watch the whole path: {rows}, learn a PAG, search, and open the model"),
            (self.open_button, "Open the rows; the rest is up to you"),
        ):
            button.setEnabled(enough)
            button.setToolTip(tip if enough else "Leave at least two variables visible")

    def _choose(self) -> None:
        if self.open_button.isEnabled():
            self.chosen.emit(self._choice())

    def _choice(self) -> ExampleChoice:
        name = self._current_name()
        if is_measured(name):
            return ExampleChoice(name, self.hidden(), measured_example(name).n_rows)
        return ExampleChoice(name, self.hidden(), self.rows.value(), self.seed.value())


def _labelled(lists: Sequence[tuple[str, QListWidget]]) -> QVBoxLayout:
    """Lists below one another, each under its label."""
    column = QVBoxLayout()
    column.setSpacing(6)
    for text, known in lists:
        label = QLabel(text)
        label.setBuddy(known)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column.addWidget(label)
        column.addWidget(known, 1)
    return column
