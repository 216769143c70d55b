"""Every graph in numbers: its own, and those against the reference or the truth; each number defined in its tip."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem, QWidget

from latconf_core.comparison.compare import PairComparison
from latconf_core.comparison.measures import MEASURES, OWN_NUMBERS, Measure, OwnNumber
from latconf_core.comparison.numbers import Numbers
from latconf_core.comparison.tables import show_value
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.widgets.text_size import FollowTextSize

EVERYTHING: tuple[OwnNumber | Measure, ...] = (*OWN_NUMBERS, *MEASURES)
TITLES = tuple(number.title for number in EVERYTHING)
SHORT = (  # fits the width of a page
    "Score",
    "Difference from A",
    "Parameters",
    "BIC",
    "Latents",
    "Edges",
    "SHD",
    "Adjacency F1",
    "Arrowhead F1",
)
UNKNOWN = "…"
COLUMN_LINES = 8  # the least width of a column, in heights of a line of text


class NumbersTable(QTableWidget):
    """A row per number, a column per graph."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Numbers of every graph")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setRowCount(len(EVERYTHING))
        for row, number in enumerate(EVERYTHING):
            item = QTableWidgetItem(number.title)
            item.setToolTip(plain_tip(f"{number.title}: {number.definition}"))
            self.setVerticalHeaderItem(row, item)
        FollowTextSize(self, self._fit)
        self._fit()

    def shown_titles(self) -> tuple[str, ...]:
        """The numbers that are shown, and exported."""
        return tuple(number.title for row, number in enumerate(EVERYTHING) if not self.isRowHidden(row))

    def show_rows(self, titles: Collection[str]) -> None:
        """Show these numbers only."""
        for row, number in enumerate(EVERYTHING):
            self.setRowHidden(row, number.title not in titles)

    def show_numbers(
        self, titles: Mapping[str, str], numbers: Mapping[str, Numbers], pairs: Sequence[PairComparison]
    ) -> None:
        """titles : name of a graph → the title of its column; numbers and pairs as far as they are known"""
        self.setColumnCount(len(titles))
        for column, title in enumerate(titles.values()):
            header = QTableWidgetItem(title)
            header.setToolTip(title)
            self.setHorizontalHeaderItem(column, header)
        self._share_width()
        against = {pair.b: pair for pair in pairs}
        for column, name in enumerate(titles):
            own_numbers, pair = numbers.get(name), against.get(name)
            shown = [UNKNOWN if own_numbers is None else show_value(number.of(own_numbers)) for number in OWN_NUMBERS]
            shown += ["" if pair is None else show_value(number.of(pair)) for number in MEASURES]
            for row, text in enumerate(shown):
                self._show(row, column, text)

    def _show(self, row: int, column: int, text: str) -> None:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            header = self.verticalHeaderItem(row)
            item.setToolTip("" if header is None else header.toolTip())
            self.setItem(row, column, item)
        if item.text() != text:
            item.setText(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Room for the whole name of every graph, where there is that much."""
        line, count = self.fontMetrics().height(), self.columnCount()
        share = self.viewport().width() // max(count, 1)
        for column in range(count):
            title = str(self.model().headerData(column, Qt.Orientation.Horizontal))
            needed = self.fontMetrics().horizontalAdvance(title) + 2 * line
            self.setColumnWidth(column, max(COLUMN_LINES * line, min(needed, share)))

    def _fit(self) -> None:
        line = self.fontMetrics().height()
        self.verticalHeader().setDefaultSectionSize(round(line * 1.5))
        self._share_width()
        self.setMinimumHeight(line * 3)
