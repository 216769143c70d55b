"""The graphs that are compared, in their order; the first is the reference A."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from latconf_core.comparison.matrix import letter_of
from latconf_core.comparison.numbers import Numbers
from latconf_core.comparison.subject import Subject
from latconf_core.errors import GraphError
from latconf_core.formats.projects.compared_graphs import MOST, ComparedItem, Content
from latconf_core.formats.projects.kept_items import unique_name
from latconf_core.phrases import counted, nats
from latconf_gui.application.document import Document

Index = QModelIndex | QPersistentModelIndex
NO_BREAK, NO_BREAK_HYPHEN = "\u00a0", "\u2011"
_ROLE = Qt.ItemDataRole


@dataclass(frozen=True)
class Candidate:
    """A graph that is compared, with what was found out about it."""

    item: ComparedItem

    @cached_property
    def subject(self) -> Subject:
        return Subject(self.item.name, self.item.content)

    @property
    def name(self) -> str:
        return self.item.name

    @property
    def kind(self) -> str:
        return self.item.kind

    @property
    def content(self) -> Content:
        return self.item.content

    def is_same_graph(self, item: ComparedItem) -> bool:
        """Whether the other is this graph from the same place, under whatever name.

        What two searches found is compared also where it is the same.
        """
        own_item = self.item
        return (own_item.kind, own_item.origin) == (item.kind, item.origin) and own_item.content == item.content


class Candidates(QAbstractListModel):
    """Shows the compared graphs of a document; every change is a step of the document, which can be undone.

    After one the page calls `follow`, when it is ready for other rows.
    """

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._followed: tuple[ComparedItem, ...] = ()
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

    # Changes --------------------------------------------------------------------------------------

    def add(self, *items: ComparedItem) -> int:
        """Take graphs in as the last, in one step; the place of the last one, or of an equal one that is there."""
        after, last = self._own, -1
        for item in items:
            last = next(
                (i for i, candidate in enumerate(after) if Candidate(candidate).is_same_graph(item)), len(after)
            )
            if last == MOST:
                raise GraphError(f"there are already {MOST} graphs; remove one before adding another")
            if last == len(after):
                after.append(replace(item, name=unique_name(item.name, _names(after))))
        if len(after) > len(self):
            self._change(after, f"Add {after[-1].name} to Compare")
        return last

    def remove(self, index: int) -> None:
        name = self._items[index].name
        self._change(self._own[:index] + self._own[index + 1 :], f"Remove {name} from Compare")

    def clear(self) -> None:
        if self._items:
            self._change([], "Remove all from Compare")

    def move(self, index: int, to: int) -> None:
        """Put a graph elsewhere in the order."""
        if index == to or not 0 <= to < len(self._items):
            return
        after = self._own
        after.insert(to, after.pop(index))
        name = self._items[index].name
        self._change(after, f"Make {name} the reference A" if to == 0 else f"Move {name} in Compare")

    def make_reference(self, index: int) -> None:
        """Compare everything with this one."""
        self.move(index, 0)

    def rename(self, index: int, name: str) -> None:
        """Call a graph otherwise; a name that another has gets a number."""
        words, after = " ".join(name.split()), self._own
        if not words or words == after[index].name:
            return
        others = _names(after[:index] + after[index + 1 :])
        after[index] = replace(after[index], name=unique_name(words, others))
        self._change(after, f"Rename {self._items[index].name} in Compare")

    @property
    def _own(self) -> list[ComparedItem]:
        return [item.item for item in self._items]

    def _change(self, after: Sequence[ComparedItem], text: str) -> None:
        self._document.set_compared(tuple(after), text)

    # The document ---------------------------------------------------------------------------------

    def follow(self) -> None:
        """Show what the document has now; what stays keeps its row, so that a choice stays too."""
        wanted = self._document.state.compared
        if wanted is self._followed:
            return
        self._followed = wanted
        for index in reversed(range(len(self._items))):
            if not any(self._items[index].is_same_graph(item) for item in wanted):
                self._take_out(index)
        for index, item in enumerate(wanted):
            self._put(index, item)
        for index in reversed(range(len(wanted), len(self._items))):
            self._take_out(index)
        if self._items:  # letters change with the order
            self.dataChanged.emit(self.index(0), self.index(len(self._items) - 1))

    def _take_out(self, index: int) -> None:
        self.beginRemoveRows(QModelIndex(), index, index)
        del self._items[index]
        self.endRemoveRows()

    def _put(self, index: int, item: ComparedItem) -> None:
        """Bring an item to its place, from further down or from nowhere."""
        at = next((i for i in range(index, len(self._items)) if self._items[i].is_same_graph(item)), None)
        if at is None:
            self.beginInsertRows(QModelIndex(), index, index)
            self._items.insert(index, Candidate(item))
            self.endInsertRows()
            return
        if at != index:
            self.beginMoveRows(QModelIndex(), at, at, QModelIndex(), index)
            self._items.insert(index, self._items.pop(at))
            self.endMoveRows()
        if self._items[index].item != item:
            self._items[index] = Candidate(item)

    # Numbers --------------------------------------------------------------------------------------

    def set_numbers(self, content: Content, numbers: Numbers) -> None:
        """What was computed for a graph."""
        self._numbers[content] = numbers
        for index, item in enumerate(self._items):
            if item.content == content:
                self.dataChanged.emit(self.index(index), self.index(index))

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
        item = self._items[index.row()]
        if role == _ROLE.EditRole:
            return item.name
        if role == _ROLE.DisplayRole:
            return f"{letter_of(index.row())}  {item.name}\n{_in_whole_words(self.facts(item))}"
        if role == _ROLE.AccessibleTextRole:
            return f"{letter_of(index.row())}  {item.name}\n{', '.join(self.facts(item))}"
        if role == _ROLE.ToolTipRole:
            is_reference = " It is the reference A." if index.row() == 0 else ""
            return f"{item.name}: {', '.join(self.facts(item))}.{is_reference} F2 renames it, Delete removes it."
        return None

    def facts(self, candidate: Candidate) -> list[str]:
        """Kind, score, latents and origin."""
        said = [candidate.kind]
        numbers, dag = self._numbers.get(candidate.content), candidate.subject.dag
        if numbers is not None and numbers.score is not None:
            said.append(nats(numbers.score))
        if dag is not None:
            said.append(counted(len(dag.latents), "latent"))
        if candidate.item.origin and candidate.item.origin not in candidate.name:
            said.append(candidate.item.origin)
        return said

    def setData(self, index: Index, value: object, role: int = _ROLE.EditRole) -> bool:
        if role != _ROLE.EditRole or not index.isValid():
            return False
        self.rename(index.row(), str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Each can be renamed and dragged; a drop is between two of them."""
        base_flags = super().flags(index)
        if not index.isValid():
            return base_flags | Qt.ItemFlag.ItemIsDropEnabled
        return base_flags | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def moveRows(self, parent: Index, row: int, count: int, to_parent: Index, before: int) -> bool:
        """A row was dragged: it stands before another one from now on."""
        if count != 1:
            return False
        self.move(row, before - 1 if before > row else before)
        return True


def _in_whole_words(facts: Sequence[str]) -> str:
    """Facts in a line that breaks between two of them alone."""
    return " · ".join(fact.replace(" ", NO_BREAK).replace("-", NO_BREAK_HYPHEN) for fact in facts)


def _names(items: Collection[ComparedItem]) -> list[str]:
    return [item.name for item in items]
