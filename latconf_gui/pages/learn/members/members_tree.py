"""The view of the members' tree: rows are added as one scrolls, and it tells which members are seen."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from latconf_gui.pages.learn.members.members_model import GRAPH, SCORE, MembersModel
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text_size import FollowTextSize

LEAST_LINES = 8
SOON_MILLISECONDS = 60
ROWS_AHEAD = 60  # rows of a level are added when one is this near to its last


class MembersTree(QTreeView):
    """`seen` soon after other rows have come into view."""

    seen = Signal()

    def __init__(self, model: MembersModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._members = model
        self.setModel(model)
        self.setUniformRowHeights(True)
        self.setAccessibleName("Members of the PAG")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        LeastLines(self, LEAST_LINES)
        FollowTextSize(self, self._fit_scores)
        self._soon = QTimer(self, interval=SOON_MILLISECONDS, singleShot=True)
        self._soon.timeout.connect(self.seen)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.expanded.connect(lambda _: self._soon.start())
        model.rowsInserted.connect(lambda *_: self._soon.start())
        model.modelReset.connect(self._on_reset)

    def _on_reset(self) -> None:
        header = self.header()
        header.setVisible(self._members.has_scores)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(GRAPH, QHeaderView.ResizeMode.Stretch)
        if self._members.has_scores:
            header.setSectionResizeMode(SCORE, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(SCORE, header.sectionSizeHint(SCORE))

    def _fit_scores(self) -> None:
        """Room for the title and the scores at the present size of text."""
        if self._members.has_scores:
            header = self.header()
            header.resizeSection(SCORE, max(header.sectionSizeHint(SCORE), self.sizeHintForColumn(SCORE)))

    def show_new_facts(self) -> None:
        """Draw the rows again that are seen, with room for their scores."""
        self.viewport().update()
        if self._members.has_scores:
            header = self.header()
            header.resizeSection(SCORE, max(header.sectionSize(SCORE), self.sizeHintForColumn(SCORE)))

    def open_first_level(self) -> None:
        """Open the PAG and the MAGs with the fewest <->."""
        pag = self._members.pag_index()
        self.expand(pag)
        self.expand(self._members.index(0, 0, pag))

    def go_to(self, index: QModelIndex) -> None:
        """Choose a row and bring it into view."""
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def _on_scrolled(self) -> None:
        """Add rows where the end of those that are there comes near."""
        model = self._members
        rows = [index for index in self.visible_indexes() if model.member_at(index) is not None]
        last = {QPersistentModelIndex(row.parent()): row.row() for row in rows if not model.is_dag(row)}
        for level, row in last.items():
            if model.has_more(level) and row >= model.rowCount(level) - ROWS_AHEAD:
                model.show_more(level)
        self._soon.start()

    def visible_indexes(self) -> list[QModelIndex]:
        """The rows that are seen, from the top."""
        indexes = []
        index, height = self.indexAt(self.viewport().rect().topLeft()), self.viewport().height()
        while index.isValid() and self.visualRect(index).top() < height:
            indexes.append(index)
            index = self.indexBelow(index)
        return indexes

    def visible_numbers(self) -> list[int]:
        """The members that are seen."""
        numbers = (self._members.member_at(index) for index in self.visible_indexes())
        return list(dict.fromkeys(number for number in numbers if number is not None))

    def sizeHint(self) -> QSize:
        """As high as there is room for."""
        return QSize(super().sizeHint().width(), self.minimumHeight())
