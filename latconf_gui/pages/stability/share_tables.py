"""The tables of pairs and of latents, with their shares; a click on a title sorts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from latconf_core.phrases import percent
from latconf_core.stability.shares import LatentShare, PairShare
from latconf_core.wording.stability_tables import ONLY_IN_SAMPLES, states_text
from latconf_core.wording.stability_words import arrows_text, pair_text
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.widgets.text_size import FollowTextSize

Index = QModelIndex | QPersistentModelIndex
MOST_LETTERS = 34  # of a column before it is cut; its tool tip has all
SORT_ROLE = Qt.ItemDataRole.UserRole
_ROLE = Qt.ItemDataRole


@dataclass(frozen=True)
class ShareColumn:
    """A column: what it shows, and what it is sorted by."""

    title: str
    tip: str
    text: Callable[[Any], str]
    key: Callable[[Any], object]
    is_number: bool = False


PAIR_COLUMNS = (
    ShareColumn("Edge", "The edge in the graph learned from all rows", pair_text, pair_text),
    ShareColumn(
        "Same marks",
        "Share of samples with the same marks (or, like here, no edge)",
        lambda share: percent(share.n_same / max(share.n_samples, 1)),
        lambda share: share.n_same,
        is_number=True,
    ),
    ShareColumn(
        "Adjacent",
        "Share of samples with any edge between the two",
        lambda share: percent(share.joined),
        lambda share: share.n_joined,
        is_number=True,
    ),
    ShareColumn("In samples", "Edges in the samples, the most frequent first", arrows_text, arrows_text),
)
LATENT_COLUMNS = (
    ShareColumn(
        "Hidden cause",
        "Hidden causes of the model, then those found only in samples",
        lambda share: share.name or ONLY_IN_SAMPLES,
        lambda share: share.name or "\uffff",
    ),
    ShareColumn("Children", "", lambda share: ", ".join(share.children), lambda share: ", ".join(share.children)),
    ShareColumn(
        "Half",
        "Share of samples with a hidden cause that shares at least half of the children",
        lambda share: percent(share.half),
        lambda share: share.n_half,
        is_number=True,
    ),
    ShareColumn(
        "Exact",
        "Share of samples with a hidden cause of exactly these children",
        lambda share: percent(share.exact),
        lambda share: share.n_exact,
        is_number=True,
    ),
    ShareColumn(
        "Overlap",
        "Shared children as a fraction of their combined children, averaged over the samples that recover it",
        lambda share: percent(share.mean_overlap) if share.n_half else "–",
        lambda share: share.mean_overlap,
        is_number=True,
    ),
    ShareColumn("States", "Numbers of states, with the number of samples", states_text, states_text),
)


class ShareModel(QAbstractTableModel):
    """A row per pair or latent."""

    def __init__(self, columns: Sequence[ShareColumn], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self.rows: tuple[PairShare | LatentShare, ...] = ()

    def show(self, rows: Sequence[PairShare | LatentShare]) -> None:
        """Other rows."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        if not index.isValid():
            return None
        column, row = self._columns[index.column()], self.rows[index.row()]
        if role == _ROLE.DisplayRole:
            return column.text(row)
        if role == _ROLE.ToolTipRole:
            return plain_tip(column.text(row))
        if role == SORT_ROLE:
            return column.key(row)
        if role == _ROLE.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.DisplayRole:
            return self._columns[section].title
        return plain_tip(self._columns[section].tip) if role == _ROLE.ToolTipRole else None


class ShareTable(QTableView):
    """The rows of a model, which a person can sort."""

    def __init__(self, columns: Sequence[ShareColumn], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.shares = ShareModel(columns, self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self.shares)
        self._sorted.setSortRole(SORT_ROLE)
        self.setModel(self._sorted)
        self.setSortingEnabled(True)
        self._sorted.sort(-1)  # in the order given, until a title is clicked
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setHighlightSections(False)
        FollowTextSize(self, self._fit)
        self._fit()

    def show_rows(self, rows: Sequence[PairShare | LatentShare]) -> None:
        """Other rows, in the order given until a title is clicked."""
        self.shares.show(rows)
        self._fit()

    def _fit(self) -> None:
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))
        header = self.horizontalHeader()
        header.resizeSections(QHeaderView.ResizeMode.ResizeToContents)
        widest = self.fontMetrics().averageCharWidth() * MOST_LETTERS
        for column in range(header.count()):  # a long list of children would push the shares out of sight
            header.resizeSection(column, min(header.sectionSize(column), widest))
