"""The contents of a report from what is kept of a run: its folder, or a project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import FileFormatError, LatconfError, OptionError
from latconf_core.files import has_file, has_folder, read_text
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.networks.network_json import read_network_json
from latconf_core.formats.projects.kept_items import KeptRun, find_item, is_of
from latconf_core.formats.projects.project_state import OpenedProject, ProjectState, open_project
from latconf_core.formats.run_folder import ABOUT, TABLES, read_run
from latconf_core.formats.stability_folder import STABILITY, read_stability
from latconf_core.json_form import UNREADABLE, parse_json
from latconf_core.report.contents import DataSummary, ReportContents, RunAbout
from latconf_core.search.catalogue import search_title
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.stability_result import Stability

PROJECT_SUFFIX = ".latconf"


def read_contents(path: Path, *, run: int | None = None) -> ReportContents:
    """What a report tells of a run folder, a result.json, or a run of a project.

    run : which run of a project, from 1; None for the current one, or the last
    """
    if path.suffix.lower() == PROJECT_SUFFIX:
        state = read_state(path)
        return contents_of_kept(state, choose_run(state, run, path), place=path)
    if run is not None:
        raise OptionError(f"{path.name} is a single run; --run is only for a project ({PROJECT_SUFFIX})")
    return _contents_of_folder(path)


def _contents_of_folder(path: Path) -> ReportContents:
    result = read_run(path)
    folder = path if has_folder(path) else path.parent
    about = read_about(path)
    tables = folder / TABLES
    return ReportContents(
        result,
        title=f"{search_title(result.algorithm)}: {folder.name}",
        data=None if about is None else about.data,
        network=read_network_json(tables) if has_file(tables) else None,
        pag_origin="" if about is None else about.pag_origin,
        learner="" if about is None or about.learner is None else about.learner.method,
        command=() if about is None else about.command,
        stability=_read_stability(folder, result),
    )


def _read_stability(folder: Path, result: SearchResult) -> Stability | None:
    """What `latconf stability --out` wrote into the same folder, where it is of the same data; seen from the result."""
    if not has_file(folder / STABILITY):
        return None
    stability = read_stability(folder)
    if stability.dataset_digest != result.dataset_digest:
        return None
    pag = result.pag if stability.options.learner is not None and result.pag.n_edges else stability.pag
    return replace(stability, pag=pag, dag=None if stability.options.search is None else result.best)


def read_about(folder: Path) -> RunAbout | None:
    """What is kept beside a result, which is named by its folder or itself; None where an older program wrote it."""
    path = (folder if has_folder(folder) else folder.parent) / ABOUT
    if not has_file(path):
        return None
    try:
        return RunAbout.from_json(parse_json(read_text(path)))
    except FileFormatError as error:
        raise FileFormatError(error.problem, path, error.line) from None
    except UNREADABLE as error:
        raise FileFormatError(f"this is not a file that latconf writes beside a result ({error})", path) from None


def read_state(path: Path) -> ProjectState:
    """Everything in a project file."""
    for event in open_project(path, RunControl(), post=lambda _: None):
        if isinstance(event, OpenedProject):
            return event.state
    raise LatconfError(f"{path.name} could not be opened")


def choose_run(state: ProjectState, run: int | None, path: Path) -> KeptRun:
    """The run of that number, from 1; without one the current, or the last."""
    if not state.runs:
        raise OptionError(f"{path.name} has no run; run a search, then save")
    if run is None:
        return find_item(state.runs, state.current_run) or state.runs[-1]
    if not 1 <= run <= len(state.runs):
        named = ", ".join(f"{number} ({run.name})" for number, run in enumerate(state.runs, 1))
        raise OptionError(f"there is no run {run} in {path.name}; choose one of {named}")
    return state.runs[run - 1]


def contents_of_kept(state: ProjectState, kept: KeptRun, *, place: Path | None = None) -> ReportContents:
    """What a report tells of a run that a project keeps; `place` is where it is saved."""
    result, dataset = kept.result, state.dataset
    is_own = is_of(kept.data, dataset)
    pag = find_item(state.pags, kept.pag)
    names = (
        {}
        if result.best is None
        else {
            latent.name: state.latent_names[latent.children]
            for latent in result.best.latents
            if latent.children in state.latent_names
        }
    )
    return ReportContents(
        result,
        title=f"{kept.name}: {state.name or 'untitled'}",
        data=_summary(state, dataset) if dataset is not None and is_own else None,
        network=None if result.posterior is None else result.posterior.network().with_variable_names(names),
        pag_origin="" if pag is None else pag.came_about,
        learner="" if pag is None else pag.learner,
        pag_events=pag.events if pag is not None and pag.graph == result.pag else (),
        truth=_truth(state.truth, dataset) if dataset is not None and is_own else None,
        command=() if place is None else ("latconf", "run", "--project", place.name, "--run", _number(state, kept)),
        names=names,
        stability=kept.stability or (None if pag is None else pag.stability),
    )


def _number(state: ProjectState, kept: KeptRun) -> str:
    return str(1 + next(index for index, run in enumerate(state.runs) if run.name == kept.name))


def _summary(state: ProjectState, dataset: Dataset) -> DataSummary:
    source = state.source
    said = f"{source.name}, an example" if isinstance(source, ExampleChoice) else str(getattr(source, "name", ""))
    prepared = state.prepared
    excluded = (
        ()
        if prepared is None
        else tuple(f"{excluded.name} is excluded: {excluded.reason}" for excluded in prepared.set_aside)
    )
    notes = () if prepared is None else prepared.notes
    return DataSummary.of(dataset, source=said, notes=(*notes, *excluded))


def _truth(truth: BayesNet | None, dataset: Dataset) -> LatentDag | None:
    if truth is None or not set(dataset.names) <= set(truth.variables):
        return None
    hidden = hidden_truth(truth, set(truth.variables) - set(dataset.names))
    return LatentDag(dataset.names, hidden.edges, hidden.latents)
