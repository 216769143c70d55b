"""The list of variables on the Data page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from latconf_gui.pages.data.variables_model import DISTRIBUTION, NAME, REMARKS, VariablesModel
from latconf_gui.widgets.bars import DistributionDelegate
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.table_looks import look_like_rows

MAX_NAME_LETTERS = 32
DISTRIBUTION_LINES, LEAST_REMARKS_LINES = (4, 9), 8  # widths in heights of a line of text


class VariableTable(QTableView):
    """Variables with a check box, a small bar chart and remarks."""

    def __init__(self, model: VariablesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName("Variables")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setItemDelegateForColumn(DISTRIBUTION, DistributionDelegate(self))
        look_like_rows(self)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        header = self.horizontalHeader()
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        LeastLines(self, 10)

    def show_rows(self, shown: Sequence[bool]) -> None:
        """Show these rows alone, and select none of the others; the current one stays where it is."""
        chosen = self.selectionModel()
        off = QItemSelectionModel.SelectionFlag.Deselect | QItemSelectionModel.SelectionFlag.Rows
        for row, is_shown in enumerate(shown):
            if self.isRowHidden(row) == is_shown:
                self.setRowHidden(row, not is_shown)
            if not is_shown and chosen.isRowSelected(row):
                chosen.select(self.model().index(row, NAME), off)

    def wanted_height(self) -> int:
        """Enough for all rows, with one to spare."""
        rows = self.verticalHeader().defaultSectionSize() * (self.model().rowCount() + 1)
        return self.horizontalHeader().height() + rows

    def fit_columns(self) -> None:
        """Widths and row heights for the text at its present size."""
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(round(metrics.height() * 1.7))
        for column in range(REMARKS):
            self.resizeColumnToContents(column)
        most = metrics.averageCharWidth() * MAX_NAME_LETTERS
        self.setColumnWidth(NAME, min(self.columnWidth(NAME) + metrics.height(), most))
        self._fit_distribution()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_distribution()

    def _fit_distribution(self) -> None:
        """Wide bars where there is room for them beside the remarks."""
        line = self.fontMetrics().height()
        others = sum(self.columnWidth(column) for column in range(REMARKS) if column != DISTRIBUTION)
        least, most = (line * lines for lines in DISTRIBUTION_LINES)
        least = max(least, self.horizontalHeader().sectionSizeHint(DISTRIBUTION))
        room = self.viewport().width() - others - line * LEAST_REMARKS_LINES
        self.setColumnWidth(DISTRIBUTION, max(min(room, most), least))
