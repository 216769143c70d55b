"""A table of edges whose columns are as wide as names and marks need, and wider where there is room."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from latconf_gui.pages.pag.tables.edges_model import EdgeColumn

MARKS = (EdgeColumn.AT_FIRST, EdgeColumn.AT_SECOND)
NAMES = (EdgeColumn.FIRST, EdgeColumn.SECOND)


class EdgeTable(QTableView):
    """No name is cut: where two do not fit side by side, the table scrolls."""

    def __init__(self, model: QAbstractItemModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(1)
        for changed in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            changed.connect(self._fit)
        header.sortIndicatorChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        line, header = self.fontMetrics().height(), self.horizontalHeader()
        needed = {name: max(self.sizeHintForColumn(name), header.sectionSizeHint(name)) for name in NAMES}
        marks = dict.fromkeys(MARKS, self.fontMetrics().horizontalAdvance("–▸") + line + 8)
        if (by := header.sortIndicatorSection()) in marks:
            marks[EdgeColumn(by)] = max(marks[EdgeColumn(by)], header.sectionSizeHint(by))  # room for the sort arrow
        spare = self.viewport().width() - sum(marks.values()) - sum(needed.values())
        for column, width in marks.items():
            header.resizeSection(column, width)
        for column in NAMES:
            header.resizeSection(column, needed[column] + max(spare, 0) // 2)
        self.verticalHeader().setDefaultSectionSize(line + 8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.scrollTo(self.currentIndex())  # a longer text below may have taken its room

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()
