"""What can be done with the PAGs and runs of a state: add, edit, choose, rename, delete. Each gives a new state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.errors import OptionError
from latconf_core.formats.projects.kept_items import (
    DRAWN,
    DataMark,
    Item,
    KeptPag,
    KeptRun,
    check_name,
    difference,
    find_item,
    is_of,
    mark_of_result,
    run_name,
    unique_name,
)
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.search.catalogue import SEARCHES

if TYPE_CHECKING:
    from latconf_core.pag.events import PagEvent
    from latconf_core.search.outcome.cut_outcomes import CutOutcome
    from latconf_core.search.outcome.result import SearchResult
    from latconf_core.stability.stability_result import Stability

PAG_WORD, RUN_WORD = "PAG", "run"
UNNAMED_PAG = "PAG"
NO_NAMES: Mapping[str, str] = MappingProxyType({})


# PAGs ---------------------------------------------------------------------------------------------


def add_pag(
    state: ProjectState,
    graph: MixedGraph,
    *,
    origin: str = "",
    name: str = "",
    events: Sequence[PagEvent] = (),
    knowledge: Knowledge = NO_KNOWLEDGE,
    is_by_search: bool = False,
) -> ProjectState:
    """The state with one more PAG, which is the current one; it is called after its origin unless a name is given.

    events, knowledge : what its learner told, and what bound it
    is_by_search : whether a search learned it for itself
    """
    unique = unique_name(name or origin or UNNAMED_PAG, _names(state.pags))
    mark = DataMark.of(state.dataset)
    kept = KeptPag(unique, graph, origin, mark, tuple(events), knowledge=knowledge, is_by_search=is_by_search)
    return replace(state, pags=(*state.pags, kept), current_pag=unique)


def edit_pag(state: ProjectState, graph: MixedGraph, *, origin: str | None = None) -> ProjectState:
    """The state with another graph in the current PAG, or with a first one; runs keep the graph they were run on.

    What its learner told stays with it: it says why what was not edited is as it is.

    origin : how the graph came about; None where it was changed by hand
    """
    kept = state.kept_pag
    if kept is None:
        return add_pag(state, graph, origin=DRAWN if origin is None else origin)
    if origin is None:
        is_drawn = kept.origin in ("", DRAWN)
        edited = replace(kept, graph=graph, origin=kept.origin or DRAWN, is_edited=not is_drawn)
    else:
        edited = replace(kept, graph=graph, origin=origin, is_edited=False)
    return replace(state, pags=_put(state.pags, kept.name, edited))  # its stability is of the samples, and stays


def put_pag(state: ProjectState, graph: MixedGraph | None, *, origin: str | None = None) -> ProjectState:
    """Another graph in the current PAG; with an `origin` one more PAG; None deletes the current one."""
    if graph is None:
        return state if state.kept_pag is None else delete_pag(state, state.kept_pag.name)
    if origin is None and state.kept_pag is not None:
        kept = replace(state.kept_pag, graph=graph)
        return replace(state, pags=_put(state.pags, kept.name, kept))
    return add_pag(state, graph, origin=origin or "")


def choose_pag(state: ProjectState, name: str) -> ProjectState:
    """The state with another PAG as the current one."""
    _check_choice(_find(state.pags, name, PAG_WORD), state.dataset)
    return replace(state, current_pag=name)


def rename_pag(state: ProjectState, old: str, new: str) -> ProjectState:
    """The state with another name for a PAG, which its runs follow."""
    name = check_name(new, state.pags, PAG_WORD)
    pags = _put(state.pags, old, replace(_find(state.pags, old, PAG_WORD), name=name))
    runs = tuple(replace(run, pag=name) if run.pag == old else run for run in state.runs)
    return replace(state, pags=pags, runs=runs, current_pag=name if state.current_pag == old else state.current_pag)


def delete_pag(state: ProjectState, name: str) -> ProjectState:
    """The state without a PAG; runs on it stay, and know the graph they were run on."""
    _find(state.pags, name, PAG_WORD)
    left = tuple(pag for pag in state.pags if pag.name != name)
    return replace(state, pags=left, current_pag=_current_after(left, name, state.current_pag, state.dataset))


def keep_pag_stability(state: ProjectState, name: str, stability: Stability) -> ProjectState:
    """The state with what came of learning a PAG on samples, in the place of what was known of that before."""
    kept = replace(_find(state.pags, name, PAG_WORD), stability=stability)
    return replace(state, pags=_put(state.pags, name, kept))


# Runs ---------------------------------------------------------------------------------------------


def add_run(state: ProjectState, result: SearchResult, *, title: str) -> ProjectState:
    """The state with one more run, which is the current one.

    title : of the search; the run is called after it and after the current PAG, e.g. "ILC-V on GFCI", where the search
        looks at one
    """
    pag = "" if state.kept_pag is None or _ignores_pag(result) else state.kept_pag.name
    name = unique_name(run_name(title, pag), _names(state.runs))
    run = KeptRun(name, result, pag, mark_of_result(result, state.dataset))
    return replace(state, runs=(*state.runs, run), current_run=name)


def _ignores_pag(result: SearchResult) -> bool:
    """Whether the search took no notice of any PAG; Refine needs none, but can be bound to one and is judged by it."""
    method = SEARCHES.get(result.algorithm)
    return result.pag_handling.kind == "unused" and method is not None and "binding" not in method.options


def choose_run(state: ProjectState, name: str) -> ProjectState:
    """The state with another run as the current one."""
    _check_choice(_find(state.runs, name, RUN_WORD), state.dataset)
    return replace(state, current_run=name)


def rename_run(state: ProjectState, old: str, new: str) -> ProjectState:
    """The state with another name for a run."""
    name = check_name(new, state.runs, RUN_WORD)
    runs = _put(state.runs, old, replace(_find(state.runs, old, RUN_WORD), name=name))
    return replace(state, runs=runs, current_run=name if state.current_run == old else state.current_run)


def delete_run(state: ProjectState, name: str) -> ProjectState:
    """The state without a run."""
    _find(state.runs, name, RUN_WORD)
    left = tuple(run for run in state.runs if run.name != name)
    return replace(state, runs=left, current_run=_current_after(left, name, state.current_run, state.dataset))


def keep_run_stability(state: ProjectState, name: str, stability: Stability) -> ProjectState:
    """The state with what came of repeating a run on samples, in the place of what was known of that before."""
    kept = replace(_find(state.runs, name, RUN_WORD), stability=stability)
    return replace(state, runs=_put(state.runs, name, kept))


def keep_null_gains(state: ProjectState, searched: SearchResult, gains: tuple[float, ...]) -> ProjectState:
    """The state with what a search gains where nothing is hidden in its run, whatever that is called by now.

    searched : the result that was compared with chance, or the same one as it was graded before or since
    """
    run = _run_of(state, searched)
    return replace(state, runs=_put(state.runs, run.name, replace(run, result=run.result.with_null_gains(gains))))


def keep_other_cuts(state: ProjectState, searched: SearchResult, outcomes: tuple[CutOutcome, ...]) -> ProjectState:
    """The state with what the same search found with other cut points in its run."""
    run = _run_of(state, searched)
    known = replace(run, result=replace(run.result, other_cuts=outcomes))
    return replace(state, runs=_put(state.runs, run.name, known))


def _run_of(state: ProjectState, searched: SearchResult) -> KeptRun:
    """The run of a result, as it was graded before or since; OptionError where there is none any more."""
    run = next((run for run in state.runs if run.result.history is searched.history), None)
    if run is None:
        raise OptionError("the run was deleted")
    return run


# Both ---------------------------------------------------------------------------------------------


def carry_over(state: ProjectState, before: ProjectState) -> ProjectState:
    """A state whose data were prepared anew, with the PAGs, runs and compared graphs of the one before.

    A PAG says nothing about the names of states: where only those have changed, it is of the new data too. Where
    variables have other names, it follows them without the reasons for its marks, which name the old ones; what the
    user says of causes follows them, too.
    """
    pags, names = before.pags, _new_names(before, state)
    mark = DataMark.of(state.dataset)
    if _has_same_rows(before.dataset, state.dataset):
        pags = tuple(replace(pag, data=mark) if is_of(pag.data, before.dataset) else pag for pag in pags)
    elif names and _has_same_rows(before.dataset, state.dataset, names):
        pags = tuple(_rename(pag, names, mark) if is_of(pag.data, before.dataset) else pag for pag in pags)
    return replace(
        state,
        knowledge=state.knowledge.renamed(names) if names else state.knowledge,
        positions=MappingProxyType({names.get(node, node): position for node, position in state.positions.items()}),
        pags=pags,
        current_pag=_current_for(pags, before.current_pag, state.dataset),
        runs=before.runs,
        current_run=_current_for(before.runs, before.current_run, state.dataset),
        compared=before.compared,
    )


def pag_remark(run: KeptRun, state: ProjectState) -> str:
    """On which PAG a run was, and what has become of that since; "" where it needed none."""
    if not run.pag:
        return ""
    pag = find_item(state.pags, run.pag)
    if pag is None:
        return f"on {run.pag}, which was deleted since"
    return f"on {run.pag}" if _is_same(pag.graph, run.result.pag) else f"on {run.pag}, as it was before it was edited"


def _is_same(graph: MixedGraph, searched: MixedGraph) -> bool:
    """Whether the graphs have the same nodes and edges; a search has its nodes in the order of the data."""
    return set(graph.nodes) == set(searched.nodes) and graph.reordered(searched.nodes) == searched


def _names(items: Sequence[Item]) -> list[str]:
    return [item.name for item in items]


def _find(items: Sequence[Item], name: str, what: str) -> Item:
    item = find_item(items, name)
    if item is None:
        raise OptionError(f"there is no {what} {name!r}")
    return item


def _put(items: tuple[Item, ...], name: str, new: Item) -> tuple[Item, ...]:
    return tuple(new if item.name == name else item for item in items)


def _check_choice(item: KeptPag | KeptRun, dataset: Dataset | None) -> None:
    reason = difference(item.data, dataset)
    if reason:
        raise OptionError(f"{item.name} cannot be shown: {reason}; restore the data choices, or undo")


def _current_after(left: Sequence[Item], gone: str, current: str, dataset: Dataset | None) -> str:
    """The name of the current item when one is gone: the newest of the same data takes its place."""
    return current if current != gone else _newest(left, dataset)


def _current_for(items: Sequence[Item], current: str, dataset: Dataset | None) -> str:
    """The name of the current item when the data are others: the newest of these, else the same as before."""
    kept = find_item(items, current)
    if kept is not None and is_of(kept.data, dataset):
        return current
    return _newest(items, dataset) or current


def _newest(items: Sequence[Item], dataset: Dataset | None) -> str:
    return next((item.name for item in reversed(items) if is_of(item.data, dataset)), "")


def _has_same_rows(first: Dataset | None, second: Dataset | None, names: Mapping[str, str] = NO_NAMES) -> bool:
    """Whether the data are the same but for the names of states, and for these of variables."""
    if first is None or second is None:
        return first is second
    renamed = tuple(names.get(name, name) for name in first.names)
    return renamed == second.names and bool(np.array_equal(first.codes, second.codes))


def _new_names(before: ProjectState, after: ProjectState) -> dict[str, str]:
    """The variables that are called otherwise now, by their old names."""
    if before.raw is not after.raw or after.raw is None:
        return {}
    old, new = before.preparation.name_of, after.preparation.name_of
    return {old(column): new(column) for column in after.raw.names if old(column) != new(column)}


def _rename(pag: KeptPag, names: Mapping[str, str], mark: DataMark | None) -> KeptPag:
    """The PAG of variables with other names, by which it is no longer what its learner told."""
    graph, knowledge = pag.graph.renamed(names), pag.knowledge.renamed(names)
    return replace(pag, graph=graph, data=mark, events=(), stability=None, knowledge=knowledge)
