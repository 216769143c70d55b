"""The table of edges: sorted, filtered, and able to do by keyboard all that the canvas does by mouse."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from latconf_core.graph.marks import MARK_NAMES, Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.events import EdgeRemoved
from latconf_core.wording.mark_meanings import edge_sentence
from latconf_gui.drawing.content.graph_drawing import Pair
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.pages.pag.actions import NEW_EDGES
from latconf_gui.pages.pag.tables.edge_table import EdgeTable
from latconf_gui.pages.pag.tables.edges_model import EdgeColumn, EdgeSortModel, EdgeTableModel
from latconf_gui.pages.pag.tables.removed_edges_table import RemovedEdgesTable
from latconf_gui.widgets.scroll import LeastLines, ScrollColumn
from latconf_gui.widgets.text import Reserved

Index = QModelIndex | QPersistentModelIndex
NOT_EDITABLE = "\nPresentation mode blocks editing."
NO_EDGE = "Select an edge to see what it means."
REMOVED_TIP = "Show the pairs without an edge, with separating set and p-value"
MEANING_LINES, TABLE_LINES = 4, 8  # at least
PANEL_LINES = 17  # wide at least, in lines of text: its longest row and the bar to scroll


class MarkDelegate(QStyledItemDelegate):
    """Edits a mark with a list of the three."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        box = QComboBox(parent)
        for mark, name in MARK_NAMES.items():
            box.addItem(name, mark)
        box.setAccessibleName("Mark")
        box.activated.connect(lambda _row: self._finish(box))
        return box

    def _finish(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(self, editor: QWidget, model: object, index: Index) -> None:
        if isinstance(editor, QComboBox) and isinstance(model, EdgeSortModel):
            model.setData(index, Mark(editor.currentData()))


class EdgePanel(QWidget):
    """The edges of the PAG with a filter above, and below what the chosen one means and a form for a new one.

    `selected(pairs, end)` when rows are chosen by the person; `end` is the node whose mark the current cell shows.
    `pair_chosen(first, second)` when a pair without an edge is chosen among those that were separated.
    """

    selected = Signal(list, str)
    pair_chosen = Signal(str, str)
    mark_chosen = Signal(str, str, object)
    edge_asked = Signal(str, str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Edges")
        self.model = EdgeTableModel(self)
        self.model.mark_chosen.connect(self.mark_chosen)
        self.sorted = EdgeSortModel(self)
        self.sorted.setSourceModel(self.model)
        self._is_following = False
        self._has_pair = False
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter edges…")
        self.filter.setAccessibleName("Filter edges by node name")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self.sorted.setFilterFixedString)
        self.shows_removed = QCheckBox("Show removed edges instead")
        self.shows_removed.toggled.connect(self._on_shows_removed)
        self.removed = RemovedEdgesTable()
        self.removed.pair_chosen.connect(self.pair_chosen)
        self.filter.textChanged.connect(self.removed.sorted.setFilterFixedString)
        self.meaning = Reserved(NO_EDGE, n_lines=MEANING_LINES)
        self.meaning.setAccessibleName("Meaning of the selected edge")
        self.table = self._make_table()
        scroll = ScrollColumn()
        scroll.column.addWidget(self.filter)
        scroll.column.addWidget(self.shows_removed)
        self._tables = QStackedWidget()
        for table in (self.table, self.removed):
            self._tables.addWidget(table)
        scroll.column.addWidget(self._tables, 1)
        scroll.column.addWidget(self.meaning)
        scroll.column.addLayout(self._make_form())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)

    def _make_table(self) -> EdgeTable:
        table = EdgeTable(self.sorted)
        table.setAccessibleName("Table of edges")
        table.setSortingEnabled(True)
        table.sortByColumn(EdgeColumn.FIRST, Qt.SortOrder.AscendingOrder)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        delegate = MarkDelegate(table)
        for column in (EdgeColumn.AT_FIRST, EdgeColumn.AT_SECOND):
            table.setItemDelegateForColumn(column, delegate)
        LeastLines(table, TABLE_LINES)
        LeastLines(self, wide=PANEL_LINES)
        table.selectionModel().selectionChanged.connect(self._on_selected)
        table.selectionModel().currentChanged.connect(self._on_selected)
        return table

    def _make_form(self) -> QVBoxLayout:
        self.first, self.second, self.marks = QComboBox(), QComboBox(), QComboBox()
        for box, name in (
            (self.first, "New edge: from"),
            (self.second, "New edge: to"),
            (self.marks, "New edge: marks"),
        ):
            box.setAccessibleName(name)
            box.setToolTip(name)
        for box in (self.first, self.second):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(3)
        for arrow, (at_first, at_second, meaning) in NEW_EDGES.items():
            self.marks.addItem(arrow, (at_first, at_second))
            self.marks.setItemData(self.marks.count() - 1, meaning, Qt.ItemDataRole.ToolTipRole)
        self.add = QPushButton("Add edge")
        self.add.clicked.connect(self._on_add)
        self.delete = QPushButton("Delete")
        top, bottom = QHBoxLayout(), QHBoxLayout()
        top.addWidget(self.first, 1)
        top.addWidget(self.marks)
        top.addWidget(self.second, 1)
        bottom.addWidget(self.add)
        bottom.addStretch(1)
        bottom.addWidget(self.delete)
        form = QVBoxLayout()
        form.addLayout(top)
        form.addLayout(bottom)
        return form

    def follow(self, graph: MixedGraph | None) -> None:
        """Show another graph."""
        self._is_following = True
        self.model.show_graph(graph)
        self._is_following = False
        self._explain()
        nodes = [] if graph is None else list(graph.nodes)
        for box, position in ((self.first, 0), (self.second, 1)):
            kept = box.currentText()
            if [box.itemText(i) for i in range(box.count())] != nodes:
                box.clear()
                box.addItems(nodes)
                box.setCurrentIndex(nodes.index(kept) if kept in nodes else min(position, len(nodes) - 1))
        self._has_pair = len(nodes) >= 2
        self._show_editable()

    def show_removed(self, removed: list[EdgeRemoved], why_not: str) -> None:
        """Offer the pairs that a learner separated, or say why there are none to offer."""
        self.removed.show_removed(removed)
        self.shows_removed.setEnabled(not why_not)
        self.shows_removed.setToolTip(plain_tip(why_not or REMOVED_TIP))
        if why_not:
            self.shows_removed.setChecked(False)

    def _on_shows_removed(self, shows: bool) -> None:
        self._tables.setCurrentWidget(self.removed if shows else self.table)

    def choose_removed(self, first: str, second: str, why: str) -> None:
        """Choose a pair without an edge and say why it has none; without a reason only forget what was chosen."""
        self.removed.choose(frozenset((first, second)) if why else frozenset())
        if why:
            self.meaning.setText(why)

    def set_editable(self, is_editable: bool) -> None:
        """Whether marks can be chosen and edges added."""
        self.model.is_editable = is_editable
        self._show_editable()

    def _show_editable(self) -> None:
        is_editable = self.model.is_editable
        for box in (self.first, self.second, self.marks):
            box.setEnabled(is_editable)
        self.add.setEnabled(is_editable and self._has_pair)
        why_not = "" if self._has_pair else "\nThe graph has fewer than two nodes."
        self.add.setToolTip(f"Add this edge{why_not if is_editable else NOT_EDITABLE}")

    def _on_add(self) -> None:
        marks: tuple[Mark, Mark] = self.marks.currentData()
        self.edge_asked.emit(self.first.currentText(), self.second.currentText(), (Mark(marks[0]), Mark(marks[1])))

    def _explain(self) -> None:
        """Say what the chosen edge means."""
        edges = self._selected_edges()
        several = f"{len(edges)} edges selected." if edges else NO_EDGE
        self.meaning.setText(edge_sentence(edges[0]) if len(edges) == 1 else several)

    def _on_selected(self) -> None:
        self._explain()
        if self._is_following:
            return
        current = self.sorted.mapToSource(self.table.currentIndex())
        end = self.model.end_at(current.row(), current.column())[0] if current.isValid() else ""
        self.selected.emit(self.selected_pairs(), end)

    def selected_pairs(self) -> list[Pair]:
        """The ends of the edges of the chosen rows."""
        return [frozenset((edge.first, edge.second)) for edge in self._selected_edges()]

    def _selected_edges(self) -> list[Edge]:
        rows = self.table.selectionModel().selectedRows()
        return [self.model.edge(self.sorted.mapToSource(row).row()) for row in rows]

    def select(self, pairs: list[Pair], end: str | None) -> None:
        """Choose the rows of these edges, without telling so."""
        selection, current = QItemSelection(), QModelIndex()
        for pair in pairs:
            row = self.model.row_of(*pair)
            if row is not None:
                edge = self.model.edge(row)
                column = EdgeColumn.AT_FIRST if edge.first == end else EdgeColumn.AT_SECOND
                current = self.sorted.mapFromSource(self.model.index(row, column))
                selection.select(current, current)
        flags = QItemSelectionModel.SelectionFlag
        self._is_following = True
        model = self.table.selectionModel()
        model.select(selection, flags.ClearAndSelect | flags.Rows)
        if current.isValid():
            model.setCurrentIndex(current, flags.NoUpdate)
            self.table.scrollTo(current)
        self._is_following = False
        self._explain()
