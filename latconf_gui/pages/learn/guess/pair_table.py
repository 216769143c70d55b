"""Counts of two variables: how often their states occur together."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from latconf_core.data.dataset import Dataset
from latconf_core.teaching.sampled.pair_counts import PairCounts, count_pair
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text_size import FollowTextSize

ALPHA = 0.05
TABLE_LINES = 8


class PairTable(QWidget):
    """Choose two variables; rows are the states of the first, columns those of the second."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._data: Dataset | None = None
        self.first, self.second = QComboBox(), QComboBox()
        self.first.setAccessibleName("Variable of the rows")
        self.second.setAccessibleName("Variable of the columns")
        self.table = QTableWidget()
        self.table.setAccessibleName("Counts of the two variables")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.sentence = TermLabel()
        LeastLines(self.table, TABLE_LINES)
        FollowTextSize(self.table, self.table.resizeColumnsToContents)
        choice = QHBoxLayout()
        for widget in (self.first, QLabel("with"), self.second):
            choice.addWidget(widget)
        choice.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(choice)
        layout.addWidget(self.table)
        layout.addWidget(self.sentence)
        for box in (self.first, self.second):
            box.activated.connect(lambda _row: self._show())

    def show_data(self, data: Dataset | None) -> None:
        """Offer the variables of some data; None for none."""
        self._data = data
        for index, box in enumerate((self.first, self.second)):
            box.clear()
            box.addItems([] if data is None else list(data.names))
            box.setCurrentIndex(min(index, box.count() - 1))
        self._show()

    def choose(self, name: str) -> None:
        """Show a variable together with the one that was chosen before it."""
        if self._data is not None and name != self.second.currentText():
            self.first.setCurrentText(self.second.currentText())
            self.second.setCurrentText(name)
            self._show()

    def _show(self) -> None:
        first, second = self.first.currentText(), self.second.currentText()
        self.table.clear()
        if self._data is None or not first or first == second:
            self.table.setRowCount(0)
            self.table.setColumnCount(0)
            self.sentence.setText("Choose two different variables." if self._data is not None else "")
            return
        pair = count_pair(self._data, first, second)
        self._fill(pair)
        self.sentence.setText(pair.sentence(ALPHA))

    def _fill(self, pair: PairCounts) -> None:
        rows, columns = pair.states
        self.table.setRowCount(len(rows))
        self.table.setColumnCount(len(columns))
        self.table.setVerticalHeaderLabels([f"{pair.first} = {state}" for state in rows])
        self.table.setHorizontalHeaderLabels([f"{pair.second} = {state}" for state in columns])
        for i in range(len(rows)):
            total = max(int(pair.counts[i].sum()), 1)
            for j in range(len(columns)):
                item = QTableWidgetItem(f"{pair.counts[i, j]:,} ({pair.counts[i, j] / total:.0%})")
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(i, j, item)
        self.table.resizeColumnsToContents()
