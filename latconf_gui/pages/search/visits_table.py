"""The table of visited DAGs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, Qt, QTimer, Signal
from PySide6.QtGui import QDrag, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from latconf_core.search.outcome.history import History
from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.background.gil_priority import GIL_PRIORITY
from latconf_gui.pages.search.columns import COLUMNS, SCORE
from latconf_gui.pages.search.visits_model import VisitsModel
from latconf_gui.widgets.cells import CellDelegate
from latconf_gui.widgets.table_looks import look_like_rows

REFRESH_MILLISECONDS = 500


class VisitTable(QTableView):
    """Sorted by score to begin with. `visit_chosen` carries the visit of the row that a person went to.

    graph_of : the graph that a visit is dragged as
    """

    visit_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.visits = VisitsModel(self)
        self.setModel(self.visits)
        numbers = [index for index, column in enumerate(COLUMNS) if column.is_number]
        self.setItemDelegate(CellDelegate(self.visits, self, right=numbers))
        self.setAccessibleName("Visited DAGs")
        look_like_rows(self)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        header = self.horizontalHeader()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSortIndicator(COLUMNS.index(SCORE), Qt.SortOrder.DescendingOrder)
        self.setDragEnabled(True)
        self.graph_of: Callable[[int], ComparedGraph] | None = None
        self._is_following = False
        self._timer = QTimer(self, interval=REFRESH_MILLISECONDS, singleShot=True)
        self._timer.timeout.connect(self.take_over)
        self.selectionModel().selectionChanged.connect(self._on_selected)
        self._fit()

    def follow(self, visits: History) -> None:
        """Show other visits."""
        self.visits.follow(visits)

    def startDrag(self, _actions: Qt.DropAction) -> None:
        """Drag the chosen DAG, to compare it."""
        rows = self.selectionModel().selectedRows()
        if rows and self.graph_of is not None:
            drag = QDrag(self)
            drag.setMimeData(self.graph_of(self.visits.visit(rows[0].row())).to_mime())
            drag.exec(Qt.DropAction.CopyAction)

    def visits_added(self) -> None:
        """More was added; it is shown soon."""
        if not self._timer.isActive():
            self._timer.start()

    def take_over(self) -> None:
        """Show what was added, if anybody looks."""
        if self.isVisible():
            with GIL_PRIORITY.window_first():
                self.visits.refresh()

    def showEvent(self, event: QEvent) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self.visits.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        with GIL_PRIORITY.window_first():
            super().paintEvent(event)

    def select(self, number: int) -> None:
        """Go to the row of a visit without telling anybody."""
        self.visits.refresh()
        index = self.visits.index(self.visits.row_of(number), 0)
        self._is_following = True
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)
        self._is_following = False

    def _on_selected(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        rows = selected.indexes()
        if rows and not self._is_following:
            self.visit_chosen.emit(self.visits.visit(rows[0].row()))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        """Widths and heights for the text at its present size."""
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(round(metrics.height() * 1.5))
        self.setMinimumHeight(metrics.height() * 5)  # the titles and two rows
        for index, column in enumerate(COLUMNS):
            title = metrics.horizontalAdvance(column.title) + metrics.height()
            if column.widest:
                self.setColumnWidth(index, max(metrics.horizontalAdvance(column.widest), title) + metrics.height())
