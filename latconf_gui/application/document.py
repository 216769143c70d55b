"""Document: data set → PAG → result, where they are kept, and what a search holds. Every change can be undone."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.data.raw_table import RawTable
from latconf_core.formats.projects.compared_graphs import ComparedItem
from latconf_core.formats.projects.kept_items import LEARNED_BY_SEARCHES, WITH_KNOWLEDGE, KeptRun, is_of
from latconf_core.formats.projects.project_state import (
    NO_POSITIONS,
    LatentNames,
    Learning,
    Positions,
    ProjectState,
    StateNames,
)
from latconf_core.formats.projects.state_changes import add_pag, add_run, carry_over, put_pag
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_gui.application.document_file import DocumentFile, FileStamp, Snapshot, Ticket
from latconf_gui.application.undo_stack import MAX_BYTES, MAX_STEPS, UndoStack

if TYPE_CHECKING:
    from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.evidence_texts import SAME_NATS

DERIVED = ("dataset", "pag", "pag_origin", "result")  # what follows from the fields of a state
WHAT_A_SEARCH_NEEDS = frozenset(("raw", "preparation", "plans", "prepared", "pag"))
WHAT_EDITING_CHANGES = frozenset(
    ("raw", "preparation", "plans", "prepared", "knowledge", "state_names", "latent_names", "positions")
) | {"model_positions"}
PRESENTING = "Presentation mode blocks editing; turn it off in the View menu."


class Document(QObject):
    """What the window works on; pages read it, change it through the methods below, and follow its signals.

    Every change says whether it was carried out: what a running search needs is not changed under it, and `refused`
    carries the reason. What is computed in the background carries a `ticket`, and is taken where that `is_valid`.
    """

    dataset_changed = Signal()
    knowledge_changed = Signal()
    pag_changed = Signal()
    result_changed = Signal()  # another run is current, or the run of the DAG that is looked at has gone
    state_names_changed = Signal()
    latent_names_changed = Signal()
    dag_opened = Signal()
    full_scores_changed = Signal()  # a visit was fitted fully, which the search had fitted less thoroughly
    collections_changed = Signal()  # PAGs, runs, which are current, or the data that they may belong to
    positions_changed = Signal()
    model_positions_changed = Signal()
    learn_changed = Signal()  # what was done on the Learn page
    name_changed = Signal()
    hold_changed = Signal()
    presenting_changed = Signal()
    file_changed = Signal()  # the state, the file it is kept in, or whether that is up to date
    refused = Signal(str)
    compared_changed = Signal()  # which graphs are compared, their order or their names
    compare_asked = Signal(object)  # a ComparedGraph that a page hands to the Compare page

    def __init__(
        self, parent: QObject | None = None, *, max_steps: int = MAX_STEPS, max_bytes: int = MAX_BYTES
    ) -> None:
        super().__init__(parent)
        self._state = ProjectState()
        self._file = DocumentFile()
        self._held_reason = ""
        self._is_presenting = False
        self._shown: tuple[SearchResult, LatentDag] | None = None
        self._opened_visits: WeakKeyDictionary[SearchResult, tuple[int, ...]] = WeakKeyDictionary()
        self._learned: WeakKeyDictionary[DocumentFile, Learning] = WeakKeyDictionary()
        self.undo_stack = UndoStack(
            self._show, self._refuse_undo, self._may_undo, max_steps=max_steps, max_bytes=max_bytes, parent=self
        )

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
    def result(self) -> SearchResult | None:
        return self._state.result

    @property
    def opened_dag(self) -> LatentDag | None:
        """The DAG that was opened to be looked at; None means the best of the current run."""
        return None if self._shown is None else self._shown[1]

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
    def model_positions(self) -> Positions:
        """Of the nodes of models, where a person put them; none where all models have layouts of their own."""
        return self._state.model_positions

    @property
    def learn(self) -> Learning:
        """What was done on the Lessons page."""
        return self._state.learn

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

    @property
    def is_presenting(self) -> bool:
        """Whether it is shown to others, and nothing may be edited."""
        return self._is_presenting

    def set_presenting(self, is_presenting: bool) -> None:
        """Refuse every edit, or allow them again; what is learned or found meanwhile is still added."""
        if is_presenting != self._is_presenting:
            self._is_presenting = is_presenting
            self.presenting_changed.emit()

    # The file -------------------------------------------------------------------------------------

    @property
    def file(self) -> DocumentFile:
        """Which document this is; another one after something else was opened."""
        return self._file

    @property
    def path(self) -> Path | None:
        """The project it is kept in; None where Save has to ask."""
        return self._file.path

    @property
    def title(self) -> str:
        """What it is called: the project, or else the data."""
        return self.name if self.path is None else self.path.name

    @property
    def has_content(self) -> bool:
        """Whether there is anything to save."""
        return self.raw is not None or bool(self._state.pags) or bool(self._state.runs) or bool(self._state.learn)

    @property
    def is_modified(self) -> bool:
        """Whether closing now would lose work."""
        return self.has_content and self._state is not self._file.clean

    @property
    def snapshot(self) -> Snapshot:
        """The document as it is now, for a save."""
        return Snapshot(self._state, self._file)

    def mark_clean(self) -> None:
        """What is there needs no saving."""
        self._file.clean = self._state
        self.file_changed.emit()

    def mark_saved(self, saved: Snapshot, path: Path, stamp: FileStamp | None = None) -> None:
        """A snapshot is on the disk; that changes nothing about a document that was opened meanwhile."""
        saved.file.path, saved.file.stamp, saved.file.clean = path, stamp, saved.state
        self.file_changed.emit()

    def ticket(self) -> Ticket:
        """For work in the background that begins now."""
        return Ticket(self._file, self.dataset)

    def is_valid(self, ticket: Ticket) -> bool:
        """Whether the document and its data are still those that the work began with."""
        return ticket.file is self._file and ticket.dataset is self.dataset

    # Changes --------------------------------------------------------------------------------------

    def open_state(
        self,
        opened: ProjectState,
        text: str,
        *,
        path: Path | None = None,
        stamp: FileStamp | None = None,
        is_saved: bool = False,
    ) -> bool:
        """Another document in place of this one; undo brings the old one back, but Save then asks where.

        path, stamp : of the project that it was read from
        is_saved : whether all of it is in a file already
        """
        file = DocumentFile(path, stamp=stamp, clean=opened if is_saved else None)
        return self._push(Snapshot(opened, file), text)

    def change(self, after: ProjectState, text: str) -> bool:
        """Any change of this document as one step."""
        return self._push(Snapshot(after, self._file), text)

    def set_preparation(self, prepared: ProjectState, text: str) -> bool:
        """The same table prepared in another way; PAGs and runs of other data than now are kept, but not shown."""
        return self.change(carry_over(self._with_places(prepared), self._state), text)

    def set_pag(
        self, graph: MixedGraph | None, text: str, *, origin: str | None = None, positions: Positions = NO_POSITIONS
    ) -> bool:
        """Another graph in the current PAG; with an `origin` one more PAG; None deletes the current one.

        positions : of nodes that the file of the PAG places; the others stay where they are
        """
        places = MappingProxyType({**self._state.positions, **positions}) if positions else self._state.positions
        return self.change(put_pag(replace(self._state, positions=places), graph, origin=origin), text)

    def set_knowledge(self, knowledge: Knowledge, text: str) -> bool:
        """What is known before any data; the PAG stays until it is learned anew."""
        return self.change(replace(self._state, knowledge=knowledge), text)

    def add_result(self, result: SearchResult, title: str) -> bool:
        """The outcome of a search, as one more run; `title` is that of the search.

        Where there was no PAG and the search learned one, it is kept too.
        """
        state = self._state
        if self.pag is None and result.pag.marks.any():
            learner = LEARNERS[LEARNED_BY_SEARCHES].title
            origin = f"{learner}, by {title}{WITH_KNOWLEDGE if result.knowledge else ''}"
            state = add_pag(state, result.pag, origin=origin, knowledge=result.knowledge, is_by_search=True)
        return self.change(add_run(state, result, title=title), f"Search with {title}")

    def set_compared(self, items: tuple[ComparedItem, ...], text: str) -> bool:
        """Other graphs to compare, another order or other names."""
        return self.change(replace(self._state, compared=items), text)

    def name_states(self, latent: Latent, names: tuple[str, ...], text: str) -> bool:
        """Other names for the states of a latent."""
        named = MappingProxyType({**self._state.state_names, latent: names})
        return self.change(replace(self._state, state_names=named), text)

    def name_latent(self, children: tuple[str, ...], name: str, text: str) -> bool:
        """A name for the latent with these children; "" takes it away."""
        others = {value: given for value, given in self._state.latent_names.items() if value != children}
        named = MappingProxyType({**others, children: name} if name else others)
        return self.change(replace(self._state, latent_names=named), text)

    def open_dag(self, dag: LatentDag | None, run: KeptRun | None = None, visit: int | None = None) -> None:
        """Look at a DAG on the Model page, or at the best of the current run; nothing to undo: nothing is changed.

        run : the one that the DAG is of; None means the current one
        visit : the index of the visit, which then stays in the list of the run
        """
        kept_run = run or self._state.kept_run
        self._shown = None if dag is None or kept_run is None else (kept_run.result, dag)
        if kept_run is not None and visit is not None:
            opened = self.opened_visits(kept_run)
            self._opened_visits[kept_run.result] = opened if visit in opened else (*opened, visit)
        self.dag_opened.emit()

    def opened_visits(self, run: KeptRun) -> tuple[int, ...]:
        """The visits of a run that were looked at."""
        return self._opened_visits.get(run.result, run.opened)

    def keep_full_score(self, run: KeptRun, visit: int, p_elbo: float) -> None:
        """The score of a visit that was fitted fully since the search; nothing to undo.

        It is kept where the search fitted the DAG lightly, or came to another score from where it was.
        """
        history, before = run.result.history, run.result.history[visit]
        is_other = before.effort == "light" or abs(before.p_elbo - p_elbo) >= SAME_NATS
        if is_other and history.full_scores.get(visit) != p_elbo:
            history.add_full_score(visit, p_elbo)
            self.full_scores_changed.emit()

    @property
    def shown_run(self) -> KeptRun | None:
        """The run whose DAG is looked at: of the DAG that was opened, or else the current one."""
        if self._shown is None:
            return self._state.kept_run
        return next(run for run in self._state.runs if run.result is self._shown[0])

    def with_opened_visits(self, state: ProjectState) -> ProjectState:
        """A state of this document as it is to be saved."""
        return replace(state, runs=tuple(replace(run, opened=self.opened_visits(run)) for run in state.runs))

    def _is_shown_gone(self) -> bool:
        """Whether the run of the DAG that is looked at is no more, or is one of other data."""
        shown, data = self._shown, self.dataset
        return shown is not None and not any(
            run.result is shown[0] and is_of(run.data, data) for run in self._state.runs
        )

    def _follow_grading(self, before: ProjectState) -> bool:
        """Whether the DAG that is looked at is of a result that was graded again; it stays open, as do visits."""
        shown, old_results = self._shown, [run.result for run in before.runs]
        results = [run.result for run in self._state.runs]
        new_results = [result for result in results if result not in old_results]
        for run in before.runs:
            graded = next((result for result in new_results if _is_same_search(result, run.result)), None)
            if graded is not None and run.result not in results:
                self._opened_visits[graded] = self.opened_visits(run)
                if shown is not None and shown[0] is run.result:
                    self._shown = graded, shown[1]
        return self._shown is not shown

    def move_nodes(self, positions: Positions, text: str) -> bool:
        """New positions of some nodes; the others stay where they are."""
        moved = MappingProxyType({**self._state.positions, **positions})
        return self.change(replace(self._state, positions=moved), text)

    def _with_places(self, state: ProjectState) -> ProjectState:
        """Another state with the places of nodes that hold now."""
        return replace(state, positions=self._state.positions, model_positions=self._state.model_positions)

    def place_model(self, positions: Positions, text: str) -> bool:
        """Where all nodes of models are to stand; nowhere in particular without positions."""
        return self.change(replace(self._state, model_positions=MappingProxyType(dict(positions))), text)

    def keep_learning(self, learn: Learning) -> None:
        """What was done on the Lessons page, to be saved; it is no step, so that undo elsewhere leaves it as it is."""
        self._learned[self._file] = learn
        self._state = replace(self._state, learn=learn)
        self.learn_changed.emit()
        self.file_changed.emit()

    def _with_learning(self, snapshot: Snapshot) -> ProjectState:
        """The state of a snapshot with what was done on the Lessons page since."""
        learn = self._learned.get(snapshot.file, snapshot.state.learn)
        if learn is snapshot.state.learn:
            return snapshot.state
        state, clean = replace(snapshot.state, learn=learn), snapshot.file.clean
        return clean if clean is not None and not _find_changes(clean, state) else state

    # Undo and the hold ----------------------------------------------------------------------------

    def _push(self, after: Snapshot, text: str) -> bool:
        if self._is_presenting and after.file is self._file and _is_edit(self._state, after.state):
            self.refused.emit(PRESENTING)
            return False
        if self._refuse(after):
            return False
        self.undo_stack.push(self.snapshot, after, text)
        return True

    def _may_show(self, snapshot: Snapshot) -> bool:
        """Whether it leaves a search that runs what it needs."""
        if not self._held_reason:
            return True
        return snapshot.file is self._file and not _find_changes(self._state, snapshot.state) & WHAT_A_SEARCH_NEEDS

    def _may_undo(self, snapshot: Snapshot) -> bool:
        return not self._is_presenting and self._may_show(snapshot)

    def _refuse_undo(self, snapshot: Snapshot) -> bool:
        if self._is_presenting:
            self.refused.emit(PRESENTING)
        return self._is_presenting or self._refuse(snapshot)

    def _refuse(self, snapshot: Snapshot) -> bool:
        if self._may_show(snapshot):
            return False
        self.refused.emit(self._held_reason)
        return True

    def _show(self, snapshot: Snapshot) -> None:
        before, self._state = self._state, self._with_learning(snapshot)
        if snapshot.file is not self._file:  # what was presented is gone
            self._file = snapshot.file
            self.set_presenting(False)
        changed = _find_changes(before, self._state)
        is_graded_again = self._follow_grading(before)
        is_shown_gone = self._is_shown_gone()
        if is_shown_gone or ("result" in changed and not _is_same_search(before.result, self._state.result)):
            self._shown = None
        if changed & {"name", "source"}:
            self.name_changed.emit()
        if changed & {"raw", "preparation", "plans", "prepared"}:
            self.dataset_changed.emit()
        if "knowledge" in changed:
            self.knowledge_changed.emit()
        if "positions" in changed:
            self.positions_changed.emit()
        if "model_positions" in changed:
            self.model_positions_changed.emit()
        if changed & {"pag", "pag_origin"}:
            self.pag_changed.emit()
        if "result" in changed or is_shown_gone or is_graded_again:
            self.result_changed.emit()
        if changed & {"pags", "current_pag", "runs", "current_run", "dataset"}:
            self.collections_changed.emit()
        if "compared" in changed:
            self.compared_changed.emit()
        if "latent_names" in changed:
            self.latent_names_changed.emit()
        if "state_names" in changed:
            self.state_names_changed.emit()
        if "learn" in changed:
            self.learn_changed.emit()
        self.file_changed.emit()


def _is_edit(before: ProjectState, after: ProjectState) -> bool:
    """Whether something that was there is changed or taken away; choosing and adding are no edits."""
    if _find_changes(before, after) & WHAT_EDITING_CHANGES:
        return True
    return not set(before.pags) <= set(after.pags) or not set(before.runs) <= set(after.runs)


def _is_same_search(first: SearchResult | None, second: SearchResult | None) -> bool:
    """Whether two results differ at most in how their latents are graded."""
    return first is not None and second is not None and first.history is second.history


def _find_changes(before: ProjectState, after: ProjectState) -> set[str]:
    """The names of the fields that differ, and of what follows from them."""
    names = (*(each.name for each in fields(ProjectState)), *DERIVED)
    return {name for name in names if _is_other(getattr(before, name), getattr(after, name))}


def _is_other(before: object, after: object) -> bool:
    return before != after if isinstance(before, str) else before is not after
