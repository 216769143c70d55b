"""The matrix on the screen; a click shows the cell in the overlay."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from latconf_core.comparison.matrix import EdgeRow, Matrix
from latconf_gui.pages.compare.tables.matrix_model import Index, MatrixModel
from latconf_gui.widgets.text_size import FollowTextSize

COLUMN_LINES = 8  # the width of a column, in heights of a line of text
TITLES_SHARE = 0.4


class _OddInBold(QStyledItemDelegate):
    """What most graphs do not have is bold."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        model = index.model()
        if isinstance(model, MatrixModel) and not model.cell(index.row(), index.column())[1]:
            option.font.setWeight(QFont.Weight.Bold)


class MatrixTable(QTableView):
    """`cell_chosen(column, names)` carries the graph and the two nodes, or the children of the latent, of a cell."""

    cell_chosen = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix = MatrixModel(self)
        self.setModel(self.matrix)
        self.setItemDelegate(_OddInBold(self))
        self.setAccessibleName("Matrix of all graphs")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setAlternatingRowColors(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        FollowTextSize(self, self._fit)
        self._fit()

    def show_matrix(self, matrix: Matrix | None) -> None:
        self.matrix.show(matrix)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The titles of rows leave most of the room to the graphs."""
        super().resizeEvent(event)
        self.verticalHeader().setMaximumWidth(round(TITLES_SHARE * self.width()))

    def _on_chosen(self, index: QModelIndex) -> None:
        row = self.matrix.row_at(index.row())
        self.cell_chosen.emit(index.column(), row.nodes if isinstance(row, EdgeRow) else row.children)

    def _fit(self) -> None:
        line = self.fontMetrics().height()
        self.verticalHeader().setDefaultSectionSize(round(line * 1.6))
        self.horizontalHeader().setDefaultSectionSize(line * COLUMN_LINES)
