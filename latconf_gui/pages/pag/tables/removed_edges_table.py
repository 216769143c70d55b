"""The table of the pairs that a learner separated."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from latconf_core.pag.events import EdgeRemoved
from latconf_gui.drawing.content.graph_drawing import Pair
from latconf_gui.pages.pag.tables.removed_edges_model import RemovedColumn, RemovedEdgesModel, RemovedSortModel
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text_size import FollowTextSize

LEAST_LINES = 8


class RemovedEdgesTable(QTableView):
    """`pair_chosen(first, second)` when a row is chosen by the person."""

    pair_chosen = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Table of pairs without an edge")
        self.pairs = RemovedEdgesModel(self)
        self.sorted = RemovedSortModel(self)
        self.sorted.setSourceModel(self.pairs)
        self.setModel(self.sorted)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.sortByColumn(RemovedColumn.FIRST, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        LeastLines(self, LEAST_LINES)
        FollowTextSize(self, self._fit)
        self._fit()
        self._is_following = False
        self.selectionModel().currentRowChanged.connect(self._on_chosen)

    def _fit(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)

    def show_removed(self, removed: list[EdgeRemoved]) -> None:
        """Show other pairs, without telling so."""
        self._is_following = True
        self.pairs.show_removed(removed)
        self._is_following = False

    def _on_chosen(self) -> None:
        row = self.sorted.mapToSource(self.currentIndex())
        if row.isValid() and not self._is_following:
            event = self.pairs.removed(row.row())
            self.pair_chosen.emit(event.x, event.y)

    def choose(self, pair: Pair) -> None:
        """Choose the row of a pair, or none, without telling so."""
        self._is_following = True
        row = self.pairs.row_of(pair)
        index = self.sorted.mapFromSource(self.pairs.index(-1 if row is None else row, 0))
        flags = QItemSelectionModel.SelectionFlag
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.scrollTo(index)
        else:
            self.clearSelection()
        self._is_following = False
