"""PAGs and runs of a state, kept by name: adding, editing, choosing, renaming, deleting, and other data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.builders import mixed
from support.small_runs import GRAPH, confounded, small_run

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.errors import OptionError
from latconf_core.formats.projects.kept_items import DataMark, difference, unique_name
from latconf_core.formats.projects.migrations import migrate_pag
from latconf_core.formats.projects.project_state import (
    OpenedProject,
    ProjectState,
    open_project,
    prepare_state,
    save_state,
)
from latconf_core.formats.projects.state_changes import (
    add_pag,
    add_run,
    carry_over,
    choose_pag,
    choose_run,
    delete_pag,
    delete_run,
    edit_pag,
    pag_remark,
    rename_pag,
    rename_run,
)
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.events import EdgeRemoved, PagEvent
from latconf_core.search.catalogue import search_title
from latconf_core.search.runner import run_search

OTHER = mixed("A o-o B", nodes=list("ABC"))
EVENTS: tuple[PagEvent, ...] = (EdgeRemoved("A", "C", ("B",), 0.5, "skeleton"),)


def with_data(dataset: Dataset) -> ProjectState:
    return ProjectState(name="x", prepared=Prepared(dataset, np.arange(dataset.n_rows)))


@pytest.fixture
def two() -> ProjectState:
    """Two PAGs, and a run on each."""
    state = add_pag(with_data(confounded()), OTHER, origin="FCI, alpha 0.05")
    state = add_run(state, replace(small_run(), pag=OTHER), title="ILC-V")
    state = add_pag(state, GRAPH, origin="GFCI, alpha 0.01", events=EVENTS)
    return add_run(state, small_run(), title="HCLC-V")


def names(state: ProjectState) -> tuple[list[str], list[str]]:
    return [pag.name for pag in state.pags], [run.name for run in state.runs]


def test_that_a_second_pag_and_a_second_run_are_added_and_current(two: ProjectState) -> None:
    assert names(two) == (["FCI, alpha 0.05", "GFCI, alpha 0.01"], ["ILC-V on FCI", "HCLC-V on GFCI"])
    assert (two.pag, two.pag_origin, two.result) == (GRAPH, "GFCI, alpha 0.01", two.runs[1].result)


def test_that_names_are_made_unique(two: ProjectState) -> None:
    again = add_run(add_pag(two, OTHER, origin="GFCI, alpha 0.01"), small_run(), title="HCLC-V")
    assert again.current_pag == "GFCI, alpha 0.01 (2)"
    assert again.current_run == "HCLC-V on GFCI (2)"
    assert unique_name("a", ["a", "a (2)"]) == "a (3)"


def test_that_editing_changes_the_current_pag_and_keeps_every_run(two: ProjectState) -> None:
    edited = edit_pag(two, OTHER, origin="GFCI, alpha 0.01, edited")
    assert [pag.graph for pag in edited.pags] == [OTHER, OTHER]
    assert edited.pags[1].events == EVENTS  # they say why the rest is as it is
    assert edited.runs is two.runs
    assert pag_remark(edited.runs[0], edited) == "on FCI, alpha 0.05"
    assert pag_remark(edited.runs[1], edited) == "on GFCI, alpha 0.01, as it was before it was edited"


def test_that_a_graph_with_its_nodes_in_another_order_is_the_same_graph(two: ProjectState) -> None:
    turned = edit_pag(two, GRAPH.reordered(["C", "A", "B"]), origin="")
    assert pag_remark(turned.runs[1], turned) == "on GFCI, alpha 0.01"


def test_that_editing_without_a_pag_makes_the_first(two: ProjectState) -> None:
    assert names(edit_pag(with_data(confounded()), GRAPH, origin="drawn by hand"))[0] == ["drawn by hand"]


def test_that_a_run_follows_the_new_name_of_its_pag_and_stays_when_it_is_deleted(two: ProjectState) -> None:
    renamed = rename_pag(two, "GFCI, alpha 0.01", " mine ")
    assert (renamed.current_pag, renamed.runs[1].pag, renamed.runs[0].pag) == ("mine", "mine", "FCI, alpha 0.05")
    deleted = delete_pag(renamed, "mine")
    assert deleted.current_pag == "FCI, alpha 0.05"
    assert len(deleted.runs) == 2
    assert pag_remark(deleted.runs[1], deleted) == "on mine, which was deleted since"


@pytest.mark.parametrize(
    ("algorithm", "name"), [("hc", "Hill-climbing"), ("no-latents", "No hidden causes"), ("refine", "Refine on GFCI")]
)
def test_that_a_run_is_called_after_a_pag_only_where_its_search_looks_at_one(
    two: ProjectState, algorithm: str, name: str
) -> None:
    done = run_search(confounded(60), GRAPH, algorithm, options=SearchOptions(seed=1))
    state = add_run(two, done, title=search_title(algorithm))
    assert state.runs[-1].name == name
    assert pag_remark(state.runs[-1], state) == ("on GFCI, alpha 0.01" if "on" in name.split() else "")


def test_that_choosing_shows_the_other_and_deleting_the_current_run_shows_the_newest(two: ProjectState) -> None:
    chosen = choose_run(choose_pag(two, "FCI, alpha 0.05"), "ILC-V on FCI")
    assert (chosen.pag, chosen.result) == (OTHER, two.runs[0].result)
    assert delete_run(chosen, "ILC-V on FCI").current_run == "HCLC-V on GFCI"
    assert delete_run(chosen, "HCLC-V on GFCI").current_run == "ILC-V on FCI"
    assert delete_run(delete_run(chosen, "HCLC-V on GFCI"), "ILC-V on FCI").current_run == ""


@pytest.mark.parametrize("name", ["", "  ", "ILC-V on FCI", "HCLC-V on GFCI"])
def test_that_an_empty_or_taken_name_is_refused(two: ProjectState, name: str) -> None:
    with pytest.raises(OptionError, match=r"needs a name|already a run"):
        rename_run(two, "HCLC-V on GFCI", name)


def test_that_what_is_not_there_is_refused(two: ProjectState) -> None:
    for change in (choose_pag, delete_pag):
        with pytest.raises(OptionError, match="there is no PAG 'x'"):
            change(two, "x")


def test_that_other_data_keep_both_out_of_sight_and_the_same_data_bring_them_back(two: ProjectState) -> None:
    data = confounded()
    fewer = Dataset(data.names, data.states, data.codes[:390])
    other = carry_over(with_data(fewer), two)
    assert (len(other.pags), len(other.runs), other.pag, other.result) == (2, 2, None, None)
    with pytest.raises(OptionError, match="10 rows dropped since; restore the data choices"):
        choose_run(other, "ILC-V on FCI")
    back = carry_over(with_data(confounded()), other)
    assert (back.pag, back.result) == (two.pag, two.result)


def test_that_other_names_of_states_keep_the_pags_but_not_the_runs(two: ProjectState) -> None:
    data = confounded()
    renamed = Dataset(data.names, [("0", "1"), ("no", "yes"), ("a", "b", "c")], data.codes)
    after = carry_over(with_data(renamed), two)
    assert (after.pag, after.result) == (GRAPH, None)
    assert choose_pag(after, "FCI, alpha 0.05").pag == OTHER


def test_that_what_is_different_about_the_data_is_said_in_a_few_words() -> None:
    data = confounded()
    mark = DataMark.of(data)
    assert difference(mark, confounded()) == ""
    assert difference(None, None) == ""
    assert difference(None, data) == "made without data"
    assert difference(mark, None) == "made from data that are no longer prepared"
    assert difference(mark, confounded(399)) == "made from other data: 1 row dropped since"
    assert difference(mark, data.select(["A", "B"])) == "made from other data: C excluded since"
    assert difference(DataMark.of(data.select(["A"])), data) == "made from other data: B and C added since"
    assert difference(mark, data.select(["C", "B", "A"])) == "made from other data: column order changed since"
    names = tuple("ABCDE")
    assert difference(DataMark("x", None, names), data.select(["A"])).endswith(": B, C and 2 more excluded since")
    assert difference(DataMark("x", 400, data.names), data).endswith("cells or states were changed since")


def last(events: Iterator[object]) -> ProjectState:
    *_, event = events
    assert isinstance(event, OpenedProject)
    return event.state


def ignore(_event: object) -> None:
    """Progress is not looked at."""


def test_that_a_project_keeps_both_collections_and_which_are_current(two: ProjectState, tmp_path: Path) -> None:
    raw = table_of_dataset(confounded())
    prepared = prepare_state(ProjectState(name="x", raw=raw), Preparation(missing_marks=()))
    saved = carry_over(prepared, choose_run(choose_pag(two, "FCI, alpha 0.05"), "ILC-V on FCI"))
    saved = replace(saved, runs=(saved.runs[0], replace(saved.runs[1], opened=(0, 1))))
    list(save_state(saved, tmp_path / "p.latconf", RunControl(), post=ignore))
    read = last(open_project(tmp_path / "p.latconf", RunControl(), post=ignore))
    for old, new in zip(saved.pags, read.pags, strict=True):
        assert (new.name, new.graph, new.origin, new.data, new.events) == (
            old.name,
            old.graph,
            old.origin,
            old.data,
            old.events,
        )
    assert [(run.name, run.pag, run.data, run.opened) for run in read.runs] == [
        (run.name, run.pag, run.data, run.opened) for run in saved.runs
    ]
    assert (read.current_pag, read.current_run) == ("FCI, alpha 0.05", "ILC-V on FCI")
    assert read.pag == OTHER


@pytest.mark.parametrize(
    ("origin", "bare", "is_edited", "is_by_search"),
    [
        ("GFCI, alpha 0.05", "GFCI, alpha 0.05", False, False),
        ("GFCI, alpha 0.05, edited", "GFCI, alpha 0.05", True, False),
        ("GFCI, by Auto, edited", "GFCI, by Auto", True, True),
        ("drawn", "drawn", False, False),
    ],
)
def test_that_the_origin_of_an_older_project_says_whether_a_pag_was_edited(
    origin: str, bare: str, is_edited: bool, is_by_search: bool
) -> None:
    older = {"name": "PAG", "origin": origin, "data": None}
    assert migrate_pag(older) == {**older, "origin": bare, "edited": is_edited, "by_search": is_by_search}
    newer = {"name": "PAG", "origin": "edited, by me", "edited": False, "by_search": False, "data": None}
    assert migrate_pag(newer) == newer


def test_that_a_pag_changed_by_hand_says_so_once_and_is_still_that_of_its_search(tmp_path: Path) -> None:
    raw = table_of_dataset(confounded())
    state = prepare_state(ProjectState(name="x", raw=raw), Preparation(missing_marks=()))
    state = add_pag(state, GRAPH, origin="GFCI, by Auto", is_by_search=True)
    state = edit_pag(edit_pag(state, OTHER), GRAPH)
    list(save_state(state, tmp_path / "p.latconf", RunControl(), post=ignore))
    for kept in (state.pags[0], last(open_project(tmp_path / "p.latconf", RunControl(), post=ignore)).pags[0]):
        assert (kept.came_about, kept.learner, kept.is_by_search) == ("GFCI, by Auto, edited", "gfci", True)
    assert edit_pag(add_pag(state, OTHER, origin="drawn"), GRAPH).pag_origin == "drawn"


def test_that_runs_of_other_data_are_saved_with_what_the_data_were(two: ProjectState, tmp_path: Path) -> None:
    raw = table_of_dataset(confounded(390))
    state = prepare_state(ProjectState(name="x", raw=raw), Preparation(missing_marks=()))
    list(save_state(carry_over(state, two), tmp_path / "p.latconf", RunControl(), post=ignore))
    read = last(open_project(tmp_path / "p.latconf", RunControl(), post=ignore))
    assert (len(read.pags), len(read.runs), read.pag, read.result) == (2, 2, None, None)
    assert difference(read.runs[0].data, read.dataset) == "made from other data: 10 rows dropped since"
