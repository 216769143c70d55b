"""The graphs that are compared, in their order; the first is the reference A."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from latconf_core.comparison.numbers import Numbers
from latconf_core.comparison.subject import Subject
from latconf_core.counted import counted
from latconf_core.errors import GraphError
from latconf_core.search.outcome.wording import nats
from latconf_gui.pages.compare.comparable_graphs import Content

Index = QModelIndex | QPersistentModelIndex
MOST = 12
NO_BREAK = "\u00a0"
_ROLE = Qt.ItemDataRole


@dataclass(frozen=True)
class Candidate:
    """A graph that is compared.

    kind : DAG, MAG, PAG or graph
    origin : where it comes from
    """

    subject: Subject
    kind: str
    origin: str

    @property
    def name(self) -> str:
        return self.subject.name

    @property
    def content(self) -> Content:
        return self.subject.content


class Candidates(QAbstractListModel):
    """`changed` after the graphs or their order changed, `renamed` after a name did."""

    changed = Signal()
    renamed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: list[Candidate] = []
        self._numbers: dict[Content, Numbers] = {}

    @property
    def items(self) -> Sequence[Candidate]:
        return tuple(self._items)

    @property
    def reference(self) -> Candidate | None:
        """A."""
        return self._items[0] if self._items else None

    def __len__(self) -> int:
        return len(self._items)

    def add(self, name: str, content: Content, *, kind: str, origin: str) -> int:
        """Take a graph in as the last; its place, or that of an equal one that is there already."""
        for place, one in enumerate(self._items):
            if one.content == content and one.kind == kind:
                return place
        if len(self._items) >= MOST:
            raise GraphError(f"{MOST} graphs are compared already; remove one before adding another")
        place = len(self._items)
        self.beginInsertRows(QModelIndex(), place, place)
        self._items.append(Candidate(Subject(self._free_name(name), content), kind, origin))
        self.endInsertRows()
        self.changed.emit()
        return place

    def _free_name(self, name: str, own: int = -1) -> str:
        taken = {one.name for place, one in enumerate(self._items) if place != own}
        names = (name, *(f"{name} ({number})" for number in range(2, MOST + 2)))
        return next(one for one in names if one not in taken)

    def remove(self, place: int) -> None:
        self.beginRemoveRows(QModelIndex(), place, place)
        del self._items[place]
        self.endRemoveRows()
        self.changed.emit()

    def clear(self) -> None:
        if self._items:
            self.beginResetModel()
            self._items.clear()
            self._numbers.clear()
            self.endResetModel()
            self.changed.emit()

    def move(self, place: int, to: int) -> None:
        """Put a graph elsewhere in the order."""
        if place == to or not 0 <= to < len(self._items):
            return
        self.beginMoveRows(QModelIndex(), place, place, QModelIndex(), to + 1 if to > place else to)
        self._items.insert(to, self._items.pop(place))
        self.endMoveRows()
        self.dataChanged.emit(self.index(0), self.index(len(self._items) - 1))
        self.changed.emit()

    def make_reference(self, place: int) -> None:
        """Compare everything with this one."""
        self.move(place, 0)

    def rename(self, place: int, name: str) -> None:
        """Call a graph otherwise; a name that another has gets a number."""
        words = name.strip()
        if not words or words == self._items[place].name:
            return
        one = self._items[place]
        self._items[place] = replace(one, subject=Subject(self._free_name(words, place), one.content))
        self.dataChanged.emit(self.index(place), self.index(place))
        self.renamed.emit()

    # Numbers --------------------------------------------------------------------------------------

    def set_numbers(self, content: Content, numbers: Numbers) -> None:
        """What was computed for a graph."""
        self._numbers[content] = numbers
        for place, one in enumerate(self._items):
            if one.content == content:
                self.dataChanged.emit(self.index(place), self.index(place))

    def numbers(self, content: Content) -> Numbers | None:
        return self._numbers.get(content)

    def forget_numbers(self) -> None:
        """Other data: every score is another."""
        self._numbers.clear()
        if self._items:
            self.dataChanged.emit(self.index(0), self.index(len(self._items) - 1))

    # Qt -------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._items):
            return None
        one = self._items[index.row()]
        if role == _ROLE.EditRole:
            return one.name
        if role in (_ROLE.DisplayRole, _ROLE.AccessibleTextRole):
            return f"{letter_of(index.row())}  {one.name}\n{self.facts(one)}"
        if role == _ROLE.ToolTipRole:
            is_reference = " It is the reference A." if index.row() == 0 else ""
            return f"{one.name}: {self.facts(one)}.{is_reference} F2 renames it, Delete removes it."
        return None

    def facts(self, one: Candidate) -> str:
        """Kind, score, latents and origin in a line."""
        said = [one.kind]
        numbers, dag = self._numbers.get(one.content), one.subject.dag
        if numbers is not None and numbers.p_elbo is not None:
            said.append(nats(numbers.p_elbo))
        if dag is not None:
            said.append(counted(len(dag.latents), "latent"))
        if one.origin and one.origin not in one.name:
            said.append(one.origin)
        return " · ".join(word.replace(" ", NO_BREAK) for word in said)

    def setData(self, index: Index, value: object, role: int = _ROLE.EditRole) -> bool:
        if role != _ROLE.EditRole or not index.isValid():
            return False
        self.rename(index.row(), str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable


def letter_of(place: int) -> str:
    """A for the reference, then B, C and so on."""
    return "ABCDEFGHIJKL"[place]
