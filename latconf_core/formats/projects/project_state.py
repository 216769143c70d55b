"""All that a person works on, as one value: what the window shows, a project keeps, and Python can build and save."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from latconf_core.control import Progress, RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.preparing.prepare import Prepared, offer_to_exclude, plan_columns
from latconf_core.data.preparing.prepare_table import prepare_table
from latconf_core.data.raw_table import RawTable
from latconf_core.data.watch import OnProgress
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.projects.compared_graphs import ComparedItem
from latconf_core.formats.projects.kept_items import KeptPag, KeptRun, find_item, is_of
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge

if TYPE_CHECKING:
    from latconf_core.data.preparing.held_columns import HeldColumn
    from latconf_core.search.outcome.result import SearchResult

Positions = Mapping[str, tuple[float, float]]
NO_POSITIONS: Positions = MappingProxyType({})
StateNames = Mapping[Latent, tuple[str, ...]]  # the same latent in two DAGs: one name, number of states, children
NO_STATE_NAMES: StateNames = MappingProxyType({})
LatentNames = Mapping[tuple[str, ...], str]  # by the children, so that a name holds in every DAG with this latent
NO_LATENT_NAMES: LatentNames = MappingProxyType({})
Learning = Mapping[str, Any]  # what was done on the Lessons page, as JSON
NO_LEARNING: Learning = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class ProjectState:
    """Everything that belongs together, from the table to the result; an undo step is a pair of these."""

    name: str = ""
    source: object = None  # a Path, or the ExampleChoice that was sampled
    raw: RawTable | None = None  # the table as it stands in the file
    preparation: Preparation = field(default_factory=Preparation)  # what was asked to be done to it
    plans: tuple[ColumnPlan, ...] = ()  # what that makes of each column
    prepared: Prepared | None = None  # the data that came of it
    obstacle: str = ""  # why there is no data yet, e.g. missing cells without a choice
    truth: BayesNet | None = None
    knowledge: Knowledge = NO_KNOWLEDGE  # known before any data, for learning
    pags: tuple[KeptPag, ...] = ()
    current_pag: str = ""  # its name; "" where none is
    runs: tuple[KeptRun, ...] = ()
    current_run: str = ""
    compared: tuple[ComparedItem, ...] = ()  # the reference first
    state_names: StateNames = field(default_factory=lambda: NO_STATE_NAMES)  # given to the states of latents by hand
    latent_names: LatentNames = field(default_factory=lambda: NO_LATENT_NAMES)  # given to latents by hand
    positions: Positions = field(default_factory=lambda: NO_POSITIONS)
    model_positions: Positions = field(default_factory=lambda: NO_POSITIONS)  # given by hand on the Model page
    learn: Learning = field(default_factory=lambda: NO_LEARNING)

    @property
    def dataset(self) -> Dataset | None:
        return None if self.prepared is None else self.prepared.dataset

    @property
    def held_columns(self) -> tuple[HeldColumn, ...]:
        """The columns that were excluded by hand, row by row: what no search was given."""
        from latconf_core.data.preparing.held_columns import held_columns

        if self.raw is None or self.prepared is None:
            return ()
        return held_columns(self.raw, self.plans, self.prepared)

    @property
    def kept_pag(self) -> KeptPag | None:
        """The current PAG, where it is of these data."""
        kept = find_item(self.pags, self.current_pag)
        return kept if kept is not None and is_of(kept.data, self.dataset) else None

    @property
    def kept_run(self) -> KeptRun | None:
        """The current run, where it is of these data."""
        kept = find_item(self.runs, self.current_run)
        return kept if kept is not None and is_of(kept.data, self.dataset) else None

    @property
    def pag(self) -> MixedGraph | None:
        return None if self.kept_pag is None else self.kept_pag.graph

    @property
    def pag_origin(self) -> str:
        return "" if self.kept_pag is None else self.kept_pag.came_about

    @property
    def result(self) -> SearchResult | None:
        return None if self.kept_run is None else self.kept_run.result


@dataclass(frozen=True, eq=False)
class OpenedProject:
    """A state that was read from a project file; `notes` say what was left out."""

    state: ProjectState
    path: Path
    notes: tuple[str, ...] = ()


def prepare_state(state: ProjectState, preparation: Preparation, *, control: RunControl | None = None) -> ProjectState:
    """The state with its table prepared; without data but with an `obstacle` where a choice is still to be made."""
    if state.raw is None:
        raise ValueError("a state without a table cannot be prepared")
    done = prepare_table(state.raw, preparation, must_give_data=state.dataset is not None, control=control)
    if done.prepared is not None:
        done.prepared.dataset.find_digest(control)  # here, not while the window draws
    return replace(state, preparation=preparation, plans=done.plans, prepared=done.prepared, obstacle=done.obstacle)


def save_state(
    state: ProjectState, path: Path, control: RunControl, *, post: OnProgress, log: str = ""
) -> Iterator[object]:
    """Write a state as a project; the path is the only event."""
    from latconf_core.formats.projects.project_file import Project, write_project

    project = Project(
        name=state.name,
        source=_source_content(state.source),
        raw=state.raw,
        preparation=state.preparation,
        prepared=state.prepared,
        truth=state.truth,
        knowledge=state.knowledge,
        pags=state.pags,
        current_pag=state.current_pag,
        runs=state.runs,
        current_run=state.current_run,
        compared=state.compared,
        latent_names=state.latent_names,
        state_names=state.state_names,
        positions=state.positions,
        model_positions=state.model_positions,
        learn=state.learn,
        log=log,
    )
    write_project(project, path, control=control, on_progress=post)
    yield path


def open_project(path: Path, control: RunControl, *, post: OnProgress) -> Iterator[object]:
    """Read a project; the last event is an OpenedProject."""
    from latconf_core.formats.projects.project_file import read_project
    from latconf_core.formats.projects.project_header import read_source
    from latconf_core.formats.projects.run_files import read_part

    project = read_project(path, control=control, on_progress=post)
    notes = list(project.notes)
    post(Progress(0, None, "counting states"))
    state = ProjectState(
        name=project.name,
        source=read_part("the source of its table", lambda: read_source(project.source), notes),
        raw=project.raw,
        preparation=project.preparation,
        prepared=project.prepared,
        truth=project.truth,
        knowledge=project.knowledge,
        pags=project.pags,
        current_pag=project.current_pag,
        runs=project.runs,
        current_run=project.current_run,
        compared=project.compared,
        latent_names=MappingProxyType(dict(project.latent_names)),
        state_names=MappingProxyType(dict(project.state_names)),
        positions=MappingProxyType(dict(project.positions)),
        model_positions=MappingProxyType(dict(project.model_positions)),
        learn=MappingProxyType(dict(project.learn)),
    )
    yield OpenedProject(_with_plans(state, control), path, tuple(notes))


def _with_plans(state: ProjectState, control: RunControl) -> ProjectState:
    """The state with what is computed from its table."""
    if state.raw is None:
        return state
    if state.prepared is None:  # a choice was still to be made: say which
        return prepare_state(state, state.preparation, control=control)
    state.prepared.dataset.find_distinct(control)  # here, not while the window draws
    plans = plan_columns(state.raw, state.preparation, control=control)
    return replace(state, plans=offer_to_exclude(plans, state.prepared.copies))


def _source_content(source: object) -> dict[str, Any]:
    if isinstance(source, ExampleChoice):
        return {"example": asdict(source)}
    return {"path": str(source)} if isinstance(source, Path) else {}
