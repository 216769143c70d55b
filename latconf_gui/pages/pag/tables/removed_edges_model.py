"""The pairs that a learner separated, as a table: the two nodes, the separating set and the p-value of its test."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QModelIndex, QObject, Qt

from latconf_core.pag.events import EdgeRemoved
from latconf_core.phrases import list_names
from latconf_core.wording.step_texts import independence_sentence
from latconf_gui.drawing.content.graph_drawing import Pair
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.pages.pag.tables.edges_model import PAIR_ROLE, Index, PairsModel, PairsSortModel


class RemovedColumn(IntEnum):
    """The columns, left to right."""

    FIRST = 0
    SECOND = 1
    P_VALUE = 2
    GIVEN = 3


_TITLES = ("From", "To", "p", "Separated by")
_TIPS = (
    "One of two variables without an edge",
    "The other variable",
    "The p-value of the test that removed the edge (above alpha: not significantly dependent)",
    "The conditioning set of that test",
)


class RemovedEdgesModel(PairsModel):
    """One row per pair that a test separated."""

    titles, tips = _TITLES, _TIPS

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._removed: list[EdgeRemoved] = []

    def show_removed(self, removed: list[EdgeRemoved]) -> None:
        """Show other pairs."""
        if removed == self._removed:
            return
        self.beginResetModel()
        self._removed = removed
        self.endResetModel()

    def removed(self, row: int) -> EdgeRemoved:
        return self._removed[row]

    def row_of(self, pair: Pair) -> int | None:
        """The row of a pair."""
        return next((row for row, event in enumerate(self._removed) if {event.x, event.y} == pair), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._removed)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        event = self._removed[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _shown(event, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(f"{independence_sentence(event)}.")
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return f"{independence_sentence(event)}."
            case Qt.ItemDataRole.TextAlignmentRole if index.column() == RemovedColumn.P_VALUE:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case _ if role == PAIR_ROLE:
                return event
        return None


class RemovedSortModel(PairsSortModel):
    """Names sort without regard to case, sets by their size, p-values as numbers."""

    def key_of(self, row: EdgeRemoved, column: int) -> tuple[object, ...]:
        return _key(row, column)

    def names_of(self, row: EdgeRemoved) -> tuple[str, ...]:
        return row.x, row.y, *row.given


def _shown(event: EdgeRemoved, column: int) -> str:
    match RemovedColumn(column):
        case RemovedColumn.FIRST:
            return event.x
        case RemovedColumn.SECOND:
            return event.y
        case RemovedColumn.GIVEN:
            return list_names(event.given)
        case RemovedColumn.P_VALUE:
            return f"{event.p_value:.3f}"


def _key(event: EdgeRemoved, column: int) -> tuple[object, ...]:
    match RemovedColumn(column):
        case RemovedColumn.SECOND:
            return event.y.casefold(), event.x.casefold()
        case RemovedColumn.GIVEN:
            return len(event.given), event.given
        case RemovedColumn.P_VALUE:
            return (event.p_value,)
        case _:
            return event.x.casefold(), event.y.casefold()
