"""The edges of a graph as a table: two nodes and the mark at each."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, ClassVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)

from latconf_core.graph.marks import MARK_NAMES, Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.wording.mark_meanings import edge_sentence
from latconf_gui.look.plain_tips import plain_tip

Index = QModelIndex | QPersistentModelIndex
PAIR_ROLE = Qt.ItemDataRole.UserRole  # what a row is about: an edge, or what took one away


class PairsModel(QAbstractTableModel):
    """A row per pair of nodes, under titles that each have a tip."""

    titles: ClassVar[tuple[str, ...]]
    tips: ClassVar[tuple[str, ...]]

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.titles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.titles[section]
        is_tip = role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
        return self.tips[section] if is_tip else None


class PairsSortModel(QSortFilterProxyModel):
    """Sorts a PairsModel by `key_of` a row in a column, and filters it by `names_of` a row."""

    def key_of(self, row: Any, column: int) -> tuple[object, ...]:
        """What a row is sorted by in a column."""
        raise NotImplementedError

    def names_of(self, row: Any) -> tuple[str, ...]:
        """What a person may look for in a row."""
        raise NotImplementedError

    def lessThan(self, left: Index, right: Index) -> bool:
        keys = [self.key_of(index.data(PAIR_ROLE), index.column()) for index in (left, right)]
        return bool(keys[0] < keys[1])

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        wanted = self.filterRegularExpression().pattern().replace("\\", "").casefold()
        names = self.names_of(self.sourceModel().index(row, 0, parent).data(PAIR_ROLE))
        return any(wanted in name.casefold() for name in names)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self.sourceModel().headerData(section, orientation, role)


class EdgeColumn(IntEnum):
    """The columns, left to right."""

    FIRST = 0
    AT_FIRST = 1
    AT_SECOND = 2
    SECOND = 3


_TITLES = ("From", "•–", "–•", "To")
_TIPS = (
    "One end of the edge",
    "The mark at the node on the left; keys 1, 2, 3 set a circle, an arrowhead, a tail",
    "The mark at the node on the right; keys 1, 2, 3 set a circle, an arrowhead, a tail",
    "The other end of the edge",
)
_LEFT = {Mark.CIRCLE: "o–", Mark.ARROW: "◂–", Mark.TAIL: "––"}
_RIGHT = {Mark.CIRCLE: "–o", Mark.ARROW: "–▸", Mark.TAIL: "––"}


class EdgeTableModel(PairsModel):
    """Shows the edges of a graph; an edit is a request, `mark_chosen(node, other, mark)`, that others carry out."""

    titles, tips = _TITLES, _TIPS
    mark_chosen = Signal(str, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edges: list[Edge] = []
        self.is_editable = True

    def show_graph(self, graph: MixedGraph | None) -> None:
        """Show another graph; rows that stay are only repainted, so that the selection survives."""
        edges = [] if graph is None else list(graph.edges())
        if [_ends(edge) for edge in edges] == [_ends(edge) for edge in self._edges]:
            self._edges = edges
            if edges:
                self.dataChanged.emit(self.index(0, 0), self.index(len(edges) - 1, len(EdgeColumn) - 1))
            return
        self.beginResetModel()
        self._edges = edges
        self.endResetModel()

    def edge(self, row: int) -> Edge:
        return self._edges[row]

    def row_of(self, first: str, second: str) -> int | None:
        """The row of the edge between two nodes."""
        ends = {first, second}
        return next((row for row, edge in enumerate(self._edges) if {edge.first, edge.second} == ends), None)

    def end_at(self, row: int, column: int) -> tuple[str, str]:
        """The node whose mark a cell is about, and the other one; the right-hand end outside the mark columns."""
        edge = self._edges[row]
        if column in (EdgeColumn.FIRST, EdgeColumn.AT_FIRST):
            return edge.first, edge.second
        return edge.second, edge.first

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._edges)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self.is_editable and index.column() in (EdgeColumn.AT_FIRST, EdgeColumn.AT_SECOND):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        edge, column = self._edges[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _shown(edge, column)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(f"{edge}\n{edge_sentence(edge)}")
            case Qt.ItemDataRole.AccessibleTextRole:
                return _spoken(edge, column)
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return edge_sentence(edge)
            case Qt.ItemDataRole.EditRole:
                return _mark_of(edge, column)
            case Qt.ItemDataRole.TextAlignmentRole if column in (EdgeColumn.AT_FIRST, EdgeColumn.AT_SECOND):
                return Qt.AlignmentFlag.AlignCenter
            case _ if role == PAIR_ROLE:
                return edge
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not isinstance(value, Mark):
            return False
        if value != _mark_of(self._edges[index.row()], index.column()):
            self.mark_chosen.emit(*self.end_at(index.row(), index.column()), value)
        return True


class EdgeSortModel(PairsSortModel):
    """Names sort without regard to case, marks by their code; equal cells keep the order of the graph."""

    def key_of(self, row: Edge, column: int) -> tuple[object, ...]:
        return _key(row, column)

    def names_of(self, row: Edge) -> tuple[str, ...]:
        return _ends(row)


def _ends(edge: Edge) -> tuple[str, str]:
    return edge.first, edge.second


def _mark_of(edge: Edge, column: int) -> Mark | None:
    return {EdgeColumn.AT_FIRST: edge.at_first, EdgeColumn.AT_SECOND: edge.at_second}.get(EdgeColumn(column))


def _shown(edge: Edge, column: int) -> str:
    match EdgeColumn(column):
        case EdgeColumn.FIRST:
            return edge.first
        case EdgeColumn.AT_FIRST:
            return _LEFT[edge.at_first]
        case EdgeColumn.AT_SECOND:
            return _RIGHT[edge.at_second]
        case EdgeColumn.SECOND:
            return edge.second


def _spoken(edge: Edge, column: int) -> str:
    """The cell for a screen reader."""
    match EdgeColumn(column):
        case EdgeColumn.AT_FIRST:
            return f"{MARK_NAMES[edge.at_first]} at {edge.first}"
        case EdgeColumn.AT_SECOND:
            return f"{MARK_NAMES[edge.at_second]} at {edge.second}"
        case _:
            return _shown(edge, column)


def _key(edge: Edge, column: int) -> tuple[object, ...]:
    match EdgeColumn(column):
        case EdgeColumn.SECOND:
            return edge.second.casefold(), edge.first.casefold()
        case EdgeColumn.AT_FIRST:
            return int(edge.at_first), edge.first.casefold()
        case EdgeColumn.AT_SECOND:
            return int(edge.at_second), edge.second.casefold()
        case _:
            return edge.first.casefold(), edge.second.casefold()
