"""Document: data set → PAG → result. Setting one clears what follows; every change can be undone."""

from __future__ import annotations

from dataclasses import fields, replace
from types import MappingProxyType

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.data.reading.raw_table import RawTable
from latconf_core.formats.projects.project_state import NO_POSITIONS, LatentNames, Positions, ProjectState, StateNames
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.knowledge import Knowledge

WHAT_A_SEARCH_NEEDS = frozenset(("raw", "preparation", "plans", "prepared", "pag"))


class _Change(QUndoCommand):
    """One undoable step between two states."""

    def __init__(self, document: Document, after: ProjectState, text: str) -> None:
        super().__init__(text)
        self._document = document
        self._before = document.state
        self._after = after

    def redo(self) -> None:
        self._document._show(self._after)

    def undo(self) -> None:
        self._document._show(self._before)


class Document(QObject):
    """What the window works on; pages read it, change it through the methods below, and follow its signals."""

    dataset_changed = Signal()
    knowledge_changed = Signal()
    pag_changed = Signal()
    result_changed = Signal()
    state_names_changed = Signal()
    latent_names_changed = Signal()
    dag_opened = Signal()
    positions_changed = Signal()
    name_changed = Signal()
    hold_changed = Signal()
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._state = ProjectState()
        self._held_reason = ""
        self._opened_dag: LatentDag | None = None

    @property
    def state(self) -> ProjectState:
        return self._state

    @property
    def name(self) -> str:
        return self._state.name

    @property
    def source(self) -> object:
        return self._state.source

    @property
    def raw(self) -> RawTable | None:
        return self._state.raw

    @property
    def preparation(self) -> Preparation:
        return self._state.preparation

    @property
    def prepared(self) -> Prepared | None:
        return self._state.prepared

    @property
    def dataset(self) -> Dataset | None:
        return self._state.dataset

    @property
    def truth(self) -> BayesNet | None:
        return self._state.truth

    @property
    def knowledge(self) -> Knowledge:
        return self._state.knowledge

    @property
    def pag(self) -> MixedGraph | None:
        return self._state.pag

    @property
    def pag_origin(self) -> str:
        return self._state.pag_origin

    @property
    def result(self) -> object:
        return self._state.result

    @property
    def opened_dag(self) -> LatentDag | None:
        """The visited DAG that was opened to be looked at; None means the best of the result."""
        return self._opened_dag

    @property
    def state_names(self) -> StateNames:
        return self._state.state_names

    @property
    def latent_names(self) -> LatentNames:
        return self._state.latent_names

    @property
    def positions(self) -> dict[str, tuple[float, float]]:
        """A copy: change positions with `move_nodes`."""
        return dict(self._state.positions)

    @property
    def held_reason(self) -> str:
        """Why the data and the PAG cannot be changed now, or ""."""
        return self._held_reason

    def hold(self, reason: str) -> None:
        """Refuse to change the data and the PAG until `release`; `refused` carries the reason each time."""
        self._held_reason = reason
        self.hold_changed.emit()

    def release(self) -> None:
        """The data and the PAG may be changed again."""
        self._held_reason = ""
        self.hold_changed.emit()

    def open_state(self, opened: ProjectState, text: str) -> None:
        """Replace everything in one go, e.g. by a file that has been read; undo brings the old one back."""
        self._push(opened, text)

    def set_preparation(self, prepared: ProjectState, text: str) -> None:
        """The same table prepared in another way ; the PAG goes unless only names of states changed."""
        if _same_rows(self._state.dataset, prepared.dataset):
            after = replace(prepared, pag=self.pag, pag_origin=self.pag_origin, result=None)
        else:
            after = replace(prepared, pag=None, pag_origin="", result=None)
        self._push(replace(after, positions=self._state.positions), text)

    def set_pag(
        self, graph: MixedGraph | None, text: str, *, origin: str | None = None, positions: Positions = NO_POSITIONS
    ) -> None:
        """A new PAG, or none; the result of a search on the old one goes. `origin` None keeps the old origin.

        positions : of nodes that the file of the PAG places; the others stay where they are
        """
        kept = self.pag_origin if origin is None else origin
        places = MappingProxyType({**self._state.positions, **positions}) if positions else self._state.positions
        after = replace(self._state, pag=graph, pag_origin=kept if graph else "", result=None, positions=places)
        self._push(after, text)

    def set_knowledge(self, knowledge: Knowledge, text: str) -> None:
        """What is known before any data; the PAG stays until it is learned anew."""
        self._push(replace(self._state, knowledge=knowledge), text)

    def set_result(self, result: object, text: str) -> None:
        """The outcome of a search, or none."""
        self._push(replace(self._state, result=result), text)

    def name_states(self, latent: Latent, names: tuple[str, ...], text: str) -> None:
        """Other names for the states of a latent."""
        named = MappingProxyType({**self._state.state_names, latent: names})
        self._push(replace(self._state, state_names=named), text)

    def name_latent(self, children: tuple[str, ...], name: str, text: str) -> None:
        """A name for the latent with these children; "" takes it away."""
        others = {own: given for own, given in self._state.latent_names.items() if own != children}
        named = MappingProxyType({**others, children: name} if name else others)
        self._push(replace(self._state, latent_names=named), text)

    def open_dag(self, dag: LatentDag | None) -> None:
        """Look at a visited DAG on the Model page, or at the best again; nothing to undo, as nothing is changed."""
        self._opened_dag = dag
        self.dag_opened.emit()

    def move_nodes(self, positions: Positions, text: str) -> None:
        """New positions of some nodes; the others stay where they are."""
        moved = MappingProxyType({**self._state.positions, **positions})
        self._push(replace(self._state, positions=moved), text)

    def _push(self, after: ProjectState, text: str) -> None:
        if self._held_reason and _find_changes(self._state, after) & WHAT_A_SEARCH_NEEDS:
            self.refused.emit(self._held_reason)
            return
        self.undo_stack.push(_Change(self, after, text))

    def _show(self, state: ProjectState) -> None:
        before, self._state = self._state, state
        changed = _find_changes(before, state)
        if changed & {"name", "source"}:
            self.name_changed.emit()
        if changed & {"raw", "preparation", "plans", "prepared"}:
            self.dataset_changed.emit()
        if "knowledge" in changed:
            self.knowledge_changed.emit()
        if "positions" in changed:
            self.positions_changed.emit()
        if changed & {"pag", "pag_origin"}:
            self.pag_changed.emit()
        if "result" in changed:
            self._opened_dag = None
            self.result_changed.emit()
        if "latent_names" in changed:
            self.latent_names_changed.emit()
        if "state_names" in changed:
            self.state_names_changed.emit()


def _find_changes(before: ProjectState, after: ProjectState) -> set[str]:
    """The names of the fields that differ."""
    return {each.name for each in fields(ProjectState) if getattr(before, each.name) is not getattr(after, each.name)}


def _same_rows(first: Dataset | None, second: Dataset | None) -> bool:
    if first is None or second is None:
        return first is second
    return first.names == second.names and bool(np.array_equal(first.codes, second.codes))
