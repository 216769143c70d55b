"""What is asked in "More data": the network, what is hidden, the learner, alpha; and where one looks: rows and draw."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from latconf_core.formats.examples import examples
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.teaching.sampled.more_data import N_DRAWS, SIZES
from latconf_gui.widgets.scroll import LeastLines

ALPHAS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
DRAWN = ""  # the key of the DAG that came from another activity
HIDDEN_LINES = 5


class SteppedSlider(QWidget):
    """A slider over some values, with the present one in words below it."""

    changed = Signal()

    def __init__(self, values: Sequence[float], *, name: str, unit: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values, self._unit = tuple(values), unit
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(self._values) - 1)
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setAccessibleName(name)
        self.said = QLabel()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.slider)
        layout.addWidget(self.said)
        self.setFocusProxy(self.slider)
        self.slider.valueChanged.connect(self._on_changed)
        self._say()

    @property
    def value(self) -> float:
        return self._values[self.slider.value()]

    def fill(self, value: float) -> None:
        """Go to a value, or to the one nearest to it, without a signal."""
        was_blocked = self.slider.blockSignals(True)
        near = min(range(len(self._values)), key=lambda index: abs(self._values[index] - value))
        self.slider.setValue(near)
        self.slider.blockSignals(was_blocked)
        self._say()

    def _say(self) -> None:
        text = f"{self.value:,.3g}" if isinstance(self.value, float) else f"{self.value:,}"
        self.said.setText(f"{text} {self._unit}".strip())
        self.slider.setAccessibleDescription(self.said.text())

    def _on_changed(self) -> None:
        self._say()
        self.changed.emit()


class QuestionForm(QWidget):
    """`asked` when something else is to be learned; `looked` when only the rows or the draw to look at change."""

    network_chosen = Signal(str)
    asked = Signal()
    looked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.network = QComboBox()
        for known in examples():
            self.network.addItem(known.title, known.name)
        self.hidden = QListWidget()
        self.method = QComboBox()
        for name, learner in LEARNERS.items():
            self.method.addItem(learner.title, name)
            self.method.setItemData(self.method.count() - 1, learner.description, Qt.ItemDataRole.ToolTipRole)
        self.rows = SteppedSlider(SIZES, name="Rows", unit="rows")
        self.alpha = SteppedSlider(ALPHAS, name="Alpha")
        self.draw = QSpinBox(minimum=1, maximum=N_DRAWS)
        self._build()
        self.network.activated.connect(lambda _row: self.network_chosen.emit(str(self.network.currentData())))
        self.hidden.itemChanged.connect(lambda _item: self.asked.emit())
        self.method.activated.connect(lambda _row: self._on_method())
        self.alpha.changed.connect(self.asked)
        self.rows.changed.connect(self.looked)
        self.draw.valueChanged.connect(lambda _value: self.looked.emit())

    def _build(self) -> None:
        self.hidden.setAccessibleName("Variables to hide")
        LeastLines(self.hidden, HIDDEN_LINES)
        self.hidden.setMaximumHeight(self.hidden.fontMetrics().height() * 2 * HIDDEN_LINES)
        self.draw.setSuffix(f" of {N_DRAWS}")
        self.draw.setToolTip("The draw shown above; the other draws show the role of chance")
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for label, field in (
            ("Rows", self.rows),
            ("Alpha", self.alpha),
            ("Draw", self.draw),
            ("Method", self.method),
            ("Network", self.network),
            ("Variables to hide", self.hidden),
        ):
            form.addRow(label, field)

    def show_variables(self, names: Sequence[str], hidden: Collection[str]) -> None:
        """List the variables of another network."""
        was_blocked = self.hidden.blockSignals(True)
        self.hidden.clear()
        for name in names:
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in hidden else Qt.CheckState.Unchecked)
            self.hidden.addItem(item)
        self.hidden.blockSignals(was_blocked)

    def hidden_names(self) -> tuple[str, ...]:
        """The variables that are ticked."""
        items = [self.hidden.item(row) for row in range(self.hidden.count())]
        return tuple(item.text() for item in items if item.checkState() == Qt.CheckState.Checked)

    def offer_drawn(self, is_offered: bool) -> None:
        """Offer the DAG that came from another activity, or not."""
        finddata = self.network.findData(DRAWN)
        if is_offered and finddata < 0:
            self.network.addItem("The DAG from another activity", DRAWN)
        elif not is_offered and finddata >= 0:
            self.network.removeItem(finddata)

    def choose_network(self, name: str) -> None:
        self.network.setCurrentIndex(max(self.network.findData(name), 0))

    def choose_method(self, name: str) -> None:
        self.method.setCurrentIndex(max(self.method.findData(name), 0))
        self.show_alpha()

    def show_alpha(self) -> None:
        """A learner that asks no test needs no alpha."""
        self.alpha.setEnabled("alpha" in LEARNERS[str(self.method.currentData())].options)

    def _on_method(self) -> None:
        self.show_alpha()
        self.asked.emit()
