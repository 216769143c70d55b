"""The list of graphs on the left, with the commands that change it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QSplitter, QToolButton, QVBoxLayout, QWidget

from latconf_gui.pages.compare.candidates import Candidates
from latconf_gui.pages.compare.offers_list import OffersList
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text import SPACE, Heading, Quiet
from latconf_gui.widgets.text_size import FollowTextSize

WIDE, LEAST_WIDE = 19, 9  # in lines of text: what it has, and what large text in a small window leaves it
MOST_OF_PAGE = 0.3
SHARES = (3, 2)  # of the height, for what is compared and what could be
LEAST_LINES_FOR_OFFERS = 24


class CandidatesPanel(QWidget):
    """`chosen` carries the place of the graph that a person goes to."""

    chosen = Signal(int)

    def __init__(self, candidates: Candidates, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._candidates = candidates
        self.list = QListView()
        self.list.setModel(candidates)
        self.list.setAccessibleName("Compared graphs, the reference first")
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.list.setAlternatingRowColors(True)
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.add = QToolButton()
        self.add.setText("Add…")
        self.add.setAccessibleName("Add a graph")
        self.add.setToolTip("Add a graph of this project, or one from a file")
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.note = Quiet("Everything is compared with the reference A. Drag a row to change the order.")
        self.offers = OffersList()
        self._below = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE // 2, SPACE // 2, SPACE // 2)
        layout.setSpacing(SPACE // 2)
        layout.addWidget(Heading("Compared", factor=1.1))
        layout.addWidget(self.add)
        self._lists = self._make_lists()
        self._is_divided_by_hand = False
        self._lists.splitterMoved.connect(self._on_divided)
        layout.addWidget(self._lists, 1)
        LeastLines(self, wide=LEAST_WIDE)
        FollowTextSize(self, self._divide)

    def wanted_width(self, page: int) -> int:
        """What the names need, as long as the pictures have the most of a page of this width."""
        return min(WIDE * self.fontMetrics().height(), round(MOST_OF_PAGE * page))

    def _make_lists(self) -> QSplitter:
        """What is compared above, what could be compared below."""
        above = QWidget()
        for box, widgets in (
            (above, (self.list, self.note)),
            (self._below, (Heading("In this project", factor=1.1), self.offers)),
        ):
            column = QVBoxLayout(box)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(SPACE // 2)
            for widget in widgets:
                column.addWidget(widget, int(widget in (self.list, self.offers)))
        lists = QSplitter(Qt.Orientation.Vertical)
        for box in (above, self._below):
            lists.addWidget(box)
        lists.setChildrenCollapsible(False)
        return lists

    def _on_divided(self) -> None:
        self._is_divided_by_hand = True

    def _divide(self) -> None:
        """Share the height out, unless a person has done so."""
        if not self._is_divided_by_hand:
            self._lists.setSizes([1000 * share for share in SHARES])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, Add… has to do."""
        super().resizeEvent(event)
        self._below.setVisible(self.height() > LEAST_LINES_FOR_OFFERS * self.fontMetrics().height())
        self._divide()

    @property
    def current(self) -> int:
        """The place of the graph that is chosen; −1 for none."""
        return self.list.currentIndex().row()

    def choose(self, index: int) -> None:
        """Go to a graph."""
        if 0 <= index < len(self._candidates):
            self.list.setCurrentIndex(self._candidates.index(index))

    def rename(self) -> None:
        """Let the person type another name for the chosen graph."""
        if self.current >= 0:
            self.list.edit(self.list.currentIndex())

    def show_menu(self, actions: list[QAction | None], point: QPoint) -> None:
        """The commands for the graph under the mouse."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in actions:
            menu.addSeparator() if action is None else menu.addAction(action)
        menu.popup(self.list.viewport().mapToGlobal(point))

    def _on_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(current.row())
