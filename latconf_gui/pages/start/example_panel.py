"""Choose an example: which network, which variables to hide, how many rows, which seed."""

from __future__ import annotations

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
        self.list = QListWidget()
        self.list.setAccessibleName("Example networks")
        for each in examples():
            item = QListWidgetItem(each.title)
            item.setData(_NAME, each.name)
            self.list.addItem(item)
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
        self.list.currentItemChanged.connect(self._show)
        self.list.itemActivated.connect(self._choose)
        self.hide_list.itemChanged.connect(self._check)
        self.open_button.clicked.connect(self._choose)
        self.show_button.clicked.connect(lambda: self.path_asked.emit(self._choice()))
        self.list.setCurrentRow(example_names().index(FIRST_EXAMPLE))

    def _build(self) -> None:
        for each in (self.list, self.hide_list):
            each.setSpacing(2)
        form = QFormLayout()
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
        middle = QVBoxLayout()
        label = QLabel("&Variables to hide")
        label.setBuddy(self.hide_list)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        middle.setSpacing(6)
        middle.addWidget(label)
        middle.addWidget(self.hide_list, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.list, 2)
        layout.addLayout(right, 5)
        layout.addLayout(middle, 2)
        LeastLines(self, 14)
        self.hide_list.verticalScrollBar().rangeChanged.connect(self._bring_ticked_into_view)
        FollowTextSize(self, lambda: QTimer.singleShot(0, self, self._show_ticked))  # once the list has its new height

    def _current_name(self) -> str:
        return str(self.list.currentItem().data(_NAME))

    def _show(self) -> None:
        known = example(self._current_name())
        network = _network(known.name)
        self.name.setText(known.title)
        self.about.setText(known.description)
        self.source.setText(f"Source: {known.source}")
        self.hide_list.blockSignals(True)
        self.hide_list.clear()
        for variable in network.variables:
            item = QListWidgetItem(variable)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if variable == known.hide else Qt.CheckState.Unchecked)
            self.hide_list.addItem(item)
            if variable == known.hide:
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
        QTimer.singleShot(0, self, self._show_ticked)  # when the list has its size

    def hidden(self) -> tuple[str, ...]:
        """The variables that are ticked."""
        items = [self.hide_list.item(row) for row in range(self.hide_list.count())]
        return tuple(item.text() for item in items if item.checkState() == Qt.CheckState.Checked)

    def _check(self) -> None:
        """At least two variables must stay, or there is nothing to learn from."""
        enough = self.hide_list.count() - len(self.hidden()) >= 2
        for button, tip in (
            (self.show_button, "Run all steps: draw rows, learn a PAG, search, and open the model"),
            (self.open_button, "Draw rows and open them as data"),
        ):
            button.setEnabled(enough)
            button.setToolTip(tip if enough else "Leave at least two variables visible")

    def _choose(self) -> None:
        if self.open_button.isEnabled():
            self.chosen.emit(self._choice())

    def _choice(self) -> ExampleChoice:
        return ExampleChoice(self._current_name(), self.hidden(), self.rows.value(), self.seed.value())
