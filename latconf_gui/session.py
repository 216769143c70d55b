"""Session: data set → PAG → result. Setting one clears what follows; every change can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from latconf_core.dag.network import BayesNet
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph

Positions = Mapping[str, tuple[float, float]]
NO_POSITIONS: Positions = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class SessionState:
    """All a session holds, as one value: an undo step is a pair of these."""

    name: str = ""
    source: object = None  # a Path, or the ExampleChoice that was sampled
    raw: object = None  # the table as it stands in the file
    preparation: object = None  # what was asked to be done to it
    prepared: object = None  # what came of it, with the columns set aside
    dataset: Dataset | None = None
    truth: BayesNet | None = None
    pag: MixedGraph | None = None
    pag_origin: str = ""
    result: object = None
    positions: Positions = field(default_factory=lambda: NO_POSITIONS)


class _Change(QUndoCommand):
    """One undoable step between two states."""

    def __init__(self, session: Session, after: SessionState, text: str) -> None:
        super().__init__(text)
        self._session = session
        self._before = session.state
        self._after = after

    def redo(self) -> None:
        self._session._show(self._after)

    def undo(self) -> None:
        self._session._show(self._before)


class Session(QObject):
    """What the window works on; pages read it, change it through the methods below, and follow its signals."""

    dataset_changed = Signal()
    pag_changed = Signal()
    result_changed = Signal()
    positions_changed = Signal()
    name_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._state = SessionState()

    @property
    def state(self) -> SessionState:
        return self._state

    @property
    def name(self) -> str:
        return self._state.name

    @property
    def source(self) -> object:
        return self._state.source

    @property
    def raw(self) -> object:
        return self._state.raw

    @property
    def preparation(self) -> object:
        return self._state.preparation

    @property
    def prepared(self) -> object:
        return self._state.prepared

    @property
    def dataset(self) -> Dataset | None:
        return self._state.dataset

    @property
    def truth(self) -> BayesNet | None:
        return self._state.truth

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
    def positions(self) -> dict[str, tuple[float, float]]:
        """A copy: change positions with `move_nodes`."""
        return dict(self._state.positions)

    def open_state(self, opened: SessionState, text: str) -> None:
        """Replace everything in one go, e.g. by a file that has been read; undo brings the old one back."""
        self._push(opened, text)

    def set_pag(self, graph: MixedGraph | None, text: str, *, origin: str | None = None) -> None:
        """A new PAG, or none; the result of a search on the old one goes. `origin` None keeps the old origin."""
        kept = self.pag_origin if origin is None else origin
        self._push(replace(self._state, pag=graph, pag_origin=kept if graph else "", result=None), text)

    def set_result(self, result: object, text: str) -> None:
        """The outcome of a search, or none."""
        self._push(replace(self._state, result=result), text)

    def move_nodes(self, positions: Positions, text: str) -> None:
        """New positions of some nodes; the others stay where they are."""
        moved = MappingProxyType({**self._state.positions, **positions})
        self._push(replace(self._state, positions=moved), text)

    def _push(self, after: SessionState, text: str) -> None:
        self.undo_stack.push(_Change(self, after, text))

    def _show(self, state: SessionState) -> None:
        before, self._state = self._state, state
        changed = {f.name for f in fields(SessionState) if getattr(before, f.name) is not getattr(state, f.name)}
        if changed & {"name", "source"}:
            self.name_changed.emit()
        if changed & {"raw", "preparation", "prepared", "dataset"}:
            self.dataset_changed.emit()
        if "positions" in changed:
            self.positions_changed.emit()
        if changed & {"pag", "pag_origin"}:
            self.pag_changed.emit()
        if "result" in changed:
            self.result_changed.emit()
