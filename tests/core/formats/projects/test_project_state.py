"""Opening, preparing, saving and opening again, as Python does it without a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from support.small_runs import GRAPH, confounded, small_run

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.graphs.registry import write_graph
from latconf_core.formats.projects.opening import OpenedGraph, change_preparation, draw_example, open_file
from latconf_core.formats.projects.project_state import (
    OpenedProject,
    ProjectState,
    open_project,
    prepare_state,
    save_state,
)
from latconf_core.formats.projects.state_changes import add_run
from latconf_core.graph.mixed import empty_graph
from latconf_core.search.runner import run_search

Kind = TypeVar("Kind")
CONTROL = RunControl()


def last(events: Iterator[object], kind: type[Kind]) -> Kind:
    *_, event = events
    assert isinstance(event, kind)
    return event


def ignore(_event: object) -> None:
    """Progress is not looked at."""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    path.write_text("a,b\n" + "x,1\ny,NA\nx,2\n" * 10)
    return path


def open_path(path: Path, before: ProjectState | None = None) -> Iterator[object]:
    return open_file(path, None, CONTROL, post=ignore, before=before or ProjectState())


def test_that_a_table_is_opened_prepared_saved_and_opened_again(table: Path, tmp_path: Path) -> None:
    opened = last(open_path(table), ProjectState)
    assert opened.dataset is not None
    assert not opened.dataset.is_complete
    (state,) = change_preparation(opened, lambda now: now.with_missing("drop rows"), CONTROL)
    assert isinstance(state, ProjectState)
    assert state.dataset is not None
    list(save_state(state, tmp_path / "p.latconf", CONTROL, post=ignore))
    again = last(open_project(tmp_path / "p.latconf", CONTROL, post=ignore), OpenedProject)
    assert again.state.dataset == state.dataset
    assert [plan.name for plan in again.state.plans] == ["a", "b"]
    assert (again.state.source, again.notes) == (table, ())


def test_that_missing_cells_and_a_run_on_completed_rows_are_saved(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = confounded()
    gaps = np.where(rng.random(rows.codes.shape) < 0.1, -1, rows.codes.astype(np.int64))
    data = Dataset(rows.names, rows.states, gaps)
    state = prepare_state(ProjectState(name="x", raw=table_of_dataset(data)), Preparation())
    assert state.dataset == data
    result = run_search(data, empty_graph(data.names), "refine")
    state = add_run(state, result, title="Refine")
    list(save_state(state, tmp_path / "p.latconf", CONTROL, post=ignore))
    again = last(open_project(tmp_path / "p.latconf", CONTROL, post=ignore), OpenedProject)
    assert again.notes == ()
    assert again.state.dataset == data
    kept = again.state.runs[0].result
    assert kept.completion == result.completion
    assert kept.posterior is not None
    assert result.posterior is not None
    assert kept.posterior.dataset == result.posterior.dataset
    for latent in kept.posterior.latents:
        shares = kept.posterior.responsibilities(latent)
        assert np.allclose(shares, result.posterior.responsibilities(latent))


def test_that_a_graph_file_is_told_from_a_table_by_its_content(tmp_path: Path) -> None:
    write_graph(GRAPH, tmp_path / "g.txt")
    opened = last(open_path(tmp_path / "g.txt"), OpenedGraph)
    assert (opened.graph, opened.name) == (GRAPH, "g.txt")


def test_that_an_example_keeps_its_truth_and_how_it_was_drawn(tmp_path: Path) -> None:
    choice = ExampleChoice("asia", ("smoke",), 60)
    state = last(draw_example(choice, CONTROL), ProjectState)
    list(save_state(state, tmp_path / "p.latconf", CONTROL, post=ignore))
    again = last(open_project(tmp_path / "p.latconf", CONTROL, post=ignore), OpenedProject).state
    assert (again.source, again.truth, again.dataset) == (choice, state.truth, state.dataset)


def test_that_a_state_keeps_its_result(tmp_path: Path) -> None:
    raw = table_of_dataset(confounded())
    state = prepare_state(ProjectState(name="x", raw=raw), Preparation(missing_marks=()))
    found = add_run(state, small_run(), title="HCLC-V")
    list(save_state(found, tmp_path / "p.latconf", CONTROL, post=ignore))
    again = last(open_project(tmp_path / "p.latconf", CONTROL, post=ignore), OpenedProject).state
    assert again.result is not None
    assert again.result.history == small_run().history


def test_that_a_state_without_a_table_cannot_be_prepared() -> None:
    with pytest.raises(ValueError, match="without a table"):
        prepare_state(ProjectState(), Preparation())
