"""The list of graphs on the left, with the commands that change it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QToolButton, QVBoxLayout, QWidget

from latconf_gui.pages.compare.candidates import Candidates
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text import SPACE, Heading, Quiet

WIDE = 13  # lines of text


class CandidatesPanel(QWidget):
    """`chosen` carries the place of the graph that a person goes to."""

    chosen = Signal(int)

    def __init__(self, candidates: Candidates, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._candidates = candidates
        self.list = QListView()
        self.list.setModel(candidates)
        self.list.setAccessibleName("Graphs that are compared, the reference first")
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.list.setAlternatingRowColors(True)
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.add = QToolButton()
        self.add.setText("Add…")
        self.add.setAccessibleName("Add a graph")
        self.add.setToolTip("Add a graph that this project has, or one from a file")
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.note = Quiet("Everything is compared with the reference A.")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE // 2, SPACE // 2, SPACE // 2)
        layout.setSpacing(SPACE // 2)
        layout.addWidget(Heading("Compared", factor=1.1))
        layout.addWidget(self.add)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.note)
        LeastLines(self, wide=WIDE)

    @property
    def current(self) -> int:
        """The place of the graph that is chosen; −1 for none."""
        return self.list.currentIndex().row()

    def choose(self, place: int) -> None:
        """Go to a graph."""
        if 0 <= place < len(self._candidates):
            self.list.setCurrentIndex(self._candidates.index(place))

    def rename(self) -> None:
        """Let the person type another name for the chosen graph."""
        if self.current >= 0:
            self.list.edit(self.list.currentIndex())

    def show_menu(self, actions: list[QAction | None], place: QPoint) -> None:
        """The commands for the graph under the mouse."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in actions:
            menu.addSeparator() if action is None else menu.addAction(action)
        menu.popup(self.list.viewport().mapToGlobal(place))

    def _on_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(current.row())
