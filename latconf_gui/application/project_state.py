"""From a session to what a project file keeps, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from latconf_core.control import Progress, RunControl
from latconf_core.data.preparing.prepare import plan_columns
from latconf_core.data.watch import OnProgress
from latconf_core.formats.example_choice import ExampleChoice
from latconf_gui.application.document import SessionState
from latconf_gui.application.preparing import Post, prepare_state


@dataclass(frozen=True, eq=False)
class OpenedProject:
    """A session that was read from a project file."""

    state: SessionState
    path: Path


def save_state(state: SessionState, path: Path, control: RunControl, *, post: OnProgress, log: str) -> Iterator[object]:
    """Write a session as a project; the path is the only event."""
    from latconf_core.formats.projects.project_file import Project, write_project
    from latconf_core.search.outcome.result import SearchResult

    project = Project(
        name=state.name,
        source=_source_content(state.source),
        raw=state.raw,
        preparation=state.preparation,
        prepared=state.prepared,
        truth=state.truth,
        knowledge=state.knowledge,
        pag=state.pag,
        pag_origin=state.pag_origin,
        positions=state.positions,
        state_names=state.state_names,
        runs=(state.result,) if isinstance(state.result, SearchResult) else (),
        log=log,
    )
    write_project(project, path, control=control, on_progress=post)
    yield path


def open_project(path: Path, control: RunControl, *, post: Post) -> Iterator[object]:
    """Read a project; the last event is an OpenedProject."""
    from latconf_core.formats.projects.project_file import read_project

    project = read_project(path, control=control, on_progress=post)
    post(Progress(0, None, "counting states"))
    state = SessionState(
        name=project.name,
        source=_source(project.source),
        raw=project.raw,
        preparation=project.preparation,
        prepared=project.prepared,
        truth=project.truth,
        knowledge=project.knowledge,
        pag=project.pag,
        pag_origin=project.pag_origin,
        result=project.runs[-1] if project.runs else None,
        state_names=MappingProxyType(dict(project.state_names)),
        positions=MappingProxyType(dict(project.positions)),
    )
    yield OpenedProject(_with_plans(state, control), path)


def _with_plans(state: SessionState, control: RunControl) -> SessionState:
    """The state with what is computed from its table."""
    if state.raw is None:
        return state
    if state.prepared is None:  # a choice was still to be made: say which
        return prepare_state(state, state.preparation, control=control)
    state.prepared.dataset.find_distinct(control)  # here, not while the window draws
    return replace(state, plans=plan_columns(state.raw, state.preparation, control=control))


def _source_content(source: object) -> dict[str, Any]:
    if isinstance(source, ExampleChoice):
        return {"example": asdict(source)}
    return {"path": str(source)} if isinstance(source, Path) else {}


def _source(content: Mapping[str, Any]) -> object:
    if "example" in content:
        choice = content["example"]
        return ExampleChoice(**{**choice, "hide": tuple(choice["hide"])})
    return Path(content["path"]) if "path" in content else None
