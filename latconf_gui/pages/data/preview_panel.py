"""The rows: as they stand in the file, or as they will be used."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QHeaderView,
    QRadioButton,
    QStyleFactory,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.formats.projects.project_state import ProjectState
from latconf_gui.pages.data.preview_model import DatasetModel, RawModel
from latconf_gui.widgets.cells import CellDelegate
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text import SPACE
from latconf_gui.widgets.text_size import FollowTextSize

WIDTH_LETTERS = (6, 24)  # least and most of a column


class PreviewPanel(QWidget):
    """A table that asks only for the cells on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = ProjectState()
        self._model: RawModel | DatasetModel | None = None
        self.as_read = QRadioButton("As &read")
        self.as_used = QRadioButton("As it &will be used")
        self.as_read.setChecked(True)
        group = QButtonGroup(self)
        group.addButton(self.as_read)
        group.addButton(self.as_used)
        self.table = QTableView()
        self.table.setAccessibleName("Rows of the data")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self._plain_style = QStyleFactory.create("Fusion")  # without our Python style in the way of every cell
        self.table.setStyle(self._plain_style)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        LeastLines(self.table, 7)
        FollowTextSize(self, self._fit_columns)
        choice = QHBoxLayout()
        choice.setSpacing(2 * SPACE)
        choice.addWidget(self.as_read)
        choice.addWidget(self.as_used)
        choice.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE - 4, 0, 0)
        layout.addLayout(choice)
        layout.addWidget(self.table, 1)
        group.buttonClicked.connect(self._show)

    def show_state(self, state: ProjectState) -> None:
        self._state = state
        self.as_used.setEnabled(state.dataset is not None)
        if state.dataset is None:
            self.as_read.setChecked(True)
        self._show()

    def show_column(self, plan: ColumnPlan) -> None:
        """Bring a variable into view."""
        names, name = self._names(), plan.called if self.as_used.isChecked() else plan.name
        if name in names and self._model is not None and self._model.rowCount():
            row = max(self.table.rowAt(0), 0)
            self.table.scrollTo(self._model.index(row, names.index(name)))

    def _names(self) -> tuple[str, ...]:
        state = self._state
        if self.as_used.isChecked():
            return state.dataset.names if state.dataset is not None else ()
        return state.raw.names if state.raw is not None else ()

    def _show(self) -> None:
        old, state = self._model, self._state
        top = self.table.verticalScrollBar().value()
        if state.raw is None:
            self._model = None
        elif self.as_used.isChecked() and state.dataset is not None:
            self._model = DatasetModel(state.dataset, self)
        else:
            self._model = RawModel(state.raw, state.plans, parent=self)
        self.table.setModel(self._model)
        if self._model is not None:
            self.table.setItemDelegate(CellDelegate(self._model, self._model))
        if old is not None:
            old.deleteLater()
        self._fit_columns()
        self.table.verticalScrollBar().setValue(top)

    def _fit_columns(self) -> None:
        """Widths from the names and the longest states, not from the rows."""
        metrics, letter = self.fontMetrics(), self.fontMetrics().averageCharWidth()
        self.table.verticalHeader().setDefaultSectionSize(round(metrics.height() * 1.6))
        longest = {plan.name: max(map(len, plan.states[:100]), default=0) for plan in self._state.plans}
        least, most = (round(letters * letter * 1.1) + 16 for letters in WIDTH_LETTERS)
        heading = self.table.horizontalHeader().fontMetrics()
        for column, name in enumerate(self._names()):
            cells = round((longest.get(name, 0) + 2) * letter * 1.1) + 16
            self.table.setColumnWidth(column, min(max(heading.horizontalAdvance(name) + 24, cells, least), most))
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
