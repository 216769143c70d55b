"""The PAGs and the runs of a document as lists of entries, and what a person can do with an entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from latconf_core.errors import OptionError
from latconf_core.formats.projects import state_changes
from latconf_core.formats.projects.kept_items import KeptPag, KeptRun, difference
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.phrases import counted, nats
from latconf_gui.application.document import Document
from latconf_gui.background.runs import Report


@dataclass(frozen=True)
class Entry:
    """One item of a collection.

    about : what it is, in a few words
    reason : why it cannot be shown now; "" where it can
    """

    name: str
    about: str
    reason: str

    @property
    def tip(self) -> str:
        """All about it, in lines."""
        return "\n".join(filter(None, (self.name, self.about, self.reason)))


@dataclass(frozen=True)
class CollectionKind:
    """A collection of a project: how it is read and changed.

    thing : what one item is called; `where` : what its problems are reported under
    note : how items come and go
    """

    thing: str
    where: str
    note: str
    entries: Callable[[ProjectState], list[Entry]]
    current: Callable[[ProjectState], str]
    choose: Callable[[ProjectState, str], ProjectState]
    rename: Callable[[ProjectState, str, str], ProjectState]
    delete: Callable[[ProjectState, str], ProjectState]


class Collection(QObject):
    """The items of one kind; `changed` when they are others, or when others can be shown."""

    changed = Signal()

    def __init__(
        self, kind: CollectionKind, document: Document, report: Report, *, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.kind = kind
        self._document = document
        self._report = report
        document.collections_changed.connect(self.changed)

    @property
    def is_editable(self) -> bool:
        """Whether items can be renamed and deleted now."""
        return not self._document.is_presenting

    @property
    def entries(self) -> Sequence[Entry]:
        return self.kind.entries(self._document.state)

    @property
    def current(self) -> str:
        """The name of the item that is shown; "" where none is."""
        name = self.kind.current(self._document.state)
        return name if any(entry.name == name and not entry.reason for entry in self.entries) else ""

    def choose(self, name: str) -> None:
        """Show another item."""
        if name != self.current:
            self._change(lambda state: self.kind.choose(state, name), f"Show {name}")

    def rename(self, old: str, new: str) -> None:
        """Give an item another name."""
        if " ".join(new.split()) != old:
            self._change(lambda state: self.kind.rename(state, old, new), f"Rename {old}")

    def delete(self, name: str) -> None:
        """Take an item away; Undo brings it back."""
        self._change(lambda state: self.kind.delete(state, name), f"Delete {name}")

    def _change(self, change: Callable[[ProjectState], ProjectState], text: str) -> None:
        try:
            after = change(self._document.state)
        except OptionError as error:
            self._report(error, self.kind.where)
            self.changed.emit()  # what was typed or chosen is taken back
        else:
            if not self._document.change(after, text):
                self.changed.emit()


def _pag_entries(state: ProjectState) -> list[Entry]:
    return [Entry(pag.name, _about_pag(pag), difference(pag.data, state.dataset)) for pag in state.pags]


def _about_pag(pag: KeptPag) -> str:
    edges = counted(pag.graph.n_edges, "edge")
    return f"{edges}, {pag.origin}" if pag.origin and pag.origin != pag.name else edges


def _run_entries(state: ProjectState) -> list[Entry]:
    return [Entry(run.name, _about_run(run, state), difference(run.data, state.dataset)) for run in state.runs]


def _about_run(run: KeptRun, state: ProjectState) -> str:
    result = run.result
    parts = [state_changes.pag_remark(run, state), counted(len(result.history), "DAG")]
    parts += [] if result.score is None else [f"best {nats(result.score)} nats"]
    return ", ".join(filter(None, parts))


PAGS = CollectionKind(
    "PAG",
    "The PAGs of this project",
    "Learning, importing or drawing adds a PAG. You can undo deleting; runs keep the graph they used.",
    _pag_entries,
    lambda state: state.current_pag,
    state_changes.choose_pag,
    state_changes.rename_pag,
    state_changes.delete_pag,
)
RUNS = CollectionKind(
    "run",
    "The runs of this project",
    "Each search adds a run. You can undo deleting.",
    _run_entries,
    lambda state: state.current_run,
    state_changes.choose_run,
    state_changes.rename_run,
    state_changes.delete_run,
)
