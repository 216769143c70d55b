"""The tree of a PAG's members: the PAG, its MAGs by number of <->, and the DAG of each.

Members are kept as numbers and become text when a row is drawn. Rows of a level are added as one scrolls, so that a
level of ten thousand opens as fast as one of ten.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.phrases import nats
from latconf_core.teaching.members import MemberBatch, PagMembers
from latconf_core.wording.evidence_texts import nats_apart
from latconf_gui.pages.learn.members.member_facts import MemberFacts

AnyIndex = QModelIndex | QPersistentModelIndex
Roles = Qt.ItemDataRole
PAGE_ROWS = 300
GRAPH, SCORE = 0, 1  # columns
TITLES = ("Graph", "p-ELBO")
SCORE_TIP = "The score of the DAG on the data, in nats; higher is better"
_PAG, _LEVEL, _MAG, _DAG = range(4)  # kinds of rows: the two lowest bits of an index's id
_ROW_BITS = 24  # of the id of a DAG, for the row of its MAG


@dataclass
class _Level:
    """The members with one number of <->; `n_shown` of them have rows."""

    n_bidirected: int
    numbers: list[int] = field(default_factory=list)
    n_shown: int = 0
    is_growing: bool = True


class MembersModel(QAbstractItemModel):
    """Rows come with `add`; `member_at` says which member a row is or belongs to."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.members: PagMembers | None = None
        self.facts: dict[int, MemberFacts] = {}
        self.has_scores = False
        self.n_listed = 0
        self.is_complete = self.is_cut = False
        self.best: float | None = None  # the highest p-ELBO so far
        self._levels: list[_Level] = []
        self._starts: list[int] = []  # how many members come before each level

    # Filling --------------------------------------------------------------------------------------

    def begin(self, members: PagMembers | None, *, has_scores: bool) -> None:
        """Another PAG; its members are added one batch after the other."""
        self.beginResetModel()
        self.members, self.has_scores = members, has_scores
        self.facts, self.best = {}, None
        self.n_listed, self.is_complete, self.is_cut = 0, False, False
        self._levels, self._starts = [], []
        self.endResetModel()

    def add(self, batch: MemberBatch) -> None:
        """More members of the last level or of a new one."""
        if batch.members:
            self._add_to_level(batch)
        self.n_listed, self.is_complete, self.is_cut = batch.n_listed, batch.is_last, batch.is_cut
        self._tell_changed(self.pag_index())
        if batch.is_last:
            self._end_level()
        elif self._levels:
            self._tell_changed(self._level_index(len(self._levels) - 1))

    def _end_level(self) -> None:
        """The last level gets no more members."""
        if self._levels:
            self._levels[-1].is_growing = False
            self._tell_changed(self._level_index(len(self._levels) - 1))

    def _add_to_level(self, batch: MemberBatch) -> None:
        if not self._levels or self._levels[-1].n_bidirected != batch.n_bidirected:
            place = len(self._levels)
            self._end_level()
            self.beginInsertRows(self.pag_index(), place, place)
            self._levels.append(_Level(batch.n_bidirected))
            self._starts.append(self.n_listed)
            self.endInsertRows()
        level = self._levels[-1]
        is_waiting = level.n_shown < min(PAGE_ROWS, len(level.numbers) + len(batch.members))
        level.numbers.extend(batch.members)
        if is_waiting:
            self.show_more(self._level_index(len(self._levels) - 1))

    def add_facts(self, facts: MemberFacts) -> None:
        """The DAG and the score of a member."""
        self.facts[facts.number] = facts
        if facts.p_elbo is not None and (self.best is None or facts.p_elbo > self.best):
            self.best = facts.p_elbo

    def _tell_changed(self, index: QModelIndex) -> None:
        self.dataChanged.emit(index, index.siblingAtColumn(self.columnCount() - 1))

    def has_more(self, parent: AnyIndex) -> bool:
        """Whether a level has members without a row."""
        level = self._level_of(parent)
        return level is not None and level.n_shown < len(level.numbers)

    def show_more(self, parent: AnyIndex) -> None:
        """Add the next rows of a level. Not Qt's fetchMore, which a tree asks for until there is nothing more."""
        level = self._level_of(parent)
        if level is None:
            return
        more = min(PAGE_ROWS, len(level.numbers) - level.n_shown)
        if more:
            self.beginInsertRows(self._level_index(parent.row()), level.n_shown, level.n_shown + more - 1)
            level.n_shown += more
            self.endInsertRows()

    # Where is what --------------------------------------------------------------------------------

    def pag_index(self) -> QModelIndex:
        """The row of the PAG."""
        return self.index(0, 0)

    def _level_index(self, level: int) -> QModelIndex:
        return self.createIndex(level, 0, _LEVEL)

    def _level_of(self, index: AnyIndex) -> _Level | None:
        """The level whose row this is."""
        return self._levels[index.row()] if index.isValid() and index.internalId() & 3 == _LEVEL else None

    def is_dag(self, index: AnyIndex) -> bool:
        """Whether this is the row of a DAG."""
        return index.isValid() and index.internalId() & 3 == _DAG

    def member_at(self, index: AnyIndex) -> int | None:
        """The member of a row of a MAG or a DAG."""
        if not index.isValid():
            return None
        kind, value = index.internalId() & 3, index.internalId() >> 2
        if kind == _MAG:
            return self._levels[value].numbers[index.row()]
        if kind == _DAG:
            return self._levels[value >> _ROW_BITS].numbers[value & (1 << _ROW_BITS) - 1]
        return None

    def place_of(self, index: AnyIndex) -> int | None:
        """How many members come before that of a row."""
        if self.member_at(index) is None:
            return None
        value = index.internalId() >> 2
        if self.is_dag(index):
            return self._starts[value >> _ROW_BITS] + (value & (1 << _ROW_BITS) - 1)
        return self._starts[value] + index.row()

    def index_of_place(self, place: int) -> QModelIndex:
        """The row of the MAG that so many members come before; rows up to it are added."""
        if not 0 <= place < self.n_known:
            return QModelIndex()
        level = bisect_right(self._starts, place) - 1
        row = place - self._starts[level]
        above = self._level_index(level)
        while self._levels[level].n_shown <= row:
            self.show_more(above)
        return self.index(row, 0, above)

    @property
    def n_known(self) -> int:
        """How many members there are so far."""
        return self._starts[-1] + len(self._levels[-1].numbers) if self._levels else 0

    def shown_numbers(self) -> list[int]:
        """The members that have rows."""
        return [number for level in self._levels for number in level.numbers[: level.n_shown]]

    # Qt's questions -------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: AnyIndex = QModelIndex()) -> QModelIndex:  # noqa: B008
        if not 0 <= row < self.rowCount(parent) or not 0 <= column < self.columnCount():
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, _PAG)
        kind, value = parent.internalId() & 3, parent.internalId() >> 2
        if kind == _PAG:
            return self.createIndex(row, column, _LEVEL)
        if kind == _LEVEL:
            return self.createIndex(row, column, parent.row() << 2 | _MAG)
        return self.createIndex(row, column, (value << _ROW_BITS | parent.row()) << 2 | _DAG)

    def parent(self, index: QModelIndex = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        kind, value = index.internalId() & 3, index.internalId() >> 2
        if not index.isValid() or kind == _PAG:
            return QModelIndex()
        if kind == _LEVEL:
            return self.createIndex(0, 0, _PAG)
        if kind == _MAG:
            return self._level_index(value)
        level, row = value >> _ROW_BITS, value & (1 << _ROW_BITS) - 1
        return self.createIndex(row, 0, level << 2 | _MAG)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return 0 if self.members is None else 1
        if parent.column():
            return 0
        kind = parent.internalId() & 3
        if kind == _PAG:
            return len(self._levels)
        if kind == _LEVEL:
            return self._levels[parent.row()].n_shown
        return 1 if kind == _MAG else 0

    def hasChildren(self, parent: AnyIndex = QModelIndex()) -> bool:  # noqa: B008
        if not parent.isValid():
            return self.members is not None
        return parent.column() == 0 and parent.internalId() & 3 != _DAG

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return len(TITLES) if self.has_scores else 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Roles.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Roles.DisplayRole:
            return TITLES[section]
        if role == Roles.ToolTipRole and section == SCORE:
            return SCORE_TIP
        return None

    def data(self, index: AnyIndex, role: int = Roles.DisplayRole) -> object:
        if self.members is None or not index.isValid():
            return None
        if role == Roles.TextAlignmentRole and index.column() == SCORE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role not in (Roles.DisplayRole, Roles.ToolTipRole, Roles.AccessibleTextRole):
            return None
        if index.column() == SCORE:
            return self._score_text(index, is_tip=role == Roles.ToolTipRole)
        return self._graph_text(index)

    def _graph_text(self, index: AnyIndex) -> str:
        assert self.members is not None
        number, place = self.member_at(index), self.place_of(index)
        if number is None or place is None:
            level = self._level_of(index)
            return self._pag_text() if level is None else self._level_text(level)
        if self.is_dag(index):
            facts = self.facts.get(number)
            return "DAG with the fewest latents …" if facts is None else dag_text(facts.dag)
        edges = ", ".join(map(str, self.members.decided(number)))
        return f"MAG {place + 1:,}: {edges}" if edges else f"MAG {place + 1:,}: the PAG itself"

    def _pag_text(self) -> str:
        many = "MAG" if self.n_listed == 1 else "MAGs"
        if self.is_cut:
            return f"PAG: more than {self.n_listed:,} {many}"
        return f"PAG: {self.n_listed:,} {many}" if self.is_complete else f"PAG: {self.n_listed:,} {many} so far …"

    def _level_text(self, level: _Level) -> str:
        count, edges = len(level.numbers), level.n_bidirected
        named = "no <->" if edges == 0 else f"{edges} <->"
        is_cut = level is self._levels[-1] and self.is_cut
        end = " or more" if is_cut else " so far …" if level.is_growing else ""
        return f"With {named}: {count:,} {'MAG' if count == 1 else 'MAGs'}{end}"

    def _score_text(self, index: AnyIndex, *, is_tip: bool) -> str | None:
        number = self.member_at(index)
        facts = None if number is None else self.facts.get(number)
        if number is None:
            return None
        if facts is None or facts.p_elbo is None:
            return "…" if facts is None else "none"
        if not is_tip:
            return nats(facts.p_elbo)
        if self.best is None or facts.p_elbo >= self.best:
            return "The best scored so far"
        return f"{nats_apart(self.best - facts.p_elbo)} below the best scored so far"


def dag_text(dag: LatentDag) -> str:
    """How many latents the DAG has, and the children of each."""
    count = len(dag.latents)
    if not count:
        return "DAG without latents"
    latents = "; ".join(f"{latent.name} --> {', '.join(latent.children)}" for latent in dag.latents)
    return f"DAG with {count} latent{'' if count == 1 else 's'}: {latents}"
